import type { Actor } from '../../changes/actor';
import type { Details } from '../../changes/details';
import { noteChange } from '../../changes/outbox';
import { failureOf } from '../../database/errors';
import { pad, places, type OwnTransaction, type Transaction } from '../../database/sql';
import { DependentObjectsError, type Dependent } from '../../errors';
import type { Kind, Referrer, Resource } from '../../model/kind';
import { MAX_NAMED } from './change';
import { stateOf, wholeStateOf } from './entry-details';

/** A deletion, of one resource or of many. */
interface Deletion {
  readonly actor: Actor;
  /** The number of the history entry that this deletion reverts. */
  readonly undoes?: number;
  /** Only read. */
  readonly isPreview?: boolean;
}

/**
 * Deletes resources that were read as a whole and are locked, with one statement. Returns what was deleted. Throws
 * DependentObjectsError with the first of the resources that others refer to.
 */
export async function deleteAll(
  transaction: OwnTransaction,
  kind: Kind,
  stored: readonly Resource[],
  { actor, undoes, isPreview = false }: Deletion,
): Promise<readonly { readonly ref: string; readonly details: Details }[]> {
  const { table, name } = kind;
  const ids = stored.map(({ rowId }) => rowId);
  const keys = pad(ids, 0);
  const text = `DELETE FROM ${table} WHERE id IN (${places(keys.length)})`;
  if (isPreview || (await isRefused(transaction.run(text, keys)))) {
    const users = await usersOf(transaction, kind, ids);
    if (users.size > 0 || !isPreview) throw await inUse(transaction, kind, stored, users);
  }
  return stored.map((resource) => {
    const { ref } = resource;
    const before = stateOf(kind, wholeStateOf(kind, resource));
    const details = { before, ...(undoes !== undefined && { undoes }) };
    if (!isPreview) noteChange(transaction, { kind: name, ref, event: 'DELETED', actor, details });
    return { ref, details };
  });
}

/** Whether the database refuses a deletion because other resources refer to one of the resources. */
function isRefused(deletion: Promise<unknown>): Promise<boolean> {
  return deletion.then(
    () => false,
    (error: unknown) => {
      if (failureOf(error, true).type === 'referenced') return true;
      throw error;
    },
  );
}

async function inUse(
  transaction: Transaction,
  kind: Kind,
  stored: readonly Resource[],
  users: ReadonlyMap<number, string>,
): Promise<DependentObjectsError> {
  // A reference that was committed after the first read of the transaction is not visible to it.
  const used = stored.length === 1 ? stored : stored.filter(({ rowId }) => users.has(rowId)).slice(0, MAX_NAMED);
  const reasons = used.map(
    ({ rowId, ref }) => `${kind.name} ${ref} is in use by ${users.get(rowId) ?? 'another resource'}`,
  );
  const message = reasons.join('; ') || 'One of the resources is in use by another resource';
  return new DependentObjectsError(message, await dependentsOn(transaction, kind, used));
}

/** Returns one of the resources that refer to each of these, by row id. */
async function usersOf(
  transaction: Transaction,
  kind: Kind,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const found = new Map<number, string>();
  const keys = pad(ids, 0);
  for (const { name, from, column, condition } of kind.referrers.map(rowsOf)) {
    const rows = await transaction.rows(
      `SELECT k.id, (SELECT t.ref FROM ${from} WHERE ${column} = k.id ${condition} LIMIT 1)
       FROM ${kind.table} k WHERE k.id IN (${places(keys.length)})`,
      keys,
    );
    for (const [id, ref] of rows)
      if (ref !== null && !found.has(Number(id))) found.set(Number(id), `${name} ${String(ref)}`);
  }
  return found;
}

/** Returns some of the resources that refer to these. */
async function dependentsOn(
  transaction: Transaction,
  kind: Kind,
  used: readonly Resource[],
): Promise<readonly Dependent[]> {
  const refs = new Map(used.map(({ rowId, ref }) => [rowId, ref]));
  const keys = pad([...refs.keys()], 0);
  const found: Dependent[] = [];
  for (const { name, from, column, condition } of kind.referrers.map(rowsOf)) {
    if (found.length >= MAX_NAMED || refs.size === 0) break;
    const rows = await transaction.rows(
      `SELECT ${column}, t.ref FROM ${from} WHERE ${column} IN (${places(keys.length)}) ${condition}
       LIMIT ${String(MAX_NAMED - found.length)}`,
      keys,
    );
    for (const [id, ref] of rows) found.push({ kind: name, ref: String(ref), of: refs.get(Number(id)) ?? '' });
  }
  return found;
}

/** The rows of the resources that refer to others by a field: `column` has the row id of the other one. */
function rowsOf({ kind, field }: Referrer): { name: string; from: string; column: string; condition: string } {
  const { through } = field.refersTo;
  return {
    name: kind.name,
    from: `${kind.table} t ${through ? `JOIN ${through.table} m ON m.${through.owner} = t.id` : ''}`,
    column: `${through ? 'm' : 't'}.${field.column}`,
    condition: kind.shared ? `AND t.kind = '${kind.name}'` : '',
  };
}
