import type { DataSource } from 'typeorm';

import { FairQueue } from '../../limits/fair-queue';
import type { Driver, SharedOptions } from '../driver';
import type { Transaction } from '../sql';
import { implementRegexp, openSqlite } from './better-sqlite3';
import { SqliteCopies } from './sqlite-copies';
import { watchSqliteFile } from './sqlite-file';
import { LOCK_TIMEOUT, lockTimeout, retryWhileLocked } from './sqlite-locks';
import { SqliteReaders } from './sqlite-readers';
import { arrays, connectionOf, preparer, transactionOn } from './sqlite-statements';

/**
 * The driver for SQLite. Writes use TypeORM's connection. Transactions run one after the other, because each spans
 * several turns of the event loop. Reads use a second connection, so that they see committed data only. Statements on
 * both connections block the process, so heavy reads run in child processes, and SQLite itself never waits for a lock
 * of another process: `retryWhileLocked` does. At most `maxBlocked` requests wait for a lock that is held for long.
 */
export function createSqliteDriver(dataSource: DataSource, file: string, maxBlocked: number): Driver {
  const databaseConnection = connectionOf(dataSource);
  // A read opens the write-ahead log, which is watched, too.
  databaseConnection.pragma('schema_version');
  const assertInPlace = watchSqliteFile(file);
  databaseConnection.pragma('busy_timeout = 0');
  // An import explains in its transaction why numbers would not ring.
  implementRegexp(databaseConnection);
  // A page that many commits write is copied to the database once per checkpoint: every 16 MB instead of every 4 MB.
  databaseConnection.pragma('wal_autocheckpoint = 4000');
  const writer = preparer(databaseConnection);
  const readConnection = openSqlite(file, { readonly: true, timeout: 0 });
  const reader = preparer(readConnection);
  const heavyReaders = new SqliteReaders(file);
  const turns = new SqliteTurns(maxBlocked);

  const copies = new SqliteCopies(file);
  const transaction = transactionOn(writer);
  // IMMEDIATE, because a transaction that starts with a read cannot write once another process has written.
  const begin = (): unknown => {
    assertInPlace();
    return writer('BEGIN IMMEDIATE').run();
  };
  const runTransaction = async <T>(work: (transaction: Transaction) => Promise<T>): Promise<T> => {
    try {
      const result = await work(transaction);
      // Without a write-ahead log, a commit waits for the readers of other processes.
      await retryWhileLocked(() => writer('COMMIT').run());
      return result;
    } catch (error) {
      if (databaseConnection.inTransaction) writer('ROLLBACK').run();
      throw error;
    }
  };

  const rows: Driver['rows'] = (text, values) => retryWhileLocked(() => arrays(reader(text), values));
  const transactIn =
    (lane: 'short' | 'long' | 'maintenance') =>
    <T>(work: (transaction: Transaction) => Promise<T>, { requests }: SharedOptions = { requests: 1 }): Promise<T> =>
      turns.run({ lane, requests }, begin, () => runTransaction(work));

  return {
    product: 'sqlite',
    rows,
    heavy: (text, values, milliseconds, request) => heavyReaders.rows(text, values, milliseconds, request?.signal),
    transaction: (work, { isShort, isRehearsal, scope } = {}) => {
      const run = transactIn(isShort ? 'short' : 'long');
      return isRehearsal ? copies.transaction(work, () => run(work), scope) : run(work);
    },
    snapshot: async (work) => {
      const connection = openSqlite(file, { readonly: true, timeout: 0 });
      try {
        const prepared = preparer(connection);
        // It sees what was committed before its first read.
        prepared('BEGIN').run();
        return await work({
          rows: async (text, values) => retryWhileLocked(() => arrays(prepared(text), values)),
        });
      } finally {
        connection.close();
      }
    },
    maintenance: { rows, transaction: (work) => transactIn('maintenance')(work) },
    impatientTransaction: transactIn('short'),
    hasNodes: () => Promise.resolve(false),
    catchUp: () => Promise.resolve(false),
    isReadOnly: () =>
      Promise.resolve()
        .then(assertInPlace)
        .then(() => false),
    poolUse: () => [{ pool: 'write', size: 1, used: Math.min(turns.size, 1), waiting: Math.max(turns.size - 1, 0) }],
    close: async () => {
      await copies.close();
      heavyReaders.close();
      await turns.settle();
      readConnection.close();
    },
  };
}

/** A transaction for a number of requests. Lanes take turns. */
interface Turn {
  readonly lane: 'short' | 'long' | 'maintenance';
  readonly requests: number;
}

interface Pending extends Turn {
  /** Rejects the transaction; undefined once it runs. */
  refuse: (() => void) | undefined;
}

// Milliseconds that another process may hold the lock before requests that wait for it are bounded.
const PATIENCE = 1000;

/**
 * Runs the writing transactions of a process one after the other. The lanes take turns, so that short transactions,
 * such as those of sign-ins, wait for at most one long one of each other lane. If another process holds the lock for
 * longer than a second, only `maxBlocked` requests go on waiting, so that the others do not take the places of reads.
 */
class SqliteTurns {
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
        await this.lock(begin, end);
        resolve(await work());
      };
      void this.queue
        .run({ lane: turn.lane, urgent: false }, job)
        .catch(reject)
        .finally(() => this.pending.delete(own));
    });
  }

  /** Resolves when no transaction runs or waits. */
  async settle(): Promise<void> {
    for (const lane of ['short', 'long', 'maintenance'])
      await this.queue.run({ lane, urgent: false }, () => Promise.resolve());
  }

  private async lock(begin: () => unknown, end: number): Promise<void> {
    const waiting = retryWhileLocked(begin, end);
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
