import type { Logger } from 'pino';

import { RepeatedTask } from '../../changes/repeated-task';
import type { Database } from '../../database/database';
import { trimRows } from '../../database/trim-rows';
import { logFailure } from '../../log';
import { dayOf } from './limit-reader';

const INTERVAL = 60_000;
/** How long alerts are kept, in milliseconds: longer than the changes that refer to them are delivered. */
const ALERTS_KEPT = 3_600_000;
/** After this time without a report, in milliseconds, the calls of a node are lost. */
const NODE_TIMEOUT = 15 * 60_000;

/** How long messages of calls are kept, and those that belong to no call on record, in milliseconds. */
const MESSAGES_KEPT = 3_600_000;
const STRAY_MESSAGES_KEPT = 60_000;

/** For how long records of the SIP server are kept, in milliseconds. 0 deletes all. */
export interface Kept {
  readonly calls: number;
  readonly registrations: number;
  /** As the changes that refer to them. */
  readonly alerts: number;
}

/**
 * Deletes old calls, alerts and transitions of registrations, and closes calls of nodes that are gone, until it is
 * closed. A node that runs closes its own. Several processes may do this at the same time.
 */
export function maintainCalls(database: Database, kept: Kept, log: Logger, interval = INTERVAL): RepeatedTask {
  const onFailure = (error: unknown): void => logFailure(log, error, 'cannot delete or close calls');
  return new RepeatedTask(() => maintain(database, kept), interval, onFailure).start(0);
}

async function maintain(database: Database, kept: Kept): Promise<void> {
  const { maintenance, clock } = database;
  const [row] = await maintenance.rows(`SELECT ${clock}`, []);
  const now = Number(row?.[0]) * 1000;
  await trimRows(maintenance, 'calls', `begun < ${String(now - kept.calls)}`, 'begun');
  // What is deleted is not known any more, also if LIVE_DAYS is raised later.
  const registrationsSince = now - kept.registrations;
  await maintenance.transaction((transaction) =>
    transaction.run('UPDATE registration_nodes SET since = ? WHERE since < ?', [
      registrationsSince,
      registrationsSince,
    ]),
  );
  await trimRows(maintenance, 'registration_events', `at < ${String(registrationsSince)}`, 'at');
  await trimRows(maintenance, 'call_messages', `at < ${String(now - MESSAGES_KEPT)}`, 'at');
  // Anybody can send the SIP server messages, of which most begin no call.
  await trimRows(
    maintenance,
    'call_messages',
    `at < ${String(now - STRAY_MESSAGES_KEPT)} AND at >= ${String(now - 3 * STRAY_MESSAGES_KEPT)}
       AND NOT EXISTS (SELECT 1 FROM calls c WHERE c.call_id = call_messages.call_id)`,
    'at',
  );
  // `told` makes the index find them. One that was not published meanwhile is too old for anybody.
  for (const told of [0, 1])
    await trimRows(
      maintenance,
      'call_alerts',
      `told = ${String(told)} AND at < ${String(now - kept.alerts - ALERTS_KEPT)}`,
      'id',
    );
  await trimRows(maintenance, 'used_minutes', `day < ${String(dayOf(now) - 1)}`, 'day');
  await maintenance.transaction((transaction) =>
    transaction.run(
      `UPDATE calls SET state = 4 WHERE state IN (1, 2, 3) AND begun < ?
         AND NOT EXISTS (SELECT 1 FROM call_nodes n WHERE n.node = calls.node AND n.seen_on > ?)`,
      [now - NODE_TIMEOUT, now - NODE_TIMEOUT],
    ),
  );
}
