import { CALL_ALERT, PENDING_CHANGES, writeCursor, type Change } from '../changes/change';
import { pad, places, type Sql } from '../database/sql';
import { globalId } from '../model/global-id';
import type { Model } from '../model/model';
import { CALL_ALERTS, type CallAlert, type CallAlertEvent } from '../sip/live/call-alerts';
import type { Message, Webhook, WebhookEvent } from './webhook';

/** The message for a change; undefined if the webhook does not want it. */
export function messageFor(webhook: Webhook, change: Change, model: Model): Message | undefined {
  const { kind, ref, event } = change;
  const { events, kinds, refs } = webhook;
  if (kind === CALL_ALERT || (refs && !refs.includes(ref))) return undefined;
  const cursor = writeCursor(change);
  const subject = subjectOf(kind, ref);
  if (kind === 'Registration') {
    if (!events.includes('REGISTRATION_CHANGED')) return undefined;
    const state = event === 'GONE' ? null : event;
    return message(subject, 'registration.changed', change.at, { gatewayRef: ref, state, cursor });
  }
  if (kind === 'Contact') {
    if (!events.includes('CONTACTS_CHANGED')) return undefined;
    return message(subject, 'contacts.changed', change.at, { addressOfRecord: ref, event, cursor });
  }
  // There are changes of other kinds, too, such as users. Those of `Health` are told as states (states.ts), alerts by
  // `alertMessage`, and what became of changes that waited by `waitingMessages`.
  const isWanted = kinds ? kinds.includes(kind) : model.find(kind) !== undefined;
  if (!isWanted || !events.includes('RESOURCE_CHANGED')) return undefined;
  const type = `resource.${event.toLowerCase()}`;
  return message(subject, type, change.at, { kind, ref, id: globalId(kind, ref), cursor });
}

/** The types of messages for alerts. */
const ALERTS = {
  LIMIT_NEARLY_REACHED: 'limit.nearly_reached',
  LIMIT_REACHED: 'limit.reached',
  EMERGENCY_CALL: 'emergency.called',
} satisfies Record<CallAlertEvent, string>;

/** Whether the webhook is told of what the SIP server tells about calls. */
export function wantsAlerts({ events }: Webhook): boolean {
  return CALL_ALERTS.some((event) => events.includes(event));
}

/** The message for an alert; undefined if the webhook does not want it. */
export function alertMessage(webhook: Webhook, change: Change, alert: CallAlert): Message | undefined {
  const { event, at, kind, ref, agentRef, peerRef, gatewayRef } = alert;
  const { events, refs } = webhook;
  const isMeant = !refs || [ref, agentRef, peerRef, gatewayRef].some((each) => each !== null && refs.includes(each));
  if (!events.includes(event) || !isMeant) return undefined;
  const cursor = writeCursor(change);
  const subject = subjectOf(change.kind, `${String(kind)} ${String(ref)}`);
  if (event !== 'EMERGENCY_CALL') {
    const { limit, used, most } = alert;
    return message(subject, ALERTS[event], at, { kind, ref, limit, used, most, cursor });
  }
  const { domain, number } = alert;
  const data = { number, domain, domainRef: ref, agentRef, peerRef, gatewayRef, cursor };
  return message(subject, ALERTS[event], at, data);
}

/** The event of webhooks and the type of the message, by what became of a set of changes that waited. */
const WAITING_EVENTS: Readonly<Record<string, readonly [WebhookEvent, string]>> = {
  REVERTED: ['CHANGES_REVERTED', 'changes.reverted'],
  NOT_REVERTED: ['CHANGES_NOT_REVERTED', 'changes.not_reverted'],
  APPLIED: ['CHANGES_APPLIED', 'changes.applied'],
  NOT_APPLIED: ['CHANGES_NOT_APPLIED', 'changes.not_applied'],
};

/** The messages that say what became of sets of changes that waited, by the numbers of the changes that tell it. */
export async function waitingMessages(
  sql: Pick<Sql, 'rows'>,
  { events }: Webhook,
  changes: readonly Change[],
): Promise<ReadonlyMap<number, Message>> {
  const wanted = changes.flatMap((change) => {
    const told = change.kind === PENDING_CHANGES ? WAITING_EVENTS[change.event] : undefined;
    return told && events.includes(told[0]) ? [{ change, type: told[1] }] : [];
  });
  if (wanted.length === 0) return new Map();
  const ids = pad(
    wanted.map(({ change }) => change.id),
    0,
  );
  const rows = await sql.rows(`SELECT id, details FROM changes WHERE id IN (${places(ids.length)})`, ids);
  const details = new Map(rows.map(([id, text]) => [Number(id), String(text)]));
  return new Map(
    wanted.map(({ change, type }) => {
      const { id, ref, at } = change;
      const { after } = JSON.parse(details.get(id) ?? '{}') as { readonly after?: object }; // of endingOf
      const data = { id: ref, ...after, cursor: writeCursor(change) };
      return [id, message(subjectOf(PENDING_CHANGES, ref), type, at, data)];
    }),
  );
}

/** Messages with the same subject are delivered in order. */
export function subjectOf(kind: string, ref: string): string {
  return `${kind} ${ref}`;
}

/** A message with a type, a time in milliseconds since the epoch, and data, as the Standard Webhooks suggest. */
export function message(subject: string, type: string, at: number, data: object): Message {
  return { subject, payload: JSON.stringify({ type, timestamp: new Date(at).toISOString(), data }) };
}
