import { pad, places, type SqlValue, type Transaction } from '../../database/sql';
import type { Kind, ReferenceField } from '../../model/kind';
import { columnsOf } from '../read/row';
import type { Values } from '../write/input';
import { resolveAll } from '../write/references';

type Rule = Kind['unique'][number];

/** The values of a key in the order of its columns; undefined if one of them is missing. */
type NaturalKey = readonly SqlValue[] | undefined;

/** The names of the fields whose values identify resources of a kind. */
export function keyFieldsOf({ unique }: Kind): ReadonlySet<string> {
  return new Set(unique.flatMap(({ fields }) => fields));
}

/** Returns texts that are the same for values with the same natural key. A key without a required value has none. */
export function keyTextsOf({ unique, fields }: Kind, values: Values): readonly string[] {
  const required = new Set(fields.flatMap((field) => (field.required ? [field.name] : [])));
  return unique.flatMap((rule) => {
    if (rule.fields.some((name) => required.has(name) && !values.has(name))) return [];
    const own = inKey(rule, values);
    return [JSON.stringify(rule.fields.map((name) => [name, own.get(name)]))];
  });
}

/**
 * Returns the ref of the resource with the same natural key as each of the values, or undefined if there is none. Of a
 * list in a key, such as the domains of an agent, the first entry counts. The number of statements is fixed.
 */
export async function refsByNaturalKey(
  transaction: Transaction,
  kind: Kind,
  all: readonly Values[],
): Promise<readonly (string | undefined)[]> {
  const found = all.map((): string | undefined => undefined);
  for (const rule of kind.unique) {
    const keys = await naturalKeysOf(transaction, kind, rule, all);
    const refs = await refsOf(transaction, kind, rule, keys);
    for (const [index, key] of keys.entries()) found[index] ??= key && refs.get(idOf(key));
  }
  return found;
}

async function naturalKeysOf(
  transaction: Transaction,
  kind: Kind,
  rule: Rule,
  all: readonly Values[],
): Promise<readonly NaturalKey[]> {
  const list = listIn(kind, rule);
  const own = all.map((values) => inKey(rule, values));
  const targets = await resolveAll(transaction, kind, own);
  return own.map((values, index) => {
    const ids = targets[index]?.ids ?? new Map<string, readonly number[]>();
    const columns = columnsOf(kind, values, ids);
    const key = rule.columns.map((name) => (name === list?.column ? ids.get(list.name)?.[0] : columns[name]) ?? null);
    return key.includes(null) ? undefined : key;
  });
}

/** The values of a key alone, and of its list only the first entry. */
function inKey({ fields }: Rule, values: Values): Values {
  return new Map(
    fields.flatMap((name) => {
      const value = values.get(name);
      if (value === undefined) return [];
      return [[name, typeof value === 'object' ? value.slice(0, 1) : value] as const];
    }),
  );
}

async function refsOf(
  transaction: Transaction,
  kind: Kind,
  rule: Rule,
  keys: readonly NaturalKey[],
): Promise<ReadonlyMap<string, string>> {
  const [first, ...others] = keys.flatMap((key) => (key ? [key] : []));
  if (!first) return new Map();
  const list = listIn(kind, rule);
  const { table, owner, repeats } = list?.refersTo.through ?? { table: '', owner: '' };
  const from = list ? `${table} m JOIN ${kind.table} t ON t.id = m.${owner}` : `${kind.table} t`;
  const columns = rule.columns.map((name) => (name === list?.column || name === repeats ? `m.${name}` : `t.${name}`));
  const wanted = pad([first, ...others], first);
  const [single] = columns.length === 1 ? columns : [];
  const condition =
    single === undefined
      ? wanted.map(() => `(${columns.map((name) => `${name} = ?`).join(' AND ')})`).join(' OR ')
      : `${single} IN (${places(wanted.length)})`;
  const rows = await transaction.rows(
    `SELECT t.ref, ${columns.join(', ')} FROM ${from} WHERE (${condition})${kind.shared ? ' AND t.kind = ?' : ''}`,
    [...wanted.flat(), ...(kind.shared ? [kind.name] : [])],
  );
  return new Map(rows.map(([ref, ...key]) => [idOf(key), String(ref)]));
}

/** A text that is the same for equal keys. Databases return ids as numbers or as texts. */
function idOf(key: readonly SqlValue[]): string {
  return JSON.stringify(key.map(String));
}

/** The list whose entries are each part of a key. */
function listIn(kind: Kind, { columns }: Rule): ReferenceField | undefined {
  return kind.references.find(({ column, refersTo }) => refersTo.through && columns.includes(column));
}
