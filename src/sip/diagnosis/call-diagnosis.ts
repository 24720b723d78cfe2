import { isIP } from 'node:net';

import { sql } from '../../database/fragment';
import type { Reads } from '../../database/sql';
import type { HealthState } from '../../model/gateway-health';
import { international, type Country } from '../../spelling/telephone';
import type { Contact } from '../live/contact';
import { HealthReader } from '../live/health-reader';
import { factsOfAddress, type Party } from './address-facts';
import { callIn, type Call } from './call';
import {
  CallRows,
  DIALED,
  hostOf,
  NO_WAY,
  type NumberRow,
  type SourcePeer,
  type WayOut,
  type WaysOut,
} from './call-rows';
import {
  accessStep,
  callerStep,
  peerSourceStep,
  sourceStep,
  strangerStep,
  wayOutStep,
  type CallStep,
  type Entry,
} from './call-steps';
import type { AddressFacts, Facts } from './facts';
import { factsOf, toFacts } from './facts-query';
import { denialOf, isSameAddress, sourceOf } from './networks';
import { didYouMean, isBroken, stepsOf, stepsOfAddress } from './steps';
import { Suggestions } from './suggestions';

/** What becomes of a call. UNKNOWN: that depends on what only the SIP server knows. */
export const CALL_OUTCOMES = ['RINGS', 'LEAVES', 'REFUSED', 'UNKNOWN'] as const;
export type CallOutcome = (typeof CALL_OUTCOMES)[number];

/** An INVITE that the SIP server sends. */
export interface Attempt {
  /** The gateway and the number through which a call leaves; null for a call that rings. */
  readonly gatewayId: number | null;
  readonly numberId: number | null;
  readonly health: HealthState | null;
  /** The device that rings; null for a call that leaves, and for the contactAddr of a peer. */
  readonly contact: Contact | null;
  readonly requestUri: string;
  /** The SIP URI of the address to which it goes; null if only the SIP server knows the address of the host. */
  readonly nextHop: string | null;
  /** Null for a call from outside, whose From stays as the provider sends it. */
  readonly from: string | null;
  /** P-Asserted-Identity (RFC 3325); null for none. */
  readonly assertedIdentity: string | null;
}

/** What the SIP server does with a call. */
export interface CallExplanation {
  readonly outcome: CallOutcome;
  /** The SIP status of a refusal; null for other outcomes. */
  readonly status: number | null;
  /** Its reason phrase. */
  readonly reason: string | null;
  readonly steps: readonly CallStep[];
  /** A call that leaves tries one after the other, until one answers. The devices that ring are called at once. */
  readonly attempts: readonly Attempt[];
}

const ANONYMOUS = '"Anonymous" <sip:anonymous@anonymous.invalid>';
// What a provider may call.
const CALLED = /^\+?[0-9().-]+$/;
// Escapes in From that could be read as delimiters.
const DELIMITER = /%(22|25|2c|3[abce]|40|5[bcd])/i;

/**
 * Explains what the SIP server does with a call, from the rows by which it decides. Knows neither the
 * limits of calls and requests, nor the addresses of host names. Runs a bounded number of SQL statements.
 */
export class CallDiagnosis {
  private readonly suggestions: Suggestions;
  private readonly rows: CallRows;

  /** `node` is the node of the SIP server where calls arrive, as host:port. Undefined if there is only one node. */
  constructor(
    private readonly sql: Reads,
    private readonly node: string | undefined,
    /** Where numbers without a country code are from. */
    private readonly home: Country | undefined,
    /** Charges the user for suggestions, in objects. Throws RateLimitedError. */
    spend: (objects: number) => void,
  ) {
    this.suggestions = new Suggestions(sql, spend);
    this.rows = new CallRows(sql, node);
  }

  /** Explains a call between two ends, each in any spelling. Throws InvalidInputError if one of the texts is none. */
  async explain(from: string, to: string, sourceAddress: string | undefined): Promise<CallExplanation> {
    const given = callIn(from, to, sourceAddress);
    const { source } = given;
    const peer = source === undefined ? undefined : await this.rows.sourcePeer(source);
    const call = peer && source !== undefined ? callFrom(source, given) : given;
    const host = call.to.host ?? call.from.host;
    const [named, callee, numbers] = await Promise.all([
      call.from.host === undefined ? undefined : this.party(call.from.user, call.from.host),
      host === undefined ? undefined : this.party(call.to.user, host),
      this.rows.numbersWith(digitsOf(call.to.user)),
    ]);
    const caller =
      peer && named && isSender(peer, named, call) ? { ...named, peerId: peer.peerId, bySource: peer } : named;
    const ways = caller === undefined ? NO_WAY : await this.rows.waysOut(caller.host, call.to.user, caller);
    // An emergency number comes before everything else, if the call is for the SIP server.
    const isHere = call.to.host === undefined || this.isServer(call.to.host) || (callee?.domainId ?? null) !== null;
    const isEmergency = isHere && ways.by !== undefined && 'prefix' in ways.by && ways.by.isEmergency;
    if (isEmergency && caller && isThere(caller)) return this.leaves(caller, ways, [knownStep(caller, source)]);
    const isUser = caller !== undefined && isThere(caller);
    const entry =
      isEmergency || call.source === undefined ? undefined : entryOf(numbers, call, call.source, isUser, peer);
    if (entry && call.source !== undefined) return this.fromOutside(call, call.source, entry, caller);
    const accepted = await this.accepted(isEmergency ? { ...call, source: undefined } : call, caller, numbers);
    if ('outcome' in accepted) return accepted;
    const { steps, party } = accepted;
    const isWithoutDigest = caller !== undefined && 'bySource' in caller;
    // Without a host, a phone calls its own domain.
    const called = callee ?? party;
    if (called.domainId === null && call.to.host !== undefined && !this.isServer(call.to.host))
      return refused(403, isWithoutDigest ? 'Relaying denied' : 'Digest is for another server', [
        ...steps,
        {
          of: 'domain',
          state: 'FORBIDDEN',
          summary: `${called.host} is no domain: calls to other hosts are not forwarded`,
          address: called,
        },
      ]);
    if (called.domainId !== null && called.domainId !== party.domainId) {
      const access = accessOf(called, call.source);
      steps.push(...access);
      if (access.some(isBroken)) return refused(403, 'Forbidden', steps);
    }
    if (isThere(called)) return this.rings(called, party, steps, addressSteps(called));
    const [number, ...rivals] = dialed(numbers, call.to.user);
    if (number) return this.ringsNumber(number, rivals, party, steps);
    return this.outside(call, called, party, ways, steps);
  }

  /** A call that a provider sends. */
  private async fromOutside(
    call: Call,
    address: string,
    { entry, number, rivals }: Arrival,
    caller: Party | undefined,
  ): Promise<CallExplanation> {
    const steps: CallStep[] = [sourceStep(address, entry)];
    const isAgent = caller !== undefined && caller.agentId !== null;
    if (isAgent || DELIMITER.test(call.from.text))
      return refused(403, 'From is an agent', [
        ...steps,
        {
          of: 'caller',
          state: 'FORBIDDEN',
          summary: isAgent
            ? `From is agent ${caller.user}@${caller.host}, as whom a provider may not call`
            : `From has an escaped delimiter, and could be read as an agent`,
          address: caller,
        },
      ]);
    const found = await this.ringsNumber(number, rivals, undefined, steps);
    return entry.by === undefined ? { ...found, outcome: 'UNKNOWN', status: null, reason: null } : found;
  }

  /** The agent or peer that calls, if the SIP server accepts its INVITE; otherwise, why it does not. */
  private async accepted(
    call: Call,
    caller: Sender | undefined,
    numbers: readonly NumberRow[],
  ): Promise<{ readonly party: Party; readonly steps: CallStep[] } | CallExplanation> {
    const isUser = caller !== undefined && isThere(caller);
    const access = caller && caller.domainId !== null ? accessOf(caller, call.source) : [];
    if (access.some(isBroken)) return refused(403, 'Forbidden', access);
    if (isUser) return { party: caller, steps: [knownStep(caller, call.source), ...access] };
    const challenged: CallStep[] = [...access];
    if (caller && (caller.domainId !== null || call.source === undefined)) {
      const { user, domain } = await this.suggestions.forTarget(caller);
      challenged.push(callerStep(caller, user ?? domain));
    } else challenged.push(strangerStep(call.source, digitsOf(call.to.user), distinct(numbers)));
    const [number] = numbers;
    const rest = number === undefined ? [] : await this.factsOfNumber(number.rowId);
    return refused(407, 'Proxy Authentication Required', [...challenged, ...rest.flatMap(numberSteps)]);
  }

  /** A call to the address of record of a number. `caller` is undefined for a call from outside. */
  private async ringsNumber(
    number: NumberRow,
    rivals: readonly NumberRow[],
    caller: Party | undefined,
    steps: readonly CallStep[],
  ): Promise<CallExplanation> {
    const [facts] = await this.factsOfNumber(number.rowId);
    // The number was deleted meanwhile.
    if (!facts) return refused(404, 'Not Found', steps);
    const others = numberSteps(facts).filter(({ of }) => of !== 'gateway');
    const isUncertain = rivals.some(({ aorLink }) => aorLink !== number.aorLink);
    const called = others.map((step) => {
      if (step.of !== 'number') return step;
      const many = `${String(rivals.length + 1)} numbers have the digits ${facts.digits}`;
      if (isUncertain)
        return {
          ...step,
          state: 'AMBIGUOUS' as const,
          summary: `${many} and differ in destination: any may be called`,
        };
      return { ...step, state: 'OK' as const, summary: `${facts.kind} ${facts.telUrl}` };
    });
    const found = await this.rings(facts, caller, steps, called);
    return isUncertain ? { ...found, outcome: 'UNKNOWN', status: null, reason: null } : found;
  }

  /** A call to an agent or a peer. */
  private async rings(
    called: AddressFacts,
    caller: Party | undefined,
    before: readonly CallStep[],
    path: readonly CallStep[],
  ): Promise<CallExplanation> {
    const steps = [...before, ...path];
    const broken = path.find((step) => isBroken(step) && step.of !== 'number');
    if (broken?.of === 'contacts') return refused(480, 'Temporarily Unavailable', steps);
    if (broken) return refused(404, 'Not Found', steps);
    const own = caller && `<sip:${escaped(caller.user)}@${caller.host}>`;
    const from = own === undefined ? null : caller?.isPrivate === true ? ANONYMOUS : own;
    const sent = { gatewayId: null, numberId: null, health: null, from, assertedIdentity: null };
    const devices = await this.rows.devicesAt(called);
    if (devices.length > 0)
      return ends(
        'RINGS',
        steps,
        devices.map((device) => ({ ...sent, ...device })),
      );
    const place = called.contactAddr ?? '';
    const isAddress = isIP(hostOf(place)) !== 0;
    const target = { requestUri: `sip:${escaped(called.user)}@${place}`, nextHop: isAddress ? `sip:${place}` : null };
    return ends('RINGS', steps, [{ ...sent, ...target, contact: null }]);
  }

  /** A call that nobody here answers. */
  private async outside(
    call: Call,
    called: Party,
    caller: Party,
    ways: WaysOut,
    before: readonly CallStep[],
  ): Promise<CallExplanation> {
    const steps = [...before];
    const isNumber = DIALED.test(call.to.user);
    const isSent = ways.ways.length > 0;
    const at = called.domainId === null ? '' : ` in domain ${called.host}`;
    const missing = `no agent or peer ${call.to.user}${at}`;
    if (!isSent && !isNumber) {
      const { user } = await this.suggestions.forTarget(called);
      steps.push({
        of: 'target',
        state: 'MISSING',
        summary: `${missing}${didYouMean(user)}`,
        suggestion: user,
        address: called,
      });
    } else steps.push({ of: 'target', state: 'NOT_NEEDED', summary: missing, address: called });
    if (isNumber) steps.push(await this.missingNumber(ways.number, isSent));
    return this.leaves(caller, ways, steps);
  }

  /** A call that leaves, if the caller's domain has a way out for it. */
  private async leaves(caller: Party, out: WaysOut, before: readonly CallStep[]): Promise<CallExplanation> {
    const { ways } = out;
    const steps = [...before, routeStep(caller, out)];
    if (ways.length === 0) return refused(404, 'Not Found', steps);
    const health = await new HealthReader(this.sql).of(ways.map(({ gatewayId }) => gatewayId));
    const attempts: Attempt[] = [];
    for (const way of ways) {
      const state = health.get(way.gatewayId)?.state ?? 'UNKNOWN';
      const problem = problemOf(way, state);
      steps.push(wayOutStep(way, state, problem));
      if (problem === undefined) attempts.push(attemptOf(way, state, caller.isPrivate));
    }
    if (attempts.length === 0) return refused(503, 'Gateway has no address', steps);
    return ends('LEAVES', steps, attempts);
  }

  private async missingNumber(number: string, isSent: boolean): Promise<CallStep> {
    const summary = `no DID or Number ${digitsOf(number)}`;
    if (isSent) return { of: 'number', state: 'NOT_NEEDED', summary };
    const home = digitsOf(international(number, this.home));
    const [meant] = home === digitsOf(number) ? [] : await this.rows.numbersWith(home);
    const suggestion = meant ? meant.telUrl : await this.suggestions.forNumber(digitsOf(number));
    return { of: 'number', state: 'NOT_NEEDED', summary: `${summary}${didYouMean(suggestion)}`, suggestion };
  }

  private party(user: string, host: string): Promise<Party> {
    return factsOfAddress(this.sql, this.node, { user, host });
  }

  /** Whether a host is the SIP server itself. */
  private isServer(host: string): boolean {
    return this.node !== undefined && hostOf(this.node) === host.replace(/[[\]]/g, '');
  }

  private async factsOfNumber(rowId: number): Promise<readonly Facts[]> {
    const moment = { now: Date.now(), node: this.node };
    const { text, values } = factsOf(sql`SELECT n.id FROM numbers n WHERE n.id = ${rowId}`, undefined, moment);
    return (await this.sql.rows(text, values)).map((row) => toFacts(row, this.node));
  }
}

/** The number that a call from outside calls, and the gateway from which it comes. */
interface Arrival {
  readonly entry: Entry;
  readonly number: NumberRow;
  /** Other numbers that the SIP server may choose instead. */
  readonly rivals: readonly NumberRow[];
}

/**
 * Finds the gateway from which a call comes, as route[DID] does: a gateway that is registered at the address comes before one
 * whose host has it, and that before one with that source; and a number as dialed comes before one after a leading 00. The
 * addresses of host names are not known, and are not considered for a user, whose phone has none of them.
 */
function entryOf(
  numbers: readonly NumberRow[],
  call: Call,
  address: string,
  isUser: boolean,
  peer: SourcePeer | undefined,
): Arrival | undefined {
  if (!CALLED.test(call.to.user)) return undefined;
  const digits = digitsOf(call.to.user);
  const ranked = numbers.map((number) => {
    const origin = originOf(number, address);
    // A source of a gateway does not count if a peer has a longer one.
    const by = peer && typeof origin === 'object' ? undefined : origin;
    const known = by === undefined ? 0 : by === 'registration' ? 5 : by === 'host' ? 3 : 1;
    const isNamed = isIP(hostOf(number.gatewayHost)) === 0;
    const most = isNamed && !isUser ? Math.max(known, 3) : known;
    const bonus = number.digits === digits ? 1 : 0;
    return { number, by, rank: known && known + bonus, most: most && most + bonus };
  });
  const best = Math.max(0, ...ranked.map(({ rank }) => rank));
  const possible = ranked.find(({ rank, most }) => most > best && most > rank);
  const known = ranked.filter(({ rank }) => rank > 0 && rank === best);
  const [chosen = possible] = known;
  if (!chosen) return undefined;
  const named = possible && (best === 0 || possible.number.aorLink !== chosen.number.aorLink) ? possible : undefined;
  const { gatewayId, gatewayName, gatewayHost } = (named ?? chosen).number;
  return {
    number: chosen.number,
    rivals: known.slice(1).map(({ number }) => number),
    entry: { gatewayId, gatewayName, gatewayHost, by: named ? undefined : chosen.by },
  };
}

function originOf({ registeredAt, gatewayHost, sources }: NumberRow, address: string): Entry['by'] {
  if (registeredAt !== '' && isSameAddress(registeredAt, address)) return 'registration';
  if (isIP(hostOf(gatewayHost)) !== 0 && isSameAddress(gatewayHost, address)) return 'host';
  const source = sourceOf(address, sources);
  return source === undefined ? undefined : { source };
}

/** The party that calls, and how it is known if it calls without a digest. */
type Sender = Party & { readonly bySource?: SourcePeer };

/** A call from a source of a peer. Without a host, From has the source address. */
function callFrom(source: string, call: Call): Call {
  const host = call.from.host ?? (source.includes(':') ? `[${source}]` : source);
  return { ...call, from: { ...call.from, host } };
}

/** Whether the peer whose the source address is makes the call, as route[FROM_PEER_SOURCE] decides. */
function isSender({ peerId }: SourcePeer, named: Party, { from }: Call): boolean {
  return named.agentId === null && (named.peerId === null || named.peerId === peerId) && !DELIMITER.test(from.text);
}

function knownStep(caller: Sender, source: string | undefined): CallStep {
  const { bySource } = caller;
  return bySource && source !== undefined ? peerSourceStep(caller, source, bySource) : callerStep(caller, undefined);
}

/** The number that a dialed number is, and others that the SIP server may choose instead, as in route[OWN_NUMBER]. */
function dialed(numbers: readonly NumberRow[], user: string): readonly NumberRow[] {
  if (!DIALED.test(user)) return [];
  const written = digitsOf(user);
  const rank = ({ digits }: NumberRow): number => (digits === written ? 0 : 1);
  const [first, ...others] = numbers.toSorted(
    (a, b) => rank(a) - rank(b) || (a.gatewayRef < b.gatewayRef ? -1 : a.gatewayRef > b.gatewayRef ? 1 : 0),
  );
  if (!first) return [];
  const isSame = (other: NumberRow): boolean => other.digits === first.digits && other.gatewayId === first.gatewayId;
  return [first, ...others.filter(isSame)];
}

function accessOf(party: Party, source: string | undefined): CallStep[] {
  const { accessList } = party;
  if (!accessList) return [];
  return [accessStep(party, source, source === undefined ? undefined : denialOf(source, accessList))];
}

function routeStep(caller: Party, { by, number, ways: [way] }: WaysOut): CallStep {
  const step = { of: 'route', address: caller } as const;
  const isDomain = caller.domainId !== null;
  if (!by) {
    const none = isDomain ? `${caller.host} has no egress policy` : `${caller.host} is no domain`;
    return { ...step, state: 'MISSING', summary: `${none}, so calls do not leave` };
  }
  if ('prefix' in by) {
    const { prefix, isEmergency, routeId } = by;
    const which = prefix === '' ? 'every number' : `prefix ${prefix}`;
    const summary = isEmergency
      ? `${prefix} is an emergency number of ${caller.host}, and leaves before anything else is looked at`
      : `the route of ${caller.host} for ${which} sends ${number} out`;
    return { ...step, state: 'OK', summary, routeId };
  }
  const policy = `the egress policy of ${caller.host}`;
  return way
    ? { ...step, state: 'OK', summary: `${policy} sends ${number} out, as ${way.telUrl}` }
    : { ...step, state: 'MISSING', summary: `${policy} does not send ${number} out: it does not match ${by.rule}` };
}

/**
 * Why no call can leave through a gateway. With TLS, it needs a connection whose certificate was verified, over which the
 * health is measured, too.
 */
function problemOf({ gatewayName, transport }: WayOut, health: HealthState): string | undefined {
  if (transport === 'tls') return health === 'UP' ? undefined : `gateway ${gatewayName} is not connected with TLS`;
  return ['udp', 'tcp'].includes(transport)
    ? undefined
    : `gateway ${gatewayName} uses ${transport}, which the SIP server does not support`;
}

function attemptOf(
  { gatewayId, numberId, gatewayHost, port, transport, via, viaPort, fromDomain, called, shown }: WayOut,
  health: HealthState,
  isPrivate: boolean,
): Attempt {
  const place = port === null ? gatewayHost : `${gatewayHost}:${String(port)}`;
  const hop = viaPort === 0 ? via : `${via}:${String(viaPort)}`;
  const own = `<sip:${shown}@${fromDomain === '' ? place : fromDomain}>`;
  return {
    gatewayId,
    numberId,
    health,
    contact: null,
    requestUri: `sip:${escaped(called)}@${place};transport=${transport}`,
    nextHop: isIP(hostOf(via)) === 0 ? null : `sip:${hop};transport=${transport}`,
    from: isPrivate ? ANONYMOUS : own,
    assertedIdentity: isPrivate ? own : null,
  };
}

function refused(status: number, reason: string, steps: readonly CallStep[]): CallExplanation {
  return { outcome: 'REFUSED', status, reason, steps, attempts: [] };
}

function ends(outcome: CallOutcome, steps: readonly CallStep[], attempts: readonly Attempt[]): CallExplanation {
  return { outcome, status: null, reason: null, steps, attempts };
}

function isThere({ agentId, peerId }: AddressFacts): boolean {
  return agentId !== null || peerId !== null;
}

function addressSteps(address: AddressFacts): readonly CallStep[] {
  return stepsOfAddress(address).map((step) => ({ ...step, address }));
}

function numberSteps(facts: Facts): readonly CallStep[] {
  return stepsOf(facts).map((step) => ({ ...step, facts, address: facts, gatewayId: facts.gatewayId }));
}

/** One number of each gateway. */
function distinct(numbers: readonly NumberRow[]): readonly NumberRow[] {
  return [...new Map(numbers.map((number) => [number.gatewayId, number])).values()];
}

function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}

/** Escapes what the user of a SIP URI cannot contain (RFC 3261, 25.1). */
function escaped(user: string): string {
  return user.replace(/[^A-Za-z0-9\-_.!~*'()&=+$,;?/]/gu, (character) =>
    [...Buffer.from(character)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  );
}
