import { open } from 'node:fs/promises';
import { join } from 'node:path';

import { dump } from 'js-yaml';

import { usersAfter } from '../auth/user-store';
import type { Database } from '../database/database';
import type { SeekKey } from '../database/page';
import type { Reads, Sql } from '../database/sql';
import type { Kind } from '../model/kind';
import type { Model } from '../model/model';
import { isoTime } from '../resources/documents/iso-time';
import { toDocument } from '../resources/documents/render';
import { ListMemory } from '../resources/lists/cached-lists';
import { ResourceReader } from '../resources/read/resource-reader';
import { wholeOf } from '../resources/read/selection';
import { CommandError } from './answer';
import { BackupDirectory, HEADER } from './backup-directory';

const PAGE = 500;

/**
 * Writes all resources and users, including secrets, in Routr v1's format, which `import` reads. They are as they were at
 * one point in time, so that what they refer to is there. Returns the number of resources of each kind and of users.
 * Replaces an earlier export in `directory` once the new one is complete. Throws CommandError if `directory` contains other
 * files, or if an empty database, perhaps the wrong one, would replace a backup with resources.
 */
export async function exportTo(
  database: Database,
  { kinds }: Model,
  directory: string,
  { allowEmpty }: { readonly allowEmpty: boolean },
): Promise<ReadonlyMap<string, number>> {
  const names = [...kinds.map(({ collection }) => collection), 'users'];
  const backup = await BackupDirectory.at(
    directory,
    names.map((name) => `${name}.yml`),
  );
  return backup.replace(async (folder, signal) => {
    const counts = new Map<string, number>();
    const write = async (name: string, pages: AsyncIterable<readonly object[]>): Promise<void> => {
      counts.set(name, await writeList(join(folder, `${name}.yml`), signal, pages));
    };
    // It may run again, after a failover: then the files are written anew.
    await database.snapshot(async (reads) => {
      for (const kind of kinds) await write(kind.collection, documentsOf(reads, kind));
      await write('users', usersOf(reads));
    });
    const resources = kinds.reduce((sum, { collection }) => sum + (counts.get(collection) ?? 0), 0);
    if (resources === 0 && !allowEmpty && (await backup.hasResources()))
      throw new CommandError(
        `The database has no resources, but the backup in ${directory} does. The backup was not replaced: check ` +
          'DATABASE_URL, or use --allow-empty',
      );
    return counts;
  });
}

/**
 * Writes a list to a file, one page at a time, so that memory use does not depend on the length of the list.
 * Returns the length.
 */
async function writeList(path: string, signal: AbortSignal, pages: AsyncIterable<readonly object[]>): Promise<number> {
  // Not readable by others, because the files contain secrets.
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(HEADER);
    let count = 0;
    for await (const documents of pages) {
      signal.throwIfAborted();
      count += documents.length;
      if (documents.length > 0) await file.writeFile(dump(documents, { lineWidth: -1, noRefs: true }));
    }
    if (count === 0) await file.writeFile('[]\n');
    await file.sync();
    return count;
  } finally {
    await file.close();
  }
}

// Each page starts after the last row of the page before it.

async function* documentsOf(reads: Reads, kind: Kind): AsyncGenerator<readonly object[]> {
  const reader = new ResourceReader(reads, new ListMemory());
  const selection = wholeOf(kind);
  for (let after: SeekKey | undefined; ;) {
    const { items, more } = await reader.page(kind, selection, { after, limit: PAGE, backwards: false });
    yield items.map((resource) => toDocument(kind, resource, 'all'));
    const last = items.at(-1);
    if (!more || !last) return;
    after = [last.rowId];
  }
}

async function* usersOf(sql: Sql): AsyncGenerator<readonly object[]> {
  for (let after = 0; ;) {
    const users = await usersAfter(sql, after, PAGE);
    yield users.map(({ ref, username, role, secretHash, createdOn, modifiedOn }) => ({
      apiVersion: 'v1beta1',
      kind: 'User',
      metadata: { ref, createdOn: isoTime(createdOn), modifiedOn: isoTime(modifiedOn) },
      spec: { credentials: { username, secretHash }, role },
    }));
    const last = users.at(-1);
    if (!last) return;
    after = last.rowId;
  }
}
