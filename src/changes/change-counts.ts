import { sql, type Fragment } from '../database/fragment';
import type { ResourceEvent } from './change';

/**
 * SQL for how many changes of a kind with an event are later than a number: those with a higher number, and those that are
 * committed and not numbered yet. In one statement with a count of rows, both are from the same moment.
 */
export function changeCount(kind: string, event: ResourceEvent, after: number | Fragment): Fragment {
  return sql`((SELECT COUNT(*) FROM changes WHERE kind = ${kind} AND id > ${after} AND did = ${event})
    + (SELECT COUNT(*) FROM unnumbered_changes WHERE kind = ${kind} AND did = ${event}))`;
}
