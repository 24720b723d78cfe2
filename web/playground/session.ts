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

const SESSIONS = '{ viewer { sessions { id current } } }';
const END = 'mutation EndSession($id: ID!) { endSession(id: $id) }';

interface Sessions {
  readonly viewer: { readonly sessions: readonly { readonly id: string; readonly current: boolean }[] };
}

/** Ends a session on the server. `send` sends an operation with its token, and returns the data. */
export async function endOnServer(
  send: (query: string, variables: Readonly<Record<string, string>>) => Promise<unknown>,
): Promise<void> {
  try {
    const { viewer } = (await send(SESSIONS, {})) as Sessions; // the selection of SESSIONS
    const id = viewer.sessions.find(({ current }) => current)?.id;
    if (id !== undefined) await send(END, { id });
  } catch {
    // The token is forgotten here, and ends by itself on a server that cannot be reached.
  }
}
