import type { Statement } from '../database';

const KEPT = 1000;

/** Receives the length of a list, or an error. */
type Counted = (error: Error | null, total: number) => void;

/** The length of a list, kept for a second. Requests that need it meanwhile wait for one count. */
export class Total {
  private total = 0;
  private until = 0;
  private waiting: Counted[] | undefined;

  constructor(private readonly count: Statement) {}

  get(done: Counted): void {
    if (Date.now() < this.until) {
      done(null, this.total);
      return;
    }
    if (this.waiting) {
      this.waiting.push(done);
      return;
    }
    const waiting = [done];
    this.waiting = waiting;
    this.count([], (error, [row]) => {
      this.waiting = undefined;
      this.total = Number(row?.[0]);
      if (!error) this.until = Date.now() + KEPT;
      for (const each of waiting) each(error, this.total);
    });
  }
}
