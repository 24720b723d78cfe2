import { lstat, mkdir, mkdtemp, readdir, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

import { CommandError } from './answer';
import { ignoreAbsent, startOf, writeErrorOf } from './private-file';

/** The first line of every exported file. It identifies the files of an earlier export. */
export const HEADER = '# Written by sipgraph export, which may replace it.\n';
const EMPTY = `${HEADER}[]\n`;

/** A directory that an export may write to: it does not exist, is empty, or contains an earlier export. */
export class BackupDirectory {
  private constructor(
    private readonly path: string,
    private readonly names: readonly string[],
    private readonly isThere: boolean,
  ) {}

  /**
   * Opens a directory. Throws CommandError if the directory contains files that are not from an export. If the path is
   * a symbolic link, `replaced` replaces the target and keeps the link.
   */
  static async at(given: string, names: readonly string[]): Promise<BackupDirectory> {
    const found = await lstat(given).catch(ignoreAbsent);
    if (!found) return new BackupDirectory(resolve(given), names, false);
    const path = await realpath(given).catch(ignoreAbsent);
    if (path === undefined) throw new CommandError(`${given} is a broken symbolic link`);
    if (!(await lstat(path)).isDirectory()) throw new CommandError(`${given} is not a directory`);
    const directory = new BackupDirectory(path, names, true);
    await directory.assertOurs();
    return directory;
  }

  /** Whether the existing backup contains any resource. */
  async hasResources(): Promise<boolean> {
    if (!this.isThere) return false;
    const present = (await readdir(this.path)).filter((name) => name !== 'users.yml');
    const empty = await Promise.all(present.map((name) => begins(join(this.path, name), EMPTY)));
    return empty.includes(false);
  }

  /**
   * Lets `work` write to a temporary directory, which then replaces this one. On an error, SIGINT or SIGTERM, the
   * temporary directory is removed, and this one does not change.
   */
  async replace<T>(work: (folder: string, signal: AbortSignal) => Promise<T>): Promise<T> {
    const stop = new AbortController();
    const end = (name: string): void => stop.abort(new CommandError(`${name}: nothing was exported`));
    // Before there is a directory to remove.
    process.once('SIGINT', end).once('SIGTERM', end);
    let folder: string | undefined;
    try {
      await mkdir(dirname(this.path), { recursive: true });
      // In the same parent directory, because a rename must stay within a file system. mkdtemp creates it with the mode
      // 0700.
      folder = await mkdtemp(join(dirname(this.path), `.${basename(this.path)}.new-`));
      const result = await work(folder, stop.signal);
      stop.signal.throwIfAborted();
      await this.swapIn(folder);
      return result;
    } catch (error) {
      throw writeErrorOf(this.path, error);
    } finally {
      process.off('SIGINT', end).off('SIGTERM', end);
      if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    }
  }

  private async assertOurs(): Promise<void> {
    for (const entry of await readdir(this.path, { withFileTypes: true })) {
      const isKnown = this.names.includes(entry.name) && entry.isFile();
      if (isKnown && (await begins(join(this.path, entry.name), HEADER))) continue;
      throw new CommandError(
        `${this.path} contains ${entry.name}, which is not from an export: use a new directory, or empty this one`,
      );
    }
  }

  /**
   * Replaces this directory. A rename cannot replace a directory that is not empty, so the old one is renamed first,
   * and restored on an error.
   */
  private async swapIn(folder: string): Promise<void> {
    if (!this.isThere) {
      await rename(folder, this.path);
      return;
    }
    // Files may have been added since the first check.
    await this.assertOurs();
    const old = folder.replace(/\.new-(\w+)$/, '.old-$1');
    await rename(this.path, old).catch((error: unknown) => {
      throw new CommandError(
        `${this.path} cannot be replaced (${String((error as NodeJS.ErrnoException).code)}): export to a subdirectory`,
      );
    });
    try {
      await rename(folder, this.path);
    } catch (error) {
      await rename(old, this.path);
      throw error;
    }
    await rm(old, { recursive: true });
  }
}

async function begins(path: string, text: string): Promise<boolean> {
  return (await startOf(path, text.length)).toString('latin1') === text;
}
