import { raw, sql, statementsOf, unionAll, type Fragment } from '../../database/fragment';
import type { Sql, SqlValue } from '../../database/sql';
import { telDigits } from '../../model/format/tel-uri';
import { readPaced } from './paced-rows';
import { joinedInOrder, isNumber, isOneOf, plannedRefs, plannedTexts, type PlannedChange } from './planned-change';

/** Numbers whose calls changes may affect, in the order of their row ids. */
export interface AffectedNumbers {
  readonly rowIds: readonly number[];
  /** Whether further numbers follow. */
  readonly more: boolean;
}

// With as many values, each is an index seek of its own, which is in the order of the row ids.
const FEW = 4;
// Numbers that are sorted at once, and that are read in their order at once.
const MANY = 10_000;
const PART = 20_000;

/**
 * Finds the numbers whose calls changes may affect: the changed ones, those with the same digits, those of a changed gateway,
 * those that lead to a changed agent, peer or domain, and those with an outside target that is or becomes one of the changed numbers,
 * as it is and as it will be; at most `most` after a row id. Takes a fixed number of statements, one for every hundred changed
 * ranges, and two for every 20,000 numbers with many gateways, users or domains, and for every 20,000 outside numbers that are
 * targets, if the calls to them may leave in another way. `pace` is awaited between them.
 */
export async function affectedNumbers(
  reads: Sql,
  changes: readonly PlannedChange[],
  { after, most, pace }: { readonly after: number; readonly most: number; readonly pace: () => Promise<void> },
): Promise<AffectedNumbers> {
  const scope = await scopeOf(reads, changes, pace);
  const size = most + 1;
  const found = (await readPaced(reads, windowsOf(scope, after, size), pace)).map(([id]) => Number(id));
  for (const [column, values] of [
    ['gateway_id', scope.gatewayIds],
    ['aor_user', scope.users],
    ['aor_host', scope.hosts],
  ] as const)
    if (values.length > FEW)
      for (const condition of isOneOf(`n.${column}`, values))
        found.push(...(await idsAmongMany(reads, condition, { after, size, column, pace })));
  for (const condition of isOneOf('n.aor_host', scope.callers))
    found.push(...(await idsInParts(reads, WITH_OUTSIDE_TARGETS, condition, { after, size, pace })));
  const rowIds = [...new Set(found)].toSorted((a, b) => a - b);
  return { rowIds: rowIds.slice(0, most), more: rowIds.length > most };
}

/** By what numbers are affected. */
interface NumberScope {
  readonly refs: readonly string[];
  readonly digits: readonly string[];
  /** The digits of the first and the last number of changed ranges, with the numbers that they lose or get. */
  readonly spans: readonly (readonly [first: string, last: string])[];
  readonly gatewayIds: readonly number[];
  /** The user names of agents and peers. */
  readonly users: readonly string[];
  readonly hosts: readonly string[];
  /** The domains whose calls to outside numbers may leave in another way. */
  readonly callers: readonly string[];
}

async function scopeOf(reads: Sql, changes: readonly PlannedChange[], pace: () => Promise<void>): Promise<NumberScope> {
  const texts = async (columns: string, from: string, conditions: readonly Fragment[]): Promise<readonly string[]> => {
    const statements = conditions.map((one) => sql`SELECT ${raw(columns)} FROM ${raw(from)} WHERE ${one}`);
    return (await readPaced(reads, statements, pace)).map(([value]) => String(value));
  };
  const [numbers, agents, peers] = [['DID', 'Number'], 'Agent', 'Peer'] as const;
  const refs = plannedRefs(changes, ...numbers);
  const gateways = isOneOf('g.ref', plannedRefs(changes, 'Gateway'));
  const known = await texts('tel_digits', 'numbers n', isNumber('n', refs));
  const given = plannedTexts(changes, 'telUrl', ...numbers).map(telDigits);
  const domains = [
    ...(await texts('d.domain_uri', 'domains d', isOneOf('d.ref', plannedRefs(changes, 'Domain')))),
    ...plannedTexts(changes, 'domainUri', 'Domain'),
  ];
  const through = [
    `route_numbers x JOIN routes r ON r.id = x.route_id JOIN domains d ON d.id = r.domain_id
      JOIN numbers n ON n.id = x.number_id JOIN gateways g ON g.id = n.gateway_id`,
    'domains d JOIN numbers n ON n.id = d.egress_number_id JOIN gateways g ON g.id = n.gateway_id',
  ];
  const callers = [
    ...domains,
    ...(await texts(
      'd.domain_uri',
      'routes r JOIN domains d ON d.id = r.domain_id',
      isOneOf('r.ref', plannedRefs(changes, 'Route')),
    )),
    ...(await texts('d.domain_uri', 'domains d', isOneOf('d.ref', plannedTexts(changes, 'domainRef', 'Route')))),
  ];
  for (const from of through)
    callers.push(
      ...(await texts('DISTINCT d.domain_uri', from, isNumber('n', refs))),
      ...(await texts('DISTINCT d.domain_uri', joinedInOrder(from), gateways)),
    );
  return {
    refs,
    digits: distinct([...known, ...given]),
    spans: await spansOf(reads, changes, pace),
    gatewayIds: (await texts('g.id', 'gateways g', gateways)).map(Number),
    users: distinct([
      ...(await texts('a.username', 'agents a', isOneOf('a.ref', plannedRefs(changes, agents)))),
      ...(await texts('p.username', 'peers p', isOneOf('p.ref', plannedRefs(changes, peers)))),
      ...plannedTexts(changes, 'username', agents, peers),
    ]),
    hosts: distinct(domains),
    callers: distinct(callers).filter((host) => !domains.includes(host)),
  };
}

/** The spans of the ranges whose ends change, as they are and as they will be. */
async function spansOf(
  reads: Sql,
  changes: readonly PlannedChange[],
  pace: () => Promise<void>,
): Promise<NumberScope['spans']> {
  const ranges = changes.filter(
    ({ kind, values }) => ['DID', 'Number'].includes(kind) && textsIn(values.get('lastTelUrl')).length > 0,
  );
  const statements = isNumber('n', plannedRefs(ranges, 'DID', 'Number')).map(
    (one) => sql`SELECT n.ref, n.tel_digits FROM numbers n WHERE ${one}`,
  );
  const stored = new Map(
    (await readPaced(reads, statements, pace)).map(([ref, first]) => [String(ref), String(first)] as const),
  );
  return ranges.flatMap(({ ref, values }) => {
    const ends = [...textsIn(values.get('telUrl')), ...textsIn(values.get('lastTelUrl'))].map(telDigits);
    const all = [...ends, stored.get(ref) ?? []].flat();
    return distinct(all.map(({ length }) => String(length))).flatMap((length) => {
      const sorted = all.filter((each) => String(each.length) === length).toSorted();
      const [first, last] = [sorted[0], sorted.at(-1)];
      return first === undefined || last === undefined ? [] : [[first, last] as const];
    });
  });
}

function textsIn(values: readonly unknown[] | undefined): readonly string[] {
  return (values ?? []).filter((value) => typeof value === 'string');
}

/** Statements with the ids of the numbers after a row id, each of at most `size`. `idsAmongMany` finds those of many values. */
function windowsOf(
  { refs, digits, spans, gatewayIds, users, hosts }: NumberScope,
  after: number,
  size: number,
): readonly Fragment[] {
  const window = (condition: Fragment): Fragment =>
    sql`SELECT n.id FROM numbers n WHERE ${condition} AND n.id > ${after} ORDER BY n.id LIMIT ${size}`;
  // Many numbers can have each of these values, so they are read in the order of the index.
  const inIndexOrder = (column: string, values: readonly SqlValue[]): readonly Fragment[] => {
    if (values.length === 0 || values.length > FEW) return [];
    const seeks = values.flatMap((value) =>
      ['DID', 'Number'].map((kind) => window(sql`${raw(column)} = ${value} AND n.kind = ${kind}`)),
    );
    return [unionAll(seeks.map((seek, index) => sql`SELECT id FROM (${seek}) ${raw(`w${String(index)}`)}`))];
  };
  const further = (condition: Fragment): Fragment =>
    sql`SELECT DISTINCT f.number_id FROM number_targets f WHERE ${condition}
      AND f.number_id > ${after} ORDER BY f.number_id LIMIT ${size}`;
  // With + 0, MariaDB does not scan the table in the order of the numbers.
  const inAnyOrder = (condition: Fragment): Fragment =>
    sql`SELECT DISTINCT f.number_id + 0 AS id FROM number_targets f WHERE ${condition}
      AND f.number_id + 0 > ${after} ORDER BY id LIMIT ${size}`;
  const own = digits.filter((each) => each !== '');
  return [
    ...isNumber('n', refs).map(window),
    ...isOneOf('n.tel_digits', own).map(window),
    ...isOneOf(
      'f.outside',
      own.map((each) => `+${each}`),
    ).map(inAnyOrder),
    ...statementsOf(
      spans.map(([first, last]) =>
        inAnyOrder(sql`f.outside BETWEEN ${`+${first}`} AND ${`+${last}`} AND LENGTH(f.outside) = ${first.length + 1}`),
      ),
    ),
    ...inIndexOrder('n.gateway_id', gatewayIds),
    ...(users.length > FEW ? [] : isOneOf('n.aor_user', users).map(window)),
    ...isOneOf('f.aor_user', users).map(further),
    ...inIndexOrder('n.aor_host', hosts),
    // Not through the agents of a domain: one with another name, or a deleted one, has no agents by its former name.
    ...(hosts.length > FEW
      ? isOneOf('f.aor_host', hosts).map(inAnyOrder)
      : statementsOf(hosts.map((host) => further(sql`f.aor_host = ${host}`)))),
  ];
}

/** Which numbers are found: the first `size` after a row id. `pace` is awaited between statements. */
interface First {
  readonly after: number;
  readonly size: number;
  readonly pace: () => Promise<void>;
}

/**
 * The ids of the numbers that have one of many values, in a column with an index. If few numbers have them, the index finds them.
 * Otherwise, the numbers are read in their order, a part at a time.
 */
async function idsAmongMany(
  reads: Sql,
  condition: Fragment,
  { column, ...first }: First & { readonly column: string },
): Promise<readonly number[]> {
  const { after, size, pace } = first;
  const few = sql`SELECT n.id FROM numbers n WHERE ${condition} AND n.id > ${after} LIMIT ${MANY}`;
  const ids = (await readPaced(reads, [few], pace)).map(([id]) => Number(id));
  if (ids.length < MANY) return ids.toSorted((a, b) => a - b).slice(0, size);
  const all = { columns: `p.id, p.${column}`, from: 'numbers p WHERE p.id', id: 'p.id' };
  return idsInParts(reads, all, condition, first);
}

/** Numbers with columns for conditions. `from` ends with the column `id`, by which an index has them in order. */
interface Numbers {
  readonly columns: string;
  readonly from: string;
  readonly id: string;
}

// Those with outside numbers among their further targets: only these targets have no host.
const WITH_OUTSIDE_TARGETS: Numbers = {
  columns: 'f.number_id AS id, p.aor_host',
  from: "number_targets f JOIN numbers p ON p.id = f.number_id WHERE f.aor_host = '' AND f.number_id",
  id: 'f.number_id',
};

/** The ids of the numbers that a condition on the columns of `n` is true of. They are read in their order until there are enough. */
async function idsInParts(
  reads: Sql,
  { columns, from, id }: Numbers,
  condition: Fragment,
  { after, size, pace }: First,
): Promise<readonly number[]> {
  const idsOf = async (statement: Fragment): Promise<readonly number[]> =>
    (await readPaced(reads, [statement], pace)).map(([found]) => Number(found));
  const found: number[] = [];
  for (let start: number | undefined = after; start !== undefined && found.length < size;) {
    const rest = sql`FROM ${raw(from)} > ${start} ORDER BY ${raw(id)}`;
    const part = sql`(SELECT ${raw(columns)} ${rest} LIMIT ${PART})`;
    found.push(
      ...(await idsOf(
        sql`SELECT DISTINCT n.id FROM ${part} n WHERE ${condition} ORDER BY n.id LIMIT ${size - found.length}`,
      )),
    );
    [start] = await idsOf(sql`SELECT ${raw(id)} ${rest} LIMIT 1 OFFSET ${PART - 1}`);
  }
  return found;
}

function distinct(values: readonly string[]): readonly string[] {
  return [...new Set(values)];
}
