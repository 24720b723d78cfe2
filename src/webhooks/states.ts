import type { Change } from '../changes/change';
import type { Scope } from '../changes/ends';
import type { Sql, Transaction } from '../database/sql';
import { insertDeliveries } from './delivery-store';
import { message, subjectOf } from './messages';
import type { ActiveWebhook, WebhookEvent } from './webhook';

/** Up: a gateway is registered, or a number can be reached. */
export type WatchedState = 'UP' | 'DOWN';

const EVENTS: Readonly<Record<string, Readonly<Record<WatchedState, readonly [WebhookEvent, string]>>>> = {
  Registration: { DOWN: ['GATEWAY_LOST', 'gateway.lost'], UP: ['GATEWAY_BACK', 'gateway.back'] },
  Number: { DOWN: ['NUMBER_STOPPED', 'number.stopped'], UP: ['NUMBER_BACK', 'number.back'] },
  DID: { DOWN: ['NUMBER_STOPPED', 'number.stopped'], UP: ['NUMBER_BACK', 'number.back'] },
};

/** Whether the webhook is told of each change that the SIP server makes. */
export function watchesLive({ events }: ActiveWebhook): boolean {
  return events.includes('REGISTRATION_CHANGED') || events.includes('CONTACTS_CHANGED');
}

/**
 * Which changes the webhook must not miss. One for lost gateways may miss registrations: after a gap, the current
 * states are noted.
 */
export function scopeOf(webhook: ActiveWebhook): Scope {
  return watchesLive(webhook) ? 'changes' : 'entries';
}

/** Whether the webhook is told when gateways are lost or back. */
export function watchesGateways({ events }: ActiveWebhook): boolean {
  return events.includes('GATEWAY_LOST') || events.includes('GATEWAY_BACK');
}

/** Whether the webhook is told when numbers stop ringing or ring again. */
export function watchesNumbers({ events, refs }: ActiveWebhook): boolean {
  return (events.includes('NUMBER_STOPPED') || events.includes('NUMBER_BACK')) && refs !== null;
}

/** Notes the state of a gateway after a change of its registration, and that it was deleted. */
export async function noteRegistration(
  transaction: Transaction,
  webhook: ActiveWebhook,
  { kind, ref, event, at }: Omit<Change, 'id'>,
): Promise<void> {
  const isDeletion = kind === 'Gateway' && event === 'DELETED';
  if (!(kind === 'Registration' || isDeletion) || !watchesGateways(webhook) || webhook.refs?.includes(ref) === false)
    return;
  const subject = subjectOf('Registration', ref);
  const of = [webhook.rowId, subject];
  if (isDeletion) await transaction.run('DELETE FROM webhook_states WHERE webhook_id = ? AND subject = ?', of);
  else if (event === 'GONE') {
    // One that was reported as lost is reported as back when it registers again.
    await transaction.run("DELETE FROM webhook_states WHERE webhook_id = ? AND subject = ? AND told = 'UP'", of);
    await transaction.run('UPDATE webhook_states SET state = told WHERE webhook_id = ? AND subject = ?', of);
  } else await noteState(transaction, webhook.rowId, subject, event === 'REGISTERED' ? 'UP' : 'DOWN', at, 'UP');
}

/** Notes the current states of all gateways, after a time in which nobody watched their registrations. */
export async function noteGateways(transaction: Transaction, webhook: ActiveWebhook): Promise<void> {
  const found = await transaction.rows('SELECT gw_ref, state FROM watched_registrations', []);
  const events = new Map(found.map(([ref, state]) => [String(ref), String(state)]));
  for (const subject of (await statesOf(transaction, webhook.rowId)).keys()) {
    const [kind, ref = ''] = subject.split(' ');
    if (kind === 'Registration' && !events.has(ref)) events.set(ref, 'GONE');
  }
  for (const [ref, event] of events)
    await noteRegistration(transaction, webhook, { at: Date.now(), kind: 'Registration', ref, event });
}

/** Stores a state. `assumed` is what the webhook is taken to know about a subject that is new. */
export async function noteState(
  transaction: Transaction,
  webhookId: number,
  subject: string,
  state: WatchedState,
  at: number,
  assumed: WatchedState,
): Promise<void> {
  const [row] = await transaction.rows('SELECT state FROM webhook_states WHERE webhook_id = ? AND subject = ?', [
    webhookId,
    subject,
  ]);
  if (!row)
    await transaction.run(
      'INSERT INTO webhook_states (webhook_id, subject, told, state, since) VALUES (?, ?, ?, ?, ?)',
      [webhookId, subject, assumed, state, at],
    );
  else if (row[0] !== state)
    await transaction.run('UPDATE webhook_states SET state = ?, since = ? WHERE webhook_id = ? AND subject = ?', [
      ...[state, at],
      ...[webhookId, subject],
    ]);
}

/** The stored states of a webhook, by subject. */
export async function statesOf(sql: Sql, webhookId: number): Promise<ReadonlyMap<string, string>> {
  const rows = await sql.rows('SELECT subject, state FROM webhook_states WHERE webhook_id = ?', [webhookId]);
  return new Map(rows.map(([subject, state]) => [String(subject), String(state)]));
}

const BATCH = 100;

/** The ids of states that have lasted long enough, and that the webhook has not been told. */
export async function dueStates(sql: Sql, { rowId, after }: ActiveWebhook): Promise<readonly number[]> {
  const rows = await sql.rows(
    'SELECT id FROM webhook_states WHERE webhook_id = ? AND told <> state AND since <= ? ORDER BY since, id LIMIT ?',
    [rowId, Date.now() - after * 1000, BATCH],
  );
  return rows.map(([id]) => Number(id));
}

/** Turns a state into a message. Does nothing if another process has done it, or the state has changed. */
export async function tellState(transaction: Transaction, webhook: ActiveWebhook, id: number): Promise<void> {
  const due = [id, Date.now() - webhook.after * 1000] as const;
  const { rows } = await transaction.run(
    'UPDATE webhook_states SET told = state WHERE id = ? AND told <> state AND since <= ?',
    due,
  );
  const [row] = await transaction.rows('SELECT subject, state, since FROM webhook_states WHERE id = ?', [id]);
  if (rows === 0 || !row) return;
  const [subject, state, since] = [String(row[0]), String(row[1]) as WatchedState, Number(row[2])]; // from noteState
  const [kind = '', ref = ''] = subject.split(' ');
  const told = EVENTS[kind]?.[state];
  if (!told || !webhook.events.includes(told[0]) || webhook.refs?.includes(ref) === false) return;
  const data = {
    ...(kind === 'Registration' ? { gatewayRef: ref } : { kind, ref }),
    since: new Date(since).toISOString(),
  };
  await insertDeliveries(transaction, webhook.rowId, [message(subject, told[1], Date.now(), data)]);
}

function watches(webhook: ActiveWebhook, subject: string): boolean {
  const [kind, ref = ''] = subject.split(' ');
  return (kind === 'Registration' ? watchesGateways : watchesNumbers)(webhook) && webhook.refs?.includes(ref) !== false;
}

/**
 * Adapts the stored states to new events and refs: deletes those that the webhook no longer reports, and treats
 * gateways that are lost now as reported, unless the webhook watched them `before`.
 */
export async function restartStates(
  transaction: Transaction,
  webhook: ActiveWebhook,
  before?: ActiveWebhook,
): Promise<void> {
  const { rowId } = webhook;
  const known = [...(await statesOf(transaction, rowId)).keys()];
  for (const subject of known.filter((each) => !watches(webhook, each)))
    await transaction.run('DELETE FROM webhook_states WHERE webhook_id = ? AND subject = ?', [rowId, subject]);
  if (!watchesGateways(webhook)) return;
  const lost = await transaction.rows("SELECT gw_ref FROM watched_registrations WHERE state <> 'REGISTERED'", []);
  for (const [gateway] of lost) {
    const subject = subjectOf('Registration', String(gateway));
    const isNew = !known.includes(subject) && !(before && watches(before, subject));
    if (isNew && watches(webhook, subject)) await noteState(transaction, rowId, subject, 'DOWN', Date.now(), 'DOWN');
  }
}
