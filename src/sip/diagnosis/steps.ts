import { isIPv6 } from 'node:net';

import type { AddressFacts, Facts, TargetFacts } from './facts';

/** The state of one link in the path of a call. */
export type StepState =
  | 'OK'
  | 'MISSING'
  | 'DISABLED'
  | 'DRAINING'
  | 'NOT_REGISTERED'
  | 'EXPIRED'
  | 'FORBIDDEN'
  | 'AMBIGUOUS'
  | 'UNKNOWN'
  | 'NOT_NEEDED';

/** The links in the path of a call to a number, in order. */
type StepKind = 'number' | 'gateway' | 'aor' | 'domain' | 'target' | 'contacts' | 'route';

/** A link in the path of a call, described for an operator. */
export interface Step {
  readonly of: StepKind;
  readonly state: StepState;
  readonly summary: string;
  /** An existing name that differs by one character from one that does not exist. */
  readonly suggestion?: string | undefined;
  /** The address of record that the step is about, if it is a further target of a number. */
  readonly address?: AddressFacts | undefined;
  /** Where calls go, if the step is about a further target of a number. */
  readonly aorLink?: string | undefined;
  /** Whether this is the first of several targets that rings. */
  readonly rings?: boolean | undefined;
  /** Whether this is the gateway that is tried first. */
  readonly isFirst?: boolean | undefined;
}

/** Suggestions for a missing domain or user. */
export interface Meant {
  readonly domain?: string | undefined;
  readonly user?: string | undefined;
}

/** Describes the path of a call to a number. */
export function stepsOf(facts: Facts, meant: Meant = {}): readonly Step[] {
  const before: readonly Step[] = [
    { of: 'number', ...number(facts) },
    { of: 'gateway', ...gateway(facts) },
  ];
  const first = stepsOfAddress(facts, meant);
  const others = facts.targets.map((target) => stepsOfTarget(facts, target));
  return [...before, ...(others.length === 0 ? first : oneRings([first, ...others]))];
}

/** The steps of several targets. If one of them rings, what is broken in the others does not matter. */
function oneRings(targets: readonly (readonly Step[])[]): readonly Step[] {
  const ringing = targets.find((steps) => !steps.some(isBroken));
  if (!ringing) return targets.flat();
  return targets.flatMap((steps) =>
    steps.map((step) => {
      if (isBroken(step)) return { ...step, state: 'NOT_NEEDED' as const };
      return steps === ringing && step === steps.at(-1) ? { ...step, rings: true } : step;
    }),
  );
}

/** Describes a further target of a number, and when it rings. */
function stepsOfTarget(
  { host }: Facts,
  { target, outside, after, address, leaves, way }: TargetFacts,
): readonly Step[] {
  const when = after === 0 ? `calls also go to ${target}` : `after ${String(after)} s, calls go to ${target}`;
  if (address) {
    const steps = stepsOfAddress(address).map((step) => ({ ...step, address }));
    return steps.map((step) => (step.of === 'aor' ? { ...step, summary: when } : step));
  }
  const route = { of: 'route' } as const;
  const through = way ? ` through gateway ${way.gatewayName}, as ${way.telUrl}` : '';
  const reached = {
    YES: { ...route, state: 'OK', summary: `${host} calls ${String(outside)}${through}` },
    NO: { ...route, state: 'MISSING', summary: `${host} has no way out for ${String(outside)}` },
    OWN: {
      ...route,
      state: 'FORBIDDEN',
      summary: `${String(outside)} is a number of this server, to which calls are not sent out`,
    },
  } satisfies Record<TargetFacts['leaves'], Step>;
  return [{ of: 'aor', state: 'OK', summary: when, aorLink: target }, reached[leaves]];
}

/** Describes the path of a call to an address of record. */
export function stepsOfAddress(facts: AddressFacts, meant: Meant = {}): readonly Step[] {
  return [
    { of: 'aor', state: 'OK', summary: `calls go to ${facts.aorLink}` },
    { of: 'domain', ...domain(facts, meant) },
    { of: 'target', ...target(facts, meant) },
    { of: 'contacts', ...contacts(facts) },
  ];
}

/** Describes the first broken link or, if there is none, what rings or which gateway is tried first. */
export function summaryOf(steps: readonly Pick<Step, 'state' | 'summary' | 'rings' | 'isFirst'>[]): string {
  const first = steps.find(({ rings, isFirst }) => rings === true || isFirst === true);
  return (brokenOf(steps) ?? first ?? steps.at(-1))?.summary ?? '';
}

/** The first broken link; undefined if the call rings. */
export function brokenOf<T extends Pick<Step, 'state'>>(steps: readonly T[]): T | undefined {
  return steps.find(isBroken);
}

/** Whether a call does not get past a link. */
export function isBroken({ state }: Pick<Step, 'state'>): boolean {
  return state !== 'OK' && state !== 'NOT_NEEDED';
}

/** `; did you mean x?`, or nothing without a suggestion. */
export function didYouMean(name: string | undefined): string {
  return name === undefined ? '' : `; did you mean ${name}?`;
}

type Outcome = Omit<Step, 'of'>;

/** What a number is called in a summary. */
export function nameOfNumber({ kind, telUrl, lastTelUrl }: Pick<Facts, 'kind' | 'telUrl' | 'lastTelUrl'>): string {
  return `${kind} ${telUrl}${lastTelUrl === null ? '' : ` to ${lastTelUrl}`}`;
}

function number(facts: Facts): Outcome {
  const { state, digits, sameDigits: alike } = facts;
  if (state === 'DISABLED') return { state, summary: `${nameOfNumber(facts)} is disabled: enable it to let it ring` };
  if (state !== 'AMBIGUOUS') return { state: 'OK', summary: nameOfNumber(facts) };
  // The other number may have been deleted since the state was read.
  const many = String(Math.max(alike ?? 0, 2));
  return { state, summary: `${many} numbers have the digits ${digits} but differ in spelling or destination` };
}

function gateway(facts: Facts): Outcome {
  const { gatewayName, gatewayClosed } = facts;
  if (gatewayClosed !== undefined) return closedGateway(gatewayName, gatewayClosed);
  const { state, summary } = registration(facts);
  const notes = [summary];
  if (facts.downSince !== null && (!facts.registers || facts.registration === 'REGISTERED'))
    notes.push(`its host has not responded to OPTIONS since ${time(facts.downSince)}`);
  if (facts.sources.length > 0) notes.push(`calls may also come from ${several(facts.sources)}`);
  if (facts.hasRegistries && facts.registers) notes.push('its registries are not used');
  return { state, summary: notes.join('; ') };
}

/** Describes a gateway that takes no calls. */
export function closedGateway(name: string, why: 'disabled' | 'draining'): Outcome {
  return why === 'disabled'
    ? { state: 'DISABLED', summary: `gateway ${name} is disabled: enable it to let calls through` }
    : { state: 'DRAINING', summary: `gateway ${name} is draining: end that to let new calls through` };
}

function registration(facts: Facts): Outcome {
  const { gatewayName: name, gatewayHost, registrar, lastResponse, ip, port, registeredOn, registeredUntil } = facts;
  if (!facts.registers)
    return { state: 'OK', summary: `gateway ${name} does not register; it is identified by its address` };
  switch (facts.registration) {
    case 'REGISTERED':
      return {
        state: 'OK',
        summary: `gateway ${name} is registered at ${registrar} (${address(ip)}:${String(port)}) since ${time(registeredOn)}`,
      };
    case 'REFUSED':
      return { state: 'FORBIDDEN', summary: `gateway ${name} is refused by ${registrar}: ${String(lastResponse)}` };
    case 'EXPIRED':
      return {
        state: 'EXPIRED',
        summary: `the registration of gateway ${name} at ${registrar} expired on ${time(registeredUntil)} and was not renewed`,
      };
    case 'UNREACHABLE':
      return {
        state: 'NOT_REGISTERED',
        // Not `registrar`, which is the last host that responded.
        summary: `gateway ${name} is not registered: ${gatewayHost} did not answer (${String(lastResponse)})`,
      };
    case null:
      return { state: 'NOT_REGISTERED', summary: `gateway ${name} is not registered: no attempt is recorded` };
  }
}

function domain({ domainId, agentId, peerId, host, user, isDisabled }: AddressFacts, meant: Meant): Outcome {
  if (isDisabled.domain)
    return agentId === null && peerId !== null
      ? { state: 'NOT_NEEDED', summary: `domain ${host} is disabled; peer ${user} does not need one` }
      : { state: 'DISABLED', summary: `domain ${host} is disabled: enable it to let its agents ring` };
  if (domainId !== null) return { state: 'OK', summary: `domain ${host}` };
  return peerId !== null
    ? { state: 'NOT_NEEDED', summary: `${host} is not a domain; peer ${user} does not need one` }
    : { state: 'MISSING', summary: `no domain ${host}${didYouMean(meant.domain)}`, suggestion: meant.domain };
}

function target(facts: AddressFacts, meant: Meant): Outcome {
  const { domainId, agentId, peerId, agentElsewhere, user, host, isDisabled } = facts;
  if (agentId === null ? isDisabled.peer : isDisabled.agent)
    return { state: 'DISABLED', summary: `${nameOf(facts)} is disabled: enable it to let it ring` };
  if (agentId !== null || peerId !== null) return { state: 'OK', summary: nameOf(facts) };
  if (domainId === null) return { state: 'MISSING', summary: `no agent or peer ${user}@${host}` };
  return agentElsewhere === null
    ? {
        state: 'MISSING',
        summary: `no agent or peer ${user} in domain ${host}${didYouMean(meant.user)}`,
        suggestion: meant.user,
      }
    : { state: 'FORBIDDEN', summary: `agent ${user} is in domain ${agentElsewhere}, not in ${host}` };
}

function contacts(facts: AddressFacts): Outcome {
  const { devices, devicesUntil, agentId, peerId, user, host, contactAddr, node, nodeOfDevice } = facts;
  const isThere = agentId !== null || peerId !== null;
  const name = isThere ? nameOf(facts) : `${user}@${host}`;
  if (devices > 0)
    return {
      state: 'OK',
      summary: `rings ${name} on ${String(devices)} device${devices === 1 ? '' : 's'}${node === undefined ? '' : ` at node ${node}`}`,
    };
  if (agentId === null && contactAddr !== null)
    return { state: 'OK', summary: `rings ${name} at its contactAddr ${contactAddr}` };
  if (node !== undefined && nodeOfDevice !== null && nodeOfDevice !== node)
    return {
      state: 'NOT_REGISTERED',
      summary: `${name} is registered at node ${nodeOfDevice}, but calls arrive at node ${node}`,
    };
  if (devicesUntil !== null)
    return { state: 'EXPIRED', summary: `the registration of ${name} expired on ${time(devicesUntil)}` };
  return {
    state: 'NOT_REGISTERED',
    summary: isThere ? `${name} exists but is not registered` : `no device is registered for ${name}`,
  };
}

/** An agent takes precedence over a peer with the same name. */
function nameOf({ agentId, user, host }: AddressFacts): string {
  return agentId === null ? `peer ${user}` : `agent ${user}@${host}`;
}

/** `a and b`, or `a, b and 3 more`. */
function several(names: readonly string[]): string {
  const [first = '', second, ...others] = names;
  if (second === undefined) return first;
  return others.length === 0 ? `${first} and ${second}` : `${first}, ${second} and ${String(others.length)} more`;
}

/** An IP address as it is written before a port: IPv6 in brackets (RFC 3986, 3.2.2). */
function address(ip: string | null): string {
  return isIPv6(ip ?? '') ? `[${String(ip)}]` : String(ip);
}

function time(milliseconds: number | null): string {
  return milliseconds === null ? 'an unknown time' : new Date(milliseconds).toISOString();
}
