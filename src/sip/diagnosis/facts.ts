import type { NumberTarget } from '../../model/format/number-target';
import type { RegistrationState } from '../live/registration-reader';

/**
 * The outcome of a call to a number: the first broken link in the path of the call, in the order of the path. MISSING:
 * the number does not exist.
 */
export const NUMBER_STATES = [
  'MISSING',
  'DISABLED',
  'AMBIGUOUS',
  'GATEWAY_DISABLED',
  'GATEWAY_DRAINING',
  'GATEWAY_NOT_REGISTERED',
  'GATEWAY_EXPIRED',
  'GATEWAY_REFUSED',
  'DOMAIN_MISSING',
  'TARGET_FORBIDDEN',
  'TARGET_MISSING',
  'TARGET_DISABLED',
  'NOT_REGISTERED',
  'EXPIRED',
  'REACHABLE',
] as const;
export type NumberState = (typeof NUMBER_STATES)[number];

/** What stops calls to a number only now, and is looked at for one number, not in lists. */
export type Momentary = 'LIMIT_REACHED' | 'NO_WAY_OUT';

/** Everything that the diagnosis of an address of record needs to know. */
export interface AddressFacts {
  /** The address of record, as a SIP URI. */
  readonly aorLink: string;
  readonly user: string;
  readonly host: string;
  readonly domainId: number | null;
  /** The agent with this user name in the domain. */
  readonly agentId: number | null;
  readonly peerId: number | null;
  /** A domain that has an agent with this user name. */
  readonly agentElsewhere: string | null;
  /** What of these is disabled; false for what does not exist. */
  readonly isDisabled: { readonly domain: boolean; readonly agent: boolean; readonly peer: boolean };
  /** The address at which a peer without a device is called. */
  readonly contactAddr: string | null;
  /** The node of the SIP server where calls arrive, if configured. */
  readonly node: string | undefined;
  /** A node where a device is registered now. */
  readonly nodeOfDevice: string | null;
  /** How many devices are registered now, at `node` if that is set. */
  readonly devices: number;
  /** The end of the latest registration of a device, in milliseconds since the epoch. */
  readonly devicesUntil: number | null;
}

/** Everything that the diagnosis of a further target of a number needs to know. */
export interface TargetFacts extends Omit<NumberTarget, 'address'> {
  /** Undefined for an outside number. */
  readonly address: AddressFacts | undefined;
  /** For an outside number: whether the domain can call it, or it is a number of this server. */
  readonly leaves: 'YES' | 'NO' | 'OWN';
  /** For an outside number that the domain can call: the gateway that is tried first, and the number that is shown. */
  readonly way: { readonly gatewayRef: string; readonly gatewayName: string; readonly telUrl: string } | undefined;
}

/** Everything that the diagnosis of a number needs to know. */
export interface Facts extends AddressFacts {
  readonly rowId: number;
  readonly kind: 'DID' | 'Number';
  readonly ref: string;
  readonly telUrl: string;
  /** The last number of a range; null for a single number. */
  readonly lastTelUrl: string | null;
  /** The digits of the number; in an explanation of a number inside a range, the digits of that number. */
  readonly digits: string;
  readonly gatewayId: number;
  readonly gatewayName: string;
  readonly gatewayHost: string;
  /** Why the gateway takes no calls; undefined if it does. */
  readonly gatewayClosed: 'disabled' | 'draining' | undefined;
  /**
   * The host that granted or refused the registration. It can differ from `gatewayHost`, which may have changed since.
   */
  readonly registrar: string;
  /** Whether the gateway registers at its provider. */
  readonly registers: boolean;
  /** Null if no registration attempt is recorded. */
  readonly registration: RegistrationState | null;
  readonly lastResponse: string | null;
  readonly ip: string | null;
  readonly port: number | null;
  /** Milliseconds since the epoch. */
  readonly registeredOn: number | null;
  /** Milliseconds since the epoch. */
  readonly registeredUntil: number | null;
  /** How many numbers have these digits. Set only if the number is ambiguous. */
  readonly sameDigits: number | undefined;
  /** Whether the gateway lists registrars other than its host. */
  readonly hasRegistries: boolean;
  /** When the gateway's host stopped responding to OPTIONS, in milliseconds since the epoch; null if it responds. */
  readonly downSince: number | null;
  /** The networks from which the gateway also sends calls. */
  readonly sources: readonly string[];
  /** The targets after the first one. */
  readonly further: readonly NumberTarget[];
  /** The same, with what is known of them. Empty if that was not read (see `withTargets`). */
  readonly targets: readonly TargetFacts[];
  readonly state: NumberState;
}
