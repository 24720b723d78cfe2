import { isFingerprint } from '../changes/details';
import type { NumberState } from '../sip/diagnosis/facts';
import { isDisabled, type PastPath } from '../sip/diagnosis/past-facts';
import type { RegistrationEvent } from '../sip/past/registration-event';
import type { HistoryEntry } from './history-entry';

/** The fields of a gateway that decide on its registration at the provider. */
const OF_REGISTRATION = [
  'host',
  'port',
  'transport',
  'username',
  'secret',
  'sendRegister',
  'outboundProxy',
  'authUsername',
];

/** What broke the path of a call. */
export interface Cause {
  readonly change: HistoryEntry | undefined;
  readonly event: RegistrationEvent | undefined;
  /** Both, as text. */
  readonly said: readonly string[];
}

/**
 * Finds the cause of a broken link among the changes before the call, newest first: the newest change that could break
 * this link, and for devices, only one that came after they last registered.
 */
export function causeOf(state: NumberState | 'UNKNOWN', path: PastPath, changes: readonly HistoryEntry[]): Cause {
  const { number, gateway, agent, agentThere, peer, domain, devices, registration, user, host } = path;
  const changed = (
    { ref, event, details }: HistoryEntry,
    of: string | undefined,
    ...fields: readonly string[]
  ): boolean => ref === of && event === 'UPDATED' && fields.some((field) => isChanged(details, field));
  const lost = ({ kind, event, details }: HistoryEntry, of: readonly string[], field: string, value: string): boolean =>
    of.includes(kind) &&
    details?.before?.[field] === value &&
    (event === 'DELETED' || details.after?.[field] !== value);
  const isMoved = (entry: HistoryEntry): boolean => changed(entry, number.ref, 'aorLink');
  const isCause = (entry: HistoryEntry): boolean => {
    switch (state) {
      case 'DISABLED':
        return changed(entry, number.ref, 'enabled');
      case 'GATEWAY_DISABLED':
      case 'GATEWAY_DRAINING':
        return (
          changed(entry, number.ref, 'gatewayRef') ||
          changed(entry, gateway?.ref, state === 'GATEWAY_DISABLED' ? 'enabled' : 'draining')
        );
      case 'GATEWAY_NOT_REGISTERED':
      case 'GATEWAY_EXPIRED':
      case 'GATEWAY_REFUSED':
        return changed(entry, number.ref, 'gatewayRef') || changed(entry, gateway?.ref, ...OF_REGISTRATION);
      case 'DOMAIN_MISSING':
        return isMoved(entry) || lost(entry, ['Domain'], 'domainUri', host) || lost(entry, ['Peer'], 'username', user);
      case 'TARGET_MISSING':
        return isMoved(entry) || lost(entry, ['Agent', 'Peer'], 'username', user);
      case 'TARGET_FORBIDDEN':
        return (
          isMoved(entry) ||
          lost(entry, ['Agent', 'Peer'], 'username', user) ||
          changed(entry, agentThere?.ref, 'domains')
        );
      case 'TARGET_DISABLED':
        return (
          isMoved(entry) ||
          changed(entry, isDisabled(domain) ? domain?.ref : (agent ?? peer)?.ref, 'enabled', 'username', 'domains')
        );
      case 'NOT_REGISTERED':
      case 'EXPIRED':
        return (
          entry.at > (devices.registeredOn ?? Infinity) &&
          (isMoved(entry) ||
            changed(entry, agent?.ref ?? peer?.ref, 'secret', 'username', 'domains') ||
            changed(entry, domain?.ref, 'domainUri', 'accessControlList.allow', 'accessControlList.deny'))
        );
      default:
        return false;
    }
  };
  const change = changes.find(isCause);
  const isOfGateway = ['GATEWAY_NOT_REGISTERED', 'GATEWAY_EXPIRED', 'GATEWAY_REFUSED'].includes(state);
  const isOfDevices = state === 'NOT_REGISTERED' || state === 'EXPIRED';
  const event = isOfGateway ? registration.event : isOfDevices ? devices.event : undefined;
  return { change, event, said: [...(event ? [sayEvent(event)] : []), ...(change ? [sayWho(change)] : [])] };
}

function isChanged(details: HistoryEntry['details'], field: string): boolean {
  return field in (details?.before ?? {}) || field in (details?.after ?? {});
}

const NOT_SAID = ['modifiedOn', 'createdOn', 'extra'];

/** Says what a change did, who made it, and when: `Agent Anna was deleted by ana on … (request …)`. */
export function sayWho({ kind, ref, event, username, at, requestId, details = {} }: HistoryEntry): string {
  const { before = {}, after = {} } = details;
  const name = [before['name'], before['telUrl'], after['name'], after['telUrl']].find(
    (each) => typeof each === 'string',
  );
  const by = `${username === undefined ? '' : ` by ${username}`} on ${new Date(at).toISOString()}${requestId === undefined ? '' : ` (request ${requestId})`}`;
  const what = `${kind} ${name ?? ref}`;
  if (event === 'DELETED') return `${what} was deleted${by}`;
  if (event === 'CREATED') return `${what} was created only later${by}`;
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (field) => !NOT_SAID.includes(field),
  );
  const said = fields.map((field) =>
    isFingerprint(before[field]) || isFingerprint(after[field])
      ? field
      : `${field} from ${show(before[field])} to ${show(after[field])}`,
  );
  return `${kind} ${ref}: ${said.join(', ')} was changed${by}`;
}

const EVENTS: Readonly<Record<RegistrationEvent['event'], string>> = {
  REGISTERED: 'the last event is that it registered',
  MOVED: 'the last event is that the device moved',
  UNREGISTERED: 'the last device unregistered',
  EXPIRED: 'the last registration expired',
  REFUSED: 'the registration was refused',
  LOST: 'the provider did not respond',
  UNRECORDED: 'there were too many events to record',
};

function sayEvent({ event, at, status, reason }: RegistrationEvent): string {
  const why = [status, reason].filter((part) => part !== null).join(' ');
  return `${EVENTS[event]} on ${new Date(at).toISOString()}${why === '' ? '' : ` (${why})`}`;
}

function show(value: unknown): string {
  return value === undefined || value === null ? 'nothing' : typeof value === 'string' ? value : JSON.stringify(value);
}
