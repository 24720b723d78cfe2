import { list, raw, sql, unionAll, type Fragment } from '../../database/fragment';
import { byColumn, seek, toPage, where, type Page, type Range } from '../../database/page';
import { pad, places, type Reads, type Row } from '../../database/sql';
import { isEnabled } from '../../model/enabled';
import type { Country } from '../../spelling/telephone';
import { calledDigits } from './called-digits';
import type { CallStep } from './calls/call-steps';
import type { Facts, Momentary, NumberState } from './facts';
import { countOf, countsOf, factsOf, toFacts } from './facts-query';
import { countsOfEnds, flowsOf, toFlow, type Flow, type FlowEnd } from './flows-query';
import { meantDigits } from './number-forms';
import { scopeOf, type Scope, type ScopeQuery } from './number-scope';
import type { Moment } from './number-state';
import { calledIn, numbersAmong, RANGES_LAST } from './ranges';
import { firstSameDigitsOf, sameDigitsOf } from './same-digits';
import { withTargets } from './target-facts';
import { brokenOf, didYouMean, stepsOf, type Step } from './steps';
import { Suggestions } from './suggestions';

/** Numbers are listed in the order of creation. */
const ID = byColumn('n.id');

/** Returns the range, shortened to end with this row in the direction of paging. */
function upTo(range: Range, rowId: number): Range {
  return range.backwards ? { ...range, after: [rowId - 1] } : { ...range, before: [rowId + 1] };
}

/** Selects the ids of the numbers in a range, at most `size`. */
function windowOf(range: Range, scope: Scope | undefined, size: number): Fragment {
  const { condition, order } = seek(ID, range);
  const within = (part: Fragment | undefined): Fragment =>
    sql`SELECT n.id FROM numbers n ${where([part, condition])} ORDER BY ${raw(order)} LIMIT ${size}`;
  if (!scope?.isOrdered) return within(scope?.condition);
  // The index is ordered by id within each kind, so a single query for both kinds would sort.
  const ofKind = (kind: 'DID' | 'Number'): Fragment => within(sql`${scope.condition} AND n.kind = ${kind}`);
  const both = sql`SELECT id FROM (${ofKind('DID')}) a UNION ALL SELECT id FROM (${ofKind('Number')}) b`;
  return sql`SELECT n.id FROM (${both}) n ORDER BY ${raw(order)} LIMIT ${size}`;
}

/** Why a number rings or does not. */
export interface Explanation {
  readonly digits: string;
  readonly state: NumberState | Momentary;
  readonly steps: readonly CallStep[];
  /** Undefined if the number does not exist. */
  readonly facts: Facts | undefined;
}

/** What becomes of a call that the gateway of a number which rings sends to it; see CallDiagnosis. */
interface Arrivals {
  readonly arriving: (facts: Facts, path: readonly Step[]) => Promise<readonly CallStep[]>;
}

/** Which numbers to list. */
export interface HealthQuery extends ScopeQuery {
  readonly states?: readonly string[] | undefined;
}

/**
 * A page of numbers. If a search by state stopped before the page was full, `end` is the row id of the last number that
 * was examined.
 */
export interface HealthPage extends Page<Facts> {
  readonly end: number | undefined;
}

/**
 * Numbers that do not ring for the same reason: one gateway, one address of record, one host, the same digits, or a domain
 * none of whose numbers has a device.
 */
export interface Cause {
  readonly state: NumberState;
  readonly count: number;
  /** Whether all of the domain's numbers lack a device. */
  readonly isOfDomain: boolean;
  /** The row id of the first number. */
  readonly first: number;
}

/** The numbers that were examined. */
interface Examined {
  readonly examined: number;
  /** The row id of the last one. */
  readonly end: number;
  /** Whether further numbers follow. */
  readonly more: boolean;
}

/** The states of some numbers. */
export interface HealthCounts extends Examined {
  /** States without numbers are missing. */
  readonly counts: ReadonlyMap<NumberState, number>;
  /** Those of the most numbers, in this order. */
  readonly causes: readonly Cause[];
}

/** Which flows to return. */
interface FlowQuery extends HealthQuery {
  /** How many gateways, and how many ends, have flows of their own. */
  readonly most: number;
  /** By default, addresses of record, or domains if there are several and more than `most` addresses of record. */
  readonly by: FlowEnd | undefined;
}

/** The flows of some numbers. */
export interface Flows extends Examined {
  /** First those of the most numbers. */
  readonly flows: readonly Flow[];
  readonly by: FlowEnd;
  /** How many gateways the numbers of the flows have. */
  readonly gateways: number;
  /** How many ends the numbers of the flows have. */
  readonly ends: number;
}

// The maximum number of numbers that one call of `counts` or `flows` examines: some 400 ms.
const COUNTED = 20_000;
// The maximum number of numbers that one page examines. It bounds the cost of a page, however rare a state is.
const WINDOW = 2000;
// To examine more, `counts` and `verdicts` run as heavy queries: 5 ms for as many, in which SQLite runs nothing else.
const MAX_EXAMINED = 250;
// If the table may have more rows, counting them runs as a heavy query.
const MAX_COUNTED = 25_000;
const MOST_OTHERS = 10;

/**
 * Explains why numbers ring or do not. Each method runs a bounded number of SQL statements: `explain`, some ten for each outside
 * number that is a target.
 */
export class NumberDiagnosis {
  private readonly suggestions: Suggestions;

  /** `node` is the node of the SIP server where calls arrive, as host:port. Undefined if there is only one node. */
  constructor(
    private readonly sql: Reads,
    private readonly node: string | undefined,
    /** Where numbers without a country code are from. */
    private readonly home: Country | undefined,
    /** Charges the user for a read, in objects. Throws RateLimitedError. */
    private readonly spend: (objects: number) => void,
    /** The time of the calls, in milliseconds since the epoch. */
    private readonly clock: () => number = Date.now,
    /** Without it, what stops calls only at a moment is not considered. */
    private readonly arrivals?: Arrivals,
  ) {
    this.suggestions = new Suggestions(sql, spend);
  }

  /**
   * Returns the path of a call to a number, in any spelling, also to one inside a range. Of several, it is the one that
   * route[OWN_NUMBER] chooses: enabled, with the digits that were written rather than those that they mean in the home country; of
   * those with the same digits, one that is spelled as written, because a call may ring any of them. An unknown number has the state MISSING. Throws InvalidInputError if the text
   * is not a telephone number.
   */
  async explain(telUrl: string): Promise<Explanation> {
    const { plain, written, digits } = calledDigits(telUrl, this.home);
    const first = sql`SELECT n.id FROM (${numbersAmong([written, digits])}) w JOIN numbers n ON n.id = w.id
      JOIN gateways g ON g.id = n.gateway_id
      ORDER BY ${RANGES_LAST}, ${raw(isEnabled('n'))} DESC, n.tel_digits <> ${written}, n.tel_url <> ${plain}, g.ref, n.id LIMIT 1`;
    const [called] = await this.select(factsOf(first, undefined, this.moment()));
    const meant = called ? undefined : await this.meant(plain);
    const found = called ?? meant;
    if (found) {
      const isRange = found === called && found.lastTelUrl !== null;
      const facts = isRange ? { ...found, digits: calledIn(found.digits, [written, digits]) } : found;
      const path = stepsOf(facts, await this.suggestions.forTarget(facts));
      if (facts.state !== 'REACHABLE' || !this.arrivals)
        return { digits: facts.digits, state: facts.state, steps: path, facts };
      const steps = await this.arrivals.arriving(facts, path);
      const broken = brokenOf(steps);
      const state = broken ? (broken.of === 'limit' ? 'LIMIT_REACHED' : 'NO_WAY_OUT') : 'REACHABLE';
      return { digits: facts.digits, state, steps, facts };
    }
    const suggestion = await this.suggestions.forNumber(digits);
    const summary = `no DID or Number ${digits}${didYouMean(suggestion)}`;
    return {
      digits,
      state: 'MISSING',
      steps: [{ of: 'number', state: 'MISSING', summary, suggestion }],
      facts: undefined,
    };
  }

  /** The number that a provider means in the format of its gateway (`meantDigits`), which was created first. */
  private async meant(plain: string): Promise<Facts | undefined> {
    const meant = await meantDigits(this.sql, plain.replace(/^tel:/i, ''));
    if (meant.length === 0) return undefined;
    const numbers = meant.map(({ digits, form: { plus, country, trunk } }) => {
      const inForm = sql`g.number_country = ${country} AND g.number_plus = ${plus} AND COALESCE(g.number_trunk, '') = ${trunk}`;
      return sql`SELECT n.id FROM (${numbersAmong([digits])}) w JOIN numbers n ON n.id = w.id
        JOIN gateways g ON g.id = n.gateway_id WHERE ${inForm}`;
    });
    const first = sql`SELECT n.id FROM (${unionAll(numbers)}) w JOIN numbers n ON n.id = w.id
      ORDER BY ${RANGES_LAST}, ${raw(isEnabled('n'))} DESC, n.id LIMIT 1`;
    const [found] = await this.select(factsOf(first, undefined, this.moment()));
    const inside = meant.map(({ digits }) => digits);
    return found?.lastTelUrl === null ? found : found && { ...found, digits: calledIn(found.digits, inside) };
  }

  /** Returns a page of numbers in the order of creation. Throws the errors of `scopeOf`. */
  async page(range: Range, query: HealthQuery): Promise<HealthPage> {
    const { states } = query;
    const scope = await scopeOf(this.sql, query);
    const window = states && (await this.window(range, scope));
    const within = window?.end === undefined ? range : upTo(range, window.end);
    const { order } = seek(ID, range);
    const facts = factsOf(windowOf(within, scope, states ? 2 * WINDOW : range.limit + 1), states, this.moment());
    const limited = sql`${facts} ORDER BY ${raw(order)} LIMIT ${range.limit + 1}`;
    const page = toPage(await this.select(limited, states !== undefined || scope?.isHeavy), range);
    if (!window || page.more) return { ...page, end: undefined };
    return { items: page.items, more: window.isFull, end: window.isFull ? window.end : undefined };
  }

  /**
   * Counts the numbers that match. With `states`, this computes the state of every number of the scope. Throws the
   * errors of `page`.
   */
  async count(query: HealthQuery): Promise<number> {
    const { states } = query;
    const scope = await scopeOf(this.sql, query);
    const ids = sql`SELECT n.id FROM numbers n ${where([scope?.condition])}`;
    const count = states ? countOf(ids, states, this.moment()) : sql`SELECT COUNT(*) FROM (${ids}) w`;
    const [row] = await this.rows(count, states !== undefined || (await this.sql.atMost('numbers')) > MAX_COUNTED);
    return Number(row?.[0]);
  }

  /**
   * Counts the numbers after a row id by state, and examines a bounded number of them. The states of all numbers are
   * the sum over all parts. Also finds the causes of the most numbers, at most `most`. Throws the errors of `page`.
   */
  async counts(after: number | undefined, query: ScopeQuery, most = 0): Promise<HealthCounts> {
    const { window, isHeavy, scope } = await this.part(after, query);
    const rows = await this.rows(countsOf(window, most, this.moment()), isHeavy);
    const found = rows.map(([state, many, end, place, first, isLost]) => ({
      state: state as NumberState, // stateOfNumber returns no others
      count: Number(many),
      end: Number(end),
      isCause: Number(place) > 0,
      first: Number(first),
      isOfDomain: Number(isLost) === 1,
    }));
    const counts = new Map<NumberState, number>();
    for (const { state, count } of found) counts.set(state, (counts.get(state) ?? 0) + count);
    const examined = found.reduce((sum, { count }) => sum + count, 0);
    const end = Math.max(after ?? 0, ...found.map((each) => each.end));
    const causes = found.filter(({ isCause }) => isCause);
    return { counts, causes, examined, end, more: await this.isFollowed(examined, end, scope) };
  }

  /**
   * Sums up the numbers after a row id by their gateway, what they lead to, and their state, and examines a bounded number
   * of them. Throws the errors of `page`.
   */
  async flows(after: number | undefined, { most, by, states, ...query }: FlowQuery): Promise<Flows> {
    const { window, isHeavy, scope } = await this.part(after, query);
    const [ends = []] = await this.rows(countsOfEnds(window), isHeavy);
    const [examined, end, hosts, targets] = ends.map(Number) as [number, number, number, number]; // as selected
    const chosen = by ?? (targets > most && hosts > 1 ? 'DOMAIN' : 'TARGET');
    const rows = await this.rows(flowsOf(window, { end: chosen, most, states }, this.moment()), isHeavy);
    this.spend(rows.length);
    return {
      flows: rows.map(toFlow),
      by: chosen,
      gateways: Math.max(0, ...rows.map((row) => Number(row[8]))),
      ends: Math.max(0, ...rows.map((row) => Number(row[9]))),
      examined,
      end: Math.max(after ?? 0, end),
      more: await this.isFollowed(examined, end, scope),
    };
  }

  /** Returns the verdicts on the numbers with these row ids, by row id. */
  async verdicts(rowIds: readonly number[]): Promise<ReadonlyMap<number, Facts>> {
    if (rowIds.length === 0) return new Map();
    const ids = sql`SELECT n.id FROM numbers n WHERE n.id IN (${list(pad(rowIds, 0))})`;
    const found = await this.select(factsOf(ids, undefined, this.moment()), rowIds.length > MAX_EXAMINED);
    return new Map(found.map((facts) => [facts.rowId, facts]));
  }

  /** Returns, for each of these row ids, the row ids of at most ten other numbers with the same digits. */
  async others(rowIds: readonly number[]): Promise<ReadonlyMap<number, readonly number[]>> {
    const keys = pad(rowIds, 0);
    const rows = await this.sql.rows(
      `SELECT id, tel_digits FROM numbers WHERE id IN (${places(keys.length)}) AND tel_digits <> ''`,
      keys,
    );
    const digits = new Set(rows.map((row) => String(row[1])));
    if (digits.size === 0) return new Map();
    const { text, values } = firstSameDigitsOf([...digits], MOST_OTHERS + 1);
    const sameDigits = new Map([...digits].map((each): [string, number[]] => [each, []]));
    for (const [each, id] of await this.sql.rows(text, values)) sameDigits.get(String(each))?.push(Number(id));
    const othersOf = (id: number, each: string): readonly number[] =>
      (sameDigits.get(each) ?? []).filter((other) => other !== id).slice(0, MOST_OTHERS);
    return new Map(rows.map(([id, each]) => [Number(id), othersOf(Number(id), String(each))]));
  }

  /**
   * Determines the last number to examine in advance, so that a concurrent deletion does not make the page skip
   * numbers.
   */
  private async window(
    range: Range,
    scope: Scope | undefined,
  ): Promise<{ readonly isFull: boolean; readonly end: number | undefined }> {
    const ends = sql`SELECT COUNT(*), ${raw(range.backwards ? 'MIN' : 'MAX')}(id)
      FROM (${windowOf(range, scope, WINDOW)}) w`;
    const [row] = await this.rows(ends, scope?.isHeavy);
    const count = Number(row?.[0]);
    return { isFull: count === WINDOW, end: count === 0 ? undefined : Number(row?.[1]) };
  }

  /** The next numbers of a scope that one call may examine, and whether that is a heavy read. Charges for them if not. */
  private async part(
    after: number | undefined,
    query: ScopeQuery,
  ): Promise<{ readonly window: Fragment; readonly isHeavy: boolean; readonly scope: Scope | undefined }> {
    const range = { after: after === undefined ? undefined : [after], limit: COUNTED, backwards: false };
    const scope = await scopeOf(this.sql, query);
    const isHeavy = scope?.isHeavy === true || (await this.isMuch(range, scope));
    return { window: windowOf(range, scope, COUNTED), isHeavy, scope };
  }

  /** Whether numbers of a scope follow the last of a part. */
  private async isFollowed(examined: number, end: number, scope: Scope | undefined): Promise<boolean> {
    if (examined < COUNTED) return false;
    const next = windowOf({ after: [end], limit: 1, backwards: false }, scope, 1);
    const [row] = await this.rows(sql`SELECT COUNT(*) FROM (${next}) w`, scope?.isHeavy);
    return Number(row?.[0]) > 0;
  }

  /** Whether more numbers are to be examined than a read that is not heavy may. Charges for them if not. */
  private async isMuch(range: Range, scope: Scope | undefined): Promise<boolean> {
    const [row] = await this.rows(sql`SELECT COUNT(*) FROM (${windowOf(range, scope, MAX_EXAMINED + 1)}) w`);
    const most = Number(row?.[0]);
    if (most > MAX_EXAMINED) return true;
    this.spend(most);
    return false;
  }

  private rows({ text, values }: Fragment, heavy = false): Promise<readonly Row[]> {
    return heavy ? this.sql.heavy(text, values) : this.sql.rows(text, values);
  }

  private async select(statement: Fragment, heavy = false): Promise<readonly Facts[]> {
    const found = (await this.rows(statement, heavy)).map((row) => toFacts(row, this.node));
    const moment = this.moment();
    const ambiguous = found.filter(({ state }) => state === 'AMBIGUOUS');
    const isMany = heavy && found.length > MAX_EXAMINED;
    const reads: Pick<Reads, 'rows'> = isMany ? { rows: (text, values) => this.sql.heavy(text, values) } : this.sql;
    if (ambiguous.length === 0) return withTargets(reads, found, moment);
    const sameDigits = await this.sameDigits(new Set(ambiguous.map(({ digits }) => digits)));
    const counted = found.map((facts) => ({ ...facts, sameDigits: sameDigits.get(facts.digits) }));
    return withTargets(reads, counted, moment);
  }

  private moment(): Moment {
    return { now: this.clock(), node: this.node };
  }

  /** Returns how many numbers have each of these digit strings. */
  private async sameDigits(digits: ReadonlySet<string>): Promise<ReadonlyMap<string, number>> {
    const { text, values } = sameDigitsOf([...digits]);
    return new Map((await this.sql.rows(text, values)).map(([each, many]) => [String(each), Number(many)]));
  }
}
