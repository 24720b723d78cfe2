import { numberOrNull, type Reads, type Row } from '../../database/sql';
import { InvalidInputError } from '../../errors';
import { KEPT, mergedColumn, spanOf, STEPS, timeOf, type Resolution, type Series, type Span } from './series';

// The most intervals of one request: 48 hours of minutes are 2,880.
const MOST_INTERVALS = 3000;

/** Which samples to read. By default, those of the last 24 hours, at the finest resolution that is available. */
interface SampleQuery {
  readonly series: readonly Series[];
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly resolution?: Resolution | undefined;
}

/** Samples by interval, oldest first. Intervals without samples are missing. Times are milliseconds since the epoch. */
export interface Samples {
  readonly resolution: Resolution;
  /** The starts of the intervals. */
  readonly times: readonly number[];
  /** When the numbers of each interval were counted; null if they were not. */
  readonly numbersCountedOn: readonly (number | null)[];
  /** The values of each interval; null for numbers that were not counted. */
  readonly series: readonly { readonly series: Series; readonly values: readonly (number | null)[] }[];
}

/** Reads samples: the state of the installation over time. */
export class SampleReader {
  constructor(
    private readonly sql: Reads,
    /** Charges the user for a read, in objects. Throws RateLimitedError. */
    private readonly spend: (objects: number) => void,
  ) {}

  /** Reads samples in one statement. Throws InvalidInputError if the query selects nothing, or too many intervals. */
  async read({ series, from, to, resolution: wanted }: SampleQuery): Promise<Samples> {
    const chosen = [...new Set(series)];
    if (chosen.length === 0) throw InvalidInputError.of('series', 'must name at least one series');
    const span = spanOf(from, to);
    const resolution = wanted ?? finestFor(span);
    const intervals = countIn(span, resolution);
    if (intervals > MOST_INTERVALS)
      throw InvalidInputError.of(
        'from',
        `${timeOf(span.from)} to ${timeOf(span.to)} are ${String(intervals)} intervals of ${resolution}, more than ${String(MOST_INTERVALS)}: request a coarser resolution or less time`,
      );
    this.spend(intervals);
    const step = STEPS[resolution];
    const start = `at - at % ${String(step)}`;
    const rows = await this.sql.rows(
      `SELECT ${start} AS begun, MAX(numbers_on), ${chosen.map(mergedColumn).join(', ')}
       FROM samples WHERE step = ? AND at >= ? AND at < ? GROUP BY ${start} ORDER BY begun`,
      [resolution === 'MINUTE' ? STEPS.MINUTE : STEPS.QUARTER_HOUR, Math.floor(span.from / step) * step, span.to],
    );
    return {
      resolution,
      times: rows.map(([at]) => Number(at)),
      numbersCountedOn: rows.map(([, on]) => numberOrNull(on)),
      series: chosen.map((each, index) => ({ series: each, values: rows.map((row) => valueOf(row, index + 2)) })),
    };
  }
}

/** The finest resolution that is kept for this span and does not exceed the number of intervals. */
function finestFor(span: Span): Resolution {
  const isRecent = span.from >= Date.now() - KEPT.MINUTE;
  const names = Object.keys(STEPS) as Resolution[]; // the keys of STEPS
  const fits = names.find((name) => (isRecent || name !== 'MINUTE') && countIn(span, name) <= MOST_INTERVALS);
  return fits ?? 'DAY';
}

/** The number of intervals that a span touches. */
function countIn({ from, to }: Span, resolution: Resolution): number {
  const step = STEPS[resolution];
  return Math.ceil(to / step) - Math.floor(from / step);
}

/** An average has two decimals. */
function valueOf(row: Row, index: number): number | null {
  const value = numberOrNull(row[index]);
  return value === null ? null : Math.round(value * 100) / 100;
}
