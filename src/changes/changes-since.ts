import { raw, sql, type Fragment } from '../database/fragment';
import type { Row } from '../database/sql';
import type { Kind } from '../model/kind';

/** How many resources were created, updated and deleted. */
export interface EventCounts {
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
}

/** The changes of a kind after a number. */
export interface ChangesSince {
  /** The number of the last change of any kind. */
  readonly last: number;
  /** All of the changes, including those that are committed and have no number yet. */
  readonly all: EventCounts;
  /** The changes without a number. Their numbers will be higher than `last`, so the next read will count them again. */
  readonly unnumbered: EventCounts;
  /** The lowest row id of the resources that these changes created and that still exist. */
  readonly firstCreated: number | undefined;
}

/** The maximum number of changes to read. With more changes, it is faster to count the resources. */
const MOST = 1000;

const COUNTS = ['CREATED', 'UPDATED', 'DELETED']
  .flatMap((event) => [
    `COUNT(CASE c.did WHEN '${event}' THEN 1 END) AS ${event}_all`,
    `COUNT(CASE c.did WHEN '${event}' THEN c.pending END) AS ${event}_unnumbered`,
  ])
  .join(', ');

/**
 * A SELECT that returns one row: the changes of a kind after the number `after`, or only the changes without a number
 * if `after` is undefined. Combined into one statement with a read of the kind's table, both see the same state.
 */
export function changesSince({ name, table, shared }: Kind, after?: number): Fragment {
  const unnumberedIn = (from: string): Fragment =>
    sql`SELECT * FROM (SELECT CASE kind WHEN ${name} THEN did END AS did, ref, 1 AS pending
      FROM ${raw(from)} ORDER BY id LIMIT ${MOST + 1}) ${raw(from)}`;
  // Processes of a version without a history write into the first table.
  const unnumbered = sql`${unnumberedIn('unnumbered_changes')} UNION ALL ${unnumberedIn('unnumbered_entries')}`;
  const numbered = sql`SELECT did, ref, NULL AS pending FROM changes WHERE kind = ${name} AND id > ${after ?? 0}
    ORDER BY id LIMIT ${MOST + 1}`;
  const found =
    after === undefined ? unnumbered : sql`SELECT * FROM (${numbered}) n UNION ALL SELECT * FROM (${unnumbered}) u`;
  const created = raw(`${table} r ON c.did = 'CREATED' AND r.ref = c.ref ${shared ? `AND r.kind = '${name}'` : ''}`);
  return sql`SELECT MAX(h.last) AS last_change, MAX(h.trimmed) AS trimmed, COUNT(c.ref) AS found, ${raw(COUNTS)},
      MIN(r.id) AS first_created
    FROM change_head h LEFT JOIN (${found}) c ON 1 = 1 LEFT JOIN ${created} WHERE h.id = 1`;
}

/**
 * A SELECT that returns one row: the number of the last change of any kind, and whether there are changes without a
 * number. For the database, it is far less work than `changesSince`.
 */
export const LAST_CHANGE: Fragment = raw(`SELECT h.last AS last_change,
    EXISTS (SELECT 1 FROM unnumbered_changes) OR EXISTS (SELECT 1 FROM unnumbered_entries) AS more
  FROM change_head h WHERE h.id = 1`);

const NONE: EventCounts = { created: 0, updated: 0, deleted: 0 };

/**
 * Reads the columns of `changesSince` or `LAST_CHANGE`. Returns undefined if the changes are incomplete because there
 * are too many or some were deleted, if `after` belongs to another database, or if `LAST_CHANGE` shows that there are
 * changes.
 */
export function toChangesSince(row: Row, after?: number): ChangesSince | undefined {
  const numbers = row.map(Number);
  if (numbers.length === 2) {
    const [last = 0, more = 0] = numbers;
    const isUnchanged = more === 0 && (after === undefined || last === after);
    return isUnchanged ? { last, all: NONE, unnumbered: NONE, firstCreated: undefined } : undefined;
  }
  const [last = 0, trimmed = 0, found = 0, created = 0, newCreated = 0, updated = 0, newUpdated = 0] = numbers;
  const [deleted = 0, newDeleted = 0, firstCreated = 0] = numbers.slice(7);
  if (found > MOST || (after !== undefined && (after < trimmed || after > last))) return undefined;
  return {
    last,
    all: { created, updated, deleted },
    unnumbered: { created: newCreated, updated: newUpdated, deleted: newDeleted },
    firstCreated: firstCreated === 0 ? undefined : firstCreated,
  };
}
