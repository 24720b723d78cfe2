import { constants } from 'node:fs';
import { open, readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

import { CommandError, count } from '../answer';
import { printable } from '../table';

/** A file of a directory. `name` is its path within the directory. */
export interface TextFile {
  readonly name: string;
  readonly text: string;
}

/** The files of a directory that describe what a server should have. */
interface SourceFiles {
  readonly documents: readonly TextFile[];
  /** Routing tests. */
  readonly tests: readonly TextFile[];
  /** Files that are never read, because users are not managed in a directory. */
  readonly users: readonly string[];
}

// Also in upper case: the resources of a file that is not read would be deleted.
const READ = /\.(?:ya?ml|json)$/i;
const TESTS = /(?:^|\/)tests\.(?:ya?ml|json)$/i;
const USERS = /(?:^|\/)users\.(?:ya?ml|json)$/i;
/** Limits, because whoever may propose a change decides what is in the directory. Sizes are in bytes. */
const MAX_FILES = 2000;
const MAX_ENTRIES = 20_000;
const MAX_DEPTH = 10;
const MAX_FILE = 8 * 1024 * 1024;
const MAX_ALL = 64 * 1024 * 1024;

/**
 * Reads the YAML and JSON files of a directory and the directories in it, without those whose names begin with a dot.
 * Throws CommandError for symbolic links, which could lead to other files of the machine, and for what is too much.
 */
export async function readSource(given: string): Promise<SourceFiles> {
  if (!(await stat(given)).isDirectory()) throw new CommandError(`${given} is not a directory`);
  const root = await realpath(given);
  const paths: string[] = [];
  let seen = 0;
  const walk = async (directory: string, depth: number): Promise<void> => {
    if (depth > MAX_DEPTH)
      throw new CommandError(
        `${printable(relative(root, directory))} is more than ${String(MAX_DEPTH)} directories deep`,
      );
    const entries = await readdir(directory, { withFileTypes: true });
    seen += entries.length;
    if (seen > MAX_ENTRIES) throw new CommandError(`${given} has more than ${String(MAX_ENTRIES)} entries`);
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      const path = join(directory, entry.name);
      if (entry.isDirectory()) await walk(path, depth + 1);
      else if (entry.isSymbolicLink())
        throw new CommandError(
          `${printable(relative(root, path))} is a symbolic link: put the file itself into the directory`,
        );
      else if (entry.isFile() && READ.test(entry.name)) paths.push(path);
    }
  };
  await walk(root, 0);
  if (paths.length > MAX_FILES)
    throw new CommandError(`${given} has ${count(paths.length, 'file')} to read; the limit is ${String(MAX_FILES)}`);
  const names = paths.map((path) => relative(root, path));
  const files: TextFile[] = [];
  let size = 0;
  for (const [index, name] of names.entries()) {
    if (USERS.test(name)) continue;
    const text = await readText(paths[index] ?? '', name, MAX_FILE);
    size += text.length;
    if (size > MAX_ALL) throw new CommandError(`The files in ${given} are larger than 64 MiB`);
    files.push({ name, text });
  }
  return {
    documents: files.filter(({ name }) => !TESTS.test(name)),
    tests: files.filter(({ name }) => TESTS.test(name)),
    users: names.filter((name) => USERS.test(name)),
  };
}

/** Whether a path, also that of a file that does not exist yet, is inside a directory once all symbolic links are followed. */
export async function isInside(path: string, directory: string): Promise<boolean> {
  const within = relative(await realpath(directory), await realPlaceOf(resolve(path)));
  return within !== '' && within !== '..' && !within.startsWith(`..${sep}`) && !isAbsolute(within);
}

/** The path without symbolic links. Of a file that does not exist, its directory must. */
async function realPlaceOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    return join(await realpath(dirname(path)), basename(path));
  }
}

/** Reads a regular file of at most `max` bytes, as UTF-8. Throws CommandError with `name`. */
export async function readText(path: string, name: string, max: number): Promise<string> {
  // Neither follows a link that has replaced the file, nor waits for the writer of a pipe.
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const found = await file.stat();
    if (!found.isFile()) throw new CommandError(`${name} is not a file`);
    if (found.size > max)
      throw new CommandError(`${name} has ${String(found.size)} bytes; the limit is ${String(max)}`);
    const buffer = Buffer.alloc(found.size);
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    return new TextDecoder('utf-8', { fatal: true }).decode(buffer.subarray(0, bytesRead));
  } catch (error) {
    if (error instanceof TypeError) throw new CommandError(`${name} is not UTF-8`);
    throw error;
  } finally {
    await file.close();
  }
}
