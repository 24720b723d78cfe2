import { InvalidInputError } from '../../errors';
import { NUMBER_STATES, type NumberState } from '../diagnosis/facts';
import { TRUNK_STATES, type TrunkState } from '../live/trunk-reader';

/** The states of numbers that exist. */
const SAMPLED_NUMBER_STATES = NUMBER_STATES.filter(
  (state): state is Exclude<NumberState, 'MISSING'> => state !== 'MISSING',
);

/** What became of calls: answered, busy (486 or 600), or failed, by the class of the final status; other are 3xx and none. */
const CALL_OUTCOMES = ['ANSWERED', 'BUSY', 'FAILED_4XX', 'FAILED_5XX', 'FAILED_6XX', 'FAILED_OTHER'] as const;
export type CallOutcome = (typeof CALL_OUTCOMES)[number];

/**
 * What is sampled: registered devices, trunks and numbers by state, changes of resources, calls in progress, and what became of
 * calls in a minute.
 */
export const SERIES = [
  'DEVICES',
  ...TRUNK_STATES.map((state) => `TRUNKS_${state}` as const),
  ...SAMPLED_NUMBER_STATES.map((state) => `NUMBERS_${state}` as const),
  'CHANGES',
  'CALLS',
  ...CALL_OUTCOMES.map((outcome) => `CALLS_${outcome}` as const),
] as const;
export type Series = (typeof SERIES)[number];

/** The column of a series in the table `samples`. */
export function columnOf(series: Series): string {
  return series.toLowerCase();
}

/** SQL for the value of a series in several samples: the average, and of what happened in a minute the sum. */
export function mergedColumn(series: Series): string {
  const isSum = series === 'CHANGES' || series.startsWith('CALLS_');
  return `${isSum ? 'SUM' : 'AVG'}(${columnOf(series)})`;
}

/** The values of a sample. Numbers are null until they are counted. */
export interface Counts {
  readonly devices: number;
  readonly trunks: ReadonlyMap<TrunkState, number>;
  readonly numbers: ReadonlyMap<NumberState, number> | undefined;
  readonly changes: number;
  readonly calls: number;
  readonly outcomes: ReadonlyMap<CallOutcome, number>;
}

/** The values in the order of SERIES. */
export function valuesOf({ devices, trunks, numbers, changes, calls, outcomes }: Counts): readonly (number | null)[] {
  return [
    devices,
    ...TRUNK_STATES.map((state) => trunks.get(state) ?? 0),
    ...SAMPLED_NUMBER_STATES.map((state) => (numbers ? (numbers.get(state) ?? 0) : null)),
    changes,
    calls,
    ...CALL_OUTCOMES.map((outcome) => outcomes.get(outcome) ?? 0),
  ];
}

const SECOND = 1000;
const DAY = 24 * 3600 * SECOND;

/** The lengths of the intervals that can be read, in milliseconds. */
export const STEPS = {
  MINUTE: 60 * SECOND,
  QUARTER_HOUR: 15 * 60 * SECOND,
  HOUR: 3600 * SECOND,
  DAY,
} as const;
export type Resolution = keyof typeof STEPS;

/** For how long the intervals that are stored are kept, in milliseconds. The longer ones are computed from them. */
export const KEPT = { MINUTE: 2 * DAY, QUARTER_HOUR: 90 * DAY } as const;

/** The `until_on` of the current state of a trunk. */
export const OPEN = Number.MAX_SAFE_INTEGER;

/** A span of time, in milliseconds since the epoch. `to` is not part of it. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The span that arguments select: the last 24 hours by default. Throws InvalidInputError if it is empty. */
export function spanOf(from: number | undefined, to: number = Date.now()): Span {
  const start = from ?? to - STEPS.DAY;
  if (start < to) return { from: start, to };
  throw InvalidInputError.of('from', `${timeOf(start)} must be before \`to\`, which is ${timeOf(to)}`);
}

/** A time as GraphQL writes it, for messages. */
export function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
