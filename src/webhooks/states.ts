import { DESTINATION, type Change } from '../changes/change';
import type { Scope } from '../changes/change-log';
import type { Sql, Transaction } from '../database/sql';
import { destinationIdIn, destinationsOf } from '../sip/live/watched-destinations';
import { countOpen, insertDeliveries, MAX_OPEN } from './delivery-store';
import { message, subjectOf, wantsAlerts } from './messages';
import type { ActiveWebhook, WebhookEvent } from './webhook';

/** Up: a gateway is registered, its host or a destination responds, or a number can be reached. */
export type WatchedState = 'UP' | 'DOWN';

/** What a webhook is told about the subjects of a kind, as an event and as the type of its message. */
const EVENTS: Readonly<Record<string, Readonly<Record<WatchedState, readonly [WebhookEvent, string]>>>> = {
  Registration: { DOWN: ['GATEWAY_LOST', 'gateway.lost'], UP: ['GATEWAY_BACK', 'gateway.back'] },
  Health: { DOWN: ['GATEWAY_DOWN', 'gateway.down'], UP: ['GATEWAY_UP', 'gateway.up'] },
  [DESTINATION]: { DOWN: ['DESTINATION_DOWN', 'destination.down'], UP: ['DESTINATION_UP', 'destination.up'] },
  Number: { DOWN: ['NUMBER_STOPPED', 'number.stopped'], UP: ['NUMBER_BACK', 'number.back'] },
  DID: { DOWN: ['NUMBER_STOPPED', 'number.stopped'], UP: ['NUMBER_BACK', 'number.back'] },
};

/** What the SIP server tells about gateways. */
interface Live {
  /** The table of what was seen last, and its columns with the ref of a change. */
  readonly table: string;
  readonly ref: string;
  readonly up: string;
  /** The event that a state has ended. */
  readonly end: string;
}
const LIVE: Readonly<Record<string, Live>> = {
  Registration: { table: 'watched_registrations', ref: 'gw_ref', up: 'REGISTERED', end: 'GONE' },
  Health: { table: 'watched_health', ref: 'gw_ref', up: 'UP', end: 'UNKNOWN' },
  [DESTINATION]: { table: 'watched_destinations', ref: 'gw_ref, id', up: 'UP', end: 'UNKNOWN' },
};
const LIVE_KINDS = Object.keys(LIVE);

/** Whether the webhook is told of each change that the SIP server makes. */
export function watchesLive(webhook: ActiveWebhook): boolean {
  const { events } = webhook;
  return events.includes('REGISTRATION_CHANGED') || events.includes('CONTACTS_CHANGED') || wantsAlerts(webhook);
}

/**
 * Which changes the webhook must not miss. One for the states of gateways may miss some: after a gap, the current states
 * are noted.
 */
export function scopeOf(webhook: ActiveWebhook): Scope {
  return watchesLive(webhook) ? 'changes' : 'entries';
}

/** Whether the webhook is told when gateways are lost or down, or again as they should be. */
export function watchesGateways(webhook: ActiveWebhook): boolean {
  return LIVE_KINDS.some((kind) => watchesKind(webhook, kind));
}

/** Whether the webhook is told when numbers stop ringing or ring again. */
export function watchesNumbers(webhook: ActiveWebhook): boolean {
  return webhook.refs !== null && watchesKind(webhook, 'Number');
}

function watchesKind({ events }: ActiveWebhook, kind: string): boolean {
  return Object.values(EVENTS[kind] ?? {}).some(([event]) => events.includes(event));
}

/** Notes the state of a gateway after a change of its registration or health or that of a destination, and that it was deleted. */
export async function noteGateway(
  transaction: Transaction,
  webhook: ActiveWebhook,
  { kind, ref, event, at }: Omit<Change, 'id'>,
): Promise<void> {
  if (kind === 'Gateway' && event === 'DELETED' && watchesGateways(webhook)) {
    for (const each of LIVE_KINDS)
      // That of a destination has its row id after the gateway. An exclamation mark follows a space.
      await transaction.run(
        'DELETE FROM webhook_states WHERE webhook_id = ? AND (subject = ? OR subject BETWEEN ? AND ?)',
        [webhook.rowId, subjectOf(each, ref), subjectOf(each, `${ref} `), subjectOf(each, `${ref}!`)],
      );
    return;
  }
  const live = LIVE[kind];
  const subject = subjectOf(kind, ref);
  if (!live || !watches(webhook, subject)) return;
  if (event === live.end) {
    const of = [webhook.rowId, subject];
    // One that was reported as lost or down is reported again when it is back or up.
    await transaction.run("DELETE FROM webhook_states WHERE webhook_id = ? AND subject = ? AND told = 'UP'", of);
    await transaction.run('UPDATE webhook_states SET state = told WHERE webhook_id = ? AND subject = ?', of);
  } else await noteState(transaction, webhook.rowId, subject, event === live.up ? 'UP' : 'DOWN', at, 'UP');
}

/** Notes the current states of all gateways, after a time in which nobody watched them. */
export async function noteGateways(transaction: Transaction, webhook: ActiveWebhook): Promise<void> {
  const subjects = [...(await statesOf(transaction, webhook.rowId)).keys()].map(partsOf);
  for (const [kind, { table, ref: columns, end }] of Object.entries(LIVE)) {
    if (!watchesKind(webhook, kind)) continue;
    const found = await transaction.rows(`SELECT state, ${columns} FROM ${table}`, []);
    const events = new Map(found.map(([state, ...ref]) => [ref.join(' '), String(state)]));
    for (const each of subjects) if (each.kind === kind && !events.has(each.ref)) events.set(each.ref, end);
    for (const [ref, event] of events) await noteGateway(transaction, webhook, { at: Date.now(), kind, ref, event });
  }
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
// A state that began by more milliseconds after now did so before the clock was set back, and has lasted long enough.
const MOST_AHEAD = 3600_000;
const HAS_LASTED = 'told <> state AND (since <= ? OR since > ?)';

/** The values of `HAS_LASTED`. */
function lastingTimes({ after }: ActiveWebhook): readonly number[] {
  const now = Date.now();
  return [now - after * 1000, now + MOST_AHEAD];
}

/**
 * The ids of states that have lasted long enough, and that the webhook has not been told. None while many messages wait:
 * a state that ends meanwhile need not be told, so that subjects that change often do not fill the database.
 */
export async function dueStates(sql: Sql, webhook: ActiveWebhook): Promise<readonly number[]> {
  const { rowId } = webhook;
  if ((await countOpen(sql, rowId)) > MAX_OPEN - BATCH) return [];
  const rows = await sql.rows(
    `SELECT id FROM webhook_states WHERE webhook_id = ? AND ${HAS_LASTED} ORDER BY since, id LIMIT ?`,
    [rowId, ...lastingTimes(webhook), BATCH],
  );
  return rows.map(([id]) => Number(id));
}

/** Turns a state into a message. Does nothing if another process has done it, or the state has changed. */
export async function tellState(transaction: Transaction, webhook: ActiveWebhook, id: number): Promise<void> {
  const due = [id, ...lastingTimes(webhook)];
  const { rows } = await transaction.run(`UPDATE webhook_states SET told = state WHERE id = ? AND ${HAS_LASTED}`, due);
  const [row] = await transaction.rows('SELECT subject, state, since FROM webhook_states WHERE id = ?', [id]);
  if (rows === 0 || !row) return;
  const [subject, state, since] = [String(row[0]), String(row[1]) as WatchedState, Number(row[2])]; // from noteState
  const { kind, ref, owner } = partsOf(subject);
  const told = EVENTS[kind]?.[state];
  if (!told || !webhook.events.includes(told[0]) || webhook.refs?.includes(owner) === false) return;
  const data = {
    ...(kind in LIVE ? { gatewayRef: owner } : { kind, ref }),
    ...(kind === DESTINATION && (await placeOf(transaction, ref))),
    since: new Date(since).toISOString(),
  };
  await insertDeliveries(transaction, webhook.rowId, [message(subject, told[1], Date.now(), data)]);
}

/** Where a destination is, and the status of its last response, for a message. */
async function placeOf(transaction: Transaction, ref: string): Promise<object> {
  const { id } = destinationIdIn(ref);
  const {
    host = null,
    port = null,
    transport = null,
    lastStatus = null,
  } = (await destinationsOf(transaction, [id])).get(id) ?? {};
  return { host, port, transport, lastStatus };
}

function watches(webhook: ActiveWebhook, subject: string): boolean {
  const { kind, owner } = partsOf(subject);
  const isWatched = kind in LIVE ? watchesKind(webhook, kind) : watchesNumbers(webhook);
  return isWatched && webhook.refs?.includes(owner) !== false;
}

/** The kind and the ref of a subject, and the ref of the resource that it is about. */
function partsOf(subject: string): { readonly kind: string; readonly ref: string; readonly owner: string } {
  const [kind = '', ...ref] = subject.split(' ');
  return { kind, ref: ref.join(' '), owner: ref[0] ?? '' };
}

/**
 * Adapts the stored states to new events and refs: deletes those that the webhook no longer reports, and treats
 * gateways that are lost or down now as reported, unless the webhook watched them `before`.
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
  for (const [kind, { table, ref: columns, up, end }] of Object.entries(LIVE)) {
    if (!watchesKind(webhook, kind)) continue;
    const lost = await transaction.rows(`SELECT ${columns} FROM ${table} WHERE state NOT IN (?, ?)`, [up, end]);
    for (const ref of lost) {
      const subject = subjectOf(kind, ref.join(' '));
      const isNew = !known.includes(subject) && !(before && watches(before, subject));
      if (isNew && watches(webhook, subject)) await noteState(transaction, rowId, subject, 'DOWN', Date.now(), 'DOWN');
    }
  }
}
