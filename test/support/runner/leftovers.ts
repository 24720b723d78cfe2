const closers: (() => Promise<void>)[] = [];

/**
 * Calls `close` when the test file ends. A test closes what it opens, but if it fails earlier, Jest would wait forever.
 * `close` may run twice.
 */
export function closeAtTheLatest(close: () => Promise<void>): void {
  closers.push(close);
}

/** Closes everything, in reverse order of opening. */
export async function closeLeftovers(): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close();
}
