import { isIP } from 'node:net';

import { sql } from '../../../database/fragment';
import type { Product } from '../../../database/driver';
import type { Reads } from '../../../database/sql';
import { digitsIn, type NumberForm } from '../../../model/format/number-format';
import { telSign } from '../../../model/format/tel-uri';
import type { HealthState } from '../../../model/gateway-health';
import { international, type Country } from '../../../spelling/telephone';
import type { LimitReader } from '../../calls/limit-reader';
import type { Contact } from '../../live/contact';
import { factsOfAddress, type Party } from '../address-facts';
import { callIn, isSips, type Call } from './call';
import { forwardLimitsOf, limitsOf } from './call-limits';
import {
  CallRows,
  chargedNumber,
  DIALED,
  dialedNumber,
  hostOf,
  longest,
  NO_WAY,
  NOBODY,
  type NumberRow,
  type SourcePeer,
  type WayOut,
  type WaysOut,
} from './call-rows';
import {
  accessStep,
  callerStep,
  disabledCallerStep,
  disabledSourceStep,
  peerSourceStep,
  sourceStep,
  strangerStep,
  wayOutStep,
  type CallStep,
  type Entry,
} from './call-steps';
import { MAX_ATTEMPTS } from './places';
import type { AddressFacts, Facts } from '../facts';
import { factsOf, toFacts } from '../facts-query';
import { denialOf, isSameAddress, prefixLength } from '../networks';
import { turnsOf, type Reach, type Turn } from '../rings';
import { didYouMean, isBroken, nameOfNumber, stepsOf, stepsOfAddress, type Step } from '../steps';
import { Suggestions } from '../suggestions';
import { withTargets } from '../target-facts';

/** What becomes of a call. UNKNOWN: that depends on what only the SIP server knows. */
export type CallOutcome = 'RINGS' | 'LEAVES' | 'REFUSED' | 'UNKNOWN';

/** An INVITE that the SIP server sends. */
export interface Attempt extends Turn {
  /** The gateway and the number through which a call leaves; null for a call that rings. */
  readonly gatewayId: number | null;
  readonly numberId: number | null;
  readonly health: HealthState | null;
  /** In how many percent of the calls a gateway or a place comes before others, by weight; null if the order is fixed. */
  readonly share: number | null;
  /** See WayOut. */
  readonly lot: number | null;
  /** The device that rings; null for a call that leaves, and for the contactAddr of a peer. */
  readonly contact: Contact | null;
  readonly requestUri: string;
  /** The SIP URI of the address to which it goes; null if only the SIP server knows the address of the host. */
  readonly nextHop: string | null;
  /** Null for a call from outside, whose From stays as the provider sends it. */
  readonly from: string | null;
  /** P-Asserted-Identity (RFC 3325); null for none. */
  readonly assertedIdentity: string | null;
  /** Diversion (RFC 5806) of an outside number that is a target, without the reason; null for other calls. */
  readonly diversion: string | null;
}

/** An attempt without its place among the others. */
type Invite = Omit<Attempt, keyof Turn>;

/** What the SIP server does with a call. */
export interface CallExplanation {
  readonly outcome: CallOutcome;
  /** The SIP status of a refusal; null for other outcomes. */
  readonly status: number | null;
  /** Its reason phrase. */
  readonly reason: string | null;
  readonly steps: readonly CallStep[];
  /** In their order, until one answers. */
  readonly attempts: readonly Attempt[];
}

const ANONYMOUS = '"Anonymous" <sip:anonymous@anonymous.invalid>';
const DISABLED = 'Disabled';
const TAKES_NO_CALLS = 'Gateway takes no calls';
// What a provider may call.
const CALLED = /^\+?[0-9().-]+$/;
// Escapes in From that could be read as delimiters.
const DELIMITER = /%(22|25|2c|3[abce]|40|5[bcd])/i;

/**
 * Explains what the SIP server does with a call, from the rows by which it decides. Knows neither the
 * limits in its configuration, nor the addresses of host names. Runs a bounded number of SQL statements.
 */
export class CallDiagnosis {
  private readonly suggestions: Suggestions;
  private readonly rows: CallRows;
  private readonly clock = (): number => this.at ?? Date.now();

  /** `node` is the node of the SIP server where calls arrive, as host:port. Undefined if there is only one node. */
  constructor(
    private readonly sql: Reads,
    private readonly limits: LimitReader,
    product: Product,
    private readonly node: string | undefined,
    /** Where numbers without a country code are from. */
    private readonly home: Country | undefined,
    /** Charges the user for suggestions, in objects. Throws RateLimitedError. */
    spend: (objects: number) => void,
    /** The time of the calls, in milliseconds since the epoch; undefined for calls of now. */
    private readonly at?: number,
  ) {
    this.suggestions = new Suggestions(sql, spend);
    this.rows = new CallRows(sql, node, product, this.clock, at === undefined);
  }

  /** Explains a call between two ends, each in any spelling. Throws InvalidInputError if one of the texts is none. */
  async explain(from: string, to: string, sourceAddress: string | undefined): Promise<CallExplanation> {
    const given = callIn(from, to, sourceAddress);
    const { source } = given;
    const peer = source === undefined ? undefined : await this.rows.sourcePeer(source);
    const call = peer?.isDisabled === false && source !== undefined ? callFrom(source, given) : given;
    const host = call.to.host ?? call.from.host;
    const { user, number: shown, host: home } = call.from;
    const dialed = call.to.number;
    const [named, alias, callee, numbers, meant] = await Promise.all([
      home === undefined ? undefined : this.party(user, home),
      home === undefined || shown === user ? undefined : this.party(shown, home),
      host === undefined ? undefined : this.party(call.to.user, host),
      this.rows.numbersWith(digitsOf(dialed)),
      source === undefined || !CALLED.test(dialed) ? [] : this.rows.numbersMeant(dialed),
    ]);
    const isSent = peer && named && [named, alias ?? named].every((each) => isSender(peer, each, call));
    const sender = isSent === true ? { ...named, peerId: peer.peerId, bySource: peer } : named;
    const caller = peer?.isDisabled === true ? named : sender;
    const ways =
      caller === undefined ? NO_WAY : await this.rows.waysOut(caller.host, call.to, { ...caller, user: shown });
    // An emergency number comes before everything else, if the call is for the SIP server.
    const isHere =
      call.to.host === undefined ||
      this.isServer(call.to.host) ||
      (callee !== undefined && (isLocal(callee) || callee.host === caller?.host));
    const isEmergency = isHere && ways.by !== undefined && 'prefix' in ways.by && ways.by.isEmergency;
    // Also one of somebody who is disabled, from the sources of a disabled peer, or of a disabled domain.
    if (isEmergency && sender && isThere(sender))
      return withFirst(this.leaves(sender, ways, [knownStep(sender, source)], false));
    const found = await this.decide(call, { caller, alias, callee, numbers, meant, ways, isEmergency, peer });
    return withFirst(await this.applyLimits(found, chargedNumber(call.to)));
  }

  /**
   * The path of a call that its gateway sends to a number which rings, with what stops it at this moment: limits of calls, and the
   * gateways of outside numbers. It has a broken step if the SIP server would refuse the call.
   */
  async arriving(facts: Facts, path: readonly Step[]): Promise<readonly CallStep[]> {
    const outsides = facts.targets.flatMap(({ outside }) => outside ?? []);
    const found: Forwarding[] = [];
    for (const outside of outsides) found.push(await this.invitesOutside(facts, outside, undefined, NO_CALLER));
    const isCalled = found.some(({ attempts }) => attempts.length > 0);
    const addresses = [facts, ...facts.targets.flatMap(({ address }) => address ?? [])];
    const steps = path.flatMap((step): readonly CallStep[] => {
      const way = step.of === 'route' ? found.shift() : undefined;
      if (!way || step.state !== 'OK') return [step];
      return way.attempts.length === 0 ? way.steps : [...way.steps.filter(({ of }) => of === 'limit'), step];
    });
    if (!isCalled && !addresses.some(isRinging)) return steps;
    const rings = {
      outcome: 'RINGS',
      status: null,
      reason: null,
      steps: steps.map(markNotNeeded),
      attempts: [],
    } as const;
    return (await this.applyLimits(rings, '', { entry: facts.gatewayId, target: facts })).steps;
  }

  /** Without limits. */
  private async decide(
    call: Call,
    { caller, alias, callee, numbers, meant, ways, isEmergency, peer }: Known,
  ): Promise<CallExplanation> {
    const isUser = caller !== undefined && isThere(caller);
    const entry =
      isEmergency || call.source === undefined
        ? undefined
        : entryOf([...numbers, ...meant], call, call.source, isUser, peer);
    if (entry && call.source !== undefined) return this.fromOutside(call, call.source, entry, [caller, alias]);
    const accepted = await this.acceptCaller(
      isEmergency ? { ...call, source: undefined } : call,
      caller,
      [...numbers, ...meant],
      peer,
    );
    if ('outcome' in accepted) return accepted;
    const { steps, party } = accepted;
    const isWithoutDigest = caller !== undefined && 'bySource' in caller;
    // Without a host, a phone calls its own domain.
    const called = callee ?? party;
    const isAddressed = call.to.host !== undefined || called.isDisabled.domain;
    if (!isLocal(called) && isAddressed && !this.isServer(called.host))
      return refuse(403, isWithoutDigest ? 'Relaying denied' : 'Digest is for another server', [
        ...steps,
        {
          of: 'domain',
          state: called.isDisabled.domain ? 'DISABLED' : 'FORBIDDEN',
          summary: called.isDisabled.domain
            ? `domain ${called.host} is disabled: enable it to let calls to it ring`
            : `${called.host} is no domain: calls to other hosts are not forwarded`,
          address: called,
        },
      ]);
    if (isLocal(called) && called.domainId !== party.domainId) {
      const access = accessOf(called, call.source);
      steps.push(...access);
      if (access.some(isBroken)) return refuse(403, 'Forbidden', steps);
    }
    if (isThere(called)) return this.rings(called, party, steps, addressSteps(called));
    const [number, ...rivals] = findDialed(numbers, call.to.number);
    if (number && !number.isEnabled) return this.refuseClosed(number, 480, steps);
    if (number) return this.ringsNumber(number, rivals, call, party, steps);
    return this.outside(call, called, party, ways, steps);
  }

  /** The same, with the limits of calls of those for whom it counts, to the number that is dialed, if it is one. */
  private async applyLimits(
    found: CallExplanation,
    dialed: string,
    { entry, target }: CountedEnds = endsIn(found.steps),
  ): Promise<CallExplanation> {
    const { outcome, steps, attempts } = found;
    if (outcome !== 'RINGS' && outcome !== 'LEAVES') return found;
    const caller = steps.find(({ of }) => of === 'caller')?.address;
    const callee = target && target.agentId !== null ? target : undefined;
    const counted = {
      agentId: caller?.agentId ?? null,
      domainIds: [caller?.domainId, callee?.domainId].filter((id) => id !== null && id !== undefined),
      gatewayIds: outcome === 'LEAVES' ? attempts.flatMap(({ gatewayId }) => gatewayId ?? []) : [entry ?? []].flat(),
      dialed: outcome === 'LEAVES' ? dialed : '',
    };
    const limits = await limitsOf(this.limits, counted, this.at === undefined ? 'now' : 'then');
    // The SIP server counts a call before it looks who can be reached: if a limit is reached, nobody needs to be.
    const path = limits.refusal && outcome === 'RINGS' ? steps.map(markNotNeeded) : steps;
    const all = outcome === 'LEAVES' ? withLimits(path, limits.steps) : beforeLast(path, limits.steps);
    if (limits.refusal) return refuse(limits.refusal.status, limits.refusal.reason, all);
    if (attempts.length === 0) return refuse(480, 'Temporarily Unavailable', all);
    const isLeft = ({ gatewayId }: Attempt): boolean => gatewayId === null || !limits.full.has(gatewayId);
    const left = attempts.filter(isLeft);
    const isShort = outcome === 'LEAVES' && left.length < attempts.length;
    return { ...found, steps: all, attempts: isShort ? left.map((each, at) => ({ ...each, order: at + 1 })) : left };
  }

  /** A call that a provider sends. */
  private async fromOutside(
    call: Call,
    address: string,
    { entry, number }: Arrival,
    callers: readonly (Party | undefined)[],
  ): Promise<CallExplanation> {
    const steps: CallStep[] = [sourceStep(address, entry)];
    if (entry.by === 'disabled') return refuse(503, TAKES_NO_CALLS, steps);
    const status = refusalOf(number);
    if (status !== undefined) {
      const isSure = entry.by !== undefined;
      const closed = await this.refuseClosed(number, status, steps);
      return isSure ? closed : { ...closed, outcome: 'UNKNOWN', status: null, reason: null };
    }
    const agent = callers.find((caller) => typeof caller?.agentId === 'number' && isLocal(caller));
    if (agent || DELIMITER.test(call.from.text))
      return refuse(403, 'From is an agent', [
        ...steps,
        {
          of: 'caller',
          state: 'FORBIDDEN',
          summary: agent
            ? `From is agent ${agent.user}@${agent.host}, as whom a provider may not call`
            : `From has an escaped delimiter, and could be read as an agent`,
          address: agent ?? callers[0],
        },
      ]);
    const found = await this.ringsNumber(number, [], call, undefined, steps);
    return entry.by === undefined ? { ...found, outcome: 'UNKNOWN', status: null, reason: null } : found;
  }

  /** The agent or peer that calls, if the SIP server accepts its INVITE; otherwise, why it does not. */
  private async acceptCaller(
    call: Call,
    caller: Sender | undefined,
    numbers: readonly NumberRow[],
    peer: SourcePeer | undefined,
  ): Promise<{ readonly party: Party; readonly steps: CallStep[] } | CallExplanation> {
    const isUser = caller !== undefined && mayCall(caller);
    const access = caller && isLocal(caller) ? accessOf(caller, call.source) : [];
    if (access.some(isBroken)) return refuse(403, 'Forbidden', access);
    if (isUser) return { party: caller, steps: [knownStep(caller, call.source), ...access] };
    const challenged: CallStep[] = [...access];
    if (caller && isThere(caller)) challenged.push(callerStep(caller, undefined));
    else if (caller && (isLocal(caller) || call.source === undefined)) {
      const { user, domain } = await this.suggestions.forTarget(caller);
      challenged.push(callerStep(caller, user ?? domain));
    } else if (peer?.isDisabled === true && call.source !== undefined)
      challenged.push(disabledSourceStep(call.source, peer));
    else challenged.push(strangerStep(call.source, digitsOf(call.to.number), distinct(numbers)));
    const [number] = numbers;
    const rest = number === undefined ? [] : await this.factsOfNumber(number.rowId);
    return refuse(407, 'Proxy Authentication Required', [...challenged, ...rest.flatMap(numberSteps)]);
  }

  /** A call to a number that is disabled, or through a gateway that takes no calls. */
  private async refuseClosed(
    number: NumberRow,
    status: Refusal,
    before: readonly CallStep[],
  ): Promise<CallExplanation> {
    const [facts] = await this.factsOfNumber(number.rowId);
    if (!facts) return refuse(404, 'Not Found', before);
    const isOfGateway = status === 503;
    const steps = numberSteps(facts).filter(({ of }) =>
      of === 'number' ? !isOfGateway : of !== 'gateway' || isOfGateway,
    );
    return refuse(status, isOfGateway ? TAKES_NO_CALLS : DISABLED, [...before, ...steps]);
  }

  /** A call to the address of record of a number. `caller` is undefined for a call from outside. */
  private async ringsNumber(
    number: NumberRow,
    rivals: readonly NumberRow[],
    call: Call,
    caller: Party | undefined,
    steps: readonly CallStep[],
  ): Promise<CallExplanation> {
    const [stored] = await this.factsOfNumber(number.rowId);
    // The number was deleted meanwhile.
    if (!stored) return refuse(404, 'Not Found', steps);
    // Of a range, the number inside that was called.
    const facts = { ...stored, digits: number.digits };
    const others = numberSteps(facts).filter(({ of }) => of !== 'gateway');
    const isUncertain = rivals.some((rival) => !isSameDestination(rival, number));
    const called = others.map((step) => {
      if (step.of !== 'number') return step;
      const many = `${String(rivals.length + 1)} numbers have the digits ${facts.digits}`;
      if (isUncertain)
        return {
          ...step,
          state: 'AMBIGUOUS' as const,
          summary: `${many} and differ in destination: any may be called`,
        };
      return { ...step, state: 'OK' as const, summary: nameOfNumber(facts) };
    });
    const found = await (facts.targets.length === 0
      ? this.rings(facts, caller, steps, called)
      : this.ringsTargets(facts, caller, { user: call.from.number, form: number.form }, [...steps, ...called]));
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
    // Limits come first.
    if (broken?.of === 'contacts') return ends('RINGS', steps, []);
    if (broken?.state === 'DISABLED' && isThere(called)) return refuse(480, DISABLED, steps);
    if (broken) return refuse(404, 'Not Found', steps);
    return ends('RINGS', steps, await this.invitesTo(called, caller));
  }

  /** The INVITEs to the devices of an agent or a peer, or to the contactAddr of a peer without one. */
  private async invitesTo(called: AddressFacts, caller: Party | undefined): Promise<readonly Invite[]> {
    const own = caller && `<sip:${escapeUser(caller.user)}@${caller.host}>`;
    const from = own === undefined ? null : caller?.isPrivate === true ? ANONYMOUS : own;
    const sent = {
      gatewayId: null,
      numberId: null,
      health: null,
      share: null,
      lot: null,
      from,
      assertedIdentity: null,
      diversion: null,
    };
    const devices = await this.rows.devicesAt(called);
    if (devices.length > 0) return devices.map((device) => ({ ...sent, ...device }));
    const place = called.contactAddr ?? '';
    const isAddress = isIP(hostOf(place)) !== 0;
    const target = {
      requestUri: `sip:${escapeUser(called.user)}@${place}`,
      nextHop: isAddress ? `sip:${place}` : null,
    };
    return [{ ...sent, ...target, contact: null }];
  }

  /** A call to the targets of a number, as route[RINGS] makes it. Without attempts, none of them can ring. */
  private async ringsTargets(
    facts: Facts,
    caller: Party | undefined,
    from: Shown,
    before: readonly CallStep[],
  ): Promise<CallExplanation> {
    const reaches: Reach<Invite>[] = [];
    const outsides: (readonly CallStep[])[] = [];
    for (const { address = facts, outside, after } of [{ after: 0, outside: undefined }, ...facts.targets]) {
      if (outside === undefined) {
        reaches.push({
          after,
          isOutside: false,
          attempts: isRinging(address) ? await this.invitesTo(address, caller) : [],
        });
        continue;
      }
      const { attempts, steps: found } = await this.invitesOutside(facts, outside, caller, from);
      reaches.push({ after, isOutside: true, attempts });
      outsides.push(found);
    }
    // Each outside number has one step of a route.
    const steps = before.flatMap((step) => (step.of === 'route' ? (outsides.shift() ?? [step]) : [step]));
    const attempts = turnsOf(reaches);
    const isAnyCalled = attempts.length > 0;
    return {
      outcome: 'RINGS',
      status: null,
      reason: null,
      steps: isAnyCalled ? steps.map(markNotNeeded) : steps,
      attempts,
    };
  }

  /** The INVITEs to an outside number that is a target of a number, and the steps that say how the domain calls it. */
  private async invitesOutside(
    facts: Facts,
    outside: string,
    caller: Party | undefined,
    from: Shown,
  ): Promise<Forwarding> {
    const step = { of: 'route', address: facts } as const;
    const [own, ...back] = await Promise.all(
      [digitsOf(outside), ...(caller ? [] : digitsIn(from.user, from.form))].map((digits) =>
        this.rows.numbersWith(digits),
      ),
    );
    const isOwn = own !== undefined && own.length > 0;
    if (isOwn || back.flat().length > 0) {
      const which = isOwn ? outside : `the caller ${from.user}`;
      const summary = `${which} is a number of this server: the call would come back, and is not sent out`;
      return { attempts: [], steps: [{ ...step, state: 'FORBIDDEN', summary }] };
    }
    const diverting = telSign(facts.telUrl) + facts.digits;
    const out = await this.rows.waysOut(facts.host, { user: outside, number: outside }, NOBODY, diverting);
    const tried = triedOf(out.ways);
    const attempts = tried.flatMap((way) =>
      problemOf(way) === undefined
        ? [{ ...attemptOf(way, caller?.isPrivate === true), diversion: `<sip:${way.diverting}@${way.gatewayHost}>` }]
        : [],
    );
    const counted = {
      domainId: facts.domainId,
      isCounted: facts.agentId !== null || caller?.domainId === facts.domainId,
      gatewayIds: attempts.flatMap(({ gatewayId }) => gatewayId ?? []),
      dialed: dialedNumber(outside),
    };
    const limits = await forwardLimitsOf(this.limits, counted, this.at === undefined ? 'now' : 'then');
    const isLeft = ({ gatewayId }: Invite): boolean =>
      !limits.isPassed && (gatewayId === null || !limits.full.has(gatewayId));
    const problems = attempts.length > 0 ? [] : tried.map((way) => wayOutStep(way, problemOf(way)));
    return { attempts: attempts.filter(isLeft), steps: [...limits.steps, routeStep(facts, out), ...problems] };
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
    const isNumber = DIALED.test(call.to.number);
    const isSent = ways.ways.length > 0;
    const at = called.domainId === null ? '' : ` in domain ${called.host}`;
    const missing = `no agent or peer ${call.to.user}${at}`;
    const isUncallable = ways.by !== undefined && 'rule' in ways.by && !ways.by.isCallable;
    if (!isSent && !isNumber && !isUncallable) {
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
    const found = this.leaves(caller, ways, steps, isSips(call.to));
    const open = ways.ways.filter(({ closed }) => closed === undefined);
    if (found.outcome !== 'REFUSED' || open.length === 0) return found;
    // Minutes and, except for those of the gateways, calls are looked at before addresses.
    const limits = await limitsOf(
      this.limits,
      {
        agentId: caller.agentId,
        domainIds: caller.domainId === null ? [] : [caller.domainId],
        gatewayIds: open.map(({ gatewayId }) => gatewayId),
        dialed: chargedNumber(call.to),
      },
      this.at === undefined ? 'now' : 'then',
    );
    const { refusal } = limits;
    if (!refusal || (refusal.owner === 'Gateway' && !refusal.isOfMinutes)) return found;
    return refuse(refusal.status, refusal.reason, [...steps, routeStep(caller, ways), ...limits.steps]);
  }

  /** A call that leaves, if the caller's domain has a way out for it; with `isSecure`, only with TLS. */
  private leaves(caller: Party, out: WaysOut, before: readonly CallStep[], isSecure: boolean): CallExplanation {
    const { ways } = out;
    const steps = [...before, routeStep(caller, out)];
    if (ways.length === 0) return refuse(404, 'Not Found', steps);
    const attempts: Invite[] = [];
    const tried = triedOf(ways);
    const needsTls = ({ transport }: WayOut): boolean => isSecure && transport !== 'tls';
    for (const way of ways) {
      if (way.closed === undefined && !tried.includes(way)) continue;
      const problem = needsTls(way)
        ? `a SIPS URI is called with TLS only, and gateway ${way.gatewayName} uses ${way.transport}`
        : problemOf(way);
      steps.push(wayOutStep(way, problem));
      if (problem === undefined && way.closed === undefined) attempts.push(attemptOf(way, caller.isPrivate));
    }
    const isClosed = ways.every(({ closed }) => closed !== undefined);
    // A gateway whose minutes are used does not carry the call, and does not say why the others cannot.
    const isAble = (way: WayOut): boolean => !needsTls(way) && problemOf(way) === undefined;
    const unspent = tried.filter(({ isSpent }) => !isSpent);
    const isStuck = attempts.length === 0 || (unspent.length > 0 && !unspent.some(isAble));
    if (isStuck && unspent.some(needsTls)) return refuse(480, 'SIPS Requires TLS', steps);
    if (isStuck) return refuse(503, isClosed ? TAKES_NO_CALLS : 'Gateway has no address', steps);
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
    return factsOfAddress(this.sql, this.node, { user, host }, this.clock());
  }

  /** Whether a host is the SIP server itself. */
  private isServer(host: string): boolean {
    return this.node !== undefined && hostOf(this.node) === host.replace(/[[\]]/g, '');
  }

  private async factsOfNumber(rowId: number): Promise<readonly Facts[]> {
    const moment = { now: this.clock(), node: this.node };
    const { text, values } = factsOf(sql`SELECT n.id FROM numbers n WHERE n.id = ${rowId}`, undefined, moment);
    const found = (await this.sql.rows(text, values)).map((row) => toFacts(row, this.node));
    return withTargets(this.sql, found, moment);
  }
}

/** The user in From, and how the gateway from which the call comes writes numbers. */
interface Shown {
  readonly user: string;
  readonly form: NumberForm;
}

/** The INVITEs to an outside number that is a target, and the steps that say how the domain calls it. */
interface Forwarding {
  readonly attempts: readonly Invite[];
  readonly steps: readonly CallStep[];
}

/** The gateway from which a call comes, by row id, and whom it calls. */
interface CountedEnds {
  readonly entry: number | undefined;
  readonly target: AddressFacts | undefined;
}

function endsIn(steps: readonly CallStep[]): CountedEnds {
  const first = (kind: CallStep['of']): CallStep | undefined => steps.find(({ of }) => of === kind);
  return { entry: first('source')?.gatewayId, target: first('target')?.address };
}

/** A caller who shows no number. */
const NO_CALLER: Shown = { user: '', form: { plus: '+', country: null, trunk: null } };

/** What is known of the ends of a call. */
interface Known {
  readonly caller: Sender | undefined;
  /** Whom From names without the parameters of its user, if it has any. */
  readonly alias: Party | undefined;
  readonly callee: Party | undefined;
  readonly numbers: readonly NumberRow[];
  /** The numbers that the called one means in the formats of their gateways. */
  readonly meant: readonly NumberRow[];
  readonly ways: WaysOut;
  readonly isEmergency: boolean;
  /** The peer whose the source address is. */
  readonly peer: SourcePeer | undefined;
}

/** The number that a call from outside calls, and the gateway from which it comes. */
interface Arrival {
  readonly entry: Entry;
  readonly number: NumberRow;
}

/**
 * Finds the gateway from which a call comes, as route[DID] does: a gateway that is registered at the address comes before one
 * whose host has it, and that before one with that source; and a number as dialed comes before one after a leading 00. Of
 * several, the one with the longest source decides, and then the one that was created first. The
 * addresses of host names are not known, and are not considered for a user, whose phone has none of them.
 */
function entryOf(
  numbers: readonly NumberRow[],
  call: Call,
  address: string,
  isUser: boolean,
  peer: SourcePeer | undefined,
): Arrival | undefined {
  if (!CALLED.test(call.to.number)) return undefined;
  const digits = digitsOf(call.to.number);
  const ranked = numbers.map((number) => {
    const origin = originOf(number, address);
    // A source of a gateway does not count if a peer has a longer one.
    const by = peer && typeof origin === 'object' ? undefined : origin;
    const known = by === undefined ? 0 : by === 'registration' ? 5 : by === 'host' || by === 'disabled' ? 3 : 1;
    const exact = number.digits === digits ? 1 : 0;
    // What is disabled comes after all that is not.
    const bonus = exact + (refusalOf(number) === undefined ? 10 : 0);
    const rank = known && known + (by === 'disabled' ? exact : bonus);
    const maybe = (hosts: readonly string[], most: number): number =>
      !isUser && hosts.some((host) => isIP(hostOf(host)) === 0) ? most : 0;
    const open = maybe([number.gatewayHost, ...number.otherHosts], Math.max(known, 3) + bonus);
    return { number, by, rank, most: Math.max(rank, open, maybe(number.disabledHosts, 3 + exact)) };
  });
  const best = Math.max(0, ...ranked.map(({ rank }) => rank));
  const possible = ranked.find(({ rank, most }) => most > best && most > rank);
  const known = ranked.filter(({ rank }) => rank > 0 && rank === best);
  const shared = ({ by }: (typeof ranked)[number]): number => (typeof by === 'object' ? prefixLength(by.source) : 0);
  const [chosen = possible] = known.toSorted((one, other) => shared(other) - shared(one));
  if (!chosen) return undefined;
  const named = possible && (best === 0 || !isSameDestination(possible.number, chosen.number)) ? possible : undefined;
  const { gatewayId, gatewayName, gatewayHost } = (named ?? chosen).number;
  return {
    number: chosen.number,
    entry: { gatewayId, gatewayName, gatewayHost, by: named ? undefined : chosen.by },
  };
}

function originOf(number: NumberRow, address: string): Entry['by'] {
  const { registeredAt, gatewayHost, otherHosts, disabledHosts, sources } = number;
  if (registeredAt !== '' && isSameAddress(registeredAt, address)) return 'registration';
  const isAt = (host: string): boolean => isIP(hostOf(host)) !== 0 && isSameAddress(host, address);
  if ([gatewayHost, ...otherHosts].some(isAt)) return 'host';
  const [source] = longest(address, sources);
  if (source !== undefined) return { source };
  return disabledHosts.some(isAt) ? 'disabled' : undefined;
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
  if (!mayCall(caller) || bySource?.isDisabled === true) return disabledCallerStep(caller, bySource?.username);
  return bySource && source !== undefined ? peerSourceStep(caller, source, bySource) : callerStep(caller, undefined);
}

/** The number that a dialed number is, and others that the SIP server may choose instead, as in route[OWN_NUMBER]. */
function findDialed(numbers: readonly NumberRow[], user: string): readonly NumberRow[] {
  if (!DIALED.test(user)) return [];
  const written = digitsOf(user);
  const rank = ({ digits, isEnabled }: NumberRow): number => (digits === written ? 0 : 1) + (isEnabled ? 0 : 2);
  const [first, ...others] = numbers.toSorted(
    (a, b) => rank(a) - rank(b) || (a.gatewayRef < b.gatewayRef ? -1 : a.gatewayRef > b.gatewayRef ? 1 : 0),
  );
  if (!first) return [];
  const isSame = (other: NumberRow): boolean =>
    other.isEnabled === first.isEnabled && other.digits === first.digits && other.gatewayId === first.gatewayId;
  return [first, ...others.filter(isSame)];
}

function accessOf(party: Party, source: string | undefined): CallStep[] {
  const { accessList } = party;
  if (!accessList) return [];
  return [accessStep(party, source, source === undefined ? undefined : denialOf(source, accessList))];
}

function isSameDestination(a: NumberRow, b: NumberRow): boolean {
  return a.aorLink === b.aorLink && a.furtherTargets === b.furtherTargets;
}

function routeStep(caller: AddressFacts, { by, number, ways: [way] }: WaysOut): CallStep {
  const step = { of: 'route', address: caller } as const;
  const isDomain = caller.domainId !== null;
  if (!by) {
    const none = isDomain
      ? `${caller.host} has no route for this number and no egress policy`
      : `${caller.host} is no domain`;
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
  if (!by.isCallable)
    return {
      ...step,
      state: 'FORBIDDEN',
      summary: `${policy} does not send ${number} out: it is neither a number nor a name. Dial only digits, * and #, with a + before a country code and -.() between them`,
    };
  return way
    ? { ...step, state: 'OK', summary: `${policy} sends ${number} out, as ${way.telUrl}` }
    : { ...step, state: 'MISSING', summary: `${policy} does not send ${number} out: it does not match ${by.rule}` };
}

/**
 * Why no call can leave through a gateway. With TLS, it needs a connection whose certificate was verified, over which the
 * health is measured, too.
 */
function problemOf({ gatewayName, transport, health }: WayOut): string | undefined {
  if (transport === 'tls') return health === 'UP' ? undefined : `gateway ${gatewayName} is not connected with TLS`;
  return ['udp', 'tcp'].includes(transport)
    ? undefined
    : `gateway ${gatewayName} uses ${transport}, which the SIP server does not support`;
}

function attemptOf(way: WayOut, isPrivate: boolean): Invite {
  const { gatewayId, numberId, gatewayHost, port, transport, via, viaPort, fromDomain, health, share, lot } = way;
  const place = port === null ? gatewayHost : `${gatewayHost}:${String(port)}`;
  const hop = viaPort === 0 ? via : `${via}:${String(viaPort)}`;
  const own = `<sip:${way.shown}@${fromDomain === '' ? place : fromDomain}>`;
  return {
    gatewayId,
    numberId,
    health,
    share,
    lot,
    contact: null,
    requestUri: `sip:${escapeUser(way.called)}@${place};transport=${transport}`,
    nextHop: isIP(hostOf(via)) === 0 ? null : `sip:${hop};transport=${transport}`,
    from: isPrivate ? ANONYMOUS : own,
    assertedIdentity: isPrivate ? own : null,
    diversion: null,
  };
}

/** The ways that are tried. Those whose gateway has used its minutes are kept, because its limit is told. */
function triedOf(ways: readonly WayOut[]): readonly WayOut[] {
  const open = ways.filter(({ closed }) => closed === undefined);
  const most = open.filter(({ isSpent }) => !isSpent).slice(0, MAX_ATTEMPTS);
  return open.filter((way) => way.isSpent || most.includes(way));
}

/** The steps of a call that leaves: the limit of a gateway comes directly before its first attempt, and others before all gateways. */
function withLimits(path: readonly CallStep[], limits: readonly CallStep[]): readonly CallStep[] {
  const placeOf = ({ gatewayId }: CallStep): number =>
    path.findIndex(
      (step) =>
        step.of === 'gateway' && (gatewayId === undefined || (step.state === 'OK' && step.gatewayId === gatewayId)),
    );
  return path.flatMap((step, at) => [...limits.filter((limit) => placeOf(limit) === at), step]);
}

/** The steps of a call that rings: what becomes of it stays last. */
function beforeLast(path: readonly CallStep[], limits: readonly CallStep[]): readonly CallStep[] {
  return [...path.slice(0, -1), ...limits, ...path.slice(-1)];
}

function refuse(status: number, reason: string, steps: readonly CallStep[]): CallExplanation {
  return { outcome: 'REFUSED', status, reason, steps, attempts: [] };
}

/** A call that leaves tries one gateway after the other. The devices that ring are called at once. */
function ends(outcome: 'RINGS' | 'LEAVES', steps: readonly CallStep[], invites: readonly Invite[]): CallExplanation {
  const attempts = turnsOf([{ after: 0, isOutside: outcome === 'LEAVES', attempts: invites }]);
  return { outcome, status: null, reason: null, steps, attempts };
}

/** Marks the gateway that a call which leaves tries first, which is not the first step if the limits of others are reached. */
function withFirst(found: CallExplanation): CallExplanation {
  const [attempt] = found.attempts;
  if (found.outcome !== 'LEAVES' || !attempt) return found;
  const first = found.steps.find(
    ({ of, state, gatewayId }) => of === 'gateway' && state === 'OK' && gatewayId === attempt.gatewayId,
  );
  return { ...found, steps: found.steps.map((step) => (step === first ? { ...step, isFirst: true } : step)) };
}

/** The status with which a call from outside to a number is refused because of what is disabled. */
type Refusal = 480 | 503;

function refusalOf({ isEnabled, gatewayClosed }: NumberRow): Refusal | undefined {
  if (gatewayClosed !== undefined) return 503;
  return isEnabled ? undefined : 480;
}

/** Whether the SIP server is the registrar of the domain. */
function isLocal({ domainId, isDisabled }: AddressFacts): boolean {
  return domainId !== null && !isDisabled.domain;
}

/** Whether an agent or peer with this name can authenticate. */
function mayCall({ agentId, peerId, isDisabled }: AddressFacts): boolean {
  return (agentId !== null && !isDisabled.agent && !isDisabled.domain) || (peerId !== null && !isDisabled.peer);
}

function isThere({ agentId, peerId }: AddressFacts): boolean {
  return agentId !== null || peerId !== null;
}

/** Whether an address of record can be called. */
function isRinging(address: AddressFacts): boolean {
  return isThere(address) && !stepsOfAddress(address).some(isBroken);
}

/** A step of a call that rings, in which what is broken does not matter. */
function markNotNeeded(step: CallStep): CallStep {
  const isOpen = isBroken(step) && step.of !== 'number' && step.of !== 'source';
  return isOpen ? { ...step, state: 'NOT_NEEDED' } : step;
}

function addressSteps(address: AddressFacts): readonly CallStep[] {
  return stepsOfAddress(address).map((step) => ({ ...step, address }));
}

function numberSteps(facts: Facts): readonly CallStep[] {
  return stepsOf(facts).map((step) => ({ ...step, facts, address: step.address ?? facts, gatewayId: facts.gatewayId }));
}

/** One number of each gateway. */
function distinct(numbers: readonly NumberRow[]): readonly NumberRow[] {
  return [...new Map(numbers.map((number) => [number.gatewayId, number])).values()];
}

function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}

/** Escapes what the user of a SIP URI cannot contain (RFC 3261, 25.1). */
function escapeUser(user: string): string {
  return user.replace(/[^A-Za-z0-9\-_.!~*'()&=+$,;?/]/gu, (character) =>
    [...Buffer.from(character)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  );
}
