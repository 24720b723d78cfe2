import { useState, type SyntheticEvent } from 'react';

import { post } from './request';

/** The user who is signed in, in this tab. The playground and the console share it. */
export interface Session {
  readonly username: string;
  readonly role: string;
  readonly token: string;
}

/**
 * The session of this tab at the server with this root, if any. sessionStorage is cleared when the tab is closed.
 */
export function loadSession(root: URL): Session | undefined {
  const kept = sessionStorage.getItem(keyOf(root));
  return kept === null ? undefined : (JSON.parse(kept) as Session); // written by saveSession
}

/** Stores the session for this tab, or clears it. */
export function saveSession(root: URL, session: Session | undefined): void {
  if (session) sessionStorage.setItem(keyOf(root), JSON.stringify(session));
  else sessionStorage.removeItem(keyOf(root));
}

/** Where the session is kept. Servers below several paths of one proxy have one storage, and different users. */
function keyOf(root: URL): string {
  return `sipgraph-session${root.pathname.replace(/\/$/, '')}`;
}

const CREATE_TOKEN = `mutation SignIn($username: String!, $secret: String!) {
  createToken(username: $username, secret: $secret) { token role }
}`;

/** Signs in. `url` is that of the graph. Throws an Error with a message for the user. */
export async function createSession(url: string, username: string, secret: string): Promise<Session> {
  const { data, errors } = await post<{ readonly createToken: Omit<Session, 'username'> }>(url, {
    query: CREATE_TOKEN,
    variables: { username, secret },
  });
  if (!data) throw new Error(errors?.[0]?.message ?? 'The server did not respond');
  return { username, ...data.createToken };
}

const SESSIONS = '{ viewer { sessions { id current } } }';
const END = 'mutation EndSession($id: ID!) { endSession(id: $id) }';

interface Sessions {
  readonly viewer: { readonly sessions: readonly { readonly id: string; readonly current: boolean }[] };
}

/** Ends the session with a token on the server. `url` is that of the graph. */
export async function endSessionOnServer(url: string, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  try {
    const { data } = await post<Sessions>(url, { query: SESSIONS }, headers);
    const id = data?.viewer.sessions.find(({ current }) => current)?.id;
    if (id !== undefined) await post(url, { query: END, variables: { id } }, headers);
  } catch {
    // The token is forgotten here, and ends by itself on a server that cannot be reached.
  }
}

/** The state of a form with the inputs `username` and `secret`, and what sends it. The secret is sent once and not stored. */
export function useSignInForm(signIn: (username: string, secret: string) => Promise<unknown>): {
  readonly failure: string | undefined;
  readonly isBusy: boolean;
  readonly submit: (event: SyntheticEvent<HTMLFormElement>) => void;
} {
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const submit = (event: SyntheticEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setBusy(true);
    setFailure(undefined);
    signIn(textIn(form, 'username'), textIn(form, 'secret'))
      .catch((error: unknown) => setFailure(error instanceof Error ? error.message : String(error)))
      .finally(() => setBusy(false));
  };
  return { failure, isBusy, submit };
}

function textIn(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
