import { pad, places, type Transaction } from '../../database/sql';
import { textOf } from '../../model/format/format';
import type { Kind } from '../../model/kind';
import type { Changes, Values } from '../write/input';
import type { Resolved } from '../write/references';

// Members of a list per statement.
const MEMBERS = 100;

/** Whether a resource of this kind has lists of references, which are rows of other tables. */
export function hasLists({ references }: Kind): boolean {
  return references.some(({ refersTo }) => refersTo.through);
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
    const repeated = repeats === undefined ? [] : [repeats];
    const columns = [owner, column, 'position', ...repeated];
    const row = `(${places(columns.length)})`;
    await transaction.run(
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${targets.map(() => row).join(', ')}`,
      targets.flatMap((target, position) => [
        id,
        target,
        position,
        ...repeated.map((field) => textOf(values.get(field))),
      ]),
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
    const repeated = repeats === undefined ? [] : [repeats];
    if (changes.has(name)) {
      await transaction.run(`DELETE FROM ${table} WHERE ${owner} ${among}`, keys);
      const targets = resolved.get(name) ?? [];
      for (let done = 0; done < targets.length; done += MEMBERS) {
        const some = targets.slice(done, done + MEMBERS);
        // The position -1 stands for no member.
        const positions = pad([...some.keys()], -1 - done).map((index) => done + index);
        const more = ' UNION ALL SELECT ?, ?'.repeat(positions.length - 1);
        await transaction.run(
          `INSERT INTO ${table} (${[owner, column, 'position', ...repeated].join(', ')})
           SELECT ${['t.id', 'm.target', 'm.place', ...repeated.map((field) => `t.${field}`)].join(', ')}
           FROM ${kind.table} t, (SELECT ? AS target, ? AS place${more}) m
           WHERE t.id ${among} AND m.place >= 0`,
          [...positions.flatMap((position) => [targets[position] ?? 0, position]), ...keys],
        );
      }
    } else if (repeats !== undefined && changes.has(repeats)) {
      const value = changes.get(repeats);
      await transaction.run(`UPDATE ${table} SET ${repeats} = ? WHERE ${owner} ${among}`, [
        textOf(value ?? undefined),
        ...keys,
      ]);
    }
  }
}
