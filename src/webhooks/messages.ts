import { writeCursor, type Change } from '../changes/change';
import { globalId } from '../model/global-id';
import type { Model } from '../model/model';
import type { Message, Webhook } from './webhook';

/** The message for a change; undefined if the webhook does not want it. */
export function messageFor(webhook: Webhook, change: Change, model: Model): Message | undefined {
  const { kind, ref, event } = change;
  const { events, kinds, refs } = webhook;
  if (refs && !refs.includes(ref)) return undefined;
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
  // There are changes of other kinds, too, such as users. Those of `Health` are told as states (states.ts).
  const isWanted = kinds ? kinds.includes(kind) : model.find(kind) !== undefined;
  if (!isWanted || !events.includes('RESOURCE_CHANGED')) return undefined;
  const type = `resource.${event.toLowerCase()}`;
  return message(subject, type, change.at, { kind, ref, id: globalId(kind, ref), cursor });
}

/** Messages with the same subject are delivered in order. */
export function subjectOf(kind: string, ref: string): string {
  return `${kind} ${ref}`;
}

/** A message with a type, a time in milliseconds since the epoch, and data, as the Standard Webhooks suggest. */
export function message(subject: string, type: string, at: number, data: object): Message {
  return { subject, payload: JSON.stringify({ type, timestamp: new Date(at).toISOString(), data }) };
}
