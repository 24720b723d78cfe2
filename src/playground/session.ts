import { post } from './request';

const KEY = 'sipgraph-session';

/** The user who is signed in, in this tab. */
export interface Session {
  readonly username: string;
  readonly role: string;
  readonly token: string;
}

/** The session of this tab, if any. sessionStorage is cleared when the tab is closed. */
export function loadSession(): Session | undefined {
  const kept = sessionStorage.getItem(KEY);
  return kept === null ? undefined : (JSON.parse(kept) as Session); // written by saveSession
}

/** Stores the session for this tab, or clears it. */
export function saveSession(session: Session | undefined): void {
  if (session) sessionStorage.setItem(KEY, JSON.stringify(session));
  else sessionStorage.removeItem(KEY);
}

interface TokenAnswer {
  readonly data?: { readonly createToken: { readonly token: string; readonly role: string } } | null;
  readonly errors?: readonly { readonly message: string }[];
}

const CREATE_TOKEN = `mutation SignIn($username: String!, $secret: String!) {
  createToken(username: $username, secret: $secret) { token role }
}`;

/** Signs in. Throws an Error with a message for the user. */
export async function signIn(username: string, secret: string): Promise<Session> {
  const { data, errors } = (await post({ query: CREATE_TOKEN, variables: { username, secret } })) as TokenAnswer;
  if (!data) throw new Error(errors?.[0]?.message ?? 'The server did not respond');
  return { username, ...data.createToken };
}
