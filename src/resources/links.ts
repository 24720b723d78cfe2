import { all, list, raw, sql, type Fragment } from '../database/fragment';
import { byColumn, seek, type Range } from '../database/page';
import { padded } from '../database/sql';
import type { Kind } from '../model/kind';
import { kindOf, kinds, referencesOf } from '../model/kinds';
import { EVERYTHING, type ListQuery } from './list-query';

/** A link to many: the tables that pair a parent's row id with a target's. */
export interface Link {
  readonly name: string;
  readonly target: Kind;
  readonly about: string;
  /** Lists come whole; connections in pages, ordered by the target's row id. */
  readonly shape: 'list' | 'connection';
  readonly from: string;
  readonly parent: string;
  readonly id: string;
  readonly order: string;
  readonly where?: string;
  /** An index has a parent's targets in their order. */
  readonly isOrdered: boolean;
}

// The address of record of a number names an agent in one of the agent's domains, or else a peer, which has no domain.
const POINTED_AGENT = `JOIN domains d ON d.domain_uri = n.aor_host
  JOIN agent_domains m ON m.domain_id = d.id AND m.username = n.aor_user`;
const NO_AGENT = `NOT EXISTS (SELECT 1 FROM domains d
  JOIN agent_domains m ON m.domain_id = d.id WHERE d.domain_uri = n.aor_host AND m.username = n.aor_user)`;

/** From a number to the agent or the peer that its address of record names. */
export const targetLinks: readonly Link[] = [
  {
    ...{ name: 'target', target: kindOf('Agent'), about: '', shape: 'list', isOrdered: false },
    ...{ from: `numbers n ${POINTED_AGENT}`, parent: 'n.id', id: 'm.agent_id', order: 'm.agent_id' },
  },
  {
    ...{ name: 'target', target: kindOf('Peer'), about: '', shape: 'list', isOrdered: false },
    ...{ from: 'numbers n JOIN peers p ON p.username = n.aor_user', parent: 'n.id', id: 'p.id', order: 'p.id' },
    where: NO_AGENT,
  },
];

/** The links to many of a kind: the declared ones, and the numbers that point to an Agent or a Peer. */
export function linksOf(kind: Kind): readonly Link[] {
  return [...lists(kind), ...children(kind), ...pointers(kind)];
}

function lists(kind: Kind): Link[] {
  return referencesOf(kind).flatMap(({ refersTo: { through, column, ...reference } }) =>
    through
      ? {
          ...{
            name: reference.link,
            target: kindOf(reference.kind),
            about: reference.linkAbout,
            shape: 'list' as const,
            isOrdered: false,
          },
          ...{ from: `${through.table} m`, parent: `m.${through.owner}`, id: `m.${column}`, order: 'm.position' },
        }
      : [],
  );
}

function children(kind: Kind): Link[] {
  return kind.children.map(({ name, about, ...child }) => {
    const target = kindOf(child.kind);
    const reference = referencesOf(target).find(({ refersTo }) => refersTo.link === child.reference)?.refersTo;
    if (!reference) throw new Error(`${kind.name}.${name}: ${target.name} has no link ${child.reference}`);
    const { through, column } = reference;
    return {
      ...{ name, target, about, shape: 'connection', isOrdered: true },
      ...(through
        ? { from: `${through.table} m`, parent: `m.${column}`, id: `m.${through.owner}`, order: `m.${through.owner}` }
        : { from: `${target.table} n`, parent: `n.${column}`, id: 'n.id', order: 'n.id' }),
      ...(!through && target.shared && { where: `n.kind = '${target.name}'` }),
    };
  });
}

function pointers(kind: Kind): Link[] {
  const sources: Partial<Record<string, Pick<Link, 'from' | 'parent'> & { where?: string }>> = {
    Agent: {
      from: `agent_domains m JOIN domains d ON d.id = m.domain_id
        JOIN numbers n ON n.aor_user = m.username AND n.aor_host = d.domain_uri`,
      parent: 'm.agent_id',
    },
    Peer: { from: 'peers p JOIN numbers n ON n.aor_user = p.username', parent: 'p.id', where: NO_AGENT },
  };
  const source = sources[kind.name];
  if (!source) return [];
  return kinds
    .filter((target) => target.table === 'numbers')
    .map((target) => ({
      ...{ name: target.collection, target, shape: 'connection', id: 'n.id', order: 'n.id', isOrdered: false },
      ...{ from: source.from, parent: source.parent },
      about: `The ${target.name === 'DID' ? 'DIDs' : 'numbers'} whose address of record names this ${kind.name.toLowerCase()}.`,
      where: [source.where, `n.kind = '${target.name}'`].filter(Boolean).join(' AND '),
    }));
}

// Up to here each parent's few rows are sought in the index, whatever the number of its children; beyond, one pass over
// all of them is less work than a hundred seeks, and keeps a page with its links a fixed number of statements.
export const SEEK_AT_MOST = 100;

/** Characters of the statements for them, since each has the whole condition; a database takes 32,766 values or more. */
const MAX_SEEKS = 90_000;

/**
 * SQL that pairs each parent with the ids of the targets in range: columns `parent`, `id`, and what they are ordered by,
 * `s0`, `s1` and so on. A query's condition and order are about the target, named `t`.
 */
export function pairs(link: Link, keys: readonly number[], query: ListQuery = EVERYTHING, range?: Range): Fragment {
  const parents = padded(keys, 0);
  const parent = raw(link.parent);
  const needsTarget = query !== EVERYTHING;
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
    // The first value is the parent's: all that comes before it is the program's own text.
    return {
      text: parents.map((_, index) => `SELECT * FROM (${text}) u${String(index)}`).join(' UNION ALL '),
      values: parents.flatMap((key) => [key, ...values.slice(1)]),
    };
  }
  const rank = raw(`ROW_NUMBER() OVER (PARTITION BY ${link.parent} ORDER BY ${order}) AS place`);
  return sql`SELECT * FROM (SELECT ${columns}, ${rank} FROM ${from} WHERE ${all([among, always, condition])}) r
    WHERE place <= ${range.limit}`;
}
