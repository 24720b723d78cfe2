import { useSyncExternalStore } from 'react';

import { sessionState, watchSession, type Session } from '../graph/session';

/** The session, and the one whose token ended. */
export function useSessionState(): ReturnType<typeof sessionState> {
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
