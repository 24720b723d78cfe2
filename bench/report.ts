import type { Case } from './cases';
import type { Sample } from './load';

/** The results of a case: the samples of each server by name, starting with `raw`, the hand-written baseline. */
export interface Measurement {
  readonly case: Case;
  readonly samples: ReadonlyMap<string, readonly Sample[]>;
}

/** The goals that all cases share (docs/operating/performance.md). */
const GOALS = {
  /** The rate of creates, at least, as a multiple of that of `raw`. */
  createRate: 0.8,
  /** The 99th percentile of the times, at most, as a multiple of that of `raw`. */
  p99: 1.5,
  /** The memory (RSS) of sipgraph after the run, in bytes. */
  resident: 150_000_000,
};

const SUBJECT = 'sipgraph';
const PEER = 'mercurius';

/** A figure of a server in a case, from all rounds. */
type Figure = (samples: readonly Sample[]) => number;

const cpu: Figure = (samples) => median(samples, 'cpu');
const lowestCpu: Figure = (samples) => Math.min(...samples.map((sample) => sample.cpu));
const bothCpu: Figure = (samples) => median(samples, 'cpu') + median(samples, 'databaseCpu');
const rate: Figure = (samples) => median(samples, 'rate');
/** Over the requests of all rounds, because a round has too few. */
const p99: Figure = (samples) => {
  const times = samples.flatMap((sample) => sample.times).sort((one, other) => one - other);
  return times[Math.floor(times.length * 0.99)] ?? NaN;
};

/**
 * A table in Markdown, with the figures of all servers: CPU time per request in microseconds, and as a multiple of that
 * of `raw`, with the lowest and the highest ratio of a round; CPU time with the database's; rate and p99.
 */
export function table(measurements: readonly Measurement[]): string {
  const names = [...(measurements[0]?.samples.keys() ?? [])];
  const others = names.slice(1);
  const each = (heading: string): readonly string[] => names.map((name) => `${heading} ${name}`);
  const heading = [
    '',
    'case',
    'CPU µs raw',
    ...others.flatMap((name) => [name, 'min-max']),
    'goal',
    ...each('with DB'),
    ...each('req/s'),
    ...each('p99 ms'),
  ];
  const rows = measurements.map((measurement) => {
    const { id, title, budget } = measurement.case;
    const of = (figure: Figure, digits: number): readonly string[] =>
      names.map((name) => figureOf(measurement, name, figure).toFixed(digits));
    return [
      id,
      title,
      figureOf(measurement, 'raw', cpu).toFixed(0),
      ...others.flatMap((name) => [ratio(measurement, name, cpu).toFixed(2), spread(measurement, name)]),
      budget === Infinity ? '' : budget.toFixed(2),
      ...of(bothCpu, 0),
      ...of(rate, 0),
      ...of(p99, 1),
    ];
  });
  return markdown([heading, ...rows]);
}

/**
 * A table in Markdown with the CPU time per request of sipgraph as a multiple of that of another version: of the medians,
 * and of the lowest rounds, which other load on the machine changes less.
 */
export function comparison(measurements: readonly Measurement[], other: string): string {
  const ratioOf = (samples: Measurement['samples'], figure: Figure): string =>
    (figure(samples.get(SUBJECT) ?? []) / figure(samples.get(other) ?? [])).toFixed(2);
  const rows = measurements.map(({ case: { id, title }, samples }) => [
    id,
    title,
    ratioOf(samples, cpu),
    ratioOf(samples, lowestCpu),
    ratioOf(samples, bothCpu),
    ratioOf(samples, rate),
  ]);
  return markdown([['', `case, compared with ${other}`, 'CPU', 'lowest', 'with DB', 'req/s'], ...rows]);
}

/** The goals that sipgraph misses, in words. */
export function missed(measurements: readonly Measurement[], resident: ReadonlyMap<string, number>): readonly string[] {
  const memory = resident.get(SUBJECT) ?? NaN;
  return [
    ...measurements.filter(({ case: { budget } }) => budget < Infinity).flatMap(missedIn),
    ...exceeded('', 'memory in MB', memory / 1e6, GOALS.resident / 1e6),
  ];
}

function missedIn(measurement: Measurement): readonly string[] {
  const { id, budget, creates } = measurement.case;
  const hasPeer = measurement.samples.has(PEER);
  const own = (figure: Figure): number => figureOf(measurement, SUBJECT, figure);
  const peer = (figure: Figure): number => figureOf(measurement, PEER, figure);
  return [
    ...exceeded(id, 'CPU', ratio(measurement, SUBJECT, cpu), budget),
    ...(hasPeer ? exceeded(id, `CPU, compared with ${PEER}'s`, own(cpu) / peer(cpu), 1) : []),
    ...(hasPeer ? exceeded(id, `CPU with the database, compared with ${PEER}'s`, own(bothCpu) / peer(bothCpu), 1) : []),
    ...(creates ? exceeded(id, 'time', 1 / ratio(measurement, SUBJECT, rate), 1 / GOALS.createRate) : []),
    ...exceeded(id, 'p99', ratio(measurement, SUBJECT, p99), GOALS.p99),
  ];
}

function exceeded(id: string, what: string, value: number, goal: number): readonly string[] {
  return value <= goal ? [] : [`${id} ${what}: ${value.toFixed(2)}, goal ${goal.toFixed(2)}`.trim()];
}

function figureOf({ samples }: Measurement, name: string, figure: Figure): number {
  return figure(samples.get(name) ?? []);
}

/** A figure of a server as a multiple of that of `raw`. */
function ratio(measurement: Measurement, name: string, figure: Figure): number {
  return figureOf(measurement, name, figure) / figureOf(measurement, 'raw', figure);
}

/** The ratio of the CPU time of a server to that of `raw` in its best and its worst round. */
function spread({ samples }: Measurement, name: string): string {
  const raw = samples.get('raw') ?? [];
  const ratios = (samples.get(name) ?? []).map((sample, round) => sample.cpu / (raw[round]?.cpu ?? NaN));
  return `${Math.min(...ratios).toFixed(2)}-${Math.max(...ratios).toFixed(2)}`;
}

function markdown(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(3, ...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const isText = (column: number): boolean => column < 2;
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => (isText(column) ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`;
  const rule = widths.map((width, column) => (isText(column) ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  const [heading = [], ...body] = rows;
  return [heading, rule, ...body].map(line).join('\n');
}

/** The median of a measured value. */
export function median<K extends string>(samples: readonly Readonly<Record<K, number>>[], key: K): number {
  const sorted = samples.map((sample) => sample[key]).sort((one, other) => one - other);
  const middle = sorted.length / 2;
  const [low = NaN, high = NaN] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return (low + high) / 2;
}
