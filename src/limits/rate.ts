import { performance } from 'node:perf_hooks';

import type { LRUCache } from 'lru-cache';

import { boundedCache } from './bounded-cache';

/**
 * A rate limit per key: a burst of `points`, refilled evenly over `seconds` (the generic cell rate algorithm, ITU-T
 * I.371). One number is stored per key, for at most `keys` keys, because attackers can choose names and addresses.
 */
export class Rate {
  /** When the points of a key are fully refilled, in milliseconds of the monotonic clock. */
  private readonly refilledAt: LRUCache<string, number>;
  private readonly interval: number;

  constructor(
    readonly points: number,
    readonly seconds: number,
    keys = 10_000,
  ) {
    this.refilledAt = boundedCache(keys);
    this.interval = (seconds * 1000) / points;
  }

  /**
   * Takes points and returns 0, or takes none and returns the milliseconds until enough points are available. Takes at
   * most the whole burst.
   */
  take(key: string, points = 1): number {
    const now = performance.now();
    const refilledAt = Math.max(this.refilledAt.get(key) ?? 0, now) + Math.min(points, this.points) * this.interval;
    const wait = refilledAt - now - this.seconds * 1000;
    // A rounding error is not a reason to wait.
    if (wait > 0.001) return Math.ceil(wait);
    this.refilledAt.set(key, refilledAt);
    return 0;
  }

  /** Takes points for work that is already done, even if they are not available. The debt delays the next `take`. */
  owe(key: string, points: number): void {
    const refilledAt = Math.max(this.refilledAt.get(key) ?? 0, performance.now());
    this.refilledAt.set(key, refilledAt + points * this.interval);
  }

  /** Gives one point back. */
  give(key: string): void {
    const refilledAt = this.refilledAt.get(key);
    if (refilledAt !== undefined) this.refilledAt.set(key, refilledAt - this.interval);
  }
}
