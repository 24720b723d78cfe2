import type { Actor } from '../../changes/actor';
import type { Details } from '../../changes/details';
import { noteChange } from '../../changes/outbox';
import { failureOf } from '../../database/errors';
import { pad, places, type OwnTransaction, type Transaction } from '../../database/sql';
import { DependentObjectsError } from '../../errors';
import type { Kind, Resource } from '../../model/kind';
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
    const users = await dependentsOn(transaction, kind, ids);
    if (users.size > 0 || !isPreview) throw inUse(name, stored, users);
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

function inUse(name: string, stored: readonly Resource[], users: ReadonlyMap<number, string>): DependentObjectsError {
  // A reference that was committed after the first read of the transaction is not visible to it.
  const used = stored.length === 1 ? stored : stored.filter(({ rowId }) => users.has(rowId)).slice(0, MAX_NAMED);
  const reasons = used.map(({ rowId, ref }) => `${name} ${ref} is in use by ${users.get(rowId) ?? 'another resource'}`);
  return new DependentObjectsError(reasons.join('; ') || 'One of the resources is in use by another resource');
}

/**
 * Returns one of the resources that refer to each of these, by row id. The statements do not depend on their number.
 */
async function dependentsOn(
  transaction: Transaction,
  kind: Kind,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const found = new Map<number, string>();
  const keys = pad(ids, 0);
  for (const { kind: other, field } of kind.referrers) {
    const { through } = field.refersTo;
    const rows = await transaction.rows(
      `SELECT k.id, (
         SELECT t.ref FROM ${other.table} t ${through ? `JOIN ${through.table} m ON m.${through.owner} = t.id` : ''}
         WHERE ${through ? 'm' : 't'}.${field.column} = k.id${other.shared ? ' AND t.kind = ?' : ''} LIMIT 1)
       FROM ${kind.table} k WHERE k.id IN (${places(keys.length)})`,
      [...(other.shared ? [other.name] : []), ...keys],
    );
    for (const [id, ref] of rows)
      if (ref !== null && !found.has(Number(id))) found.set(Number(id), `${other.name} ${String(ref)}`);
  }
  return found;
}
