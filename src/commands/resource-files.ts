import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { kinds } from '../model/kinds';

/** The files that an import reads, and those of its directories that it does not. */
export interface ResourceFiles {
  readonly files: readonly string[];
  readonly skipped: readonly string[];
}

const NAMES = [...kinds.map(({ collection }) => collection), 'users'];
const RESOURCES = new RegExp(`^(?:${NAMES.join('|')})\\.(?:ya?ml|json)$`);

/** What is read of a directory: the files that are named after what they hold, as Routr v1 and `export` name them. */
export const READ_OF_DIRECTORIES = `${NAMES.join(', ')} (.yml, .yaml, .json)`;

/** Finds the files of an import: those that are given, and of each directory those that are named after what they hold. */
export async function resourceFiles(paths: readonly string[]): Promise<ResourceFiles> {
  const found = await Promise.all(paths.map(filesAt));
  return { files: found.flatMap(({ files }) => files), skipped: found.flatMap(({ skipped }) => skipped) };
}

async function filesAt(path: string): Promise<ResourceFiles> {
  if (!(await stat(path)).isDirectory()) return { files: [path], skipped: [] };
  const entries = await readdir(path, { withFileTypes: true });
  const names = entries.flatMap((entry) => (entry.isDirectory() || entry.name.startsWith('.') ? [] : [entry.name]));
  const inDirectory = (isRead: boolean): readonly string[] =>
    names
      .filter((name) => RESOURCES.test(name) === isRead)
      .sort()
      .map((name) => join(path, name));
  return { files: inDirectory(true), skipped: inDirectory(false) };
}
