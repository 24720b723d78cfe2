import type { OwnTransaction } from '../../database/sql';
import type { Model } from '../../model/model';
import { stoppedFirst, type Effect, type NumberEffect } from '../../sip/simulation/number-effects';
import type { LostWay } from '../../sip/simulation/lost-ways';
import type { Shadow } from '../../sip/simulation/shadowed-rules';
import type { Simulated } from '../../sip/simulation/simulation';
import type { WayOutEffect } from '../../sip/simulation/ways-out';
import { CommandError, count } from '../answer';
import type { Databases } from '../databases';
import { printable } from '../table';
import { elseOf, routeAll, type Routed, type RoutingTest } from './routing-tests';

/** The exit code of `plan` and `apply` if a routing test fails. */
export const TESTS_FAILED = 4;

/** What a plan would do, as a transaction that was rolled back has shown. */
export interface Trial {
  readonly simulated: Simulated;
  readonly routed: readonly Routed[];
}

/** Explains the calls of routing tests as a transaction sees the data. */
export function routeWithin(
  transaction: OwnTransaction,
  databases: Databases,
  model: Model,
  tests: readonly RoutingTest[],
): Promise<readonly Routed[]> {
  return routeAll(databases.explainingWithin(transaction), model, tests);
}

/** Throws CommandError, which ends `apply`, if a routing test fails. */
export function assertPassed(routed: readonly Routed[]): void {
  const failed = failedOf(routed);
  if (failed.length === 0) return;
  throw new CommandError(
    `${String(failed.length)} of ${count(routed.length, 'test')} failed; nothing was changed`,
    failed.map(failureOf),
    TESTS_FAILED,
  );
}

/** The tests that failed. */
export function failedOf(routed: readonly Routed[]): readonly Routed[] {
  return routed.filter(({ difference }) => difference !== undefined);
}

/** A line for each test that failed, and one that counts them; nothing without tests. */
export function linesOfTests(routed: readonly Routed[]): readonly string[] {
  if (routed.length === 0) return [];
  const failed = failedOf(routed);
  return [...failed.map(failureOf), `${count(routed.length, 'test')}, ${String(failed.length)} failed`];
}

/** The results of tests, for JSON. */
export function jsonOfTests(routed: readonly Routed[]): readonly object[] {
  return routed.map(({ test, difference }) => ({ ...test, difference: difference ?? null }));
}

function failureOf({ test, difference }: Routed): string {
  const { place, from, to } = test;
  const call = from === undefined ? to : `${from} -> ${to}`;
  return printable(`${place}: ${call}: expected: ${expectationOf(test)}; but the call ${String(difference)}`);
}

function expectationOf({ leaves, as, rings, refused, else: others }: RoutingTest): string {
  if (leaves !== undefined) return `leaves by ${leaves}${as === undefined ? '' : ` as ${as}`}${elseOf(others)}`;
  return rings === undefined ? `refused ${String(refused)}` : `rings ${rings}${elseOf(others)}`;
}

// Lines of each sort.
const MOST = 20;
const WORDS: Readonly<Record<Effect, string>> = {
  STOPS: 'stops ringing',
  STARTS: 'starts ringing',
  MOVES: 'rings elsewhere',
  OTHER: 'does not ring for another reason',
};

const LOSS_WORDS: Readonly<Record<LostWay['lost'], string>> = {
  NUMBERS: 'has no number any more',
  CALLS: 'has no way for calls that leave any more',
  SOURCES: 'accepts no calls any more from',
};

/** Lines about the calls that go differently: first the numbers that stop ringing, then other numbers, then calls that leave. */
export function linesOfCalls(simulated: Simulated): readonly string[] {
  const { numbers, counts, waysOut, lost, shadowed, examined, more } = simulated;
  const shown = [
    ...some(stoppedFirst(numbers).map(lineOfNumber), 'numbers'),
    ...some(
      waysOut.map(({ way, before, after }) => lineOfWay(way, before, after)),
      'ways out',
    ),
    ...some(lost.map(lineOfLoss), 'gateways, peers and domains'),
    ...some(shadowed.map(lineOfShadow), 'rules'),
  ];
  if (shown.length === 0) return [];
  const { STOPS, STARTS, MOVES, OTHER } = counts;
  const compared = `${more ? 'the first ' : ''}${count(examined, 'number')} compared`;
  return [
    ...shown.map(printable),
    `stop ringing: ${String(STOPS)}, start: ${String(STARTS)}, ring elsewhere: ${String(MOVES)}, have another reason: ${String(OTHER)}; ${compared}`,
  ];
}

/** What calls do differently, for JSON. */
export function jsonOfCalls({ numbers, counts, waysOut, lost, shadowed, examined, more }: Simulated): object {
  const { STOPS: stops, STARTS: starts, MOVES: moves, OTHER: other } = counts;
  const pathOf = ({ state, summary }: NumberEffect['before']): object => ({ state, summary });
  return {
    counts: { stops, starts, moves, other },
    numbers: numbers.map(({ effect, number: { kind, ref, telUrl }, before, after }) => ({
      ...{ effect, kind, ref, telUrl },
      before: pathOf(before),
      after: pathOf(after),
    })),
    waysOut: waysOut.map(({ way: { host, prefix, isEmergency, caller }, before = null, after = null }) => ({
      ...{ domainUri: host, prefix: prefix ?? null, emergency: isEmergency, ...(caller && { caller }) },
      ...{ before, after },
    })),
    lostWays: lost,
    shadowed: shadowed.map(({ rule, by, isWhole }) => ({
      ...{ kind: rule.kind, ref: rule.ref, rule: rule.text },
      ...{ by: by.text, byRef: by.ref, isWhole },
    })),
    examined,
    more,
  };
}

/** The first lines, and how many more there are. */
export function some(lines: readonly string[], what: string): readonly string[] {
  if (lines.length <= MOST) return lines;
  return [...lines.slice(0, MOST), `… and ${String(lines.length - MOST)} more ${what}`];
}

function lineOfNumber({ effect, number: { telUrl }, before, after }: NumberEffect): string {
  return `${telUrl} ${WORDS[effect]}: ${before.summary} -> ${after.summary}`;
}

/** How the calls of a way out leave, before and after the changes. */
export function lineOfWay(
  way: WayOutEffect['way'],
  before: readonly string[] | undefined,
  after: readonly string[] | undefined,
): string {
  return `${toldWay(way)}: ${placesOf(before)} -> ${placesOf(after)}`;
}

/** What a gateway, a peer or a domain loses. */
export function lineOfLoss({ kind, name, lost, sources = [] }: LostWay): string {
  return `${kind} ${name} ${[LOSS_WORDS[lost], ...sources].join(' ')}`;
}

/** Which rule loses calls to which other one. */
export function lineOfShadow({ rule, by, isWhole }: Shadow): string {
  return `${rule.kind} ${rule.text} loses ${isWhole ? 'its' : 'some'} calls to ${by.text}`;
}

function toldWay({ host, prefix, isEmergency, caller }: WayOutEffect['way']): string {
  const from = caller ? `${caller.user}@${host}` : host;
  if (prefix === undefined) return `${from}, egress policy`;
  return isEmergency ? `${from}, emergency number ${prefix}` : `${from}, route ${JSON.stringify(prefix)}`;
}

function placesOf(attempts: readonly string[] | undefined): string {
  if (!attempts) return 'no such way';
  return attempts.length > 0 ? attempts.join(', then ') : 'no gateway';
}
