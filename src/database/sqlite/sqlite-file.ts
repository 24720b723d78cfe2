import { chmodSync, closeSync, mkdirSync, openSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const OTHERS = 0o077;

/**
 * Protects a SQLite database from other users of the machine, because it contains secrets and signing keys. New
 * directories and files are accessible to their owner only. The access of others to existing files and to `data/`, the
 * default directory, is removed. Other existing directories are the operator's and do not change. Returns the paths
 * that could not be protected.
 */
export function protectSqliteFile(file: string): readonly string[] {
  const directory = dirname(file);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  try {
    // SQLite creates its journals with the mode of the database file.
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if (!isError(error, 'EEXIST')) throw error;
  }
  // By path, because closing a file descriptor of a database in use would release SQLite's locks on it.
  const files = ['', '-wal', '-shm', '-journal'].map((suffix) => file + suffix);
  return [...files, ...(directory === resolve('data') ? [directory] : [])].filter(isExposed);
}

/** Removes the access of other users to a path. Returns whether they still have access. */
function isExposed(path: string): boolean {
  try {
    const { mode } = statSync(path);
    if ((mode & OTHERS) !== 0) chmodSync(path, mode & ~OTHERS & 0o777);
    return false;
  } catch (error) {
    if (isError(error, 'ENOENT')) return false;
    // The file belongs to another user, or the file system is read-only.
    if (isError(error, 'EPERM') || isError(error, 'EROFS')) return true;
    throw error;
  }
}

/**
 * Returns a function that throws SQLITE_READONLY_DBMOVED once the path names another file than now, or none: what its connections write
 * then is lost. SQLite notices that itself only without a write-ahead log, which exists as long as there is a connection.
 */
export function watchSqliteFile(file: string): () => void {
  // SQLite keeps the log beside the file that a symbolic link leads to. If there is none, another process may begin one.
  const opened = [file, `${realpathSync(file)}-wal`].map((path) => ({ path, inode: inodeOf(path) }));
  return () => {
    if (opened.every(({ path, inode }) => inode === undefined || inodeOf(path) === inode)) return;
    const message = `${file} or its write-ahead log was removed or replaced while it was open: restart the server`;
    throw Object.assign(new Error(message), { code: 'SQLITE_READONLY_DBMOVED' });
  };
}

function inodeOf(path: string): number | undefined {
  try {
    return statSync(path).ino;
  } catch {
    return undefined;
  }
}

function isError(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}
