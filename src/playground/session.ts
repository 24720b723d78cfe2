const KEY = 'sipgraph-session';

/** The user who is signed in, in this tab. The playground and the console share it. */
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
