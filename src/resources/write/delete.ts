import type { Actor } from '../../changes/actor';
import { noteChange } from '../../changes/outbox';
import { failureOf } from '../../database/errors';
import { pad, places, type OwnTransaction, type Transaction } from '../../database/sql';
import { DependentObjectsError } from '../../errors';
import type { Kind, Resource } from '../../model/kind';
import { MAX_NAMED, sampledOf, type Sampled } from '../bulk/sampled';
import { deletionOf, wholeStateOf } from './entry-details';

/**
 * Deletes a resource that was read as a whole. The transaction must have locked it. Returns whether it still existed.
 * Throws DependentObjectsError with one of the resources that refer to this resource.
 */
export async function deleteStored(
  transaction: OwnTransaction,
  kind: Kind,
  stored: Resource,
  actor: Actor,
  undoes?: number,
): Promise<boolean> {
  const { rowId, ref } = stored;
  const { table, name } = kind;
  try {
    const { rows } = await transaction.run(`DELETE FROM ${table} WHERE id = ?`, [rowId]);
    if (rows === 0) return false;
  } catch (error) {
    if (failureOf(error, true).type !== 'referenced') throw error;
    const user = (await dependentsOn(transaction, kind, [rowId])).get(rowId) ?? 'another resource';
    throw new DependentObjectsError(`${name} ${ref} is in use by ${user}`);
  }
  const details = { ...deletionOf(kind, wholeStateOf(kind, stored)), ...(undoes !== undefined && { undoes }) };
  noteChange(transaction, { kind: name, ref, event: 'DELETED', actor, details });
  return true;
}

/**
 * Deletes resources that were read as a whole and are locked, with one statement; a preview only reads. Returns what was
 * deleted. Throws DependentObjectsError with the first of the resources that others refer to.
 */
export async function deleteAll(
  transaction: OwnTransaction,
  kind: Kind,
  stored: readonly Resource[],
  actor: Actor,
  isPreview: boolean,
): Promise<readonly Sampled[]> {
  const { table, name } = kind;
  const ids = stored.map(({ rowId }) => rowId);
  const keys = pad(ids, 0);
  const assertUnused = async (isReferenced: boolean): Promise<void> => {
    const users = await dependentsOn(transaction, kind, ids);
    if (users.size === 0 && !isReferenced) return;
    const inUse = stored.filter(({ rowId }) => users.has(rowId)).slice(0, MAX_NAMED);
    const reasons = inUse.map(({ rowId, ref }) => `${name} ${ref} is in use by ${String(users.get(rowId))}`);
    // A reference that was committed after the first read of this transaction is not visible to it.
    throw new DependentObjectsError(reasons.join('; ') || `One of the resources is in use by another resource`);
  };
  if (isPreview) await assertUnused(false);
  else
    try {
      await transaction.run(`DELETE FROM ${table} WHERE id IN (${places(keys.length)})`, keys);
    } catch (error) {
      if (failureOf(error, true).type !== 'referenced') throw error;
      await assertUnused(true);
    }
  return stored.map((resource) => {
    const details = deletionOf(kind, wholeStateOf(kind, resource));
    if (!isPreview) noteChange(transaction, { kind: name, ref: resource.ref, event: 'DELETED', actor, details });
    return sampledOf(resource.ref, details);
  });
}

/** Returns one of the resources that refer to each of these, by row id. The statements do not depend on their number. */
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
