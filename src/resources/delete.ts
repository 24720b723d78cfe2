import { noteChange } from '../changes/outbox';
import { failureOf } from '../database/errors';
import { sql, type Fragment } from '../database/fragment';
import type { OwnTransaction, Transaction } from '../database/sql';
import { DependentObjectsError, NotFoundError } from '../errors';
import type { Kind } from '../model/kind';
import { isRef } from './input';

/**
 * Deletes a resource. Throws NotFoundError, and DependentObjectsError with one of the resources that refer to this
 * resource.
 */
export async function deleteByRef(transaction: OwnTransaction, kind: Kind, ref: string): Promise<void> {
  const where = kind.shared ? sql`ref = ${ref} AND kind = ${kind.name}` : sql`ref = ${ref}`;
  if (!isRef(ref) || !(await deleteWhere(transaction, kind, where, ref))) throw new NotFoundError(kind.name, ref);
}

/**
 * Deletes a row. Returns whether the row existed. Throws DependentObjectsError with one of the resources that refer to
 * this resource.
 */
export function deleteRow(transaction: OwnTransaction, kind: Kind, id: number, ref: string): Promise<boolean> {
  return deleteWhere(transaction, kind, sql`id = ${id}`, ref);
}

async function deleteWhere(transaction: OwnTransaction, kind: Kind, where: Fragment, ref: string): Promise<boolean> {
  const { table, name } = kind;
  try {
    const { rows } = await transaction.run(`DELETE FROM ${table} WHERE ${where.text}`, where.values);
    if (rows > 0) noteChange(transaction, name, ref, 'DELETED');
    return rows > 0;
  } catch (error) {
    if (failureOf(error, true).type !== 'referenced') throw error;
    const [row] = await transaction.rows(`SELECT id FROM ${table} WHERE ${where.text}`, where.values);
    const user = await dependentOn(transaction, kind, Number(row?.[0]));
    throw new DependentObjectsError(`${name} ${ref} is in use by ${user}`);
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
