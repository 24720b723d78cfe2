import { numberOrNull, type Row, type SqlValue } from '../../database/sql';
import { writeAddressOfRecord } from '../../model/format/address-of-record';
import { globalId } from '../../model/global-id';
import { visibleText } from '../calls/call';

/** What can happen to a registration, as the column `event` has it. */
export const REGISTRATION_EVENTS = [
  'REGISTERED',
  'MOVED',
  'UNREGISTERED',
  'EXPIRED',
  'REFUSED',
  'LOST',
  'UNRECORDED',
] as const;
export type RegistrationEventKind = (typeof REGISTRATION_EVENTS)[number];

/** Whose registration it is: a device's agent or peer, or a gateway at its provider. */
export interface RegistrationOwner {
  readonly kind: 'Agent' | 'Peer' | 'Gateway';
  readonly ref: string;
}

/** A transition of a registration that the SIP server recorded. Null is what is unknown, or does not apply. */
export interface RegistrationEvent {
  readonly rowId: number;
  readonly seekKey: readonly SqlValue[];
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly event: RegistrationEventKind;
  /** Of a device, as a SIP URI. */
  readonly addressOfRecord: string | null;
  /** It may no longer exist. */
  readonly owner: RegistrationOwner | null;
  /** The address of the device or the provider. */
  readonly host: string | null;
  readonly port: number | null;
  readonly transport: string | null;
  readonly userAgent: string | null;
  readonly node: string | null;
  /** How many devices the node had at the address of record afterwards. */
  readonly devices: number | null;
  readonly status: number | null;
  readonly reason: string | null;
}

/** The columns of `registration_events` that `toRegistrationEvent` reads. */
export const EVENT_COLUMNS =
  'id, at, username, domain, owner, event, host, port, transport, user_agent, node, devices, status, reason';

const KINDS = { agent: 'Agent', peer: 'Peer', gateway: 'Gateway' } as const;

/** A RegistrationEvent from a row with EVENT_COLUMNS. With `isHidden`, without addresses of devices and providers. */
export function toRegistrationEvent(row: Row, isHidden: boolean): RegistrationEvent {
  const [id, at, username, domain, owner, event, host, port, transport, userAgent, ...more] = row;
  const [node, devices, status, reason] = more;
  const user = visibleText(username);
  return {
    rowId: Number(id),
    seekKey: [Number(at), Number(id)],
    id: globalId('RegistrationEvent', String(id)),
    at: Number(at),
    event: REGISTRATION_EVENTS.find((each) => each === event) ?? 'UNRECORDED',
    addressOfRecord: user === null ? null : writeAddressOfRecord({ user, host: visibleText(domain) ?? undefined }),
    owner: ownerOf(owner),
    host: isHidden ? null : visibleText(host),
    port: isHidden ? null : numberOrNull(port),
    transport: visibleText(transport),
    userAgent: visibleText(userAgent),
    node: visibleText(node),
    devices: numberOrNull(devices),
    status: numberOrNull(status),
    reason: visibleText(reason),
  };
}

/** The column `owner` for a resource. */
export function ownerKey({ kind, ref }: RegistrationOwner): string {
  return `${kind.toLowerCase()}:${ref}`;
}

function ownerOf(value: SqlValue | undefined): RegistrationOwner | null {
  const [, kind, ref] = /^(agent|peer|gateway):(.+)$/.exec(String(value)) ?? [];
  return ref === undefined ? null : { kind: KINDS[kind as keyof typeof KINDS], ref }; // as the expression has it
}
