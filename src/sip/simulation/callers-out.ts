import { list, raw, sql, type Fragment } from '../../database/fragment';
import { batchesOf } from '../../database/batches';
import { pad, type Row, type Sql } from '../../database/sql';
import { isEnabled, takesCalls } from '../../model/enabled';
import { telDigits } from '../../model/format/tel-uri';
import { dialedNumber, isMatch, withoutSeparators } from '../diagnosis/calls/call-rows';
import {
  AGENT_TAKES_CALLS,
  agentsOf,
  egressOf,
  peersOf,
  routesOf,
  TABLES,
  TAKES_CALLS_OF_ROUTE,
} from '../kamailio/routing';
import {
  ATTEMPTS_OF_ROUTE,
  attemptOf,
  callsOf,
  COLUMNS_OF_ATTEMPT,
  attemptTexts,
  wholeTextsOf,
  type Attempt,
} from './attempts';
import { readPacedIds, readPaced } from './paced-rows';
import { isNumber, isOneOf, plannedRefs, type PlannedChange } from './planned-change';
import type { Shadow } from './shadowed-rules';
import type { WayOut, WayOutCaller, WayOutEffect } from './ways-out';

/** A changed agent or peer in a domain from which it calls. */
interface Caller extends WayOutCaller {
  readonly host: string;
  /** What decides how its calls leave. */
  readonly terms: Terms;
  /** Whether it or its domain is disabled, and it thus can call only the emergency numbers of its domain. */
  readonly isOff?: boolean;
}

/** The numbers that a caller shows, by the refs of their gateways. */
type Terms = ReadonlyMap<string, readonly string[]>;

interface HostWay {
  readonly way: Omit<WayOut, 'attempts'>;
  /** The kind and the ref of the route, or of the domain with the egress policy. */
  readonly rule: { readonly kind: 'Route' | 'Domain'; readonly ref: string; readonly policy: string | undefined };
  readonly attempts: readonly Attempt[];
}

/** Changed callers, and the ways out of their domains, before or after changes. */
export interface Callers {
  /** By user name and host, at which there is one caller. */
  readonly callers: ReadonlyMap<string, Caller>;
  /** By host, and by prefix; that of an egress policy is undefined. */
  readonly ways: ReadonlyMap<string, ReadonlyMap<string | undefined, HostWay>>;
  /** Of what there is more than is read. */
  readonly isCut: Readonly<Record<Caller['kind'] | 'ways', boolean>>;
  /** The callers whose name is an outside number. */
  readonly shadows: readonly Shadow[];
}

/** The ways out of callers that differ: all are counted, the first are listed. */
export interface CallerEffects {
  readonly effects: readonly WayOutEffect[];
  readonly count: number;
  readonly emergencyCount: number;
}

// Agents that are compared: as many as a change of many may change.
const MOST_AGENTS = 25_000;
// Peers that are compared, in as many domains: a peer calls from each.
const MOST_PEERS = 100;
// Domains in a statement, and the attempts that it reads.
const TOGETHER = 100;
const MOST_ATTEMPTS = 10_000;
/** The most effects that are listed. */
const MOST_LISTED = 2000;
// Callers whose name is looked for among the routes.
const MOST_SHADOWS = 2000;
// Ways out that are compared, or names that are looked for, between two turns of the event loop.
const TURN = 250;
// Numbers of a peer that a text has.
const SHOWN = 5;

/**
 * Reads the changed agents and peers, those that show a changed number, and the ways out of their domains. Takes a fixed number of
 * statements, and one for each hundred of their domains.
 */
export async function affectedCallers(
  reads: Sql,
  changes: readonly PlannedChange[],
  pace: () => Promise<void>,
): Promise<Callers> {
  const numbers = plannedRefs(
    changes.filter(({ values }) => values.has('telUrl') || values.has('gatewayRef')),
    'DID',
    'Number',
  );
  const agents = await changedAgents(reads, plannedRefs(changes, 'Agent'), numbers, pace);
  const peers = await changedPeers(reads, plannedRefs(changes, 'Peer'), numbers, pace);
  const rows = [...agents.callers, ...peers.callers];
  const callers = new Map(rows.map((each) => [`${each.user}@${each.host}`, each]));
  const found = await waysOfHosts(reads, [...new Set(rows.map(({ host }) => host))], pace);
  return {
    callers,
    ways: found.ways,
    isCut: { Agent: agents.isCut, Peer: peers.isCut, ways: found.isCut },
    shadows: await shadowsOf(reads, [...callers.values()], found.ways, pace),
  };
}

/**
 * Compares how the calls of changed callers leave. What differs for all callers of a domain is left to `wayOutEffects`. `pace` is
 * awaited between them.
 */
export async function callerEffects(
  before: Callers,
  after: Callers,
  pace: () => Promise<void>,
): Promise<CallerEffects> {
  const known = new Map<string, CallerEffects>();
  const effects: WayOutEffect[] = [];
  let [count, emergencyCount, compared] = [0, 0, 0];
  for (const key of new Set([...before.callers.keys(), ...after.callers.keys()])) {
    const [was, becomes] = [before.callers.get(key), after.callers.get(key)];
    const caller = becomes ?? was;
    // Nothing is known about a caller that is missing where there are more than are read.
    if (!caller || (!was && before.isCut[caller.kind]) || (!becomes && after.isCut[caller.kind])) continue;
    const [from, to] = [textOf(was), textOf(becomes)];
    if (from === to) continue;
    const sort = JSON.stringify([caller.host, from, to, caller.kind]);
    let found = known.get(sort);
    if (!found) {
      const own = effectsOf(before, after, { was, becomes, host: caller.host });
      const urgent = own.filter(({ way }) => way.isEmergency).length;
      // What is not listed needs no memory.
      found = { effects: effects.length < MOST_LISTED ? own : [], count: own.length, emergencyCount: urgent };
      known.set(sort, found);
      compared += 1 + (before.ways.get(caller.host)?.size ?? 0) + (after.ways.get(caller.host)?.size ?? 0);
    }
    count += found.count;
    emergencyCount += found.emergencyCount;
    if (effects.length < MOST_LISTED) {
      const { kind, ref, user } = caller;
      for (const each of found.effects) effects.push({ ...each, way: { ...each.way, caller: { kind, ref, user } } });
    }
    if (compared < TURN) continue;
    compared = 0;
    await pace();
  }
  const sorted = effects.toSorted((a, b) => Number(b.way.isEmergency) - Number(a.way.isEmergency));
  return { effects: sorted.slice(0, MOST_LISTED), count, emergencyCount };
}

function textOf(caller: Caller | undefined): string {
  return JSON.stringify(caller ? [caller.kind, caller.isOff === true, ...caller.terms] : null);
}

function effectsOf(
  before: Callers,
  after: Callers,
  given: { readonly was: Caller | undefined; readonly becomes: Caller | undefined; readonly host: string },
): readonly WayOutEffect[] {
  const { was, becomes, host } = given;
  const [had, has] = [before.ways.get(host), after.ways.get(host)];
  return [...new Set([...(had?.keys() ?? []), ...(has?.keys() ?? [])])].flatMap((prefix): readonly WayOutEffect[] => {
    const [one, other] = [had?.get(prefix), has?.get(prefix)];
    const way = (one ?? other)?.way;
    if (!way || (!one && before.isCut.ways) || (!other && after.isCut.ways)) return [];
    const [shown, shows] = [attemptsOf(one, was), attemptsOf(other, becomes)];
    if (callsOf(shown) === callsOf(shows)) return [];
    const [first, last] = [shortenTexts(shown, shows), shortenTexts(shows, shown)];
    const texts = { before: first && attemptTexts(first, last), after: last && attemptTexts(last, first) };
    const whole = { before: first && wholeTextsOf(first), after: last && wholeTextsOf(last) };
    return [{ way: { ...way, attempts: last ?? [] }, ...texts, whole }];
  });
}

/** An attempt, with the numbers of a peer that are shown in it. */
interface Shown extends Attempt {
  readonly own?: readonly string[];
}

/** The attempts of a way with the numbers that a caller shows; undefined if it cannot call there, or if there is no such way. */
function attemptsOf(way: HostWay | undefined, caller: Caller | undefined): readonly Shown[] | undefined {
  if (!way || !caller || (caller.isOff === true && !way.way.isEmergency)) return undefined;
  return way.attempts.map((attempt) => {
    const own = caller.terms.get(attempt.gatewayRef) ?? [];
    // An emergency call shows the number of its route.
    if (own.length === 0 || way.way.isEmergency) return attempt;
    return caller.kind === 'Agent' ? { ...attempt, telUrl: String(own[0]) } : { ...attempt, own };
  });
}

/**
 * Attempts with texts of a few numbers: a peer shows the one of its numbers from which it calls, or else that of the route. First
 * those that the attempt at the same gateway on the other side does not show.
 */
function shortenTexts(
  attempts: readonly Shown[] | undefined,
  others: readonly Shown[] | undefined,
): readonly Attempt[] | undefined {
  return attempts?.map(({ own, ...attempt }) => {
    if (!own) return attempt;
    const known = new Set(
      others?.filter(({ gatewayRef }) => gatewayRef === attempt.gatewayRef).flatMap((each) => each.own ?? []),
    );
    const sorted = own.toSorted((a, b) => Number(known.has(a)) - Number(known.has(b)));
    const more = own.length - SHOWN;
    const few = `${sorted.slice(0, SHOWN).join(' or ')}${more > 0 ? ` or ${String(more)} others` : ''}`;
    return { ...attempt, telUrl: `${few}, or else ${attempt.telUrl}` };
  });
}

interface Found {
  readonly callers: readonly Caller[];
  readonly isCut: boolean;
}

async function changedAgents(
  reads: Sql,
  refs: readonly string[],
  numbers: readonly string[],
  pace: () => Promise<void>,
): Promise<Found> {
  const selects = [
    ...isOneOf('a.ref', refs).map((one) => sql`SELECT a.id FROM agents a WHERE ${one} ORDER BY a.id`),
    ...isNumber('k', numbers).map(
      (one) => sql`SELECT a.id FROM numbers k JOIN agents a ON a.caller_number_id = k.id WHERE ${one} ORDER BY a.id`,
    ),
  ];
  const ids = await readPacedIds(reads, selects, MOST_AGENTS, pace);
  const rows = await readPaced(
    reads,
    isOneOf('a.id', ids).map(
      (one) => sql`SELECT w.domain_uri, w.username, w.ref, w.is_open, k.tel_url, kg.ref FROM (
        SELECT d.domain_uri, a.username, a.ref, a.id, a.caller_number_id,
          CASE WHEN ${raw(AGENT_TAKES_CALLS)} THEN 1 ELSE 0 END AS is_open FROM ${raw(agentsOf(TABLES))} AND ${one}) w
        LEFT JOIN numbers k ON k.id = w.caller_number_id LEFT JOIN gateways kg ON kg.id = k.gateway_id
        ORDER BY w.id LIMIT ${MOST_AGENTS}`,
    ),
    pace,
  );
  const callers = rows.map(([host, user, ref, isOpen, telUrl, gateway]): Caller => ({
    ...{ kind: 'Agent', ref: String(ref), user: String(user), host: String(host) },
    terms: new Map(gateway === null ? [] : [[String(gateway), [String(telUrl)]]]),
    isOff: Number(isOpen) !== 1,
  }));
  return { callers: callers.slice(0, MOST_AGENTS), isCut: ids.length === MOST_AGENTS || callers.length >= MOST_AGENTS };
}

async function changedPeers(
  reads: Sql,
  refs: readonly string[],
  numbers: readonly string[],
  pace: () => Promise<void>,
): Promise<Found> {
  const selects = [
    ...isOneOf('p.ref', refs).map((one) => sql`SELECT p.id FROM peers p WHERE ${one} ORDER BY p.id`),
    ...isNumber('k', numbers).map(
      (one) => sql`SELECT DISTINCT m.peer_id FROM numbers k JOIN peer_numbers m ON m.number_id = k.id WHERE ${one}`,
    ),
  ];
  const ids = await readPacedIds(reads, selects, MOST_PEERS, pace);
  if (ids.length === 0) return { callers: [], isCut: false };
  const [own] = isOneOf('p.id', ids);
  const rows = await readPaced(
    reads,
    [
      sql`SELECT w.id, w.ref, w.username, w.is_open, k.tel_url, kg.ref FROM (SELECT p.id, p.ref, p.username,
        CASE WHEN ${raw(isEnabled('p'))} THEN 1 ELSE 0 END AS is_open FROM ${raw(peersOf(TABLES))} AND ${own ?? raw('FALSE')}) w
        LEFT JOIN peer_numbers m ON m.peer_id = w.id LEFT JOIN numbers k ON k.id = m.number_id
        LEFT JOIN gateways kg ON kg.id = k.gateway_id ORDER BY w.id, k.id LIMIT ${MOST_ATTEMPTS}`,
    ],
    pace,
  );
  const hosts = await reads.rows('SELECT domain_uri FROM domains ORDER BY id LIMIT ?', [MOST_PEERS]);
  const peers = new Map<string, Omit<Caller, 'host'>>();
  for (const [, ref, user, isOpen, telUrl, gateway] of rows) {
    const terms = new Map(peers.get(String(ref))?.terms ?? []);
    if (gateway !== null) terms.set(String(gateway), [...(terms.get(String(gateway)) ?? []), String(telUrl)]);
    const peer = { kind: 'Peer', ref: String(ref), user: String(user) } as const;
    peers.set(peer.ref, { ...peer, terms, isOff: Number(isOpen) !== 1 });
  }
  const callers = [...peers.values()].flatMap((peer) => hosts.map(([host]) => ({ ...peer, host: String(host) })));
  return { callers, isCut: [ids, hosts].some(({ length }) => length === MOST_PEERS) || rows.length === MOST_ATTEMPTS };
}

/** Reads the ways out of domains, as `affectedWays` does for those that changes affect. */
async function waysOfHosts(
  reads: Sql,
  hosts: readonly string[],
  pace: () => Promise<void>,
): Promise<Pick<Callers, 'ways'> & { readonly isCut: boolean }> {
  const ways = new Map<string, Map<string | undefined, HostWay>>();
  let isCut = false;
  for (const some of batchesOf(hosts, TOGETHER)) {
    const among = sql`d.domain_uri IN (${list(pad(some, some[0] ?? ''))})`;
    for (const statement of waysAmong(among)) {
      const rows = await reads.rows(statement.text, statement.values);
      isCut ||= rows.length === MOST_ATTEMPTS;
      for (const row of rows) add(ways, row);
      await pace();
    }
  }
  return { ways, isCut };
}

function waysAmong(among: Fragment): readonly Fragment[] {
  return [
    sql`SELECT d.domain_uri, r.prefix, COALESCE(r.emergency, FALSE), CASE WHEN ${raw(TAKES_CALLS_OF_ROUTE)} THEN 1 ELSE 0 END, NULL,
      r.ref, ${raw(ATTEMPTS_OF_ROUTE.columns)} FROM ${raw(routesOf(TABLES))} ${raw(ATTEMPTS_OF_ROUTE.joins)}
      WHERE ${among} ORDER BY ${raw(ATTEMPTS_OF_ROUTE.order)} LIMIT ${MOST_ATTEMPTS}`,
    sql`SELECT d.domain_uri, NULL, 0, CASE WHEN ${raw(takesCalls('g'))} THEN 1 ELSE 0 END, d.egress_policy_rule, d.ref,
      ${raw(COLUMNS_OF_ATTEMPT)} FROM ${raw(egressOf(TABLES))} WHERE ${among} AND ${raw(isEnabled('d'))} ORDER BY d.id LIMIT ${MOST_ATTEMPTS}`,
  ];
}

function add(ways: Map<string, Map<string | undefined, HostWay>>, row: Row): void {
  const [given, first, emergency, isOpen, policy = null, ref, ...columns] = row;
  const [host, prefix] = [String(given), first === null ? undefined : String(first)];
  const own = ways.get(host) ?? new Map<string | undefined, HostWay>();
  const attempts = own.get(prefix)?.attempts ?? [];
  const isEmergency = Number(emergency) === 1;
  const attempt = attemptOf(columns, policy, isEmergency);
  own.set(prefix, {
    way: { host, prefix, isEmergency },
    rule: {
      kind: prefix === undefined ? 'Domain' : 'Route',
      ref: String(ref),
      policy: policy === null ? undefined : String(policy),
    },
    attempts: Number(isOpen) === 1 ? [...attempts, attempt] : attempts,
  });
  ways.set(host, own);
}

/** The routes and policies that lose the calls to an outside number, because an agent or a peer has it as its name. */
async function shadowsOf(
  reads: Sql,
  callers: readonly Caller[],
  ways: Callers['ways'],
  pace: () => Promise<void>,
): Promise<readonly Shadow[]> {
  const first: (Shadow & { readonly digits: string })[] = [];
  for (const [index, { kind, ref, user, host }] of callers.entries()) {
    if (index % TURN === TURN - 1) await pace();
    const dialed = dialedNumber(user);
    const rule = dialed === '' ? undefined : ruleFor(ways.get(host), dialed, withoutSeparators(user));
    if (!rule) continue;
    const by = { kind, ref, text: `${user}@${host}` };
    first.push({ rule, by, isWhole: false, digits: telDigits(`tel:${dialed}`) });
    if (first.length === MOST_SHADOWS) break;
  }
  if (first.length === 0) return [];
  // The calls to a number of this server do not leave.
  const { text, values } =
    sql`SELECT n.tel_digits FROM numbers n WHERE n.tel_digits IN (${list(pad([...new Set(first.map(({ digits }) => digits))], 'none'))})`;
  const own = new Set((await reads.rows(text, values)).map(([digits]) => String(digits)));
  return first.filter(({ digits }) => !own.has(digits)).map(({ digits: _digits, ...shadow }) => shadow);
}

function ruleFor(
  ways: ReadonlyMap<string | undefined, HostWay> | undefined,
  dialed: string,
  called: string,
): Shadow['rule'] | undefined {
  // An emergency number comes before all names.
  if (!ways || ways.get(dialed)?.way.isEmergency === true) return undefined;
  for (let length = dialed.length; length >= 0; length--) {
    const route = ways.get(dialed.slice(0, length));
    if (!route || route.way.isEmergency) continue;
    const { way, rule } = route;
    return { kind: rule.kind, ref: rule.ref, text: `${way.host} ${JSON.stringify(way.prefix)}` };
  }
  const policy = ways.get(undefined);
  if (!policy || !isMatch(policy.rule.policy ?? '', called)) return undefined;
  return { kind: policy.rule.kind, ref: policy.rule.ref, text: `${policy.way.host} egress policy` };
}
