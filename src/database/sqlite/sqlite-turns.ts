import { FairQueue } from '../../limits/fair-queue';
import { LOCK_TIMEOUT, lockTimeout, whenUnlocked } from './sqlite-locks';

/** A transaction for a number of requests. Lanes take turns. */
interface Turn {
  readonly lane: 'short' | 'long' | 'upkeep';
  readonly requests: number;
}

interface Pending extends Turn {
  /** Rejects the transaction; undefined once it runs. */
  refuse: (() => void) | undefined;
}

// Milliseconds that another process may hold the lock before requests that wait for it are bounded.
const PATIENCE = 1000;

/**
 * Runs the writing transactions of a process one after the other. The lanes take turns, so that short transactions, such
 * as those of sign-ins, wait for at most one long one of each other lane. If another process holds the lock for longer
 * than a second, only `maxBlocked` requests go on waiting, so that the others do not take the places of reads.
 */
export class SqliteTurns {
  private readonly queue = new FairQueue(1, Infinity);
  private readonly pending = new Set<Pending>();
  /** Since when every attempt to begin a transaction has failed. */
  private blockedSince: number | undefined;

  constructor(private readonly maxBlocked: number) {}

  /** Transactions that run or wait. */
  get size(): number {
    return this.pending.size;
  }

  /** Begins a transaction with `begin`, runs `work`, and returns its result. Throws SQLITE_LOCK_TIMEOUT. */
  run<T>(turn: Turn, begin: () => unknown, work: () => Promise<T>): Promise<T> {
    // The time limit includes the wait for other transactions, so that none waits for the lock longer than that.
    const end = performance.now() + LOCK_TIMEOUT;
    return new Promise((resolve, reject) => {
      const refuse = (): void => {
        this.pending.delete(own);
        reject(lockTimeout());
      };
      const own: Pending = { ...turn, refuse };
      this.pending.add(own);
      if (performance.now() - (this.blockedSince ?? Infinity) > PATIENCE) this.refuseSome();
      const job = async (): Promise<void> => {
        if (!this.pending.has(own)) return;
        own.refuse = undefined;
        await this.locked(begin, end);
        resolve(await work());
      };
      void this.queue
        .run({ lane: turn.lane, urgent: false }, job)
        .catch(reject)
        .finally(() => this.pending.delete(own));
    });
  }

  /** Resolves when no transaction runs or waits. */
  async settled(): Promise<void> {
    for (const lane of ['short', 'long', 'upkeep'])
      await this.queue.run({ lane, urgent: false }, () => Promise.resolve());
  }

  private async locked(begin: () => unknown, end: number): Promise<void> {
    const waiting = whenUnlocked(begin, end);
    if (waiting instanceof Promise) {
      this.blockedSince ??= performance.now();
      const timer = setTimeout(() => this.refuseSome(), PATIENCE);
      await waiting.finally(() => clearTimeout(timer));
    }
    this.blockedSince = undefined;
  }

  /** The oldest always stays: its attempts show whether the lock is free. */
  private refuseSome(): void {
    let before = 0;
    for (const { requests, refuse } of [...this.pending]) {
      if (before > 0 && before + requests > this.maxBlocked) refuse?.();
      else before += requests;
    }
  }
}
