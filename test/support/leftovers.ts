const closers: (() => Promise<void>)[] = [];

/**
 * Has `close` called when the test file ends. A test closes what it opens; one that fails before it gets there would
 * leave Jest waiting for ever. `close` may run twice.
 */
export function closeAtTheLatest(close: () => Promise<void>): void {
  closers.push(close);
}

/** Closes everything, what was opened last first. */
export async function closeLeftovers(): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close();
}
