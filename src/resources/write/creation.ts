import type { Actor } from '../../changes/actor';
import { noteChange } from '../../changes/outbox';
import { failureOf, throwIdGenerated } from '../../database/errors';
import { places, type OwnTransaction, type SqlValue, type Transaction } from '../../database/sql';
import { UnfulfilledDependencyError, type Issue } from '../../errors';
import { memoized } from '../../limits/memoized';
import type { Kind } from '../../model/kind';
import { changeDerivedRows } from '../lists/derived-rows';
import { writeLists } from '../lists/reference-lists';
import { storedText, type Extra } from '../read/extra';
import { columnsOf } from '../read/row';
import { conflictOf, parkedColumns, parkedText } from './conflict';
import { stateOf } from './entry-details';
import { changesOf, merge, refOf, type Input, type Values } from './input';
import { assertRangesFree, RangeTakenError } from './number-ranges';
import { resolveAll, type LinkSelections, type References, type Resolved } from './references';

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
  /** The number of the history entry that this creation reverts. */
  readonly undoes?: number;
  /** Whether the ref was generated. If it is in use by chance, the creation fails with a RefTakenError. */
  readonly hasNewRef?: boolean;
}

/** The validated input of a create. */
export interface NewResource extends Pick<Creation, 'values' | 'extra'> {
  /** The ref in the input, if there is one. */
  readonly given: string | undefined;
}

/**
 * Validates the input of a create, and the other members of its document. `issues` are the errors that were found
 * before. Throws InvalidInputError with all of them.
 */
export function newResource(
  kind: Kind,
  input: Input,
  { extra = null, issues = [] }: { readonly extra?: Extra | null; readonly issues?: readonly Issue[] } = {},
): NewResource {
  const mistakes = [...issues];
  const given = refOf(input, mistakes);
  const values = merge(kind, changesOf(kind, input, true, mistakes));
  return { given, values, extra: extra && storedText(extra) };
}

/** The row of a creation whose references have been resolved. */
export interface NewRow {
  readonly creation: Creation;
  readonly targets: Resolved;
  readonly columns: Readonly<Record<string, SqlValue>>;
}

/** The results of creations. */
export interface Created {
  /**
   * The error of each creation that failed: UnfulfilledDependencyError, ConflictError, or the error of the database if a
   * target was deleted in the meantime.
   */
  readonly failures: ReadonlyMap<Creation, unknown>;
  /** What was selected of the targets of each creation's links. */
  readonly linked: ReadonlyMap<Creation, References['linked']>;
  /** With `isParked`, those that did not fail. */
  readonly parked: ReadonlyMap<Creation, Parked>;
}

/** How creations run. */
export interface InsertOptions {
  readonly links?: LinkSelections;
  /** Whether the caller checks ranges of numbers later. */
  readonly checksRangesLater?: boolean;
  /**
   * Whether the unique columns get values that nobody has, until `writeKeys` gives them those of the creations. The caller notes the
   * creations, too.
   */
  readonly isParked?: boolean;
}

/** A creation whose unique columns have values that nobody has. */
export interface Parked {
  readonly rowId: number;
  readonly text: string;
}

/** The maximum number of rows in one statement. Each number of rows needs a prepared statement of its own. */
export const MAX_ROWS = 16;

/**
 * Creates resources of a kind within a transaction, with one statement for each reference field and one for up to 16
 * rows. Each resource with rows in other tables needs statements of its own. A creation that fails changes nothing.
 */
export async function insertAll(
  transaction: OwnTransaction,
  kind: Kind,
  creations: readonly Creation[],
  { links, checksRangesLater = false, isParked = false }: InsertOptions = {},
): Promise<Created> {
  const failures = new Map<Creation, unknown>();
  const parked = isParked ? new Map<Creation, Parked>() : undefined;
  const linked = new Map<Creation, References['linked']>();
  const values = creations.map((creation) => creation.values);
  const found = await resolveAll(transaction, kind, values, links);
  const rows: NewRow[] = [];
  for (const [index, creation] of creations.entries()) {
    const targets = found[index];
    if (!targets) continue;
    linked.set(creation, targets.linked);
    if (targets.issues.length > 0) failures.set(creation, new UnfulfilledDependencyError(targets.issues));
    else rows.push(rowOf(kind, creation, targets.ids));
  }
  for (let start = 0; start < rows.length;) {
    const many = isParked ? 1 : rows.slice(start, start + MAX_ROWS).findIndex((row) => hasOwnRows(kind, row));
    const size = many === -1 ? MAX_ROWS : Math.max(many, 1);
    await insertEach(transaction, kind, rows.slice(start, start + size), { failures, checksRangesLater, parked });
    start += size;
  }
  return { failures, linked, parked: parked ?? new Map() };
}

/** Whether a resource has rows in other tables, which need its row id. */
function hasOwnRows({ references, derivedRows = [] }: Kind, { creation: { values }, targets }: NewRow): boolean {
  return (
    references.some(({ name, refersTo }) => refersTo.through && (targets.get(name) ?? []).length > 0) ||
    derivedRows.some(({ from }) => from(values).length > 0)
  );
}

/**
 * Inserts rows with one statement, and adds the errors to `failures`. A statement that fails inserts none of its rows,
 * so the rows are halved and tried again until each failing row is in a statement of its own.
 */
async function insertEach(
  transaction: OwnTransaction,
  kind: Kind,
  rows: readonly NewRow[],
  how: {
    readonly failures: Map<Creation, unknown>;
    readonly checksRangesLater: boolean;
    readonly parked: Map<Creation, Parked> | undefined;
  },
): Promise<void> {
  const { failures, checksRangesLater, parked } = how;
  try {
    await insertRows(transaction, kind, rows, { checksRangesLater, parked });
  } catch (error) {
    const { type } = failureOf(error);
    if (type !== 'duplicate' && type !== 'missing-reference' && !(error instanceof RangeTakenError)) throw error;
    const [first, ...others] = rows;
    if (first && others.length === 0) {
      failures.set(first.creation, conflictOf(error, kind, first.creation));
      return;
    }
    const middle = Math.ceil(rows.length / 2);
    await insertEach(transaction, kind, rows.slice(0, middle), how);
    await insertEach(transaction, kind, rows.slice(middle), how);
  }
}

/**
 * Inserts rows of a kind, and checks its ranges unless the caller does. A row with lists in other tables must be the only one. Throws
 * RangeTakenError and the errors of the database; then, nothing was inserted.
 */
export async function insertRows(
  transaction: OwnTransaction,
  kind: Kind,
  given: readonly NewRow[],
  {
    checksRangesLater = false,
    parked,
  }: { readonly checksRangesLater?: boolean; readonly parked?: Map<Creation, Parked> | undefined } = {},
): Promise<void> {
  const text = parked ? parkedText() : '';
  const rows = parked ? given.map((row) => parkedRow(kind, row, text)) : given;
  const [first, ...others] = rows;
  if (!first) return;
  // flatMap is slow, and all creates come through here (docs/operating/performance.md, "What mechanisms are worth").
  const values: SqlValue[] = [];
  for (const { columns } of rows) values.push(...Object.values(columns));
  const { insertId } = await transaction
    .run(insertText(kind, first.columns, rows.length), values)
    .catch(throwIdGenerated);
  if (others.length === 0) await insertLists(transaction, kind, insertId, first);
  if (!checksRangesLater) await assertFree(transaction, kind, insertId, rows);
  for (const { creation } of given) {
    if (parked) parked.set(creation, { rowId: insertId, text });
    else noteCreation(transaction, kind, creation);
  }
}

/** Notes a creation for the history. */
export function noteCreation(transaction: OwnTransaction, kind: Kind, creation: Creation): void {
  const { ref, actor, undoes } = creation;
  const details = { after: stateOf(kind, creation), ...(undoes !== undefined && { undoes }) };
  noteChange(transaction, { kind: kind.name, ref, event: 'CREATED', actor, details });
}

/** The same row with a text that nobody has in its unique columns, and in the lists that repeat them. */
function parkedRow(kind: Kind, { creation, targets, columns }: NewRow, text: string): NewRow {
  const parked = Object.fromEntries(parkedColumns(kind).map((column) => [column, text]));
  const repeated = kind.references.flatMap(({ refersTo }) => refersTo.through?.repeats ?? []);
  const values = new Map([...creation.values, ...repeated.map((name) => [name, text] as const)]);
  return { creation: { ...creation, values }, targets, columns: { ...columns, ...parked } };
}

/** Throws RangeTakenError if the ranges of numbers are not free, and deletes the rows. */
async function assertFree(transaction: OwnTransaction, kind: Kind, id: number, rows: readonly NewRow[]): Promise<void> {
  if (!kind.ranges) return;
  const written = rows.map(({ creation: { values, actor }, columns }) => ({
    values,
    actor,
    gatewayId: columns['gateway_id'] ?? null,
    ...(rows.length === 1 && { rowId: id }),
  }));
  try {
    await assertRangesFree(transaction, kind, written);
  } catch (error) {
    if (!(error instanceof RangeTakenError)) throw error;
    const refs = rows.map(({ creation }) => creation.ref);
    await transaction.run(`DELETE FROM ${kind.table} WHERE kind = ? AND ref IN (${places(refs.length)})`, [
      kind.name,
      ...refs,
    ]);
    throw error;
  }
}

/** Writes the lists of a resource, or deletes its row if they cannot be written. */
async function insertLists(
  transaction: Transaction,
  kind: Kind,
  id: number,
  { creation, targets }: NewRow,
): Promise<void> {
  try {
    await writeLists(transaction, kind, id, creation.values, targets);
    await changeDerivedRows(transaction, kind, [{ rowId: id, before: new Map(), after: creation.values }]);
  } catch (error) {
    await transaction.run(`DELETE FROM ${kind.table} WHERE id = ?`, [id]);
    throw error;
  }
}

/** Returns the row of a creation. Its columns are the same for every row of a kind. */
export function rowOf(kind: Kind, creation: Creation, targets: Resolved): NewRow {
  const { ref, values, extra, createdOn, modifiedOn } = creation;
  const columns = {
    ref,
    created_on: createdOn,
    modified_on: modifiedOn,
    extra,
    ...(kind.shared && { kind: kind.name }),
    ...columnsOf(kind, values, targets),
  };
  return { creation, targets, columns };
}

const textsOf = memoized((_kind: Kind): string[] => []);

function insertText(kind: Kind, row: NewRow['columns'], count: number): string {
  return (textsOf(kind)[count] ??= textOf(kind, Object.keys(row), count));
}

function textOf({ table }: Kind, columns: readonly string[], count: number): string {
  const row = `(${places(columns.length)})`;
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${Array.from({ length: count }, () => row).join(', ')}`;
}
