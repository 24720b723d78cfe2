import { CALL_ALERT, writeCursor, type Change } from '../changes/change';
import { globalId } from '../model/global-id';
import type { Model } from '../model/model';
import { CALL_ALERTS, type CallAlert, type CallAlertEvent } from '../sip/live/call-alerts';
import type { Message, Webhook } from './webhook';

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

/** Messages with the same subject are delivered in order. */
export function subjectOf(kind: string, ref: string): string {
  return `${kind} ${ref}`;
}

/** A message with a type, a time in milliseconds since the epoch, and data, as the Standard Webhooks suggest. */
export function message(subject: string, type: string, at: number, data: object): Message {
  return { subject, payload: JSON.stringify({ type, timestamp: new Date(at).toISOString(), data }) };
}
