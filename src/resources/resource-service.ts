import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';

import { noteChange } from '../changes/outbox';
import type { Database } from '../database/database';
import { failureOf } from '../database/errors';
import { places, readsWithin, type OwnTransaction, type Transaction } from '../database/sql';
import { ConflictError, DependentObjectsError, InvalidInputError, NotFoundError, inEntry, type Issue } from '../errors';
import { conflictOf } from './conflict';
import { changesOf, isRef, issue, merged, refOf, type Changes, type Input, type Values } from './input';
import type { Kind, Resource } from '../model/kind';
import { referencesOf, referrersTo } from '../model/kinds';
import { resolveReferences, type Resolved } from './references';
import { ResourceReader, type Identity } from './resource-reader';
import { columnsOf, valuesOf } from './row';
import { wholeOf } from './selection';

/** When a resource was made and last changed, in milliseconds since the epoch. */
export interface Times {
  readonly createdOn: number;
  readonly modifiedOn: number;
}

/** What REST adds to an input. */
export interface WriteOptions {
  /** Members of the document that the model does not know; an update merges them into what is stored. */
  readonly extra?: Extra | null;
  /** An update may not change what the resource is known by, nor what it belongs to. */
  readonly keepsIdentity?: boolean;
  /** Mistakes that were found before the fields could be read; they are told with the others. */
  readonly issues?: readonly Issue[];
}

/** Members of a document that the model does not know, nested as there. */
export type Extra = Readonly<Record<string, unknown>>;

const ATTEMPTS = 4;

/** Creates, updates and deletes resources of every kind, for both protocols. */
export class ResourceService {
  constructor(private readonly database: Database) {}

  /** Makes a resource and gives its ref; throws InvalidInput, UnfulfilledDependency and Conflict errors, in this order. */
  async create(kind: Kind, input: Input, { extra = null, issues = [] }: WriteOptions = {}): Promise<string> {
    const mistakes = [...issues];
    const given = refOf(input, mistakes);
    const values = merged(kind, changesOf(kind, input, true, mistakes));
    return this.again(
      () => {
        const ref = given ?? newRef(kind);
        return this.database.transaction((transaction) => insert(transaction, kind, ref, values, extra));
      },
      // A ref that was made up may be taken by chance; one that was asked for is a conflict.
      (error) => given === undefined && error instanceof ConflictError && error.issues[0]?.field === 'ref',
    );
  }

  /** Makes all of them or none; gives their refs. A failure names the entry, as `nameOf` does. Throws as `create` does. */
  async createAll(
    kind: Kind,
    entries: readonly (WriteOptions & { readonly input: Input })[],
    nameOf: (index: number) => string,
  ): Promise<readonly string[]> {
    const made = entries.map(({ input, extra = null, issues = [] }, index) =>
      inEntry(nameOf(index), () => {
        const mistakes = [...issues];
        const given = refOf(input, mistakes);
        return { given, values: merged(kind, changesOf(kind, input, true, mistakes)), extra };
      }),
    );
    return this.again(() =>
      this.database.transaction(async (transaction) => {
        const refs: string[] = [];
        for (const [index, { given, values, extra }] of made.entries()) {
          const ref = given ?? newRef(kind);
          refs.push(await inEntry(nameOf(index), () => insert(transaction, kind, ref, values, extra)));
        }
        return refs;
      }),
    );
  }

  /** Changes what the input mentions: null clears, undefined leaves. Throws as `create` does, and NotFoundError. */
  async update(kind: Kind, ref: string, input: Input, options: WriteOptions = {}): Promise<void> {
    const changes = changesOf(kind, input, false, options.issues);
    await this.again(() =>
      this.database.transaction(async (transaction) => {
        await change(transaction, kind, ref, changes, options);
      }),
    );
  }

  /** Throws NotFoundError, and DependentObjectsError while others refer to it. */
  async delete(kind: Kind, ref: string): Promise<void> {
    await this.database.transaction(async (transaction) => {
      await deleteRow(transaction, kind, await lock(transaction, kind, ref), ref);
    });
  }

  /** Deletes these resources, or none where one is in use; gives how many were still there. Throws DependentObjectsError. */
  async deleteAll(kind: Kind, identities: readonly Identity[]): Promise<number> {
    return this.database.transaction(async (transaction) => {
      let deleted = 0;
      for (const { rowId, ref } of identities) if (await deleteRow(transaction, kind, rowId, ref)) deleted++;
      return deleted;
    });
  }

  /** What was referred to can go between the look and the write: the next look tells what it was. */
  private async again<T>(work: () => Promise<T>, also: (error: unknown) => boolean = () => false): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work();
      } catch (error) {
        const worth = failureOf(error).type === 'missing-reference' || also(error);
        if (!worth || attempt === ATTEMPTS) throw error;
      }
    }
  }
}

/** A ref that the service makes up. */
export function newRef({ prefix }: Kind): string {
  return prefix + randomUUID().slice(0, 8);
}

/** Whether it was there. */
async function deleteRow(transaction: OwnTransaction, kind: Kind, id: number, ref: string): Promise<boolean> {
  try {
    const { rows } = await transaction.run(`DELETE FROM ${kind.table} WHERE id = ?`, [id]);
    if (rows > 0) noteChange(transaction, kind.name, ref, 'DELETED');
    return rows > 0;
  } catch (error) {
    if (failureOf(error, true).type !== 'referenced') throw error;
    const user = await dependentOn(transaction, kind, id);
    throw new DependentObjectsError(`${kind.name} ${ref} is in use by ${user}`);
  }
}

/** A PUT cannot change the natural key or the gateway of a number (docs/rest-contract.md, section 10.3). */
function assertSameIdentity(kind: Kind, before: Values, after: Values): void {
  const key = kind.fixed ?? kind.unique.flatMap(({ fields }) => fields);
  const fixed = kind.fields.filter(({ name, required, refersTo }) =>
    refersTo ? required && !refersTo.through : key.includes(name),
  );
  const changed = fixed.filter(({ name }) => before.get(name) !== after.get(name));
  if (changed.length > 0) throw new InvalidInputError(changed.map((field) => issue(field, 'cannot be changed')));
}

function mergedExtra(stored: Resource, changes: Extra): Extra {
  const extra = extraOf(stored);
  return extra ? deepMerged(JSON.parse(extra) as Extra, changes) : changes;
}

function extraOf(stored: Resource): string | null | undefined {
  return (stored as { readonly extra?: string | null }).extra;
}

/** Objects are merged, all else is replaced. */
function deepMerged(stored: Extra, changes: Extra): Extra {
  const merges = Object.entries(changes).map(([key, value]): [string, unknown] => {
    const before = Object.hasOwn(stored, key) ? stored[key] : undefined;
    return [key, isObject(before) && isObject(value) ? deepMerged(before, value) : value];
  });
  return { ...stored, ...Object.fromEntries(merges) };
}

function isObject(value: unknown): value is Extra {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Changes a resource within a transaction; gives whether anything became different. If not, nothing is written. */
export async function change(
  transaction: OwnTransaction,
  kind: Kind,
  ref: string,
  changes: Changes,
  options: WriteOptions = {},
): Promise<boolean> {
  const id = await lock(transaction, kind, ref);
  const stored = await new ResourceReader(readsWithin(transaction)).get(kind, ref, wholeOf(kind));
  const before = valuesOf(kind, stored);
  const values = merged(kind, changes, before);
  if (options.keepsIdentity) assertSameIdentity(kind, before, values);
  const resolved = await resolveReferences(transaction, kind, values);
  const extra = options.extra && JSON.stringify(mergedExtra(stored, options.extra));
  const isDifferent = !isDeepStrictEqual(before, values) || (extra ? extra !== extraOf(stored) : false);
  if (!isDifferent) return false;
  const columns = {
    modified_on: Date.now(),
    ...(extra && { extra }),
    ...columnsOf(kind, values, resolved),
  };
  const assignments = Object.keys(columns).map((column) => `${column} = ?`);
  await unlessTaken(kind, ref, values, async () => {
    await transaction.run(`UPDATE ${kind.table} SET ${assignments.join(', ')} WHERE id = ?`, [
      ...Object.values(columns),
      id,
    ]);
    await clearLists(transaction, kind, id);
    await writeLists(transaction, kind, id, values, resolved);
  });
  noteChange(transaction, kind.name, ref, 'UPDATED');
  return true;
}

/** Makes a resource within a transaction. */
export async function insert(
  transaction: OwnTransaction,
  kind: Kind,
  ref: string,
  values: Values,
  extra: Extra | null,
  times: Times = { createdOn: Date.now(), modifiedOn: Date.now() },
): Promise<string> {
  const resolved = await resolveReferences(transaction, kind, values);
  const columns = {
    ...{ ref, created_on: times.createdOn, modified_on: times.modifiedOn, extra: extra && JSON.stringify(extra) },
    ...(kind.shared && { kind: kind.name }),
    ...columnsOf(kind, values, resolved),
  };
  const text = insertTexts.get(kind) ?? insertText(kind, Object.keys(columns));
  insertTexts.set(kind, text);
  await unlessTaken(kind, ref, values, async () => {
    const { insertId } = await transaction.run(text, Object.values(columns));
    await writeLists(transaction, kind, insertId, values, resolved);
  });
  noteChange(transaction, kind.name, ref, 'CREATED');
  return ref;
}

const insertTexts = new Map<Kind, string>();

function insertText({ table }: Kind, columns: readonly string[]): string {
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places(columns.length)})`;
}

async function clearLists(transaction: Transaction, kind: Kind, id: number): Promise<void> {
  for (const { through } of referencesOf(kind).map((field) => field.refersTo)) {
    if (through) await transaction.run(`DELETE FROM ${through.table} WHERE ${through.owner} = ?`, [id]);
  }
}

async function writeLists(
  transaction: Transaction,
  kind: Kind,
  id: number,
  values: Values,
  resolved: Resolved,
): Promise<void> {
  for (const { name, column, refersTo } of referencesOf(kind)) {
    const targets = resolved.get(name) ?? [];
    if (!refersTo.through) continue;
    const { table, owner, repeats } = refersTo.through;
    const repeated = values.get(repeats);
    await transaction.run(
      `INSERT INTO ${table} (${owner}, ${column}, position, ${repeats})
       VALUES ${targets.map(() => '(?, ?, ?, ?)').join(', ')}`,
      targets.flatMap((target, position) => [id, target, position, String(repeated)]),
    );
  }
}

/** Locks the row until the transaction ends, by a write that changes nothing; gives its id or throws NotFoundError. */
async function lock(transaction: Transaction, kind: Kind, ref: string): Promise<number> {
  if (!isRef(ref)) throw new NotFoundError(kind.name, ref);
  const where = `WHERE ref = ?${kind.shared ? ' AND kind = ?' : ''}`;
  const key = [ref, ...(kind.shared ? [kind.name] : [])];
  await transaction.run(`UPDATE ${kind.table} SET ref = ref ${where}`, key);
  const [row] = await transaction.rows(`SELECT id FROM ${kind.table} ${where}`, key);
  if (!row) throw new NotFoundError(kind.name, ref);
  return Number(row[0]);
}

async function unlessTaken(kind: Kind, ref: string, values: Values, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw conflictOf(error, kind, ref, values);
  }
}

async function dependentOn(transaction: Transaction, kind: Kind, id: number): Promise<string> {
  for (const { kind: other, field } of referrersTo(kind)) {
    const { through } = field.refersTo;
    const [row] = await transaction.rows(
      `SELECT t.ref FROM ${other.table} t ${through ? `JOIN ${through.table} m ON m.${through.owner} = t.id` : ''}
       WHERE ${through ? 'm' : 't'}.${field.column} = ?${other.shared ? ' AND t.kind = ?' : ''} LIMIT 1`,
      [id, ...(other.shared ? [other.name] : [])],
    );
    if (row) return `${other.name} ${String(row[0])}`;
  }
  return 'another resource';
}
