import { list, sql } from '../../database/fragment';
import { pad, type Reads } from '../../database/sql';
import { InvalidInputError } from '../../errors';
import { isTrunkUp, type TrunkState } from '../live/trunk-reader';
import type { Since } from '../past/ways';
import { STEPS, timeOf, type Span } from './series';

/** A time in which a trunk was in one state. Times are milliseconds since the epoch. */
export interface TrunkPeriod {
  readonly state: TrunkState;
  readonly from: number;
  readonly to: number;
}

/** The states of a trunk in a span of time. */
export interface Availability {
  /** The share of the observed time in which the trunk was registered or, if it does not register, its host responded, from 0 to 1. */
  readonly registered: number;
  /** The time in which the state is known, in seconds. */
  readonly observed: number;
  /** Oldest first. Nothing was observed between them. */
  readonly periods: readonly TrunkPeriod[];
}

// Of the trunks of one request. A page of 50 trunks has as many if each changes its state every seven minutes of a day.
const MOST_PERIODS = 10_000;

/** Reads for how long trunks were registered, for one request. */
export class AvailabilityReader {
  private left = MOST_PERIODS;

  constructor(
    private readonly sql: Reads,
    /** Charges the user for a read, in objects. Throws RateLimitedError. */
    private readonly spend: (objects: number) => void,
    private readonly since: Since,
  ) {}

  /**
   * The availability of gateways, by row id, in a fixed number of statements. Gateways that were not observed are missing. Throws
   * InvalidInputError if the request has read more than 10,000 periods.
   */
  async of(gatewayIds: readonly number[], { from, to }: Span): Promise<ReadonlyMap<number, Availability>> {
    // Until the last sample, the current state is known. Sorting in the database would read all periods before the limit.
    const { text, values } = sql`SELECT g.id, g.ref, t.state, t.since_on, t.until_on,
        (SELECT MAX(at) FROM samples WHERE step = ${STEPS.MINUTE})
      FROM gateways g JOIN trunk_states t ON t.gw_ref = g.ref AND t.until_on > ${from}
      WHERE g.id IN (${list(pad(gatewayIds, 0))}) AND t.since_on < ${to} LIMIT ${this.left + 1}`;
    const rows = await this.sql.rows(text, values);
    this.spend(rows.length);
    this.left = Math.max(this.left - rows.length, -1);
    if (this.left < 0)
      throw InvalidInputError.of(
        'from',
        `${timeOf(from)} to ${timeOf(to)} has more than ${String(MOST_PERIODS)} periods of the trunks of this request: request fewer gateways or less time`,
      );
    const refs = [...new Set(rows.map(([, ref]) => String(ref)))];
    const firsts = await this.since(refs.map((ref) => ({ kind: 'Gateway', ref })));
    const now = Date.now();
    const found = new Map<number, TrunkPeriod[]>();
    for (const [id, ref, state, since, until, sampled] of rows) {
      const first = firsts.get(`Gateway ${String(ref)}`) ?? 0;
      const start = Math.max(Number(since), from, first);
      const end = Math.min(Number(until), to, now, Number(sampled) + STEPS.MINUTE);
      if (end <= start) continue;
      const periods = found.get(Number(id)) ?? [];
      periods.push({ state: state as TrunkState, from: start, to: end }); // trunkState returns no others
      found.set(Number(id), periods);
    }
    return new Map(
      [...found].map(([id, periods]) => [id, availabilityOf(periods.toSorted((one, other) => one.from - other.from))]),
    );
  }
}

function availabilityOf(periods: readonly TrunkPeriod[]): Availability {
  const sum = (of: readonly TrunkPeriod[]): number => of.reduce((total, { from, to }) => total + to - from, 0);
  const observed = sum(periods);
  return {
    registered: sum(periods.filter(({ state }) => isTrunkUp(state))) / observed,
    observed: observed / 1000,
    periods,
  };
}
