import { list, raw, sql, type Fragment } from '../../database/fragment';
import { pad, type Row, type Sql } from '../../database/sql';
import { isEnabled, takesCalls } from '../../model/enabled';
import { attemptsOf, CARRIES_CALLS, egressOf, TABLES, TAKES_CALLS_OF_ROUTE } from '../kamailio/routing';
import {
  ATTEMPTS_OF_ROUTE,
  attemptOf,
  callsOf,
  COLUMNS_OF_ATTEMPT,
  attemptTexts,
  wholeTextsOf,
  type Attempt,
} from './attempts';
import { readPacedIds } from './paced-rows';
import { joinedInOrder, isNumber, isOneOf, plannedRefs, type PlannedChange } from './planned-change';

/** An agent or a peer that calls. */
export interface WayOutCaller {
  readonly kind: 'Agent' | 'Peer';
  readonly ref: string;
  /** Its user name. */
  readonly user: string;
}

/** A way out of a domain: a route, or its egress policy. */
export interface WayOut {
  readonly host: string;
  /** The beginning of the dialed numbers; undefined for the egress policy. */
  readonly prefix: string | undefined;
  readonly isEmergency: boolean;
  /** The agent or peer of which only the calls are meant; undefined for all calls of the domain. */
  readonly caller?: WayOutCaller;
  /** Of the gateways that take its calls, in order. */
  readonly attempts: readonly Attempt[];
}

/**
 * A way out before and after the changes: the gateways that take its calls, each with the number that is shown, and what differs
 * in how it is called; undefined where the way does not exist or is disabled.
 */
export interface WayOutEffect {
  readonly way: WayOut;
  readonly before: readonly string[] | undefined;
  readonly after: readonly string[] | undefined;
  /** The same with all that is known of how each gateway is called. */
  readonly whole: { readonly before: readonly string[] | undefined; readonly after: readonly string[] | undefined };
}

// The most attempts that are read.
const MOST = 2000;

/**
 * Finds the ways out that changes may affect: the changed routes, those of changed domains, and those through changed numbers and
 * gateways; by domain and prefix. Takes a statement for each condition, because no index serves conditions on several tables at
 * once, and two more.
 */
export async function affectedWays(
  reads: Sql,
  changes: readonly PlannedChange[],
  now: number,
  pace: () => Promise<void>,
): Promise<ReadonlyMap<string, WayOut>> {
  const of = (column: string, ...kinds: readonly string[]): readonly Fragment[] =>
    isOneOf(column, plannedRefs(changes, ...kinds));
  const shared = [...of('d.ref', 'Domain'), ...isNumber('n', plannedRefs(changes, 'DID', 'Number'))];
  const ofRoutes = [...of('r.ref', 'Route'), ...shared];
  const ofGateways = of('g.ref', 'Gateway');
  const idsAmong = (column: string, from: string, conditions: readonly Fragment[]): Promise<readonly number[]> => {
    const select = (order: string) => (one: Fragment) =>
      sql`SELECT DISTINCT ${raw(column)} FROM ${raw(order)} WHERE ${one}`;
    const selects = [...conditions.map(select(from)), ...ofGateways.map(select(joinedInOrder(from)))];
    return readPacedIds(reads, selects, MOST, pace);
  };
  const ways = new Map<string, WayOut>();
  if (ofRoutes.length + ofGateways.length > 0) {
    // All attempts of each route with one that is affected.
    const from = `${attemptsOf(TABLES, String(now))} JOIN domains d ON d.id = r.domain_id`;
    const ids = await idsAmong('r.id', from, ofRoutes);
    const { text, values } =
      sql`SELECT d.domain_uri, r.prefix, COALESCE(r.emergency, FALSE), ${raw(TAKES_CALLS_OF_ROUTE)},
      NULL, ${raw(ATTEMPTS_OF_ROUTE.columns)} FROM routes r ${raw(ATTEMPTS_OF_ROUTE.joins)} JOIN domains d ON d.id = r.domain_id
      WHERE r.id IN (${list(pad(ids, 0))}) AND ${raw(CARRIES_CALLS)}
      ORDER BY ${raw(ATTEMPTS_OF_ROUTE.order)} LIMIT ${MOST}`;
    add(ways, await reads.rows(text, values));
  }
  if (shared.length + ofGateways.length > 0) {
    const ids = await idsAmong('d.id', egressOf(TABLES), shared);
    const { text, values } = sql`SELECT d.domain_uri, NULL, 0, ${raw(takesCalls('g'))}, d.egress_policy_rule,
      ${raw(COLUMNS_OF_ATTEMPT)} FROM ${raw(egressOf(TABLES))} WHERE d.id IN (${list(pad(ids, 0))}) AND ${raw(isEnabled('d'))} ORDER BY d.id LIMIT ${MOST}`;
    add(ways, await reads.rows(text, values));
  }
  return ways;
}

/** Compares the ways out. Those without a difference are left out. */
export function wayOutEffects(
  before: ReadonlyMap<string, WayOut>,
  after: ReadonlyMap<string, WayOut>,
): readonly WayOutEffect[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((key): readonly WayOutEffect[] => {
    const [was, becomes] = [before.get(key), after.get(key)];
    const way = was ?? becomes;
    if (!way || (was?.isEmergency === becomes?.isEmergency && callsOf(was?.attempts) === callsOf(becomes?.attempts)))
      return [];
    return [
      {
        way,
        before: was && attemptTexts(was.attempts, becomes?.attempts),
        after: becomes && attemptTexts(becomes.attempts, was?.attempts),
        whole: { before: was && wholeTextsOf(was.attempts), after: becomes && wholeTextsOf(becomes.attempts) },
      },
    ];
  });
}

function add(ways: Map<string, WayOut>, rows: readonly Row[]): void {
  for (const [host, given, emergency, isOpen, rule = null, ...attempt] of rows) {
    const prefix = given === null ? undefined : String(given);
    const key = JSON.stringify([host, prefix]);
    const attempts = ways.get(key)?.attempts ?? [];
    const isEmergency = Number(emergency) === 1;
    const added = Number(isOpen) === 1 ? [...attempts, attemptOf(attempt, rule, isEmergency)] : attempts;
    ways.set(key, { host: String(host), prefix, isEmergency, attempts: added });
  }
}
