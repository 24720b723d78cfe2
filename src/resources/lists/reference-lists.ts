import { groupBy, pad, places, type Transaction } from '../../database/sql';
import { textOf } from '../../model/format/format';
import type { Kind } from '../../model/kind';
import type { Members } from '../../model/options';
import type { Values } from '../write/input';
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

/** What changes of the lists of a resource. */
export interface ListsChange {
  readonly rowId: number;
  /** The names of the fields that change. */
  readonly changed: ReadonlySet<string>;
  readonly resolved: Resolved;
}

/**
 * Changes the lists of references of many resources, after their rows were changed. The number of statements depends on how many
 * different lists there are, not on the number of resources.
 */
export async function changeLists(
  transaction: Transaction,
  kind: Kind,
  changes: readonly ListsChange[],
): Promise<void> {
  for (const { name, column, refersTo } of kind.references) {
    if (!refersTo.through) continue;
    const { table, owner, repeats } = refersTo.through;
    const replaced = changes.filter(({ changed }) => changed.has(name));
    if (replaced.length > 0) {
      const keys = idsOf(replaced);
      await transaction.run(`DELETE FROM ${table} WHERE ${owner} IN (${places(keys.length)})`, keys);
    }
    for (const same of groupBy(replaced, ({ resolved }) => JSON.stringify(resolved.get(name) ?? [])).values()) {
      const targets = same[0]?.resolved.get(name) ?? [];
      await insertMembers(transaction, kind, { column, through: refersTo.through }, idsOf(same), targets);
    }
    const renamed = changes.filter(
      ({ changed }) => repeats !== undefined && changed.has(repeats) && !changed.has(name),
    );
    if (repeats === undefined || renamed.length === 0) continue;
    const keys = idsOf(renamed);
    await transaction.run(
      `UPDATE ${table} SET ${repeats} = (SELECT t.${repeats} FROM ${kind.table} t WHERE t.id = ${table}.${owner})
       WHERE ${owner} IN (${places(keys.length)})`,
      keys,
    );
  }
}

function idsOf(changes: readonly ListsChange[]): readonly number[] {
  return pad(
    changes.map(({ rowId }) => rowId),
    0,
  );
}

/** Gives resources that have no members the same ones. */
async function insertMembers(
  transaction: Transaction,
  kind: Kind,
  { column, through: { table, owner, repeats } }: { readonly column: string; readonly through: Members },
  keys: readonly number[],
  targets: readonly number[],
): Promise<void> {
  const repeated = repeats === undefined ? [] : [repeats];
  for (let done = 0; done < targets.length; done += MEMBERS) {
    const some = targets.slice(done, done + MEMBERS);
    // The position -1 stands for no member.
    const positions = pad([...some.keys()], -1 - done).map((index) => done + index);
    const more = ' UNION ALL SELECT ?, ?'.repeat(positions.length - 1);
    await transaction.run(
      `INSERT INTO ${table} (${[owner, column, 'position', ...repeated].join(', ')})
       SELECT ${['t.id', 'm.target', 'm.place', ...repeated.map((field) => `t.${field}`)].join(', ')}
       FROM ${kind.table} t, (SELECT ? AS target, ? AS place${more}) m
       WHERE t.id IN (${places(keys.length)}) AND m.place >= 0`,
      [...positions.flatMap((position) => [targets[position] ?? 0, position]), ...keys],
    );
  }
}
