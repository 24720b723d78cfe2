import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, rmSync, statSync } from 'node:fs';
import { constants } from 'node:os';

import { openSqlite } from './better-sqlite3';

/**
 * Copies a SQLite database to a new file with mode 0600 while servers use it, and checks the copy. The copy is the
 * state at one point in time. Servers go on reading and writing meanwhile. Returns the size of the copy in bytes.
 * Throws if the target exists.
 */
export async function backupSqlite(file: string, target: string): Promise<number> {
  const partial = `${target}.${randomBytes(4).toString('hex')}.partial`;
  closeSync(openSync(partial, 'wx', 0o600));
  const remove = (): void => {
    for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(partial + suffix, { force: true });
  };
  const stop = (signal: NodeJS.Signals): never => {
    remove();
    process.exit(128 + constants.signals[signal]);
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    const source = openSqlite(file, { readonly: true, fileMustExist: true });
    try {
      // All pages in one step: a step holds a snapshot, and each write between two steps would start the copy again.
      await source.backup(partial, { progress: () => 0x7fffffff });
    } finally {
      source.close();
    }
    finish(partial);
    // Unlike a rename, a link never replaces a file.
    linkSync(partial, target);
    return statSync(target).size;
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
    remove();
  }
}

/** Checks the copy, makes it a single file without a write-ahead log, and writes it to the disk. */
function finish(copy: string): void {
  const database = openSqlite(copy);
  try {
    database.pragma('journal_mode = DELETE');
    const result: unknown = database.pragma('quick_check', { simple: true });
    if (result !== 'ok') throw new Error(`The database is damaged: ${String(result)}`);
  } finally {
    database.close();
  }
  const descriptor = openSync(copy, 'r+');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
