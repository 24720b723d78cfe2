import { useState, type SyntheticEvent } from 'react';

import { post, type Answer } from './request';

/**
 * The user who is signed in: in this tab only, with a token, or in all tabs of this browser. Then, the token is in a
 * cookie that pages cannot read, and requests name the session.
 */
export type Session = { readonly username: string; readonly role: string } & (
  { readonly token: string } | { readonly id: string; readonly expiresOn: number }
);

/** The session of this browser, as its tabs share it. `isOver`: the server no longer accepts it. */
interface Shared {
  readonly session: Session & { readonly id: string; readonly expiresOn: number };
  readonly isOver?: boolean;
}

/** Whether all tabs of this browser share the session. */
export function isShared(session: Session): session is Shared['session'] {
  return 'id' in session;
}

/** Whether both are the same sign-in, whatever the role. */
export function isSame(one: Session | undefined, other: Session | undefined): boolean {
  return JSON.stringify(one && credentialsOf(one)) === JSON.stringify(other && credentialsOf(other));
}

/** What requests send as headers, and WebSockets in `connection_init`. */
export function credentialsOf(session: Session | undefined): Readonly<Record<string, string>> {
  if (!session) return {};
  return isShared(session) ? { 'sipgraph-session': session.id } : { authorization: `Bearer ${session.token}` };
}

/** The session at the server with this root, if any: that of this tab, or else that of the browser. */
export function loadSession(root: URL): Session | undefined {
  const own = sessionStorage.getItem(keyOf(root));
  if (own !== null) return JSON.parse(own) as Session; // written by saveSession
  const { session, isOver = false } = sharedSession(root) ?? {};
  return isOver || !session || session.expiresOn <= Date.now() ? undefined : session;
}

/** The last session of this browser, which may be over. */
export function sharedSession(root: URL): Shared | undefined {
  const kept = localStorage.getItem(keyOf(root));
  return kept === null ? undefined : (JSON.parse(kept) as Shared); // written by saveSession
}

/** Stores a session. Other tabs notice that of the browser at once. */
export function saveSession(root: URL, session: Session): void {
  const before = sharedSession(root);
  // A session of this tab leaves one that others go on with alone.
  const isGone = before?.isOver === true || (before?.session.expiresOn ?? Infinity) <= Date.now();
  if (before && before.session.username !== session.username && (isShared(session) || isGone)) forgetWork();
  if (isShared(session)) {
    sessionStorage.removeItem(keyOf(root));
    store(root, { session });
  } else sessionStorage.setItem(keyOf(root), JSON.stringify(session));
}

/**
 * Forgets a session that has ended. `isOver`: on the server, so that the other tabs ask to sign in again. Otherwise, the user has
 * signed out, and the work is forgotten, too.
 */
export function forgetSession(root: URL, session: Session, isOver: boolean): void {
  if (!isOver) forgetWork();
  sessionStorage.removeItem(keyOf(root));
  // Another tab may have signed in again.
  if (!isShared(session) || !isSame(session, sharedSession(root)?.session)) return;
  if (isOver) store(root, { session, isOver });
  else localStorage.removeItem(keyOf(root));
}

// The documents of GraphiQL, in its tabs and those that were run, and what was searched and filtered in the console.
const WORK =
  /^graphiql:(?:tabState|query|variables|headers|queries|favorites)$|^RaStoresipgraph-console\.(?:search\.recent|.+\.listParams)$/;

/** Forgets what pages keep of the user's work: it may have secrets, and the next user of the browser may be another one. */
export function forgetWork(): void {
  for (const key of Object.keys(localStorage)) if (WORK.test(key)) localStorage.removeItem(key);
}

function store(root: URL, shared: Shared): void {
  localStorage.setItem(keyOf(root), JSON.stringify(shared));
}

/** Calls the listener when another tab may have changed the session of the browser. */
export function watchSharedSession(root: URL, listener: () => void): void {
  addEventListener('storage', ({ key }) => {
    if (key === keyOf(root) || key === null) listener();
  });
  // A page that the browser kept while another one was shown has missed these events.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) listener();
  });
}

/** Where the session is kept. Servers below several paths of one proxy have one storage, and different users. */
function keyOf(root: URL): string {
  return `sipgraph-session${root.pathname.replace(/\/$/, '')}`;
}

const CREATE_TOKEN = `mutation SignIn($username: String!, $secret: String!) {
  createToken(username: $username, secret: $secret) { token role }
}`;

/** Signs in for this tab. `url` is that of the graph. Throws an Error with a message for the user. */
export async function createSession(url: string, username: string, secret: string): Promise<Session> {
  const query = { query: CREATE_TOKEN, variables: { username, secret } };
  const { createToken } = dataOf(
    await post<{ readonly createToken: { readonly token: string; readonly role: string } }>(url, query),
  );
  return { username, ...createToken };
}

/**
 * Signs in for all tabs of this browser. `url` is that of the graph. The cookie of the session before is removed.
 * Throws an Error with a message for the user.
 */
export async function createSharedSession(
  url: string,
  username: string,
  secret: string,
  before: Session | undefined,
): Promise<Session> {
  const { expiresIn, ...session } = dataOf(
    await post<Omit<Shared['session'], 'expiresOn'> & { readonly expiresIn: number }>(
      `${url}/session`,
      { username, secret },
      credentialsOf(before),
    ),
  );
  return { ...session, expiresOn: Date.now() + expiresIn * 1000 };
}

function dataOf<Data>({ data, errors }: Answer<Data>): Data {
  if (data === undefined || data === null) throw new Error(errors?.[0]?.message ?? 'The server did not respond');
  return data;
}

const SESSIONS = '{ viewer { sessions { id current } } }';
const END = 'mutation EndSession($id: ID!) { endSession(id: $id) }';

interface Sessions {
  readonly viewer: { readonly sessions: readonly { readonly id: string; readonly current: boolean }[] };
}

/** Ends a session on the server. `url` is that of the graph. */
export async function endSessionOnServer(url: string, session: Session): Promise<void> {
  const headers = credentialsOf(session);
  try {
    if (isShared(session)) {
      await fetch(`${url}/session`, { method: 'DELETE', headers, keepalive: true });
      return;
    }
    const { data } = await post<Sessions>(url, { query: SESSIONS }, headers);
    const id = data?.viewer.sessions.find(({ current }) => current)?.id;
    if (id !== undefined) await post(url, { query: END, variables: { id } }, headers);
  } catch {
    // The session is forgotten here, and ends by itself on a server that cannot be reached.
  }
}

/** The state of a form with the inputs `username` and `secret`, and what sends it. The secret is sent once and not stored. */
export function useSignInForm(signIn: (username: string, secret: string, form: FormData) => Promise<unknown>): {
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
    signIn(valueIn(form, 'username'), valueIn(form, 'secret'), form)
      .catch((error: unknown) => setFailure(error instanceof Error ? error.message : String(error)))
      .finally(() => setBusy(false));
  };
  return { failure, isBusy, submit };
}

/** The text of an input, in which spaces count. */
export function valueIn(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
