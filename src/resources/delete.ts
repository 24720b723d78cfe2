import { noteChange } from '../changes/outbox';
import { failureOf } from '../database/errors';
import { readsWithin, type OwnTransaction, type Transaction } from '../database/sql';
import { DependentObjectsError } from '../errors';
import type { Kind } from '../model/kind';
import { ResourceReader } from './resource-reader';
import { REF_ONLY } from './selection';

/** Deletes a resource within a transaction that has locked it. Throws NotFoundError and DependentObjectsError. */
export async function deleteByRef(transaction: OwnTransaction, kind: Kind, ref: string): Promise<void> {
  const { rowId } = await new ResourceReader(readsWithin(transaction)).get(kind, ref, REF_ONLY);
  await deleteRow(transaction, kind, rowId, ref);
}

/** Deletes a row; returns whether it existed. Throws a DependentObjectsError that names a resource that refers to it. */
export async function deleteRow(transaction: OwnTransaction, kind: Kind, id: number, ref: string): Promise<boolean> {
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
