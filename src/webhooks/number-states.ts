import type { Database } from '../database/database';
import { raw, sql } from '../database/fragment';
import { pad } from '../database/sql';
import { factsOf, toFacts } from '../sip/diagnosis/facts-query';
import { subjectOf } from './messages';
import { noteState, statesOf, type WatchedState } from './states';
import type { ActiveWebhook } from './webhook';

/**
 * Stores which of a webhook's numbers can be reached, in one statement if nothing has changed. `node` is the node of the
 * SIP server where calls arrive.
 */
export async function noteNumbers(database: Database, webhook: ActiveWebhook, node: string | undefined): Promise<void> {
  const { rowId, refs } = webhook;
  if (!refs || refs.length === 0) return;
  const now = Date.now();
  const keys = pad(refs, '').map((ref) => sql`${ref}`);
  const window = keys.reduce(
    (before, each, index) => (index === 0 ? sql`${before}${each}` : sql`${before}, ${each}`),
    raw('SELECT n.id FROM numbers n WHERE n.ref IN ('),
  );
  const { text, values } = factsOf(sql`${window})`, undefined, { now, node });
  const found = (await database.maintenance.rows(text, values)).map((row) => toFacts(row, node));
  const known = await statesOf(database.maintenance, rowId);
  const changed = found.flatMap(({ kind, ref, state }): readonly (readonly [string, WatchedState])[] => {
    const [subject, current] = [subjectOf(kind, ref), state === 'REACHABLE' ? ('UP' as const) : ('DOWN' as const)];
    return known.get(subject) === current ? [] : [[subject, current]];
  });
  if (changed.length === 0) return;
  await database.maintenance.transaction(async (transaction) => {
    // The webhook is told of changes only, not of the state at its creation.
    for (const [subject, state] of changed) await noteState(transaction, rowId, subject, state, now, state);
  });
}
