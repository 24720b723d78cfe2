import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { holdsSampleData, SAMPLE_GATEWAYS } from '../../app/sample-data';
import { keepingAnAdmin } from '../../auth/user-rules';
import type { Actor } from '../../changes/actor';
import { storeNoted } from '../../changes/outbox';
import type { Database } from '../../database/database';
import type { OwnTransaction } from '../../database/sql';
import { DomainError } from '../../errors';
import { endOfTurn } from '../../limits/event-loop';
import type { Kind } from '../../model/kind';
import type { Model } from '../../model/model';
import { USER } from '../../resources/bulk/entries';
import { EntryImporter, type Imported } from '../../resources/bulk/import-entry';
import { inImport } from '../../resources/write/transactions';
import { createLegacyRefs } from '../../resources/documents/legacy-ref';
import { messagesOf } from '../git/documents';
import { ImportFile, type FileEntry } from './import-files';
import { importUser, type UserChange } from './import-user';

/** The result of importing one entry. */
export interface Outcome {
  readonly place: string;
  readonly kind: string;
  readonly ref: string;
  readonly result: 'create' | 'update' | 'unchanged';
  /** A problem that did not prevent the import. */
  readonly warning?: string;
}

/** What an import did, or would do in a dry run. If there are mistakes, the import changed nothing. */
interface ImportReport {
  readonly outcomes: readonly Outcome[];
  readonly users: readonly UserChange[];
  readonly mistakes: readonly string[];
  /** Notes for the operator: skipped files, sample data. */
  readonly notices: readonly string[];
}

const SAMPLE_NOTICE =
  `The database contains sample data (gateways ${SAMPLE_GATEWAYS.join(', ')}, and related resources), and the import adds ` +
  'to it. To import without sample data, use a new database, before the server starts';

/**
 * Imports YAML or JSON files in one transaction (see `EntryImporter`). With any mistake, or without `keep`, the
 * transaction is rolled back.
 */
export async function importFiles(
  database: Database,
  model: Model,
  paths: readonly string[],
  actor: Actor,
  keep: boolean,
): Promise<ImportReport> {
  const mistakes: string[] = [];
  const { files, skipped } = await resourceFiles(model.kinds, paths);
  const readable = `${namesOf(model.kinds).join(', ')} (.yml, .yaml, .json)`;
  if (files.length === 0) mistakes.push(`${paths.join(', ')}: no files to import: expected ${readable}`);
  const notices = skipped.map((file) => `${file} was skipped: import reads only ${readable} from a directory`);
  if (await holdsSampleData(database)) notices.push(SAMPLE_NOTICE);
  const toImport = files.map((file) => new ImportFile(file, model));
  for (const file of toImport) mistakes.push(...(await file.check()));
  const legacyRefs = await createLegacyRefs();
  let outcomes: Outcome[] = [];
  let users: UserChange[] = [];
  let found: string[] = [];
  const note = (place: string, error: unknown): void => {
    if (!(error instanceof DomainError)) throw error;
    found.push(...messagesOf(error).map((message) => place + message));
  };
  const attempt = (place: string, work: () => Promise<void>): Promise<void> =>
    work().catch((error: unknown) => note(place, error));
  const importAll = async (transaction: OwnTransaction): Promise<boolean> => {
    [outcomes, users, found] = [[], [], []]; // the transaction is retried after a conflict
    const importer = new EntryImporter(transaction, actor, legacyRefs);
    const places = new WeakMap<Imported, string>();
    const importAny = async ({ place, kind, value }: FileEntry): Promise<Outcome> => {
      if (kind) {
        const imported = await importer.import(kind, value);
        places.set(imported, place);
        return { place, kind: kind.name, ...imported };
      }
      const { user, ...result } = await importUser(transaction, actor, value, legacyRefs);
      users.push(user);
      return { place, kind: USER, ...result };
    };
    await attempt('', () =>
      keepingAnAdmin(transaction, async () => {
        // In reference order, regardless of the order of the files: a resource is imported after those that it refers to.
        // Users are last.
        for (const kind of [...model.inReferenceOrder, undefined])
          for (const file of toImport)
            for await (const entry of file.entriesOf(kind))
              await attempt(`${entry.place}: `, async () => {
                outcomes.push(await importAny(entry));
                await storeNoted(transaction);
              });
        await importer.finish(endOfTurn, (imported, error) => note(`${places.get(imported) ?? ''}: `, error));
      }),
    );
    return keep && mistakes.length + found.length === 0;
  };
  await inImport(database, importAll, { seesCommits: true });
  return { outcomes, users, mistakes: [...mistakes, ...found], notices };
}

/** The files that an import reads, and the files in the given directories that it skips. */
interface ResourceFiles {
  readonly files: readonly string[];
  readonly skipped: readonly string[];
}

/**
 * Finds the files of an import: the given files, and the files in the given directories that are named after a
 * collection.
 */
async function resourceFiles(kinds: readonly Kind[], paths: readonly string[]): Promise<ResourceFiles> {
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
