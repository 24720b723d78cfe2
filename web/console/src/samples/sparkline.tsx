import { Box, Typography } from '@mui/material';

import { texts } from '../texts';
import { type Samples, type SeriesName, useSamples } from './use-samples';

interface Props {
  readonly series: SeriesName;
  /** A series that is added to it. */
  readonly plus?: SeriesName | undefined;
  /** What the line shows, for screen readers. */
  readonly label: string;
  /** Whether what the line shows is written below it, too. */
  readonly isTold?: boolean;
  /** The series that a page shows, which are read with one request. */
  readonly among?: readonly SeriesName[];
}

// The drawing is stretched to the width of its place.
const WIDTH = 1000;
const HEIGHT = 40;

/** A line of the last 24 hours. Nothing is shown until there are two samples. */
export function Sparkline({ series, label, plus, isTold = false, among = plus ? [series, plus] : [series] }: Props) {
  const { data } = useSamples(among, 'day');
  const drawn = data ? sum(data, series, plus) : [];
  const values = drawn.filter((value) => value !== null);
  // A single value would be a dot.
  if (!data || values.length < 2) return isTold && data ? null : <Box sx={{ height: HEIGHT }} />;
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const total = values.reduce((sum, value) => sum + value, 0);
  // Changes are counted for each interval.
  const told =
    series === 'CHANGES'
      ? texts.samples.changesLine(total, high)
      : texts.samples.line(label, Math.round(values.at(-1) ?? 0), Math.round(low), Math.round(high));
  const line = (
    <Box
      component="svg"
      role="img"
      aria-label={told}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      sx={{ display: 'block', width: '100%', height: HEIGHT, color: 'primary.main' }}
    >
      <path
        d={pathOf(data, drawn, { width: WIDTH, height: HEIGHT, low: 0, high })}
        fill="none"
        stroke="currentColor"
        strokeWidth={2}
        vectorEffect="non-scaling-stroke"
      />
    </Box>
  );
  if (!isTold) return line;
  return (
    <Box>
      {line}
      <Typography aria-hidden variant="caption" color="text.secondary">
        {told}
      </Typography>
    </Box>
  );
}

/** The values of a series, or of two: a value of the second one that is missing adds nothing. */
export function sum({ values }: Samples, series: SeriesName, plus: SeriesName | undefined): readonly (number | null)[] {
  const more = plus ? values.get(plus) : undefined;
  return (values.get(series) ?? []).map((value, index) => (value === null ? null : value + (more?.[index] ?? 0)));
}

/** Where a line is drawn, and the values at its lower and upper end. */
interface Place {
  readonly width: number;
  readonly height: number;
  readonly low: number;
  readonly high: number;
}

/** The line begins anew after an interval without a sample. */
export function pathOf(
  { from, to, step, times }: Samples,
  values: readonly (number | null)[],
  { width, height, low, high }: Place,
): string {
  const parts: string[] = [];
  let last = -Infinity;
  for (const [index, value] of values.entries()) {
    const time = times[index];
    if (time === undefined || value === null) continue;
    const x = (at: number): number => Math.round((width * Math.min(Math.max(at - from, 0), to - from)) / (to - from));
    const share = (value - low) / Math.max(high - low, 1);
    const y = Math.round((height - 2) * (1 - share) * 10) / 10 + 1;
    // A value is drawn for the whole interval, so that a single one is visible.
    parts.push(`${time - last > step ? 'M' : 'L'}${x(time)} ${y}H${x(time + step)}`);
    last = time;
  }
  return parts.join('');
}
