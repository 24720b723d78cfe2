import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';

import { keepingAnAdmin } from '../auth/last-admin';
import { hashPassword } from '../auth/password';
import { ROLES, type Role } from '../auth/role';
import { upsertUser, type ImportedUserChange } from '../auth/user-import';
import { weaknessOf } from '../auth/user-rules';
import type { Database } from '../database/database';
import type { OwnTransaction } from '../database/sql';
import { DomainError, InvalidInputError, quote } from '../errors';
import { changesOf, merged, refOf } from '../resources/input';
import type { Kind } from '../model/kind';
import type { Model } from '../model/model';
import { refByNaturalKey } from '../resources/natural-key';
import { newRef } from '../resources/resource-service';
import { change, insert, type Times } from '../resources/write';
import { parseDocument } from '../documents/parse';
import { isMembers } from '../documents/render';
import { SAMPLE_GATEWAYS, holdsSampleData } from '../sample-data';
import { parseYaml } from '../documents/yaml';
import { createLegacyRefs } from '../documents/legacy-ref';
import { readOfDirectories, resourceFiles } from './resource-files';

/** A resource or a user in a file. */
interface Entry {
  /** File and line, as `agents.yml:12`. */
  readonly place: string;
  /** Undefined for a user. */
  readonly kind: Kind | undefined;
  readonly value: Readonly<Record<string, unknown>>;
}

/** What an import did with an entry. */
export interface Outcome {
  readonly place: string;
  readonly kind: string;
  readonly ref: string;
  readonly did: 'create' | 'update' | 'unchanged';
  /** What the operator should look at, though it was imported. */
  readonly warning?: string;
}

/** A user that an import made or changed. */
export interface UserChange extends Pick<ImportedUserChange, 'events'> {
  readonly username: string;
  readonly role: Role;
}

/** What an import did, or what it would have done: with mistakes, nothing. */
export interface ImportReport {
  readonly outcomes: readonly Outcome[];
  readonly users: readonly UserChange[];
  readonly mistakes: readonly string[];
  /** What the operator should know beside: files that were skipped, sample data. */
  readonly notices: readonly string[];
}

const USER = 'User';

const SAMPLE_NOTICE =
  `The database holds the sample data (gateways ${SAMPLE_GATEWAYS.join(', ')}, and what belongs to them), and the import is ` +
  'added to it; for a database without it, import into a new one before the server starts';

/** Undoes the transaction, and carries what it found. */
class Undone extends Error {}

/**
 * Brings the resources of YAML or JSON files into the database, all or none: those that are there by ref, else by natural
 * key, are updated as PUT would; the others are made. Without `keep`, nothing stays.
 */
export async function importFiles(
  database: Database,
  model: Model,
  paths: readonly string[],
  keep: boolean,
): Promise<ImportReport> {
  const mistakes: string[] = [];
  const { files, skipped } = await resourceFiles(model.kinds, paths);
  const readable = readOfDirectories(model.kinds);
  if (files.length === 0) mistakes.push(`${paths.join(', ')}: there is none of ${readable}`);
  const notices = skipped.map((file) => `${file} was skipped: of a directory, an import reads ${readable}`);
  if (await holdsSampleData(database)) notices.push(SAMPLE_NOTICE);
  const inFiles = (await Promise.all(files.map((file) => entriesIn(file, model, mistakes)))).flat();
  // References lead to what was imported before, whatever the order of the files. Users come last.
  const entries = [...model.inReferenceOrder, undefined].flatMap((kind) =>
    inFiles.filter((entry) => entry.kind === kind),
  );
  const legacyRef = await createLegacyRefs();
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
          found.push(...complaintsOf(error).map((complaint) => place + complaint));
        }
      };
      await attempt('', () =>
        keepingAnAdmin(transaction, async () => {
          for (const entry of entries)
            await attempt(`${entry.place}: `, async () => {
              outcomes.push(await importEntry(transaction, entry, legacyRef, users));
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

function complaintsOf(error: DomainError): readonly string[] {
  return error.issues.length > 0 ? error.issues.map(({ path, message }) => `${path}: ${message}`) : [error.message];
}

async function entriesIn(file: string, model: Model, complaints: string[]): Promise<readonly Entry[]> {
  const { values, mistakes } = parseYaml(await readFile(file, 'utf8'));
  const name = basename(file);
  complaints.push(...mistakes.map(({ line, message }) => `${name}:${String(line)}: ${message}`));
  return values.flatMap(({ value, line }): readonly Entry[] => {
    const place = `${name}:${String(line)}`;
    const given = isMembers(value) ? value['kind'] : undefined;
    const lower = typeof given === 'string' ? given.toLowerCase() : '';
    const kind = model.kinds.find(({ singular }) => singular === lower);
    if (isMembers(value) && (kind || lower === USER.toLowerCase())) return [{ place, kind, value }];
    const names = [...model.inReferenceOrder.map((each) => each.name), USER];
    complaints.push(`${place}: kind: ${quote(given)} is not one of ${names.join(', ')}`);
    return [];
  });
}

async function importEntry(
  transaction: OwnTransaction,
  { place, kind, value }: Entry,
  legacyRef: Awaited<ReturnType<typeof createLegacyRefs>>,
  users: UserChange[],
): Promise<Outcome> {
  if (!kind) return { place, kind: USER, ...(await importUser(transaction, value, users)) };
  const { name } = kind;
  const { input, extra, issues } = parseDocument(kind, { ...value, kind: name });
  const mistakes = [...issues];
  const given = refOf(input, mistakes);
  const known = given !== undefined && (await exists(transaction, kind, given)) ? given : undefined;
  const changes = changesOf(kind, input, known === undefined, mistakes);
  const ref = known ?? (given === undefined ? await refByNaturalKey(transaction, kind, changes) : undefined);
  if (ref !== undefined) {
    const changed = await change(transaction, kind, ref, changes, { extra });
    return { place, kind: name, ref, did: changed ? 'update' : 'unchanged' };
  }
  const values = merged(kind, changes);
  const made = given ?? (await freeRef(transaction, kind, legacyRef(kind, values)));
  await insert(transaction, kind, made, values, extra, timesOf(value));
  return { place, kind: name, ref: made, did: 'create' };
}

/** The ref of Routr v1, or a new one where there is none or another resource has it. */
async function freeRef(transaction: OwnTransaction, kind: Kind, legacy: string | undefined): Promise<string> {
  return legacy === undefined || (await exists(transaction, kind, legacy)) ? newRef(kind) : legacy;
}

async function exists(transaction: OwnTransaction, kind: Kind, ref: string): Promise<boolean> {
  const text = `SELECT id FROM ${kind.table} WHERE ref = ?${kind.shared ? ' AND kind = ?' : ''}`;
  return (await transaction.rows(text, [ref, ...(kind.shared ? [kind.name] : [])])).length > 0;
}

/** A resource that moves over keeps its times. */
function timesOf({ metadata }: Entry['value']): Times {
  const read = (name: string): number => {
    const text = isMembers(metadata) ? metadata[name] : undefined;
    const time = typeof text === 'string' || text instanceof Date ? new Date(text).getTime() : NaN;
    return Number.isNaN(time) ? Date.now() : time;
  };
  return { createdOn: read('createdOn'), modifiedOn: read('modifiedOn') };
}

/** Routr v1's users could change everything but users, as operators can. */
async function importUser(
  transaction: OwnTransaction,
  value: Entry['value'],
  users: UserChange[],
): Promise<Pick<Outcome, 'ref' | 'did' | 'warning'>> {
  const member = (path: readonly string[]): string | undefined => {
    const found = path.reduce<unknown>((at, key) => (isMembers(at) ? at[key] : undefined), value);
    return typeof found === 'string' || typeof found === 'number' ? String(found) : undefined;
  };
  const [username, secret] = [member(['spec', 'credentials', 'username']), member(['spec', 'credentials', 'secret'])];
  if (username === undefined) throw missing('spec.credentials.username');
  const hash = member(['spec', 'credentials', 'secretHash']);
  if (secret === undefined && hash === undefined) throw missing('spec.credentials.secret');
  const ref = member(['metadata', 'ref']);
  const weakness = secret === undefined ? undefined : weaknessOf(username, secret);
  // Routr v1 came with the user `admin`.
  const role = roleIn(member(['spec', 'role']) ?? (username === 'admin' ? 'admin' : 'operator'));
  const { events, ...done } = await upsertUser(transaction, {
    ...(ref !== undefined && { ref }),
    username,
    role,
    secret,
    secretHash: () => (hash === undefined ? hashPassword(secret ?? '') : Promise.resolve(hash)),
    ...timesOf(value),
  });
  users.push({ username, role, events });
  return { ...done, ...(weakness && { warning: `the secret of user ${quote(username)} ${weakness}: change it` }) };
}

function roleIn(text: string): Role {
  const role = ROLES.find((each) => each === text.toLowerCase());
  if (role) return role;
  throw new InvalidInputError([
    { field: 'role', path: 'spec.role', message: `${quote(text)} is not one of ${ROLES.join(', ')}` },
  ]);
}

function missing(path: string): InvalidInputError {
  return new InvalidInputError([{ field: path, path, message: 'is required' }]);
}
