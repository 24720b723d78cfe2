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
