import { useSyncExternalStore } from 'react';

import { createSession, endSessionOnServer, loadSession, saveSession, type Session } from '../../../shared/session';
import { post, ROOT, serverUrl } from './post';

export type { Session };

/** `ended` is the session whose token the server no longer accepts: its user has to sign in again. */
interface State {
  readonly session: Session | undefined;
  readonly ended: Session | undefined;
}

let state: State = { session: loadSession(ROOT), ended: undefined };
const listeners = new Set<() => void>();
/** The user whose data and unfinished requests this page has. */
let owner = state.session?.username;

function change(next: State): void {
  state = next;
  saveSession(ROOT, next.session);
  for (const listener of [...listeners]) listener();
}

/** Calls the listener when the session changes, until the returned function is called. */
function watchSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The current state; the same object until it changes. */
export function sessionState(): State {
  return state;
}

/** Resolves to the session, when somebody is signed in. */
export async function signedIn(): Promise<Session> {
  if (state.session) return state.session;
  return new Promise((resolve) => {
    const stop = watchSession(() => {
      if (!state.session) return;
      stop();
      resolve(state.session);
    });
  });
}

/** Asks the user to sign in again, because the server refused this token. */
export function endSession(token: string): void {
  if (state.session?.token === token) change({ session: undefined, ended: state.session });
}

/** Reads the role of the user again, because the server refused what the role permits. Pages follow it. */
export async function readRole(token: string): Promise<void> {
  const { viewer } = await post<{ viewer: { role: string } }>('{ viewer { role } }', {}, token);
  const { session } = state;
  if (session?.token === token && session.role !== viewer.role)
    change({ ...state, session: { ...session, role: viewer.role } });
}

/**
 * Signs in. For another user than before, the page is loaded anew: what is shown, and the requests that wait for a session,
 * belong to the user before. Throws an Error with a message for the user.
 */
export async function signIn(username: string, secret: string): Promise<void> {
  const session = await createSession(serverUrl('graphql'), username, secret);
  owner ??= username;
  if (username === owner) {
    change({ session, ended: undefined });
    return;
  }
  // If the user cancels it, to keep a form, nothing goes on.
  saveSession(ROOT, session);
  location.reload();
}

/** Ends the session, here and on the server. */
export async function signOut(): Promise<void> {
  const token = state.session?.token;
  change({ session: undefined, ended: undefined });
  if (token !== undefined) await endSessionOnServer(serverUrl('graphql'), token);
}

/** The session, and the one whose token ended. */
export function useSessionState(): State {
  return useSyncExternalStore(watchSession, sessionState);
}

/** Who is signed in, also while the token has ended and the user is asked to sign in again. */
export function useSession(): Session | undefined {
  const { session, ended } = useSessionState();
  return session ?? ended;
}

/** Whether the user may change resources. The server checks it in any case. */
export function useMayWrite(): boolean {
  const role = useSession()?.role;
  return role !== undefined && role !== 'VIEWER';
}
