import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { lstat, open, rename, rm, type FileHandle } from 'node:fs/promises';
import { constants } from 'node:os';
import { types } from 'node:util';

import { CommandError, reasonOf } from './answer';

/** Creates or truncates a file with mode 0600, even if it already exists. Throws if it belongs to another user. */
export async function openPrivateFile(path: string): Promise<FileHandle> {
  const file = await open(path, 'w', 0o600);
  try {
    // Devices, such as /dev/stdout, keep their mode.
    if ((await file.stat()).isFile()) await file.chmod(0o600);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/**
 * Lets `write` write a file that only its owner can read, and that replaces an existing one once it is complete. What is
 * not a file, such as a device or a pipe, and any symbolic link, is written to as it is.
 */
export async function writePrivateFile<T>(path: string, write: (file: FileHandle) => Promise<T>): Promise<T> {
  const found = await lstat(path).catch(ignoreAbsent);
  if (!found || found.isFile()) return writeAside(path, write);
  const file = await openPrivateFile(path);
  return write(file).finally(() => file.close());
}

/**
 * Writes a file that only its owner can read, or also a group: a new one, which replaces an existing one once it is
 * complete, so that nobody reads it through another name or an earlier mode. Returns its mode. Throws CommandError,
 * also for a symbolic link, which would lead to another place.
 */
export async function replacePrivateFile(path: string, text: string, group?: string): Promise<number> {
  const mode = group === undefined ? 0o600 : 0o640;
  const groupId = group === undefined ? undefined : idOfGroup(group);
  const found = await lstat(path).catch(ignoreAbsent);
  if (found && !found.isFile())
    throw new CommandError(`${path} is ${found.isSymbolicLink() ? 'a symbolic link' : 'not a file'}: name a file`);
  try {
    await writeAside(path, async (file) => {
      await file.writeFile(text);
      if (groupId !== undefined) await file.chown((await file.stat()).uid, groupId);
      await file.chmod(mode);
    });
  } catch (error) {
    throw (error as NodeJS.ErrnoException).syscall === 'fchown'
      ? new CommandError(
          `${path} cannot be given to the group ${String(group)}: run the command as root or as its member`,
        )
      : error;
  }
  return mode;
}

/** Writes a file beside the path, and gives it that name once it is complete and on the disk. */
async function writeAside<T>(path: string, write: (file: FileHandle) => Promise<T>): Promise<T> {
  // In the same directory, because a rename must stay within a file system.
  const partial = `${path}.${randomBytes(8).toString('hex')}.partial`;
  const stop = (signal: NodeJS.Signals): never => {
    rmSync(partial, { force: true });
    process.exit(128 + constants.signals[signal]);
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    const file = await open(partial, 'wx', 0o600);
    let result: T;
    try {
      result = await write(file);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(partial, path);
    return result;
  } catch (error) {
    await rm(partial, { force: true });
    // The other name says nothing to the caller.
    if (types.isNativeError(error)) error.message = error.message.replaceAll(partial, path);
    throw writeErrorOf(path, error);
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}

/** The error of writing a file, for example to a full disk, with the path, which Node leaves out. Returns any other error unchanged. */
export function writeErrorOf(path: string, error: unknown): unknown {
  const { syscall, path: named } = Object(error) as NodeJS.ErrnoException;
  const isWriting = named === undefined && (syscall === 'write' || syscall === 'fsync');
  return isWriting ? new CommandError(`${path} cannot be written: ${reasonOf(error)}`) : error;
}

/** The number of a group, by its name or number. */
export function idOfGroup(group: string): number {
  if (/^\d{1,9}$/.test(group)) return Number(group);
  try {
    if (!/^[A-Za-z_][\w.-]*$/.test(group)) throw new Error();
    // The line of the group: its name, a password, its number and its members.
    return Number(lineOf('group', group).split(':')[2]);
  } catch {
    throw new CommandError(`There is no group ${group}`);
  }
}

/** The number of a user; undefined if there is none of that name. */
export function idOfUser(name: string): number | undefined {
  try {
    return /^[A-Za-z_][\w.-]*$/.test(name) ? Number(lineOf('passwd', name).split(':')[2]) : undefined;
  } catch {
    return undefined;
  }
}

/** The line of a group or user in the system's databases, or in its file where the program getent is missing. */
function lineOf(database: 'group' | 'passwd', name: string): string {
  try {
    return execFileSync('getent', [database, name], { encoding: 'utf8' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    const found = readFileSync(`/etc/${database}`, 'utf8')
      .split('\n')
      .find((line) => line.startsWith(`${name}:`));
    if (found === undefined) throw error;
    return found;
  }
}

/** The first bytes of a file, at most `length`. */
export async function startOf(path: string, length: number): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** A word as a shell reads it. */
export function shellWord(text: string): string {
  return /^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** For `catch`: a file that does not exist is undefined. */
export function ignoreAbsent(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}
