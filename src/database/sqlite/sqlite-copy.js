// @ts-check
'use strict';
/**
 * Copies a SQLite database that processes use, in the child process of `sqlite-readers.ts`. Unlike a backup, the copy is no longer
 * needed after a crash, so nothing waits for a disk, and a file system that shares blocks copies none. It is plain JavaScript so that
 * `sqlite-child.js` can load it.
 */
const { chmodSync, constants, copyFileSync, readdirSync, rmSync, statSync, statfsSync } = require('node:fs');
const { basename, dirname, join } = require('node:path');

const { openSqlite } = require('./better-sqlite3');

/** What follows the name of a database in those of its copies. */
const COPY = '.aside-';
/** Bytes of a database that is copied block by block: about two seconds. */
const MAX_COPIED = 2 ** 31;
/** Milliseconds to wait for the writer. */
const PATIENCE = 2000;
/** Milliseconds after which the copy of a process that was killed is removed. */
const LEFT = 600_000;

/**
 * Copies the database to a new file with mode 0600. Other writers wait only while its write-ahead log is copied, which has about
 * 16 MB. Throws if the database is too large, the disk too full, or the writer busy for too long.
 *
 * @param {string} file
 * @param {string} target
 */
function copySqlite(file, target) {
  removeOldCopies(file);
  const writer = openSqlite(file, { fileMustExist: true, timeout: 0 });
  const reader = openSqlite(file, { fileMustExist: true, readonly: true, timeout: 0 });
  try {
    if (writer.pragma('journal_mode', { simple: true }) !== 'wal')
      throw new Error('The database has no write-ahead log');
    begin(writer);
    try {
      // While this transaction reads, nobody overwrites the part of the log that is copied, and what a checkpoint writes to the
      // file meanwhile is in that part.
      reader.exec('BEGIN');
      reader.prepare('SELECT COUNT(*) FROM sqlite_master').get();
      copyFileSync(`${file}-wal`, `${target}-wal`);
    } finally {
      writer.exec('ROLLBACK');
    }
    // That releases this process's locks on the file, which are not needed: the parent process has its own.
    copyMain(file, target);
  } finally {
    reader.close();
    writer.close();
  }
  for (const suffix of ['', '-wal']) chmodSync(target + suffix, 0o600);
  // Writes the log to the copy here, so that this does not block the process that opens it.
  const copy = openSqlite(target, { fileMustExist: true });
  copy.pragma('synchronous = OFF');
  copy.pragma('wal_checkpoint(TRUNCATE)');
  copy.close();
}

/** @param {import('better-sqlite3').Database} writer */
function begin(writer) {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  const end = performance.now() + PATIENCE;
  for (;;) {
    try {
      writer.exec('BEGIN IMMEDIATE');
      return;
    } catch (error) {
      if (performance.now() > end) throw error;
      // SQLite's own pauses are so long that busy writers always come first.
      Atomics.wait(pause, 0, 0, 1);
    }
  }
}

/**
 * @param {string} file
 * @param {string} target
 */
function copyMain(file, target) {
  try {
    copyFileSync(file, target, constants.COPYFILE_FICLONE_FORCE);
  } catch {
    const { size } = statSync(file);
    const { bavail, bsize } = statfsSync(dirname(file));
    if (size > Math.min(MAX_COPIED, (bavail * bsize) / 2)) throw new Error('The database is too large to be copied');
    copyFileSync(file, target);
  }
}

/**
 * Removes the copies that processes left which were killed.
 *
 * @param {string} file
 */
function removeOldCopies(file) {
  const folder = dirname(file);
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(basename(file) + COPY)) continue;
    const path = join(folder, name);
    const { mtimeMs = Infinity } = statSync(path, { throwIfNoEntry: false }) ?? {};
    if (mtimeMs < Date.now() - LEFT) rmSync(path, { force: true });
  }
}

module.exports = { COPY, copySqlite };
