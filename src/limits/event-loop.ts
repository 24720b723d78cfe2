import { performance } from 'node:perf_hooks';

// How often the event loop is checked, and the idle time that counts as having no other work; in milliseconds.
const LOOK = 5;
const IDLE = 1;

/** Calls `work` when the event loop has had `milliseconds` for other work, or has no other work. */
export function afterOthers(milliseconds: number, work: () => void): void {
  const begun = performance.now();
  const { idle } = performance.eventLoopUtilization();
  const looking = setInterval(() => {
    const isIdle = performance.eventLoopUtilization().idle - idle >= IDLE;
    if (!isIdle && performance.now() - begun < milliseconds) return;
    clearInterval(looking);
    work();
  }, LOOK).unref();
}

/**
 * Resolves at the end of this turn of the event loop. Immediates run after all sockets have been read, so the turn
 * includes the requests of all connections.
 */
export function endOfTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
