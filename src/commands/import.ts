// Longer than 150 lines, because it reads a whole directory before it writes anything.
import { keepingAnAdmin } from '../auth/last-admin';

import type { Actor } from '../changes/actor';
import { storeNoted } from '../changes/outbox';
import type { Database } from '../database/database';
import type { OwnTransaction } from '../database/sql';
import { DomainError } from '../errors';
import { change } from '../resources/change';
import { insert } from '../resources/creation';
import { storedText } from '../resources/extra';
import { changesOf, merged, refOf } from '../resources/input';
import type { Kind } from '../model/kind';
import type { Model } from '../model/model';
import { refByNaturalKey } from '../resources/natural-key';
import { newRef } from '../resources/new-ref';
import { parseDocument } from '../documents/parse';

import { SAMPLE_GATEWAYS, holdsSampleData } from '../sample-data';

import { createLegacyRefs, type LegacyRefs } from '../documents/legacy-ref';
import { entriesIn, timesOf, USER, type Entry } from './import-entries';
import { importUser, type UserChange } from './import-user';
import { readOfDirectories, resourceFiles } from './resource-files';

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
export interface ImportReport {
  readonly outcomes: readonly Outcome[];
  readonly users: readonly UserChange[];
  readonly mistakes: readonly string[];
  /** Notes for the operator: skipped files, sample data. */
  readonly notices: readonly string[];
}

const SAMPLE_NOTICE =
  `The database contains sample data (gateways ${SAMPLE_GATEWAYS.join(', ')}, and related resources), and the import adds ` +
  'to it. To import without sample data, use a new database, before the server starts';

/** Thrown to roll back the transaction. */
class Undone extends Error {}

/**
 * Imports YAML or JSON files in one transaction. An entry updates the resource with the same ref, or, if the entry has
 * no ref, the resource with the same natural key. If there is no such resource, the entry creates one. An entry with a
 * new ref whose natural key is in use is a mistake. With any mistake, or without `keep`, the transaction is rolled
 * back.
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
  const readable = readOfDirectories(model.kinds);
  if (files.length === 0) mistakes.push(`${paths.join(', ')}: no files to import: expected ${readable}`);
  const notices = skipped.map((file) => `${file} was skipped: import reads only ${readable} from a directory`);
  if (await holdsSampleData(database)) notices.push(SAMPLE_NOTICE);
  const inFiles = (await Promise.all(files.map((file) => entriesIn(file, model, mistakes)))).flat();
  // In reference order, regardless of the order of the files: a resource is imported after those that it refers to.
  // Users are last.
  const entries = [...model.inReferenceOrder, undefined].flatMap((kind) =>
    inFiles.filter((entry) => entry.kind === kind),
  );
  const legacyRefs = await createLegacyRefs();
  let outcomes: Outcome[] = [];
  let users: UserChange[] = [];
  try {
    await database.transaction(async (transaction) => {
      outcomes = [];
      users = [];
      const found: string[] = [];
      const attempt = async (place: string, work: () => Promise<void>): Promise<void> => {
        try {
          await work();
        } catch (error) {
          if (!(error instanceof DomainError)) throw error;
          found.push(...messagesOf(error).map((message) => place + message));
        }
      };
      await attempt('', () =>
        keepingAnAdmin(transaction, async () => {
          for (const entry of entries)
            await attempt(`${entry.place}: `, async () => {
              outcomes.push(await importEntry(transaction, actor, entry, legacyRefs, users));
              await storeNoted(transaction);
            });
        }),
      );
      mistakes.push(...found);
      if (!keep || mistakes.length > 0) throw new Undone();
    });
  } catch (error) {
    if (!(error instanceof Undone)) throw error;
  }
  return { outcomes, users, mistakes, notices };
}

function messagesOf(error: DomainError): readonly string[] {
  return error.issues.length > 0 ? error.issues.map(({ path, message }) => `${path}: ${message}`) : [error.message];
}

async function importEntry(
  transaction: OwnTransaction,
  actor: Actor,
  { place, kind, value }: Entry,
  legacyRefs: LegacyRefs,
  users: UserChange[],
): Promise<Outcome> {
  if (!kind) {
    const { user, ...result } = await importUser(transaction, actor, value, legacyRefs);
    users.push(user);
    return { place, kind: USER, ...result };
  }
  const { name } = kind;
  const { input, extra, issues } = parseDocument(kind, { ...value, kind: name });
  const mistakes = [...issues];
  const given = refOf(input, mistakes);
  const known = given !== undefined && (await exists(transaction, kind, given)) ? given : undefined;
  const changes = changesOf(kind, input, known === undefined, mistakes);
  const ref = known ?? (given === undefined ? await refByNaturalKey(transaction, kind, changes) : undefined);
  if (ref !== undefined) {
    const { isChanged } = await change(transaction, kind, { ref, changes, actor, options: { extra } });
    return { place, kind: name, ref, result: isChanged ? 'update' : 'unchanged' };
  }
  const values = merged(kind, changes);
  const made = given ?? (await freeRef(transaction, kind, legacyRefs.ofResource(kind, values)));
  const stored = extra && storedText(extra);
  await insert(transaction, kind, { ref: made, values, extra: stored, ...timesOf(value), actor });
  return { place, kind: name, ref: made, result: 'create' };
}

/** Returns the ref that Routr v1 derives, or a new one if there is none or another resource uses it. */
async function freeRef(transaction: OwnTransaction, kind: Kind, legacy: string | undefined): Promise<string> {
  return legacy === undefined || (await exists(transaction, kind, legacy)) ? newRef(kind) : legacy;
}

async function exists(transaction: OwnTransaction, kind: Kind, ref: string): Promise<boolean> {
  const text = `SELECT id FROM ${kind.table} WHERE ref = ?${kind.shared ? ' AND kind = ?' : ''}`;
  return (await transaction.rows(text, [ref, ...(kind.shared ? [kind.name] : [])])).length > 0;
}
