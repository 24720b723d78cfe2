import type { Case } from './cases';
import type { Sample } from './load';

/** The results of a case: the samples of each server by name, starting with `raw`, the hand-written baseline. */
export interface Measurement {
  readonly case: Case;
  readonly samples: ReadonlyMap<string, readonly Sample[]>;
}

/** A table in Markdown: each server's CPU time per request, and its memory, as multiples of those of `raw`. */
export function table(measurements: readonly Measurement[], resident: ReadonlyMap<string, number>): string {
  const names = [...resident.keys()].slice(1);
  const [raw = NaN] = resident.values();
  const heading = ['', 'case', ...names, 'goal', 'sipgraph, min-max'];
  const rows = measurements.map((measurement) => {
    const { id, title, budget } = measurement.case;
    return [
      id,
      title,
      ...names.map((name) => ratio(measurement, name).toFixed(2)),
      budget.toFixed(1),
      spread(measurement),
    ];
  });
  const memory = [
    '',
    'memory (RSS) after the run',
    ...names.map((name) => ((resident.get(name) ?? NaN) / raw).toFixed(2)),
    '',
    '',
  ];
  return markdown([heading, ...rows, memory]);
}

/** The ids of the cases in which sipgraph exceeds its goal. */
export function missed(measurements: readonly Measurement[]): readonly string[] {
  return measurements.filter((measurement) => !isMet(measurement)).map(({ case: { id } }) => id);
}

function isMet(measurement: Measurement): boolean {
  return ratio(measurement, 'sipgraph') <= measurement.case.budget;
}

/** The median CPU time of a server, as a multiple of `raw`. */
function ratio({ samples }: Measurement, name: string): number {
  return median(samples.get(name) ?? [], 'cpu') / median(samples.get('raw') ?? [], 'cpu');
}

/** The ratio of sipgraph to `raw` in its best and its worst round. */
function spread({ samples }: Measurement): string {
  const raw = samples.get('raw') ?? [];
  const ratios = (samples.get('sipgraph') ?? []).map(({ cpu }, round) => cpu / (raw[round]?.cpu ?? NaN));
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
export function median(samples: readonly Sample[], key: keyof Sample): number {
  const sorted = samples.map((sample) => sample[key]).sort((one, other) => one - other);
  const middle = sorted.length / 2;
  const [low = NaN, high = NaN] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return (low + high) / 2;
}
