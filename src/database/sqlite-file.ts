import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const OTHERS = 0o077;

/**
 * Keeps a SQLite database from other users of the machine: it holds secrets, and the keys that sign tokens. Directories and
 * files are made for their owner alone. Files that exist already are closed to others, and so is `data/`, the default
 * place. Any other directory that exists is the operator's and stays as it is. Gives the paths that stayed open.
 */
export function protectSqliteFile(file: string): readonly string[] {
  const directory = dirname(file);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  try {
    // SQLite gives its journals the mode of the database.
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if (!isError(error, 'EEXIST')) throw error;
  }
  // By path: closing a descriptor of a database in use would drop SQLite's locks on it.
  const files = ['', '-wal', '-shm', '-journal'].map((suffix) => file + suffix);
  return [...files, ...(directory === resolve('data') ? [directory] : [])].filter(staysOpen);
}

function staysOpen(path: string): boolean {
  try {
    const { mode } = statSync(path);
    if ((mode & OTHERS) !== 0) chmodSync(path, mode & ~OTHERS & 0o777);
    return false;
  } catch (error) {
    if (isError(error, 'ENOENT')) return false;
    // Another user's, or on a file system that is read only.
    if (isError(error, 'EPERM') || isError(error, 'EROFS')) return true;
    throw error;
  }
}

function isError(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}
