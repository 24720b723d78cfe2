import { list, raw, sql, statementsOf, type Fragment } from '../../database/fragment';
import { pad, type Row, type Sql } from '../../database/sql';
import { isEnabled, takesCalls } from '../../model/enabled';
import { egressOf, TABLES } from '../kamailio/routing';
import type { LostSources } from './lost-sources';
import { readPacedIds, readPaced } from './paced-rows';
import { joinedInOrder, isNumber, isOneOf, plannedRefs, plannedTexts, type PlannedChange } from './planned-change';

// What a gateway or a domain can lose, besides addresses.
const LOSSES = ['NUMBERS', 'CALLS'] as const;
type Loss = (typeof LOSSES)[number];

/** A gateway or a domain, and what it has of these. */
interface End {
  readonly kind: 'Gateway' | 'Domain';
  readonly ref: string;
  readonly name: string;
  readonly has: ReadonlySet<Loss>;
}

/** A gateway or a domain that loses its last number, or its last way for calls that leave. */
interface LostEnd extends Pick<End, 'kind' | 'ref' | 'name'> {
  readonly lost: Loss;
  readonly sources?: undefined;
}

/** What loses its last number or way, or networks from which its calls may come. */
export type LostWay = LostEnd | LostSources;

/** The most gateways, and the most domains, that are compared. */
export const MAX_ENDS = 100;
// Domains in a statement.
const TOGETHER = 10;

/**
 * Reads what the gateways and domains have that changes are about: those that are changed, and those of changed numbers and routes.
 * Takes a fixed number of statements, each bounded by an index and MAX_ENDS.
 */
export async function affectedEnds(
  reads: Sql,
  changes: readonly PlannedChange[],
  pace: () => Promise<void>,
): Promise<readonly End[]> {
  const numbers = plannedRefs(changes, 'DID', 'Number');
  const routes = plannedRefs(changes, 'Route');
  const domains = plannedRefs(changes, 'Domain');
  const gateways = [...plannedRefs(changes, 'Gateway'), ...plannedTexts(changes, 'gatewayRef', 'DID', 'Number')];
  const named = [
    ...plannedTexts(changes, 'numberRefs', 'Route'),
    ...plannedTexts(changes, 'egressPolicy.numberRef', 'Domain'),
  ];
  const ofDomains = isOneOf('d.ref', [...domains, ...plannedTexts(changes, 'domainRef', 'Route')]);
  const ofGateways = isOneOf('g.ref', gateways);
  const ofNumbers = isNumber('n', numbers);
  // A statement for each condition, because no index serves conditions on several tables at once.
  const among = (column: string, from: string, conditions: readonly Fragment[]): readonly Fragment[] =>
    conditions.map((one) => sql`SELECT DISTINCT ${raw(column)} FROM ${raw(from)} WHERE ${one}`);
  const idsOf = (selects: readonly Fragment[]): Promise<readonly number[]> =>
    readPacedIds(reads, selects, MAX_ENDS, pace);
  const ofRoutes = isOneOf('r.ref', routes);
  const gatewayIds = await idsOf([
    ...among('g.id', 'gateways g', ofGateways),
    ...among('n.gateway_id', 'numbers n', isNumber('n', named)),
    ...among('n.gateway_id', ALL_ATTEMPTS, [...ofRoutes, ...ofDomains]),
    ...among('n.gateway_id', egressOf(TABLES), ofDomains),
  ]);
  const domainIds = await idsOf([
    ...among('d.id', 'domains d', ofDomains),
    ...among('d.id', ALL_ATTEMPTS, [...ofRoutes, ...ofNumbers]),
    ...among('d.id', joinedInOrder(ALL_ATTEMPTS), ofGateways),
    ...among('d.id', egressOf(TABLES), ofNumbers),
    ...among('d.id', joinedInOrder(egressOf(TABLES)), ofGateways),
  ]);
  const rowsOf = (selects: readonly Fragment[]): Promise<readonly Row[]> =>
    readPaced(reads, statementsOf(selects, TOGETHER), pace);
  return [
    ...(await readPaced(reads, whatGatewaysHave(gatewayIds), pace)).map((row) => endOf('Gateway', row)),
    ...(await rowsOf(domainIds.map(whatDomainHas))).map((row) => endOf('Domain', row)),
  ];
}

/** Compares the gateways and domains that exist before and after the changes. */
export function lostWays(before: readonly End[], after: readonly End[]): readonly LostEnd[] {
  const becomes = new Map(after.map((end) => [`${end.kind} ${end.ref}`, end]));
  return before.flatMap(({ kind, ref, name, has }): readonly LostEnd[] => {
    const then = becomes.get(`${kind} ${ref}`);
    if (!then) return [];
    return LOSSES.filter((loss) => has.has(loss) && !then.has.has(loss)).map((lost) => ({ kind, ref, name, lost }));
  });
}

// The attempts of all routes, also of disabled ones: what they are about must be found before and after a change.
const ALL_ATTEMPTS = `route_numbers m JOIN routes r ON r.id = m.route_id JOIN domains d ON d.id = r.domain_id
  JOIN numbers n ON n.id = m.number_id JOIN gateways g ON g.id = n.gateway_id`;

// The attempts of routes that carry ordinary calls. Emergency calls leave through any gateway, so they keep no way open.
const ATTEMPTS = `route_numbers m JOIN routes r ON r.id = m.route_id AND ${isEnabled('r')} AND COALESCE(r.emergency, FALSE) = FALSE
  JOIN domains d ON d.id = r.domain_id AND ${isEnabled('d')}
  JOIN numbers n ON n.id = m.number_id JOIN gateways g ON g.id = n.gateway_id`;

/** Selects gateways, whether they have numbers, and whether calls leave through them. Reads all routes, of which there are few. */
function whatGatewaysHave(ids: readonly number[]): readonly Fragment[] {
  if (ids.length === 0) return [];
  const among = list(pad(ids, 0));
  // With + 0, MariaDB does not begin with all numbers of the gateways.
  const sending = (from: string): Fragment =>
    sql`SELECT n.gateway_id FROM ${raw(joinedInOrder(from))} WHERE n.gateway_id + 0 IN (${among}) AND ${raw(isEnabled('d'))}`;
  return [
    sql`SELECT g.ref, g.name, ${raw(isEnabled('g'))} AND EXISTS (SELECT 1 FROM numbers n WHERE n.gateway_id = g.id) AS receives,
      ${raw(takesCalls('g'))} AND s.gateway_id IS NOT NULL AS sends
      FROM gateways g LEFT JOIN (${sending(ATTEMPTS)} UNION ${sending(egressOf(TABLES))}) s ON s.gateway_id = g.id
      WHERE g.id IN (${among}) ORDER BY g.id`,
  ];
}

/** Selects a domain, and whether its calls can leave. */
function whatDomainHas(id: number): Fragment {
  return sql`SELECT o.ref, o.name, FALSE AS receives,
    (EXISTS (SELECT 1 FROM ${raw(ATTEMPTS)} WHERE r.domain_id = ${id} AND ${raw(takesCalls('g'))})
    OR EXISTS (SELECT 1 FROM ${raw(egressOf(TABLES))}
      WHERE d.id = ${id} AND ${raw(isEnabled('d'))} AND ${raw(takesCalls('g'))})) AS sends
    FROM domains o WHERE o.id = ${id}`;
}

function endOf(kind: End['kind'], [ref, name, receives, sends]: Row): End {
  const has = new Set<Loss>();
  if (Number(receives) === 1) has.add('NUMBERS');
  if (Number(sends) === 1) has.add('CALLS');
  return { kind, ref: String(ref), name: String(name), has };
}
