import type { RegistrationEvent } from '../past/registration-event';
import type { AddressFacts, Facts, NumberState } from './facts';
import { isBroken, stepsOf, type Step, type StepKind, type StepState } from './steps';

/** Values of a resource at an earlier time, by field. */
type Values = Readonly<Record<string, unknown>>;

/** A resource as it was. */
export interface PastResource {
  readonly kind: string;
  readonly ref: string;
  readonly values: Values;
  /** The row id that it has now; -1 if it no longer exists. */
  readonly rowId: number;
}

/** The devices of an address of record at an earlier time. */
export interface PastDevices {
  /** Why it is not known how many there were; undefined if it is known. */
  readonly unknown: string | undefined;
  /** At the node where calls arrive, if that is configured. */
  readonly count: number;
  /** A node with a device. */
  readonly node: string | null;
  /** When the last registration expired, in milliseconds since the epoch. */
  readonly expiredOn: number | null;
  /** The newest event by then that says why there was none. */
  readonly event: RegistrationEvent | undefined;
  /** When a device last registered, in milliseconds since the epoch. */
  readonly registeredOn: number | undefined;
}

/** The registration of a gateway at an earlier time. */
export interface PastRegistration {
  /** Why it is not known; undefined if it is known. */
  readonly unknown: string | undefined;
  readonly event: RegistrationEvent | undefined;
}

/** All that a number led to at an earlier time. */
export interface PastPath {
  readonly number: PastResource;
  readonly digits: string;
  /** How many numbers had the digits and differed. */
  readonly rivals: number;
  readonly gateway: PastResource | undefined;
  readonly registration: PastRegistration;
  readonly user: string;
  readonly host: string;
  readonly domain: PastResource | undefined;
  readonly agent: PastResource | undefined;
  /** The first agent with this user name, in any domain, and a domain that it has. */
  readonly agentThere: PastResource | undefined;
  readonly agentElsewhere: string | null;
  readonly peer: PastResource | undefined;
  readonly devices: PastDevices;
  readonly node: string | undefined;
}

/** The facts about a number as they were. */
export function pastFacts(path: PastPath): Facts {
  const { number, gateway, registration, domain, agent, peer, devices } = path;
  const of = (resource: PastResource | undefined, field: string): string | null => {
    const value = resource?.values[field];
    return typeof value === 'string' && value !== '' ? value : null;
  };
  const address: AddressFacts = {
    aorLink: of(number, 'aorLink') ?? '',
    user: path.user,
    host: path.host,
    domainId: domain?.rowId ?? null,
    agentId: agent?.rowId ?? null,
    peerId: peer?.rowId ?? null,
    agentElsewhere: path.agentElsewhere,
    isDisabled: { domain: isDisabled(domain), agent: isDisabled(agent), peer: isDisabled(peer) },
    contactAddr: of(peer, 'contactAddr'),
    node: path.node,
    nodeOfDevice: devices.node,
    devices: devices.count,
    devicesUntil: devices.expiredOn,
  };
  const { event } = registration;
  const state =
    event && ({ REGISTERED: 'REGISTERED', REFUSED: 'REFUSED', LOST: 'UNREACHABLE' } as const)[event.event as string];
  return {
    ...address,
    rowId: number.rowId,
    kind: number.kind === 'DID' ? 'DID' : 'Number',
    ref: number.ref,
    telUrl: of(number, 'telUrl') ?? '',
    lastTelUrl: of(number, 'lastTelUrl'),
    digits: path.digits,
    gatewayId: gateway?.rowId ?? -1,
    gatewayName: of(gateway, 'name') ?? '',
    gatewayHost: of(gateway, 'host') ?? '',
    gatewayClosed: isDisabled(gateway) ? 'disabled' : gateway?.values['draining'] === true ? 'draining' : undefined,
    registrar: of(gateway, 'host') ?? '',
    // As REGISTERS decides it in SQL.
    registers:
      of(gateway, 'username') !== null &&
      Boolean(gateway?.values['secret']) &&
      gateway?.values['sendRegister'] !== false,
    registration: state ?? null,
    lastResponse: event ? `${String(event.status ?? '')} ${event.reason ?? ''}`.trim() : null,
    ip: event?.host ?? null,
    port: event?.port ?? null,
    registeredOn: event?.at ?? null,
    registeredUntil: null,
    sameDigits: path.rivals > 0 ? path.rivals + 1 : undefined,
    hasRegistries: false,
    downSince: null,
    sources: [],
    further: [],
    targets: [],
    state: isDisabled(number) ? 'DISABLED' : path.rivals > 0 ? 'AMBIGUOUS' : 'REACHABLE',
  };
}

/** Whether a resource existed and was disabled. */
export function isDisabled(resource: PastResource | undefined): boolean {
  return resource?.values['enabled'] === false;
}

/** The links of the path as they were. What is not known is UNKNOWN. */
export function pastSteps(path: PastPath, facts: Facts): readonly Step[] {
  const unknown: Partial<Record<StepKind, string | undefined>> = {
    gateway: facts.registers && facts.gatewayClosed === undefined ? path.registration.unknown : undefined,
    contacts: facts.agentId === null && facts.contactAddr !== null ? undefined : path.devices.unknown,
  };
  const further = path.number.values['furtherTargets'];
  const mayRing = Array.isArray(further) && further.length > 0;
  return stepsOf(facts).map((step) => {
    const isOfTarget = step.of === 'domain' || step.of === 'target' || step.of === 'contacts';
    const why =
      mayRing && isOfTarget && isBroken(step)
        ? 'the number had further targets, which may have rung: their past is not read'
        : unknown[step.of];
    return why === undefined ? step : { of: step.of, state: 'UNKNOWN', summary: why };
  });
}

/** The first link that is known not to have worked, otherwise the first that is not known; undefined if the call rang. */
export function pastBreak(steps: readonly Step[]): Step | undefined {
  return steps.find((step) => isBroken(step) && step.state !== 'UNKNOWN') ?? steps.find(isBroken);
}

const STATES: Readonly<Record<StepKind, Partial<Record<StepState, NumberState>>>> = {
  number: { MISSING: 'MISSING', DISABLED: 'DISABLED', AMBIGUOUS: 'AMBIGUOUS' },
  gateway: {
    DISABLED: 'GATEWAY_DISABLED',
    DRAINING: 'GATEWAY_DRAINING',
    NOT_REGISTERED: 'GATEWAY_NOT_REGISTERED',
    EXPIRED: 'GATEWAY_EXPIRED',
    FORBIDDEN: 'GATEWAY_REFUSED',
  },
  aor: {},
  domain: { MISSING: 'DOMAIN_MISSING', DISABLED: 'TARGET_DISABLED' },
  target: { MISSING: 'TARGET_MISSING', FORBIDDEN: 'TARGET_FORBIDDEN', DISABLED: 'TARGET_DISABLED' },
  contacts: { NOT_REGISTERED: 'NOT_REGISTERED', EXPIRED: 'EXPIRED' },
  route: {},
};

/** The verdict for the first link that did not work. */
export function pastState(broken: Step | undefined): NumberState | 'UNKNOWN' {
  return broken === undefined ? 'REACHABLE' : (STATES[broken.of][broken.state] ?? 'UNKNOWN');
}
