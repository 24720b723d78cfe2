import type { Actor } from '../changes/actor';
import { noteChange, storeNoted } from '../changes/outbox';
import { failureOf } from '../database/errors';
import { readsWithin, type OwnTransaction, type Transaction } from '../database/sql';
import { DependentObjectsError } from '../errors';
import type { Kind, Resource } from '../model/kind';
import { lockResources } from './change';
import { deletionOf, wholeStateOf } from './entry-details';
import { ResourceReader } from './resource-reader';
import { wholeOf } from './selection';

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
    const user = await dependentOn(transaction, kind, rowId);
    throw new DependentObjectsError(`${name} ${ref} is in use by ${user}`);
  }
  const details = { ...deletionOf(kind, wholeStateOf(kind, stored)), ...(undoes !== undefined && { undoes }) };
  noteChange(transaction, { kind: name, ref, event: 'DELETED', actor, details });
  return true;
}

// Resources per statement.
const BATCH = 500;

/**
 * Deletes all these resources that still exist, and returns their number. Throws DependentObjectsError with one of the
 * resources that refer to one of these.
 */
export async function deleteMany(
  transaction: OwnTransaction,
  kind: Kind,
  refs: readonly string[],
  actor: Actor,
): Promise<number> {
  const batches = Array.from({ length: Math.ceil(refs.length / BATCH) }, (_, index) =>
    refs.slice(index * BATCH, (index + 1) * BATCH),
  );
  // All locks come first, because the first read determines what the transaction sees.
  for (const batch of batches) await lockResources(transaction, kind, batch);
  const reader = new ResourceReader(readsWithin(transaction));
  let deleted = 0;
  for (const batch of batches) {
    const stored = await reader.some(kind, batch, wholeOf(kind));
    for (const resource of stored) if (await deleteStored(transaction, kind, resource, actor)) deleted++;
    await storeNoted(transaction);
  }
  return deleted;
}

async function dependentOn(transaction: Transaction, kind: Kind, id: number): Promise<string> {
  for (const { kind: other, field } of kind.referrers) {
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
