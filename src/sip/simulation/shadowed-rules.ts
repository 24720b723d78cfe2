import { list, raw, sql, statementsOf, type Fragment } from '../../database/fragment';
import type { Sql } from '../../database/sql';
import { isEnabled } from '../../model/enabled';
import { isRange, rangeHolding } from '../kamailio/routing';
import { hasRanges } from './holders';
import { readPaced } from './paced-rows';
import { isNumber, isOneOf, plannedRefs, type PlannedChange } from './planned-change';

/** A rule for calls: a range of numbers, a number, or a route. */
export interface Rule {
  readonly kind: string;
  readonly ref: string;
  /** `tel:+4930100 to tel:+4930199`, `tel:+4930112`, or `pbx.example +49`. */
  readonly text: string;
}

/** A rule that loses calls to another one, which comes before it. */
export interface Shadow {
  readonly rule: Rule;
  readonly by: Rule;
  /** Whether longer prefixes take all calls to numbers that are longer than the prefix of a route. */
  readonly isWhole: boolean;
}

/** The most changed numbers, and the most changed routes, that are looked at. */
const MOST = 2000;
const ACTIVE = (route: string): string => `(${isEnabled(route)} OR COALESCE(${route}.emergency, FALSE))`;

/**
 * Finds the rules from which changed numbers and routes take calls: the ranges in which changed numbers are, which come first with
 * rows of their own, and the routes with the next shorter prefix, which a longer one or an emergency number comes before. Takes a
 * statement for each hundred changed numbers or routes; each is bounded by an index.
 */
export async function shadowsOf(
  reads: Sql,
  changes: readonly PlannedChange[],
  pace: () => Promise<void>,
): Promise<readonly Shadow[]> {
  const numbers = plannedRefs(changes, 'DID', 'Number').slice(0, MOST);
  const routes = plannedRefs(changes, 'Route').slice(0, MOST);
  return [...(await ofNumbers(reads, numbers, pace)), ...(await ofRoutes(reads, routes, pace))];
}

/** The rules that existed before the changes and lose calls by them. */
export function newShadows(
  before: readonly Shadow[],
  after: readonly Shadow[],
  changes: readonly PlannedChange[],
): readonly Shadow[] {
  const known = new Set(before.map(keyOf));
  const created = new Set(changes.flatMap(({ type, kind, ref }) => (type === 'create' ? [`${kind} ${ref}`] : [])));
  return after.filter((each) => !known.has(keyOf(each)) && !created.has(`${each.rule.kind} ${each.rule.ref}`));
}

function keyOf({ rule, by, isWhole }: Shadow): string {
  return JSON.stringify([rule, by.kind, by.ref, isWhole]);
}

async function ofNumbers(reads: Sql, refs: readonly string[], pace: () => Promise<void>): Promise<readonly Shadow[]> {
  const [condition] = isNumber('n', refs);
  if (!condition || !(await hasRanges(reads))) return [];
  const own = sql`SELECT n.kind, n.ref, n.tel_url, n.tel_digits FROM numbers n
    WHERE ${condition} AND NOT ${raw(isRange('n'))} AND n.tel_digits <> '' ORDER BY n.id`;
  const numbers = await reads.rows(own.text, own.values);
  const seeks = numbers.map(
    ([, , , digits], place) => sql`SELECT ${raw(String(place))} AS place, n.kind, n.ref, n.tel_url, n.last_tel_url
      FROM numbers n WHERE n.id = ${rangeHolding(String(digits))}`,
  );
  const ranges = await readPaced(reads, statementsOf(seeks), pace);
  return ranges.map(([place, kind, ref, first, last]) => {
    const [byKind, byRef, telUrl] = numbers[Number(place)] ?? [];
    const rule = { kind: String(kind), ref: String(ref), text: `${String(first)} to ${String(last)}` };
    return { rule, by: { kind: String(byKind), ref: String(byRef), text: String(telUrl) }, isWhole: false };
  });
}

async function ofRoutes(reads: Sql, refs: readonly string[], pace: () => Promise<void>): Promise<readonly Shadow[]> {
  const [condition] = isOneOf('r.ref', refs);
  if (!condition) return [];
  const own = sql`SELECT r.ref, r.prefix, r.domain_id, d.domain_uri FROM routes r JOIN domains d ON d.id = r.domain_id
    WHERE ${condition} AND ${raw(ACTIVE('r'))} ORDER BY r.id`;
  const routes = await reads.rows(own.text, own.values);
  // An emergency number comes before everything else, so nothing takes its calls.
  const seeks = routes.flatMap(([, prefix, domainId = null], place): readonly Fragment[] => {
    const shorter = Array.from(String(prefix), (_, length) => String(prefix).slice(0, length));
    if (shorter.length === 0) return [];
    return [
      sql`SELECT ${raw(String(place))} AS place, s.ref, s.prefix,
      (SELECT COUNT(DISTINCT SUBSTR(t.prefix, LENGTH(s.prefix) + 1, 1)) FROM routes t WHERE t.domain_id = ${domainId}
        AND t.prefix >= CONCAT(s.prefix, '0') AND t.prefix <= CONCAT(s.prefix, '9') AND LENGTH(t.prefix) = LENGTH(s.prefix) + 1
        AND ${raw(ACTIVE('t'))}) AS digits
      FROM routes s WHERE s.domain_id = ${domainId} AND s.prefix IN (${list(shorter)}) AND ${raw(isEnabled('s'))}
        AND COALESCE(s.emergency, FALSE) = FALSE ORDER BY LENGTH(s.prefix) DESC LIMIT 1`,
    ];
  });
  const losing = await readPaced(reads, statementsOf(seeks), pace);
  return losing.map(([place, ref, prefix, digits]) => {
    const [byRef, byPrefix, , host] = routes[Number(place)] ?? [];
    const textOf = (given: unknown): string => `${String(host)} ${JSON.stringify(String(given))}`;
    return {
      rule: { kind: 'Route', ref: String(ref), text: textOf(prefix) },
      by: { kind: 'Route', ref: String(byRef), text: textOf(byPrefix) },
      isWhole: Number(digits) === 10,
    };
  });
}
