import { pad, places, type Transaction } from '../../database/sql';
import type { Kind } from '../../model/kind';
import type { Changes, Values } from '../write/input';
import type { Resolved } from '../write/references';

// Members of a list per statement, of which there are as few different ones as possible. The rest are written one by one.
const MEMBERS = 50;

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

/**
 * Changes the lists of references of many resources in the same way, after their rows were changed. The number of
 * statements does not depend on the number of resources.
 */
export async function changeLists(
  transaction: Transaction,
  kind: Kind,
  ids: readonly number[],
  changes: Changes,
  resolved: Resolved,
): Promise<void> {
  const keys = pad(ids, 0);
  const among = `IN (${places(keys.length)})`;
  for (const { name, column, refersTo } of kind.references) {
    if (!refersTo.through) continue;
    const { table, owner, repeats } = refersTo.through;
    if (changes.has(name)) {
      await transaction.run(`DELETE FROM ${table} WHERE ${owner} ${among}`, keys);
      const members = (resolved.get(name) ?? []).map((target, position): readonly [number, number] => [
        target,
        position,
      ]);
      for (let done = 0; done < members.length;) {
        const size = members.length - done < MEMBERS ? 1 : MEMBERS;
        const some = members.slice(done, done + size);
        const more = ' UNION ALL SELECT ?, ?'.repeat(size - 1);
        await transaction.run(
          `INSERT INTO ${table} (${owner}, ${column}, position, ${repeats})
           SELECT t.id, m.target, m.place, t.${repeats} FROM ${kind.table} t, (SELECT ? AS target, ? AS place${more}) m
           WHERE t.id ${among}`,
          [...some.flat(), ...keys],
        );
        done += size;
      }
    } else if (changes.has(repeats)) {
      const value = changes.get(repeats);
      await transaction.run(`UPDATE ${table} SET ${repeats} = ? WHERE ${owner} ${among}`, [String(value), ...keys]);
    }
  }
}
