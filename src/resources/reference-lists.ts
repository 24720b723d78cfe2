import { places, type Transaction } from '../database/sql';
import type { Kind } from '../model/kind';
import type { Values } from './input';
import type { Resolved } from './references';

/** Whether a resource of this kind has lists of references, which are rows of other tables. */
export function hasLists({ references }: Kind): boolean {
  return references.some(({ refersTo }) => refersTo.through);
}

/** Deletes the lists of references of a resource. */
export async function clearLists(transaction: Transaction, kind: Kind, id: number): Promise<void> {
  for (const { refersTo } of kind.references) {
    const { through } = refersTo;
    if (through) await transaction.run(`DELETE FROM ${through.table} WHERE ${through.owner} = ?`, [id]);
  }
}

/** Writes the lists of references of a resource that has none stored. */
export async function writeLists(
  transaction: Transaction,
  kind: Kind,
  id: number,
  values: Values,
  resolved: Resolved,
): Promise<void> {
  for (const { name, column, refersTo } of kind.references) {
    const targets = resolved.get(name) ?? [];
    if (!refersTo.through || targets.length === 0) continue;
    const { table, owner, repeats } = refersTo.through;
    const repeated = String(values.get(repeats));
    const row = `(${places(4)})`;
    await transaction.run(
      `INSERT INTO ${table} (${owner}, ${column}, position, ${repeats}) VALUES ${targets.map(() => row).join(', ')}`,
      targets.flatMap((target, position) => [id, target, position, repeated]),
    );
  }
}
