import { Alert, Box, Stack, Typography } from '@mui/material';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';

import { momentPath, PageLink } from '../parts/links';
import { texts } from '../texts';
import { clickedPath } from './moment';
import { SpanChoice } from './span-choice';
import { pathOf, sum } from './sparkline';
import { type Samples, type SeriesName, type SpanName, useSamples } from './use-samples';

const words = texts.samples;
const NAMES: readonly SpanName[] = ['hours', 'day', 'week', 'quarter'];
// The drawing is stretched to the width of its place.
const [WIDTH, HEIGHT] = [1000, 120];
/** Below this part of the highest value, it is said since when. */
const USUAL = 0.9;
/** The parts of the span whose times are below the line. */
const TICKS = [0, 0.25, 0.5, 0.75, 1];

interface Props {
  readonly series: SeriesName;
  /** A series that is added to it. */
  readonly plus?: SeriesName | undefined;
  /** What the line shows. */
  readonly label: string;
}

/**
 * A line over time with its scale, and when it was highest and lowest. The last hours have a value for each minute. Moments lead
 * to what was then.
 */
export function TimeChart({ series, plus, label }: Props) {
  const [span, setSpan] = useState<SpanName>('hours');
  const { data, error } = useSamples(plus ? [series, plus] : [series], span);
  const drawn = data ? sum(data, series, plus) : [];
  const isEmpty = data !== undefined && drawn.every((value) => value === null);
  return (
    <Stack spacing={1}>
      <SpanChoice value={span} onChange={setSpan} names={NAMES} />
      {error && <Alert severity="error">{texts.parts.failed(error.message)}</Alert>}
      {isEmpty && <Typography color="text.secondary">{words.none}</Typography>}
      {data && !isEmpty && <Chart samples={data} drawn={drawn} label={label} span={span} />}
    </Stack>
  );
}

interface ChartProps {
  readonly samples: Samples;
  readonly drawn: readonly (number | null)[];
  readonly label: string;
  readonly span: SpanName;
}

function Chart({ samples, drawn, label, span }: ChartProps) {
  const { times, from, to } = samples;
  const known = drawn.flatMap((value, index) => (value === null ? [] : [{ value, at: times[index] ?? to }]));
  // Of several, the last one: since then, there are fewer.
  const highest = known.reduce((best, each) => (each.value >= best.value ? each : best));
  const lowest = known.reduce((best, each) => (each.value < best.value ? each : best));
  // Small losses among many are visible: the scale says where it begins.
  const isNarrow = lowest.value > 0.5 * highest.value;
  const low = isNarrow ? Math.max(0, Math.floor(lowest.value - (highest.value - lowest.value) / 4) - 1) : 0;
  // A scale from 0 to 0 would be none.
  const high = Math.max(highest.value, 1);
  const place = { width: WIDTH, height: HEIGHT, low, high };
  const timeOf = (at: number): string => words.tick(new Date(at), span);
  const now = known.at(-1)?.value ?? 0;
  const last = known.findLastIndex(({ value }) => value >= USUAL * highest.value);
  const less = known[last + 1]?.at;
  const told = words.extremes(
    now,
    [highest.value, timeOf(highest.at)],
    [lowest.value, timeOf(lowest.at)],
    less === undefined ? undefined : timeOf(less),
  );
  const navigate = useNavigate();
  const linkTo = (at: number) => <PageLink to={momentPath(at)}>{timeOf(at)}</PageLink>;
  return (
    <Box>
      <Box sx={{ display: 'grid', gridTemplateColumns: 'max-content minmax(0, 1fr)', columnGap: 1 }}>
        <Box aria-hidden sx={SCALE}>
          <span>{words.number(high)}</span>
          <span>{words.number(low)}</span>
        </Box>
        <Box
          component="svg"
          role="img"
          aria-label={words.chart(label, words.spans[span], told)}
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          onClick={(event) => void navigate(clickedPath(event, samples))}
          sx={{ ...DRAWING, height: HEIGHT, cursor: 'pointer' }}
        >
          <path
            d={pathOf(samples, drawn, place)}
            fill="none"
            stroke="currentColor"
            strokeWidth={2}
            vectorEffect="non-scaling-stroke"
          />
        </Box>
        <Box aria-hidden sx={{ ...TIMES, gridColumn: 2 }}>
          {TICKS.map((part) => (
            <time key={part}>{timeOf(from + part * (to - from))}</time>
          ))}
        </Box>
      </Box>
      <Typography variant="body2" color="text.secondary">
        {words.extremesWith(
          now,
          [highest.value, linkTo(highest.at)],
          [lowest.value, linkTo(lowest.at)],
          less === undefined ? undefined : linkTo(less),
        )}
      </Typography>
    </Box>
  );
}

const SMALL = { typography: 'caption', color: 'text.secondary', fontVariantNumeric: 'tabular-nums' } as const;
const SCALE = {
  ...SMALL,
  display: 'flex',
  flexDirection: 'column',
  justifyContent: 'space-between',
  textAlign: 'right',
};
const TIMES = { ...SMALL, display: 'flex', justifyContent: 'space-between', '& > time': { whiteSpace: 'nowrap' } };
const DRAWING = {
  ...{ display: 'block', width: '100%', color: 'primary.main' },
  ...{ borderLeft: 1, borderBottom: 1, borderColor: 'divider' },
};
