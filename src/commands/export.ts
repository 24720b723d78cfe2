import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { once } from 'node:events';

import { stringify } from 'yaml';

import type { Database } from '../database/database';
import { kinds } from '../resources/kinds';
import { ResourceReader } from '../resources/resource-reader';
import { wholeOf } from '../resources/selection';
import { toDocument } from '../rest/document';
import { openPrivateFile } from './private-file';

const PAGE = 500;

/** Writes everything, secrets included, into Routr v1's files, which `import` takes; gives how many of each. */
export async function exportTo(database: Database, directory: string): Promise<ReadonlyMap<string, number>> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const reader = new ResourceReader(database);
  const counts = new Map<string, number>();
  for (const kind of kinds) {
    const selection = wholeOf(kind);
    const count = await writeList(join(directory, `${kind.collection}.yml`), async (page) => {
      const resources = await reader.numberedPage(kind, selection, page, PAGE);
      return resources.map((resource) => toDocument(kind, resource, true));
    });
    counts.set(kind.collection, count);
  }
  counts.set('users', await writeList(join(directory, 'users.yml'), (page) => usersOn(database, page)));
  return counts;
}

/** A page at a time, so that memory does not grow with the list. */
async function writeList(file: string, read: (page: number) => Promise<readonly object[]>): Promise<number> {
  // The files have secrets in them.
  const stream = (await openPrivateFile(file)).createWriteStream();
  let count = 0;
  for (let page = 1; ; page++) {
    const documents = await read(page);
    count += documents.length;
    if (documents.length > 0 && !stream.write(stringify(documents, { lineWidth: 0 }))) await once(stream, 'drain');
    if (documents.length < PAGE) break;
  }
  if (count === 0) stream.write('[]\n');
  stream.end();
  await once(stream, 'finish');
  return count;
}

async function usersOn(database: Database, page: number): Promise<readonly object[]> {
  const rows = await database.rows(
    'SELECT ref, username, role, secret_hash, created_on, modified_on FROM users ORDER BY id LIMIT ? OFFSET ?',
    [PAGE, (page - 1) * PAGE],
  );
  return rows.map(([ref, username, role, secretHash, createdOn, modifiedOn]) => ({
    apiVersion: 'v1beta1',
    kind: 'User',
    metadata: { ref, createdOn: isoOf(createdOn), modifiedOn: isoOf(modifiedOn) },
    spec: { credentials: { username, secretHash }, role },
  }));
}

function isoOf(milliseconds: unknown): string {
  return new Date(Number(milliseconds)).toISOString();
}
