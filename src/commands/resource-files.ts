import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

import type { Kind } from '../model/kind';

/** The files that an import reads, and the files in the given directories that it skips. */
export interface ResourceFiles {
  readonly files: readonly string[];
  readonly skipped: readonly string[];
}

/** Returns a description of the files that an import reads from a directory, for messages. */
export function readOfDirectories(kinds: readonly Kind[]): string {
  return `${namesOf(kinds).join(', ')} (.yml, .yaml, .json)`;
}

/**
 * Finds the files of an import: the given files, and the files in the given directories that are named after a
 * collection.
 */
export async function resourceFiles(kinds: readonly Kind[], paths: readonly string[]): Promise<ResourceFiles> {
  const pattern = new RegExp(`^(?:${namesOf(kinds).join('|')})\\.(?:ya?ml|json)$`);
  const found = await Promise.all(paths.map((path) => filesAt(path, pattern)));
  return { files: found.flatMap(({ files }) => files), skipped: found.flatMap(({ skipped }) => skipped) };
}

function namesOf(kinds: readonly Kind[]): readonly string[] {
  return [...kinds.map(({ collection }) => collection), 'users'];
}

async function filesAt(path: string, pattern: RegExp): Promise<ResourceFiles> {
  if (!(await stat(path)).isDirectory()) return { files: [path], skipped: [] };
  const entries = await readdir(path, { withFileTypes: true });
  const names = entries.flatMap((entry) => (entry.isDirectory() || entry.name.startsWith('.') ? [] : [entry.name]));
  const inDirectory = (isRead: boolean): readonly string[] =>
    names
      .filter((name) => pattern.test(name) === isRead)
      .sort()
      .map((name) => join(path, name));
  return { files: inDirectory(true), skipped: inDirectory(false) };
}
