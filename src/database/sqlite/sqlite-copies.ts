import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';

import type BetterSqlite3 from 'better-sqlite3';

import { FairQueue } from '../../limits/fair-queue';
import { READ_TIMEOUT } from '../driver';
import type { RequestScope, Transaction } from '../sql';
import { openSqlite } from './better-sqlite3';
import { COPY } from './sqlite-copy';
import { SqliteReaders } from './sqlite-readers';
import { preparer, transactionOn } from './sqlite-statements';

// KiB of pages in memory. What does not fit is written to the log each time that it changes.
const CACHE = 65_536;

interface OpenCopy {
  readonly copy: BetterSqlite3.Database;
  /** Whoever closes the file last waits until the system has freed it: half a second for each GB, in which the event loop must not wait. */
  readonly file: FileHandle;
}

/**
 * Runs transactions that are rolled back on copies of a SQLite file, one after the other, so that the writer does not wait for them.
 * The names of a copy are removed as soon as it is open, so that it ends with its connection.
 */
export class SqliteCopies {
  private readonly queue = new FairQueue(1, Infinity);
  // Processes of its own, because those that read have a low priority.
  private readonly copiers: SqliteReaders;

  constructor(private readonly file: string) {
    this.copiers = new SqliteReaders(file);
  }

  /** Runs `work` on a copy, or `otherwise` if the file cannot be copied: because it is too large, or the disk too full. */
  async transaction<T>(
    work: (transaction: Transaction) => Promise<T>,
    otherwise: () => Promise<T>,
    scope?: RequestScope,
  ): Promise<T> {
    const copied = await this.run(async () => {
      // It was over while it waited.
      if (scope?.cancelledBy) throw scope.cancelledBy;
      const opened = await this.open().catch(() => undefined);
      if (!opened) return undefined;
      const { copy, file } = opened;
      try {
        copy.exec('BEGIN');
        return { result: await work({ ...transactionOn(preparer(copy)), isAside: true }) };
      } finally {
        // Closing it rolls back.
        copy.close();
        await file.close();
      }
    });
    return copied ? copied.result : otherwise();
  }

  /** Resolves when no transaction runs or waits. */
  async close(): Promise<void> {
    await this.run(() => Promise.resolve());
    this.copiers.close();
  }

  private run<T>(work: () => Promise<T>): Promise<T> {
    return this.queue.run({ lane: '', urgent: false }, work);
  }

  private async open(): Promise<OpenCopy> {
    const target = `${this.file}${COPY}${randomBytes(8).toString('hex')}`;
    try {
      await this.copiers.copyTo(target, READ_TIMEOUT);
      const file = await open(target);
      const copy = openSqlite(target, { fileMustExist: true });
      // It needs no index of its log that other processes see, nothing on the disk, and no checkpoint.
      copy.pragma('locking_mode = EXCLUSIVE');
      copy.pragma('synchronous = OFF');
      copy.pragma('wal_autocheckpoint = 0');
      copy.pragma('foreign_keys = ON');
      copy.pragma(`cache_size = -${String(CACHE)}`);
      // Creates the log.
      copy.exec('BEGIN IMMEDIATE; ROLLBACK');
      return { copy, file };
    } finally {
      for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(target + suffix, { force: true });
    }
  }
}
