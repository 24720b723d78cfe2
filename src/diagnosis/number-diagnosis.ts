import { list, raw, sql, type Fragment } from '../database/fragment';
import { byColumn, seek, toPage, where, type Page, type Range } from '../database/page';
import { padded, places, type Reads, type Row } from '../database/sql';
import { InvalidInputError, NotFoundError, quote } from '../errors';
import { telDigits } from '../model/format/tel-uri';
import { alikeOf, countOf, factsOf, firstAlikeOf, toFacts, type Facts, type Moment, type NumberState } from './facts';
import { didYouMean, stepsOf, type Meant, type Step } from './steps';
import { DIGITS, LETTERS, variantsOf } from './variants';

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
// Numbers that are counted among other reads.
const MAX_COUNTED = 25_000;
// A longer name has too many variants to be looked up.
const LONGEST_NAME = 40;
const ID = byColumn('n.id');
// As people and tel URIs (RFC 3966, 3) write numbers, local ones included; spaces come from paper.
const WRITTEN = /^\s*(?:tel:)?\s*\+?[\d\s\-./()*#A-F]+(?:;.*)?$/i;
const MOST_OTHERS = 10;

/** Says of numbers why they ring or do not; each call is a fixed number of statements. */
export class NumberDiagnosis {
  /** `node` is where calls arrive, as host:port; without it there is one. */
  constructor(
    private readonly sql: Reads,
    private readonly node: string | undefined,
  ) {}

  /** The chain that a call to a number takes, however it is written; throws InvalidInputError. */
  async explain(telUrl: string): Promise<Explanation> {
    const digits = WRITTEN.test(telUrl.slice(0, 101)) ? telDigits(telUrl) : '';
    if (digits === '' || telUrl.length > 100)
      throw InvalidInputError.of('telUrl', `${quote(telUrl)} is not a telephone number`);
    const first = sql`SELECT n.id FROM numbers n WHERE n.tel_digits = ${digits} ORDER BY n.id LIMIT 1`;
    const [facts] = await this.select(factsOf(first, undefined, this.moment()));
    if (facts) return { digits, state: facts.state, steps: stepsOf(facts, await this.meantBy(facts)), facts };
    const summary = `no DID or Number ${digits}${didYouMean(await this.numberLike(digits))}`;
    return { digits, state: 'MISSING', steps: [{ of: 'number', state: 'MISSING', summary }], facts };
  }

  /** A part of all numbers in the order of creation; throws NotFoundError where there is no such gateway. */
  async page(range: Range, { states, gatewayRef }: HealthQuery): Promise<HealthPage> {
    const gatewayId = gatewayRef === undefined ? undefined : await this.gatewayId(gatewayRef);
    const looked = states && (await this.window(range, gatewayId));
    const within = looked?.end === undefined ? range : upTo(range, looked.end);
    const { order } = seek(ID, range);
    const facts = factsOf(windowOf(within, gatewayId, states ? 2 * WINDOW : range.limit + 1), states, this.moment());
    const limited = sql`${facts} ORDER BY ${raw(order)} LIMIT ${range.limit + 1}`;
    const page = toPage(await this.select(limited, states !== undefined), range);
    if (!looked || page.more) return { ...page, end: undefined };
    return { items: page.items, more: looked.isFull, end: looked.isFull ? looked.end : undefined };
  }

  /** How many numbers there are in these states; every number is looked at, unless all states are meant. */
  async count({ states, gatewayRef }: HealthQuery): Promise<number> {
    const ofGateway = gatewayRef === undefined ? undefined : sql`n.gateway_id = ${await this.gatewayId(gatewayRef)}`;
    const ids = sql`SELECT n.id FROM numbers n ${where([ofGateway])}`;
    const count = states ? countOf(ids, states, this.moment()) : sql`SELECT COUNT(*) FROM (${ids}) w`;
    const [row] = await this.rows(count, states !== undefined || (await this.sql.atMost('numbers')) > MAX_COUNTED);
    return Number(row?.[0]);
  }

  /** Other numbers with the same digits, by row id: their row ids, ten at most. */
  async others(rowIds: readonly number[]): Promise<ReadonlyMap<number, readonly number[]>> {
    const keys = padded(rowIds, 0);
    const rows = await this.sql.rows(
      `SELECT id, tel_digits FROM numbers WHERE id IN (${places(keys.length)}) AND tel_digits <> ''`,
      keys,
    );
    const digits = new Set(rows.map((row) => String(row[1])));
    if (digits.size === 0) return new Map();
    const { text, values } = firstAlikeOf([...digits], MOST_OTHERS + 1);
    const alike = new Map([...digits].map((each): [string, number[]] => [each, []]));
    for (const [each, id] of await this.sql.rows(text, values)) alike.get(String(each))?.push(Number(id));
    const othersOf = (id: number, each: string): readonly number[] =>
      (alike.get(each) ?? []).filter((other) => other !== id).slice(0, MOST_OTHERS);
    return new Map(rows.map(([id, each]) => [Number(id), othersOf(Number(id), String(each))]));
  }

  /** Where looking stops, found out first: what is deleted meanwhile must not let it stop behind what was not seen. */
  private async window(
    range: Range,
    gatewayId: number | undefined,
  ): Promise<{ readonly isFull: boolean; readonly end: number | undefined }> {
    const { text, values } = sql`SELECT COUNT(*), ${raw(range.backwards ? 'MIN' : 'MAX')}(id)
      FROM (${windowOf(range, gatewayId, WINDOW)}) w`;
    const [row] = await this.sql.rows(text, values);
    const count = Number(row?.[0]);
    return { isFull: count === WINDOW, end: count === 0 ? undefined : Number(row?.[1]) };
  }

  private rows({ text, values }: Fragment, heavy: boolean): Promise<readonly Row[]> {
    return heavy ? this.sql.heavy(text, values) : this.sql.rows(text, values);
  }

  private async select(statement: Fragment, heavy = false): Promise<readonly Facts[]> {
    const found = (await this.rows(statement, heavy)).map((row) => toFacts(row, this.node));
    const ambiguous = found.filter(({ state }) => state === 'AMBIGUOUS');
    if (ambiguous.length === 0) return found;
    const alike = await this.alike(new Set(ambiguous.map(({ digits }) => digits)));
    return found.map((facts) => ({ ...facts, alike: alike.get(facts.digits) }));
  }

  private moment(): Moment {
    return { now: Date.now(), node: this.node };
  }

  /** How many numbers have the same digits. */
  private async alike(digits: ReadonlySet<string>): Promise<ReadonlyMap<string, number>> {
    const { text, values } = alikeOf([...digits]);
    return new Map((await this.sql.rows(text, values)).map(([each, many]) => [String(each), Number(many)]));
  }

  private async gatewayId(ref: string): Promise<number> {
    const [row] = await this.sql.rows('SELECT id FROM gateways WHERE ref = ?', [ref]);
    if (!row) throw new NotFoundError('Gateway', ref, 'gatewayRef');
    return Number(row[0]);
  }

  private async meantBy({ domainId, agentId, peerId, agentElsewhere, host, user }: Facts): Promise<Meant> {
    if (agentId !== null || peerId !== null) return {};
    if (domainId === null) return { domain: await this.like(raw('domain_uri'), raw('domains WHERE TRUE'), host) };
    if (agentElsewhere !== null) return {};
    return { user: await this.like(raw('username'), sql`agent_domains WHERE domain_id = ${domainId}`, user) };
  }

  /** What a name may have been meant to be. */
  private async like(column: Fragment, rows: Fragment, name: string): Promise<string | undefined> {
    if (name.length > LONGEST_NAME) return undefined;
    return this.first(
      sql`SELECT ${column} FROM ${rows} AND ${column} IN (${variants(name, LETTERS)}) ORDER BY 1 LIMIT 1`,
    );
  }

  private numberLike(digits: string): Promise<string | undefined> {
    const meant = variants(digits.slice(0, LONGEST_NAME), DIGITS);
    return this.first(sql`SELECT n.tel_url FROM numbers n WHERE n.tel_digits IN (${meant}) ORDER BY n.id LIMIT 1`);
  }

  private async first({ text, values }: Fragment): Promise<string | undefined> {
    const [row] = await this.sql.rows(text, values);
    return row && String(row[0]);
  }
}

const SIZE = 250;

/** Filled up with what is looked up anyway, so that there are few statements to prepare. */
function variants(text: string, alphabet: string): Fragment {
  const all = variantsOf(text, alphabet);
  const filler = Array.from({ length: (SIZE - (all.length % SIZE)) % SIZE }, () => all[0] ?? '');
  return list([...all, ...filler]);
}

/** A range that ends with this row, in the direction of reading. */
function upTo(range: Range, rowId: number): Range {
  return range.backwards ? { ...range, after: [rowId - 1] } : { ...range, before: [rowId + 1] };
}

/** The ids of the numbers behind a position, at most so many. */
function windowOf(range: Range, gatewayId: number | undefined, size: number): Fragment {
  const { condition, order } = seek(ID, range);
  const within = (part: Fragment | undefined): Fragment =>
    sql`SELECT n.id FROM numbers n ${where([part, condition])} ORDER BY ${raw(order)} LIMIT ${size}`;
  if (gatewayId === undefined) return within(undefined);
  // The index of a gateway's numbers has them in order within each kind: together they would have to be sorted.
  const ofKind = (kind: 'DID' | 'Number'): Fragment => within(sql`n.gateway_id = ${gatewayId} AND n.kind = ${kind}`);
  const both = sql`SELECT id FROM (${ofKind('DID')}) a UNION ALL SELECT id FROM (${ofKind('Number')}) b`;
  return sql`SELECT n.id FROM (${both}) n ORDER BY ${raw(order)} LIMIT ${size}`;
}
