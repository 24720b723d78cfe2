import type { Database } from '../../database/database';
import { list, raw, sql, useIndex } from '../../database/fragment';
import { pad, type Reads, type Sql } from '../../database/sql';
import { InvalidInputError } from '../../errors';
import { endOfTurn } from '../../limits/event-loop';
import { takesCalls } from '../../model/enabled';
import { telDigits } from '../../model/format/tel-uri';
import { placeOf } from '../../model/gateway-health';
import { CALL_STATES, type CallState } from '../../sip/calls/call';
import type { Facts } from '../../sip/diagnosis/facts';
import { NumberDiagnosis } from '../../sip/diagnosis/number-diagnosis';
import { isTrunkUp, IS_TRUNK, trunks, trunkState, type TrunkState } from '../../sip/live/trunk-reader';
import { REGISTERS } from '../../sip/live/registration-reader';
import { rowsWith } from '../../sip/simulation/holders';
import { networksLost, sourcesOfGateway } from '../../sip/simulation/lost-sources';
import { isOneOf, plannedRefs, plannedTexts } from '../../sip/simulation/planned-change';
import type { Rehearsal } from '../../sip/simulation/simulation';

/** The figures from which on changes are reverted. A limit that is absent does not apply. */
export interface Limits {
  readonly numbersStopped?: number;
  readonly gatewaysLost?: number;
  readonly failedCallsPercent?: number;
  /** The calls that must have been answered or have failed before `failedCallsPercent` counts. */
  readonly minCalls?: number;
}

/** What is measured after changes. */
export interface Figures {
  /** Numbers that rang before the changes, and do not ring now, or not for calls from some networks of the provider. */
  readonly numbersStopped: number;
  /** Gateways that were up or registered before the changes, and are down, not registered, disabled, draining or deleted now. */
  readonly gatewaysLost: number;
  /** Calls that began after the changes, and were answered or failed. */
  readonly newCalls: number;
  readonly failedCalls: number;
}

/** What rang and was up before changes: row ids. */
export interface Watched {
  readonly numbers: readonly number[];
  readonly gateways: readonly number[];
  /**
   * The digits by which each of the numbers is called, those of both ends of a range: they ring if any row has their calls. Empty if
   * its row is watched. Undefined as an earlier version stored it.
   */
  readonly digits?: readonly (readonly string[])[];
  /** Those of the gateways that registered at their providers. Undefined as an earlier version stored it. */
  readonly registering?: readonly number[];
  /** Networks from which calls of gateways are not accepted any more, by the refs of the gateways. */
  readonly sources?: Readonly<Record<string, readonly string[]>>;
}

/** What rang and was up before the first part of changes, and what did before another part: at most as many as one part has. */
export function join(first: Watched, other: Watched): Watched {
  const known = new Set(first.numbers);
  const digitsOf = ({ numbers, digits = [] }: Watched) =>
    numbers.map((id, index) => ({ id, digits: digits[index] ?? [] }));
  const numbers = [...digitsOf(first), ...digitsOf(other).filter(({ id }) => !known.has(id))].slice(0, MOST_WATCHED);
  return {
    numbers: numbers.map(({ id }) => id),
    digits: numbers.map(({ digits }) => digits),
    gateways: [...new Set([...first.gateways, ...other.gateways])].slice(0, MOST_WATCHED),
    registering: [...new Set([...(first.registering ?? []), ...(other.registering ?? [])])],
    sources: { ...other.sources, ...first.sources },
  };
}

/** The default of `minCalls`. */
export const MIN_CALLS = 20;
/** Maximum number of numbers, and of gateways, that are watched for a set of changes. */
const MOST_WATCHED = 1000;
// Gateways whose lost networks are watched.
const MOST_SOURCES = 100;
// The newest calls, of which the share of those that failed is computed.
const MOST_CALLS = 5000;
const MOST_COUNT = 100_000;

/** Checks limits as a caller sends them, where null stands for absent. Throws InvalidInputError. */
export function limitsOf(given: { readonly [Name in keyof Limits]?: number | null }): Limits {
  const most: Readonly<Record<keyof Limits, number>> = {
    numbersStopped: MOST_COUNT,
    gatewaysLost: MOST_COUNT,
    failedCallsPercent: 100,
    minCalls: MOST_CALLS,
  };
  const names = Object.keys(most) as (keyof Limits)[];
  const found: { -readonly [Name in keyof Limits]: number } = {};
  for (const name of names) {
    const value = given[name];
    if (value === undefined || value === null) continue;
    if (!(value >= 1 && value <= most[name]) || (name !== 'failedCallsPercent' && !Number.isInteger(value)))
      throw InvalidInputError.of(
        `revertIf.${name}`,
        `${String(value)} is not a number from 1 to ${String(most[name])}`,
      );
    found[name] = value;
  }
  if (found.minCalls !== undefined && found.failedCallsPercent === undefined)
    throw InvalidInputError.of('revertIf.minCalls', 'applies to failedCallsPercent only, which is missing');
  return found;
}

/** Says which limit the figures have reached, and with which figure; undefined if none. */
export function crossedLimit(
  limits: Limits,
  { numbersStopped, gatewaysLost, newCalls, failedCalls }: Figures,
): string | undefined {
  const hasReached = (limit: number | undefined, figure: number): boolean => limit !== undefined && figure >= limit;
  if (hasReached(limits.numbersStopped, numbersStopped))
    return `${countOf(numbersStopped, 'number')} stopped ringing, limit ${String(limits.numbersStopped)}`;
  if (hasReached(limits.gatewaysLost, gatewaysLost))
    return `${countOf(gatewaysLost, 'gateway')} went down, limit ${String(limits.gatewaysLost)}`;
  const percent = newCalls === 0 ? 0 : (100 * failedCalls) / newCalls;
  if (newCalls >= (limits.minCalls ?? MIN_CALLS) && hasReached(limits.failedCallsPercent, percent))
    return `${String(Math.floor(percent))} % of ${String(newCalls)} new calls failed, limit ${String(limits.failedCallsPercent)} %`;
  return undefined;
}

function countOf(count: number, noun: string): string {
  return `${String(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Says a time in the largest unit that gives a whole number, such as `10 minutes`. */
export function saidTime(seconds: number): string {
  for (const [unit, size] of [
    ['hour', 3600],
    ['minute', 60],
  ] as const)
    if (seconds % size === 0) return countOf(seconds / size, unit);
  return countOf(seconds, 'second');
}

/**
 * What is watched for planned changes: the numbers that the changes may affect and that ring, and the gateways that are up, those that
 * change first. Reads within the transaction of the changes, before them.
 */
export async function watchedBy(transaction: Sql, { changes, before, simulated }: Rehearsal): Promise<Watched> {
  const ringing = [...before].flatMap(([id, { state }]) => (state === 'REACHABLE' ? [id] : []));
  const ids = new Set<number>();
  for (const isChanged of isOneOf('ref', plannedRefs(changes, 'Gateway'))) {
    const { text, values } = sql`SELECT id FROM gateways WHERE ${isChanged}`;
    for (const [id] of await transaction.rows(text, values)) ids.add(Number(id));
  }
  for (const [id] of await transaction.rows('SELECT id FROM gateways ORDER BY id LIMIT ?', [MOST_WATCHED]))
    ids.add(Number(id));
  const states = await statesOf(transaction, [...ids].slice(0, MOST_WATCHED));
  const up = [...states].filter(([, { state, isClosed }]) => !isClosed && state !== null && isTrunkUp(state));
  const numbers = ringing.slice(0, MOST_WATCHED);
  const ends = numbers.map((id) => endsOf(before.get(id)));
  const holders = await rowsWith(transaction, ends.flat());
  const rang = new Set(ringing);
  // The first number of a range may have a row of its own, which does not ring.
  const digits = ends.map((own) => own.filter((each) => rang.has(holders.get(each) ?? 0)));
  const ofSources = changes.filter(({ kind, values }) => kind === 'Gateway' && values.has('sources'));
  const lost = simulated.lost.flatMap(({ kind, ref, sources = [] }) => {
    if (kind !== 'Gateway' || sources.length === 0) return [];
    // A gateway that moves is not lost: only networks that were in its `sources` are.
    const own = new Set(
      plannedTexts(
        ofSources.filter((each) => each.ref === ref),
        'sources',
        'Gateway',
      ),
    );
    const networks = sources.filter((each) => own.has(each));
    return networks.length > 0 ? [[ref, networks] as const] : [];
  });
  return {
    ...{ numbers, digits, gateways: up.map(([id]) => id) },
    registering: up.flatMap(([id, { registers }]) => (registers ? [id] : [])),
    ...(lost.length > 0 && { sources: Object.fromEntries(lost.slice(0, MOST_SOURCES)) }),
  };
}

/** The digits of a number, or of both ends of a range. */
function endsOf(facts: Facts | undefined): readonly string[] {
  if (!facts || facts.digits === '') return [];
  const { digits, lastTelUrl } = facts;
  return lastTelUrl === null ? [digits] : [digits, telDigits(lastTelUrl)];
}

/** What is known of a gateway. */
interface GatewayState {
  /** Null or UNKNOWN if it is not known whether it is up. */
  readonly state: TrunkState | null;
  readonly registers: boolean;
  /** Whether it is disabled or draining. */
  readonly isClosed: boolean;
}

/** The states of gateways by row id. Deleted ones are missing. */
async function statesOf(reads: Sql, ids: readonly number[]): Promise<ReadonlyMap<number, GatewayState>> {
  if (ids.length === 0) return new Map();
  const { text, values } = sql`SELECT g.id, CASE WHEN ${raw(IS_TRUNK)} THEN ${trunkState()} ELSE 'UNKNOWN' END,
    CASE WHEN ${raw(REGISTERS)} THEN 1 ELSE 0 END, CASE WHEN ${raw(takesCalls('g'))} THEN 0 ELSE 1 END
    FROM ${trunks()} WHERE g.id IN (${list(pad(ids, 0))})`;
  return new Map(
    (await reads.rows(text, values)).map(([id, state, registers, isClosed]) => [
      Number(id),
      // trunkState returns no others.
      { state: state as TrunkState | null, registers: Number(registers) === 1, isClosed: Number(isClosed) === 1 },
    ]),
  );
}

/** Those of the numbers whose gateways still do not accept calls from networks that they lost. */
async function numbersWithoutSources(
  reads: Reads,
  numbers: readonly number[],
  lost: Readonly<Record<string, readonly string[]>>,
): Promise<ReadonlySet<number>> {
  const refs = Object.keys(lost);
  if (refs.length === 0 || numbers.length === 0) return new Set();
  const gateways = sql`SELECT g.ref, ${raw(placeOf('g').host)}, g.destinations, g.sources FROM gateways g WHERE g.ref IN (${list(pad(refs, ''))})`;
  const without: string[] = [];
  for (const [ref, ...columns] of await reads.rows(gateways.text, gateways.values)) {
    if (networksLost(lost[String(ref)] ?? [], sourcesOfGateway(columns)).length > 0) without.push(String(ref));
    await endOfTurn();
  }
  if (without.length === 0) return new Set();
  const { text, values } = sql`SELECT n.id FROM numbers n JOIN gateways g ON g.id = n.gateway_id
    WHERE n.id IN (${list(pad(numbers, 0))}) AND g.ref IN (${list(pad(without, ''))})`;
  return new Set((await reads.rows(text, values)).map(([id]) => Number(id)));
}

/** Measures what has become of what was watched, and of the calls since the changes. Takes a fixed number of statements. */
export async function measure(
  { product }: Pick<Database, 'product'>,
  reads: Reads,
  node: string | undefined,
  { numbers, gateways, digits, registering = [], sources = {} }: Watched,
  since: number,
): Promise<Figures> {
  const diagnosis = new NumberDiagnosis(reads, node, undefined, () => undefined);
  const holders = await rowsWith(reads, digits?.flat() ?? []);
  const verdicts = await diagnosis.verdicts([...new Set([...numbers, ...holders.values()])]);
  const isRinging = (id: number | undefined): boolean => verdicts.get(id ?? 0)?.state === 'REACHABLE';
  const rings = (id: number, own: readonly string[] = []): boolean =>
    own.length === 0 ? isRinging(id) : own.every((each) => isRinging(holders.get(each)));
  const states = await statesOf(reads, gateways);
  const registered = new Set(registering);
  const isLost = (id: number): boolean => {
    const found = states.get(id);
    if (!found || found.isClosed || (registered.has(id) && !found.registers)) return true;
    // Of a gateway that got another address, nothing is known at first.
    return found.state !== null && found.state !== 'UNKNOWN' && !isTrunkUp(found.state);
  };
  const unheard = await numbersWithoutSources(reads, numbers, sources);
  const ends = CALL_ENDS.map((state) => CALL_STATES.indexOf(state) + 1);
  const { text, values } = sql`SELECT state, COUNT(*) FROM (SELECT state FROM calls ${useIndex(product, 'calls_begun')}
    WHERE begun >= ${since} AND state IN (${list(ends)}) ORDER BY begun DESC LIMIT ${MOST_CALLS}) c GROUP BY state`;
  const calls = new Map((await reads.rows(text, values)).map(([state, many]) => [Number(state), Number(many)]));
  return {
    numbersStopped: numbers.filter((id, place) => unheard.has(id) || !rings(id, digits?.[place])).length,
    gatewaysLost: gateways.filter(isLost).length,
    newCalls: [...calls.values()].reduce((sum, many) => sum + many, 0),
    failedCalls: calls.get(CALL_STATES.indexOf('FAILED') + 1) ?? 0,
  };
}

// The states of calls that were answered or failed.
const CALL_ENDS: readonly CallState[] = ['ANSWERED', 'ENDED', 'FAILED'];
