import { performance } from 'node:perf_hooks';

import { LRUCache } from 'lru-cache';

/**
 * A rate for each key: `points` at once, which come back evenly over `seconds` (the generic cell rate algorithm, ITU-T
 * I.371). One number is kept per key, and at most `keys` of them, since attackers choose names and addresses.
 */
export class Rate {
  /** When all points of a key will be back, in milliseconds. */
  private readonly whole: LRUCache<string, number>;
  private readonly interval: number;

  constructor(
    readonly points: number,
    readonly seconds: number,
    keys = 10_000,
  ) {
    this.whole = new LRUCache({ max: keys });
    this.interval = (seconds * 1000) / points;
  }

  /** Takes points and gives 0, or takes none and gives the milliseconds until there will be enough. */
  take(key: string, points = 1): number {
    const now = performance.now();
    const taken = Math.max(this.whole.get(key) ?? 0, now) + Math.min(points, this.points) * this.interval;
    const wait = taken - now - this.seconds * 1000;
    // What is left of a rounding is no reason to wait.
    if (wait > 0.001) return Math.ceil(wait);
    this.whole.set(key, taken);
    return 0;
  }

  /** Gives a point back. */
  give(key: string): void {
    const whole = this.whole.get(key);
    if (whole !== undefined) this.whole.set(key, whole - this.interval);
  }
}
