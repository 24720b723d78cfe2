import { useSyncExternalStore } from 'react';

import {
  createSession,
  createSharedSession,
  endSessionOnServer,
  forgetSession,
  isSame,
  isShared,
  loadSession,
  saveSession,
  sharedSession,
  watchSharedSession,
  type Session,
} from '../../../shared/session';
import { post, ROOT, serverUrl } from './post';

export type { Session };

/** `ended` is the session that the server no longer accepts: its user has to sign in again. */
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

/** Asks the user to sign in again, because the server refused this session. */
export function endSession(session: Session): void {
  if (!isSame(session, state.session)) return;
  forgetSession(ROOT, session, true);
  change({ session: undefined, ended: state.session });
  // Another tab may have signed in again already.
  if (isShared(session)) followOtherTabs();
}

/** Reads the role of the user again, because the server refused what the role permits. Pages follow it. */
export async function readRole(session: Session): Promise<void> {
  const { viewer } = await post<{ viewer: { role: string } }>('{ viewer { role } }', {}, session);
  if (!state.session || !isSame(session, state.session) || state.session.role === viewer.role) return;
  const changed = { ...state.session, role: viewer.role };
  // Unless the session has ended in another tab.
  if (isSame(loadSession(ROOT), changed)) saveSession(ROOT, changed);
  change({ ...state, session: changed });
}

/** Signs in, in this tab only or in all tabs of this browser. Throws an Error with a message for the user. */
export async function signIn(username: string, secret: string, isOnlyThisTab: boolean): Promise<void> {
  const url = serverUrl('graphql');
  const session = isOnlyThisTab
    ? await createSession(url, username, secret)
    : await createSharedSession(url, username, secret, sharedSession(ROOT)?.session);
  saveSession(ROOT, session);
  goOn(session);
}

/**
 * Goes on with a session. For another user than before, the page is loaded anew: what is shown, and the requests that
 * wait for a session, belong to the user before.
 */
function goOn(session: Session): void {
  owner ??= session.username;
  if (session.username === owner) change({ session, ended: undefined });
  // If the user cancels it, to keep a form, nothing goes on.
  else location.reload();
}

/** Ends the session, here, on the server, and in the other tabs that share it. */
export async function signOut(): Promise<void> {
  const { session } = state;
  change({ session: undefined, ended: undefined });
  if (!session) return;
  forgetSession(ROOT, session, false);
  await endSessionOnServer(serverUrl('graphql'), session);
}

/** Does what another tab did with the session of the browser, unless this tab has a session of its own. */
function followOtherTabs(): void {
  const current = state.session ?? state.ended;
  if (current && !isShared(current)) return;
  const { session, isOver = false } = sharedSession(ROOT) ?? {};
  if (session && !isOver) goOn(session);
  else if (!session) change({ session: undefined, ended: undefined });
  else if (isSame(session, state.session)) change({ session: undefined, ended: session });
}

watchSharedSession(ROOT, followOtherTabs);

/** The session, and the one whose token ended. */
export function useSessionState(): State {
  return useSyncExternalStore(watchSession, sessionState);
}

/** Who is signed in, also while the token has ended and the user is asked to sign in again. */
export function useSession(): Session | undefined {
  const { session, ended } = useSessionState();
  return session ?? ended;
}

/** Whether the user of a session may change resources. The server checks it in any case. */
export function mayWrite({ role }: Session): boolean {
  return role !== 'VIEWER';
}

/** Whether the user of a session may do everything. */
export function isAdmin({ role }: Session): boolean {
  return role === 'ADMIN';
}

/** Whether the user may change resources. */
export function useMayWrite(): boolean {
  const session = useSession();
  return session !== undefined && mayWrite(session);
}
