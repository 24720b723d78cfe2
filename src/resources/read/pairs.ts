import { all, list, raw, sql, type Fragment } from '../../database/fragment';
import { byColumn, seek, type Range } from '../../database/page';
import { pad } from '../../database/sql';
import type { Link } from './links';
import { ALL_RESOURCES, type ListQuery } from '../lists/list-query';

// Up to this many parents, each parent's rows are read by an index seek, however many children it has. With more
// parents, one pass over all rows is less work than so many seeks.
export const SEEK_AT_MOST = 100;

/**
 * The maximum length of the statement in characters, because each seek repeats the condition. The limit also keeps the
 * number of values below 32,766, which every database accepts.
 */
const MAX_SEEKS = 90_000;

/**
 * SQL for pairs of a parent and the id of a target in range: columns `parent`, `id`, and the sort values `s0`, `s1` and
 * so on. The condition and the order of a query are on the target, named `t`.
 */
export function pairs(link: Link, keys: readonly number[], query: ListQuery = ALL_RESOURCES, range?: Range): Fragment {
  const parents = pad(keys, 0);
  const parent = raw(link.parent);
  const needsTarget = query !== ALL_RESOURCES;
  const from = raw(needsTarget ? `${link.from} JOIN ${link.target.table} t ON t.id = ${link.id}` : link.from);
  const ordered = query.order ?? byColumn(link.order);
  const sorts = ordered.map(({ column }, index) => `${column} AS s${String(index)}`).join(', ');
  const columns = raw(`${link.parent} AS parent, ${link.id} AS id, ${sorts}`);
  const always = all([link.where === undefined ? undefined : raw(link.where), query.condition]);
  const among = sql`${parent} IN (${list(parents)})`;
  if (!range) return sql`SELECT ${columns} FROM ${from} WHERE ${all([among, always])}`;
  const { condition, order } = seek(ordered, range);
  const { text, values } = sql`SELECT ${columns} FROM ${from} WHERE ${parent} = ${0} AND ${all([always, condition])}
      ORDER BY ${raw(order)} LIMIT ${range.limit}`;
  if (parents.length <= SEEK_AT_MOST && parents.length * text.length <= MAX_SEEKS) {
    // The first value is the key of the parent, because the SQL before it has no placeholders.
    return {
      text: parents.map((_, index) => `SELECT * FROM (${text}) u${String(index)}`).join(' UNION ALL '),
      values: parents.flatMap((key) => [key, ...values.slice(1)]),
    };
  }
  const rank = raw(`ROW_NUMBER() OVER (PARTITION BY ${link.parent} ORDER BY ${order}) AS place`);
  return sql`SELECT * FROM (SELECT ${columns}, ${rank} FROM ${from} WHERE ${all([among, always, condition])}) r
    WHERE place <= ${range.limit}`;
}
