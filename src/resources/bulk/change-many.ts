import { isDeepStrictEqual } from 'node:util';

import type { Actor } from '../../changes/actor';
import { noteChange } from '../../changes/outbox';
import { failureOf } from '../../database/errors';
import { pad, places, type OwnTransaction, type SqlValue } from '../../database/sql';
import { inEntry } from '../../errors';
import type { Kind, Resource } from '../../model/kind';
import { changeLists } from '../lists/reference-lists';
import { columnsOf, valuesOf } from '../read/row';
import { prepareChanges } from '../write/change';
import { updateOf, wholeStateOf } from '../write/entry-details';
import { merge, type Changes, type Values } from '../write/input';
import type { Resolved } from '../write/references';
import { inEach, sampledOf, type Sampled } from './sampled';

/** The same changes for many resources, with the row ids of the targets of the references that they set. */
export interface Setting {
  readonly changes: Changes;
  readonly targets: Resolved;
  /** The fields that count as changed even if they are not. */
  readonly anyway: ReadonlySet<string>;
  /** Write nothing. */
  readonly isPreview: boolean;
}

/** A resource that the changes give other values. */
interface Edit {
  readonly stored: Resource;
  readonly before: Values;
  readonly values: Values;
}

/**
 * Makes the same changes to resources that were read as a whole and are locked. The number of statements does not
 * depend on the number of resources, unless a natural key is taken. Returns what changed. Throws InvalidInputError and
 * ConflictError with the refs of the first resources at fault.
 */
export async function changeAll(
  transaction: OwnTransaction,
  kind: Kind,
  stored: readonly Resource[],
  setting: Setting,
  actor: Actor,
): Promise<readonly Sampled[]> {
  const { changes, anyway, isPreview } = setting;
  const edits = inEach(stored, (resource): Edit => {
    const before = valuesOf(kind, resource);
    return { stored: resource, before, values: merge(kind, changes, before) };
  }).filter(({ before, values }) => anyway.size > 0 || !isDeepStrictEqual(before, values));
  if (edits.length === 0) return [];
  const modifiedOn = Date.now();
  try {
    if (!isPreview) await transaction.undoable(() => write(transaction, kind, edits, setting, modifiedOn));
  } catch (error) {
    if (failureOf(error).type !== 'duplicate') throw error;
    await changeEach(transaction, kind, edits, setting, actor);
    throw error;
  }
  return edits.map(({ stored: resource, values }) => {
    const before = wholeStateOf(kind, resource);
    const details = updateOf(kind, before, { ...before, values, modifiedOn }, anyway);
    if (!isPreview) noteChange(transaction, { kind: kind.name, ref: resource.ref, event: 'UPDATED', actor, details });
    return sampledOf(resource.ref, details);
  });
}

async function write(
  transaction: OwnTransaction,
  kind: Kind,
  edits: readonly Edit[],
  { changes, targets }: Setting,
  modifiedOn: number,
): Promise<void> {
  const groups = new Map<string, { readonly columns: Columns; readonly ids: number[] }>();
  for (const edit of edits) {
    const columns = changedColumns(kind, edit, changes, targets);
    const key = JSON.stringify(columns);
    const group = groups.get(key) ?? { columns, ids: [] };
    group.ids.push(edit.stored.rowId);
    groups.set(key, group);
  }
  for (const { columns, ids } of groups.values()) {
    const set = { modified_on: modifiedOn, ...columns };
    const keys = pad(ids, 0);
    await transaction.run(
      `UPDATE ${kind.table} SET ${Object.keys(set)
        .map((column) => `${column} = ?`)
        .join(', ')} WHERE id IN (${places(keys.length)})`,
      [...Object.values(set), ...keys],
    );
  }
  const ids = edits.map(({ stored }) => stored.rowId);
  await changeLists(transaction, kind, ids, changes, targets);
}

type Columns = Readonly<Record<string, SqlValue>>;

/** The columns of the changed fields, and the derived columns that follow from them: for most resources the same. */
function changedColumns(kind: Kind, { before, values }: Edit, changes: Changes, targets: Resolved): Columns {
  const own = kind.fields.filter(({ name, refersTo }) => changes.has(name) && !refersTo?.through);
  const derived = (kind.derived ?? []).filter(({ from }) => from(values) !== from(before));
  const columns = columnsOf(kind, values, targets);
  return Object.fromEntries([...own, ...derived].map(({ column }) => [column, columns[column] ?? null]));
}

/**
 * Changes the resources one after the other up to the one that is in conflict, because the error of one statement for all
 * does not tell which one that is. Throws ConflictError.
 */
async function changeEach(
  transaction: OwnTransaction,
  kind: Kind,
  edits: readonly Edit[],
  { changes }: Setting,
  actor: Actor,
): Promise<void> {
  for (const { stored } of edits) {
    const { ref } = stored;
    const [change] = await prepareChanges(transaction, kind, [{ ref, changes, actor }]);
    if (change) await inEntry(ref, change);
  }
}
