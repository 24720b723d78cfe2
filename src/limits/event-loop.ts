import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';

// How often the event loop is checked, and the idle time that counts as having no other work; in milliseconds.
const LOOK = 5;
const IDLE = 1;
// How often the other requests are counted, and how long they may delay a part of long work; in milliseconds.
const COUNT = 1;
const LONGEST_PAUSE = 10;

/** Calls `work` when the event loop has had `milliseconds` for other work, or has no other work. */
export function afterOthers(milliseconds: number, work: () => void): void {
  const startedAt = performance.now();
  const { idle } = performance.eventLoopUtilization();
  const looking = setInterval(() => {
    const isIdle = performance.eventLoopUtilization().idle - idle >= IDLE;
    if (!isIdle && performance.now() - startedAt < milliseconds) return;
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

/**
 * Lets other requests go first, between the parts of long work: for at most as long as the work has taken since then, so
 * that it is done in twice its time.
 */
export class LongWork {
  private since = performance.now();

  constructor(private readonly request: { readonly others?: number } | undefined) {}

  async pause(): Promise<void> {
    const now = performance.now();
    const end = now + Math.min(now - this.since, LONGEST_PAUSE);
    while ((this.request?.others ?? 0) > 0 && performance.now() < end) await setTimeout(COUNT);
    this.since = performance.now();
  }
}
