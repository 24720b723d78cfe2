import type { Case } from './cases';
import type { Sample } from './load';

/** The results of a case on both servers. */
export interface Measurement {
  readonly case: Case;
  readonly raw: readonly Sample[];
  readonly sipgraph: readonly Sample[];
}

const HEADINGS = ['', 'case', 'raw', 'sipgraph', 'ratio', 'rounds', 'budget', '', 'raw', 'sipgraph', 'ratio'];
const UNITS = ['', '', 'CPU µs', 'CPU µs', '', 'min-max', '', '', 'req/s', 'req/s', ''];

/** The table of results for one database. */
export function table(title: string, measurements: readonly Measurement[]): string {
  const rows = [HEADINGS, UNITS, ...measurements.map(toRow)];
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row.map((cell, column) => (column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))),
  );
  return [title, '', ...lines.map((cells) => cells.join('  ').trimEnd())].join('\n');
}

/** Whether the median CPU per request is within the case's budget. */
export function isMet({ case: { budget }, raw, sipgraph }: Measurement): boolean {
  return median(sipgraph, 'cpu') / median(raw, 'cpu') <= budget;
}

function toRow(measurement: Measurement): readonly string[] {
  const { case: test, raw, sipgraph } = measurement;
  const [rawCpu, cpu] = [median(raw, 'cpu'), median(sipgraph, 'cpu')];
  const [rawRate, rate] = [median(raw, 'rate'), median(sipgraph, 'rate')];
  const ratios = sipgraph.map((sample, round) => sample.cpu / (raw[round]?.cpu ?? NaN));
  return [
    test.id,
    test.title,
    rawCpu.toFixed(0),
    cpu.toFixed(0),
    (cpu / rawCpu).toFixed(2),
    `${Math.min(...ratios).toFixed(2)}-${Math.max(...ratios).toFixed(2)}`,
    `<= ${test.budget.toFixed(1)}`,
    isMet(measurement) ? 'met' : 'MISSED',
    rawRate.toFixed(0),
    rate.toFixed(0),
    (rate / rawRate).toFixed(2),
  ];
}

/** The median of a measured value. */
export function median(samples: readonly Sample[], key: keyof Sample): number {
  const sorted = samples.map((sample) => sample[key]).sort((one, other) => one - other);
  const middle = sorted.length / 2;
  const [low = NaN, high = NaN] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return (low + high) / 2;
}
