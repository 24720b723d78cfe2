import { endOfTurn } from '../limits/event-loop';
import type { Database } from './database';
import { failureOf, isSilent, ownError } from './errors';
import { SharedScope, type RequestScope, type OwnTransaction } from './sql';

/**
 * Runs writes in a transaction, with the effect of running them one after the other, and returns their results in the
 * same order. A rejected write has changed nothing. Throws if the transaction cannot continue.
 */
type Work<W, R> = (transaction: OwnTransaction, writes: readonly W[]) => Promise<readonly PromiseSettledResult<R>[]>;

interface Waiting<W, R> {
  readonly write: W;
  readonly scope: RequestScope | undefined;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
}

// The maximum number of writes in one transaction.
const MAX_WRITES = 64;
// The longest time in milliseconds that a group waits for the previous group, which may itself be waiting for a lock.
const PATIENCE = 50;

// The longest time in milliseconds that a group waits for more writes. It waits no longer than half of the time that the
// previous group took either.
const GATHERING = 10;

/**
 * Group commit: the writes that arrive in one turn of the event loop, or while a group is written, share a transaction.
 * Clients often send the next write as soon as the last one is answered. So a group waits briefly for as many writes as
 * there were when the previous group ended: otherwise, it would consist of the first of them. No write joins a group that
 * has started, so each write sees everything that was committed before the write arrived. Results are delivered after the
 * commit. If a shared transaction fails before its commit, its writes run in separate transactions, unless the server
 * does not respond.
 */
export class CommitQueue<W, R> {
  private readonly waiting: Waiting<W, R>[] = [];
  private isRunning = false;
  /** How many writes the next group waits for, and until when. */
  private expected = { writes: 0, until: 0 };
  private arrived: (() => void) | undefined;

  constructor(
    private readonly database: Database,
    private readonly work: Work<W, R>,
  ) {}

  /**
   * Runs a write and returns its result after the commit. Throws the same error as if the write ran in a transaction of
   * its own. A write whose `scope` is over is rolled back, unless others that are still needed share its transaction.
   */
  add(write: W, scope?: RequestScope): Promise<R> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ write, scope, resolve, reject });
      if (this.waiting.length >= this.expected.writes) this.arrived?.();
      if (!this.isRunning) void this.run();
    });
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    do {
      await endOfTurn();
      await this.gather();
      const group = this.waiting.splice(0, MAX_WRITES);
      const startedAt = performance.now();
      await atMost(PATIENCE, this.commit(group));
      const ended = performance.now();
      const took = ended - startedAt;
      // The clients of a group that has not ended send nothing.
      const writes = took < PATIENCE ? Math.min(group.length + this.waiting.length, MAX_WRITES) : 0;
      this.expected = { writes, until: ended + Math.min(took / 2, GATHERING) };
    } while (this.waiting.length > 0);
    this.isRunning = false;
  }

  /** Resolves when the expected writes have arrived, or when they are late. */
  private async gather(): Promise<void> {
    const { writes, until } = this.expected;
    const left = until - performance.now();
    if (this.waiting.length >= writes || left <= 0) return;
    await atMost(left, new Promise((resolve) => (this.arrived = resolve)));
  }

  private async commit(waiting: readonly Waiting<W, R>[]): Promise<void> {
    const group = waiting.filter(({ scope, reject }) => {
      const cancelledBy = scope?.cancelledBy;
      if (cancelledBy) reject(cancelledBy);
      return !cancelledBy;
    });
    if (group.length <= 1) {
      await this.alone(group);
      return;
    }
    let isWritten = false;
    const scopes = new SharedScope();
    for (const { scope } of group) scopes.add(scope);
    try {
      const results = await this.database.sharedTransaction(
        async (transaction) => {
          const written = await this.work(
            transaction,
            group.map(({ write }) => write),
          );
          isWritten = true;
          return written;
        },
        { requests: group.length, scope: scopes },
      );
      results.forEach((result, index) => {
        settle(result, group[index]);
      });
    } catch (error) {
      if (isUndone(error, isWritten)) await this.alone(group);
      else for (const { reject } of group) reject(ownError(error));
    }
  }

  /** Runs each write in a transaction of its own. */
  private async alone(group: readonly Waiting<W, R>[]): Promise<void> {
    await Promise.all(
      group.map(async ({ write, scope, resolve, reject }) => {
        try {
          const [result] = await this.database.transaction(
            async (transaction) => {
              const results = await this.work(transaction, [write]);
              for (const each of results) if (each.status === 'rejected') throw each.reason;
              return results;
            },
            { isShort: true, scope },
          );
          settle(result, { resolve, reject });
        } catch (error) {
          reject(error);
        }
      }),
    );
  }
}

/**
 * Whether a failed transaction has certainly changed nothing, and another attempt may succeed. `isWritten`: whether the
 * commit may have begun.
 */
function isUndone(error: unknown, isWritten: boolean): boolean {
  const { type } = failureOf(error);
  if (type === 'retryable') return true;
  // Each write has already waited as long as it may, for a lock or a server that does not respond.
  if (type === 'locked' || isSilent(error)) return false;
  // Separate transactions use another pool, which may have a connection. A commit whose response was lost may have
  // succeeded.
  return !isWritten;
}

function settle<R>(
  result: PromiseSettledResult<R> | undefined,
  waiting: Pick<Waiting<unknown, R>, 'resolve' | 'reject'> | undefined,
): void {
  if (result?.status === 'fulfilled') waiting?.resolve(result.value);
  else waiting?.reject(result?.reason);
}

/** Resolves when `work` has finished, or after `milliseconds`. */
function atMost(milliseconds: number, work: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    void work.finally(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
