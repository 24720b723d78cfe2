import type { Actor } from '../../changes/actor';
import type { Details } from '../../changes/details';
import { noteChange } from '../../changes/outbox';
import { asIdGenerated, failureOf } from '../../database/errors';
import { places, type OwnTransaction, type SqlValue, type Transaction } from '../../database/sql';
import { UnfulfilledDependencyError } from '../../errors';
import type { Kind } from '../../model/kind';
import { hasLists, writeLists } from '../lists/reference-lists';
import { columnsOf } from '../read/row';
import { conflictOf } from './conflict';
import { creationOf } from './entry-details';
import type { Values } from './input';
import { resolveAll, type LinkSelections, type References } from './references';

/** The times of creation and of the last change, in milliseconds since the epoch. */
export interface Times {
  readonly createdOn: number;
  readonly modifiedOn: number;
}

/** A resource to create. */
export interface Creation extends Times {
  readonly ref: string;
  readonly values: Values;
  /** The members of the document that the model does not define, as text (see `storedText`). */
  readonly extra: string | null;
  readonly actor: Actor;
  /** The number of the journal entry that this creation reverts. */
  readonly undoes?: Details['undoes'];
}

/** A creation whose references have been resolved. */
interface Resolution {
  readonly creation: Creation;
  readonly targets: References;
  readonly row: Readonly<Record<string, SqlValue>>;
}

// The maximum number of rows in one statement. Each number of rows needs a prepared statement of its own.
const MAX_ROWS = 16;

/** Creates a resource within a transaction. Throws UnfulfilledDependencyError and ConflictError. */
export async function insert(transaction: OwnTransaction, kind: Kind, creation: Creation): Promise<void> {
  const { failures } = await insertAll(transaction, kind, [creation]);
  if (failures.has(creation)) throw failures.get(creation);
}

/** The results of creations. */
export interface Created {
  /**
   * The error of each creation that failed: an error that `insert` throws, or the error of the database if a target was
   * deleted in the meantime.
   */
  readonly failures: ReadonlyMap<Creation, unknown>;
  /** What was selected of the targets of each creation's links. */
  readonly linked: ReadonlyMap<Creation, References['linked']>;
}

/**
 * Creates resources of a kind within a transaction, with one statement for each reference field and one for up to 16
 * rows. A kind with lists needs a statement for each row. A creation that fails changes nothing.
 */
export async function insertAll(
  transaction: OwnTransaction,
  kind: Kind,
  creations: readonly Creation[],
  links?: LinkSelections,
): Promise<Created> {
  const failures = new Map<Creation, unknown>();
  const found = await resolveAll(
    transaction,
    kind,
    creations.map(({ values }) => values),
    links,
  );
  const rows: Resolution[] = [];
  found.forEach((targets, index) => {
    const creation = creations[index];
    if (!creation) return;
    if (targets.issues.length > 0) failures.set(creation, new UnfulfilledDependencyError(targets.issues));
    else rows.push({ creation, targets, row: rowOf(kind, creation, targets) });
  });
  const size = hasLists(kind) ? 1 : MAX_ROWS;
  for (let start = 0; start < rows.length; start += size)
    await insertRows(transaction, kind, rows.slice(start, start + size), failures);
  for (const { creation } of rows) {
    if (failures.has(creation)) continue;
    const { ref, actor, undoes } = creation;
    const details = { ...creationOf(kind, creation), ...(undoes !== undefined && { undoes }) };
    noteChange(transaction, { kind: kind.name, ref, event: 'CREATED', actor, details });
  }
  return { failures, linked: new Map(rows.map(({ creation, targets }) => [creation, targets.linked])) };
}

/**
 * Inserts rows with one statement, and adds the errors to `failures`. A statement that fails inserts none of its rows,
 * so the rows are halved and tried again until each failing row is in a statement of its own.
 */
async function insertRows(
  transaction: Transaction,
  kind: Kind,
  rows: readonly Resolution[],
  failures: Map<Creation, unknown>,
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  try {
    const values = rows.flatMap(({ row }) => Object.values(row));
    const { insertId } = await transaction
      .run(insertText(kind, first.row, rows.length), values)
      .catch((error: unknown) => {
        throw asIdGenerated(error);
      });
    if (rows.length === 1) await insertLists(transaction, kind, insertId, first);
  } catch (error) {
    const { type } = failureOf(error);
    if (type !== 'duplicate' && type !== 'missing-reference') throw error;
    if (rows.length === 1) {
      const { ref, values } = first.creation;
      failures.set(first.creation, conflictOf(error, kind, ref, values));
      return;
    }
    const middle = Math.ceil(rows.length / 2);
    await insertRows(transaction, kind, rows.slice(0, middle), failures);
    await insertRows(transaction, kind, rows.slice(middle), failures);
  }
}

/** Writes the lists of a resource, or deletes its row if they cannot be written. */
async function insertLists(
  transaction: Transaction,
  kind: Kind,
  id: number,
  { creation, targets }: Resolution,
): Promise<void> {
  try {
    await writeLists(transaction, kind, id, creation.values, targets.ids);
  } catch (error) {
    await transaction.run(`DELETE FROM ${kind.table} WHERE id = ?`, [id]);
    throw error;
  }
}

/** The columns of a new row, which are the same for every row of a kind. */
function rowOf(
  kind: Kind,
  { ref, values, extra, createdOn, modifiedOn }: Creation,
  { ids }: References,
): Resolution['row'] {
  return {
    ref,
    created_on: createdOn,
    modified_on: modifiedOn,
    extra,
    ...(kind.shared && { kind: kind.name }),
    ...columnsOf(kind, values, ids),
  };
}

const texts = new WeakMap<Kind, string[]>();

function insertText(kind: Kind, row: Resolution['row'], count: number): string {
  const known = texts.get(kind) ?? [];
  texts.set(kind, known);
  return (known[count] ??= textOf(kind, Object.keys(row), count));
}

function textOf({ table }: Kind, columns: readonly string[], count: number): string {
  const row = `(${places(columns.length)})`;
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${Array.from({ length: count }, () => row).join(', ')}`;
}
