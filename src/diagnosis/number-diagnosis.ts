import { all, raw, sql, type Fragment } from '../database/fragment';
import { byColumn, seek, toPage, where, type Page, type Range } from '../database/page';
import { padded, places, type Sql } from '../database/sql';
import { InvalidInputError, NotFoundError, quote } from '../errors';
import type { KindName } from '../resources/kind';
import { telDigits } from '../resources/sip-formats';
import { nearest } from './edit-distance';
import { countOf, factsOf, toFacts, type Facts, type NumberState } from './facts';
import { didYouMean, stepsOf, type Meant, type Step } from './steps';

/** Why a number rings or does not. */
export interface Explanation {
  readonly digits: string;
  readonly state: NumberState;
  readonly steps: readonly Step[];
  /** Undefined where there is no such number. */
  readonly facts: Facts | undefined;
}

/** Which numbers are looked at. */
export interface HealthQuery {
  readonly states?: readonly NumberState[] | undefined;
  readonly gatewayRef?: string | undefined;
}

/** A part of the numbers; with a condition, `end` is where looking stopped. */
export interface HealthPage extends Page<Facts> {
  readonly end: number | undefined;
}

// Numbers that one page looks at, at most: what it costs does not grow with their number, nor with the rarity of a state.
const WINDOW = 2000;
const CANDIDATES = 1000;
const ID = byColumn('n.id');

/** Says of numbers why they ring or do not; each call is a fixed number of statements. */
export class NumberDiagnosis {
  constructor(private readonly sql: Sql) {}

  /** The chain that a call to a number takes, however it is written; throws InvalidInputError. */
  async explain(telUrl: string): Promise<Explanation> {
    const digits = telDigits(telUrl.slice(0, 101));
    if (digits === '' || telUrl.length > 100)
      throw InvalidInputError.of('telUrl', `${quote(telUrl)} is not a telephone number`);
    const first = sql`SELECT n.id FROM numbers n WHERE n.tel_digits = ${digits} ORDER BY n.id LIMIT 1`;
    const [facts] = await this.select(factsOf(first, undefined, Date.now()));
    if (facts) return { digits, state: facts.state, steps: stepsOf(facts, await this.meantBy(facts)), facts };
    const summary = `no DID or Number ${digits}${didYouMean(await this.numberLike(digits))}`;
    return { digits, state: 'MISSING', steps: [{ of: 'number', state: 'MISSING', summary }], facts };
  }

  /** A part of all numbers in the order of creation; throws NotFoundError where there is no such gateway. */
  async page(range: Range, { states, gatewayRef }: HealthQuery): Promise<HealthPage> {
    const gatewayId = gatewayRef === undefined ? undefined : await this.gatewayId(gatewayRef);
    const window = windowOf(range, gatewayId, states ? WINDOW : range.limit + 1);
    const { order } = seek(ID, range);
    const facts = factsOf(window, states, Date.now());
    const found = await this.select(sql`${facts} ORDER BY ${raw(order)} LIMIT ${range.limit + 1}`);
    const page = toPage(found, range);
    if (!states || page.more) return { ...page, end: undefined };
    const { text, values } = sql`SELECT COUNT(*), MIN(id), MAX(id) FROM (${window}) w`;
    const [row] = await this.sql.rows(text, values);
    const isFull = Number(row?.[0]) === WINDOW;
    return { items: page.items, more: isFull, end: isFull ? Number(row?.[range.backwards ? 1 : 2]) : undefined };
  }

  /** How many numbers there are in these states; every number is looked at, unless all states are meant. */
  async count({ states, gatewayRef }: HealthQuery): Promise<number> {
    const ofGateway = gatewayRef === undefined ? undefined : sql`n.gateway_id = ${await this.gatewayId(gatewayRef)}`;
    const ids = sql`SELECT n.id FROM numbers n ${where([ofGateway])}`;
    const { text, values } = states ? countOf(ids, states, Date.now()) : sql`SELECT COUNT(*) FROM (${ids}) w`;
    const [row] = await this.sql.rows(text, values);
    return Number(row?.[0]);
  }

  /** Other numbers with the same digits, by row id: their row ids. */
  async others(rowIds: readonly number[]): Promise<ReadonlyMap<number, readonly number[]>> {
    const keys = padded(rowIds, 0);
    const rows = await this.sql.rows(
      `SELECT n.id, o.id FROM numbers n JOIN numbers o ON o.tel_digits = n.tel_digits AND o.id <> n.id
       WHERE n.id IN (${places(keys.length)}) AND n.tel_digits <> '' ORDER BY n.id, o.id`,
      keys,
    );
    const found = new Map<number, number[]>();
    for (const [id, other] of rows) found.set(Number(id), [...(found.get(Number(id)) ?? []), Number(other)]);
    return found;
  }

  private async select({ text, values }: Fragment): Promise<readonly Facts[]> {
    return (await this.sql.rows(text, values)).map(toFacts);
  }

  private async gatewayId(ref: string): Promise<number> {
    const [row] = await this.sql.rows('SELECT id FROM gateways WHERE ref = ?', [ref]);
    if (!row) throw new NotFoundError('Gateway', ref);
    return Number(row[0]);
  }

  private async meantBy({ domainId, agentId, peerId, agentElsewhere, host, user }: Facts): Promise<Meant> {
    if (agentId !== null || peerId !== null) return {};
    if (domainId === null)
      return { domain: await this.like(sql`SELECT domain_uri FROM domains WHERE`, 'domain_uri', host) };
    if (agentElsewhere !== null) return {};
    const members = sql`SELECT username FROM agent_domains WHERE domain_id = ${domainId} AND`;
    return { user: await this.like(members, 'username', user) };
  }

  /** What a text may have been meant to be: names that begin as it does, and so stand together in an index. */
  private async like(from: Fragment, column: string, name: string): Promise<string | undefined> {
    const start = name.slice(0, 1);
    return nearest(
      name,
      await this.names(sql`${from} ${between(column, start)} ORDER BY ${raw(column)} LIMIT ${CANDIDATES}`),
    );
  }

  private async numberLike(digits: string): Promise<string | undefined> {
    const start = digits.slice(0, -2);
    if (start === '') return undefined;
    const { text, values } = sql`SELECT n.tel_digits, n.tel_url FROM numbers n
      WHERE ${between('n.tel_digits', start)} ORDER BY n.tel_digits LIMIT ${CANDIDATES}`;
    const urls = new Map((await this.sql.rows(text, values)).map(([key, url]) => [String(key), String(url)]));
    return urls.get(nearest(digits, [...urls.keys()]) ?? '');
  }

  private async names({ text, values }: Fragment): Promise<readonly string[]> {
    return (await this.sql.rows(text, values)).map(([name]) => String(name));
  }
}

/** Whether a column begins with a text: a range of its index. */
function between(column: string, start: string): Fragment {
  return all([sql`${raw(column)} >= ${start}`, sql`${raw(column)} < ${`${start}\u{10FFFF}`}`]);
}

/** The ids of the numbers behind a position, at most so many. */
function windowOf(range: Range, gatewayId: number | undefined, size: number): Fragment {
  const { condition, order } = seek(ID, range);
  const within = (part: Fragment | undefined): Fragment =>
    sql`SELECT n.id FROM numbers n ${where([part, condition])} ORDER BY ${raw(order)} LIMIT ${size}`;
  if (gatewayId === undefined) return within(undefined);
  // The index of a gateway's numbers has them in order within each kind: together they would have to be sorted.
  const ofKind = (kind: KindName): Fragment => within(sql`n.gateway_id = ${gatewayId} AND n.kind = ${kind}`);
  const both = sql`SELECT id FROM (${ofKind('DID')}) a UNION ALL SELECT id FROM (${ofKind('Number')}) b`;
  return sql`SELECT n.id FROM (${both}) n ORDER BY ${raw(order)} LIMIT ${size}`;
}
