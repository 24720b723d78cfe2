/**
 * Resolves at the end of this turn of the event loop. Immediates run after all sockets have been read, so the turn
 * includes the requests of all connections.
 */
export function endOfTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
