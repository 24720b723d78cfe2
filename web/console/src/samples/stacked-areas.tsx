import { Alert, Box, Stack, Typography } from '@mui/material';
import { type MouseEvent, type PointerEvent, useState } from 'react';
import { useNavigate } from 'react-router-dom';

import { momentPath, PageLink } from '../parts/links';
import { texts } from '../texts';
import { clickedPath } from './moment';
import { type Samples, type SeriesName, type SpanName, useSamples } from './use-samples';
import { SpanChoice } from './span-choice';

/** A series that is drawn as an area, the first one at the bottom. */
export interface Area {
  readonly series: SeriesName;
  readonly label: string;
}

interface Props {
  /** What is drawn, for screen readers. */
  readonly label: string;
  readonly areas: readonly Area[];
}

// Read by screen readers only.
const UNSEEN = { position: 'absolute', width: '1px', height: '1px', overflow: 'hidden', clipPath: 'inset(50%)' };
const [WIDTH, HEIGHT, MARKS] = [1000, 160, 8];
// Colours that differ in lightness, too: on light and on dark backgrounds. One for each area of the page that has the most.
const COLORS = {
  light: [
    ...['#2e7d32', '#b3261e', '#e8a33d', '#6a3d9a', '#1565c0', '#f48fb1', '#5d4037'],
    ...['#26a69a', '#9e9d24', '#546e7a', '#ad1457', '#4fc3f7', '#ff7043', '#b0bec5'],
  ],
  dark: [
    ...['#66bb6a', '#ff9a8f', '#ffd180', '#b39ddb', '#64b5f6', '#f8bbd0', '#a1887f'],
    ...['#80cbc4', '#dce775', '#b0bec5', '#f06292', '#0097a7', '#ff7043', '#607d8b'],
  ],
} as const;

/** Counts over time, one on top of the other, with marks where resources were changed. Moments lead to what was then. */
export function StackedAreas({ label, areas }: Props) {
  const [span, setSpan] = useState<SpanName>('day');
  const { data, error } = useSamples([...areas.map(({ series }) => series), 'CHANGES'], span);
  return (
    <Stack spacing={1}>
      <SpanChoice value={span} onChange={setSpan} />
      {error && <Alert severity="error">{texts.parts.failed(error.message)}</Alert>}
      {data?.times.length === 0 && <Typography color="text.secondary">{texts.samples.none}</Typography>}
      {data && data.times.length > 0 && <Drawing label={label} areas={areas} samples={data} />}
    </Stack>
  );
}

interface DrawingProps extends Props {
  readonly samples: Samples;
}

function Drawing({ label, areas, samples }: DrawingProps) {
  const [chosen, setChosen] = useState<number>();
  const { times, from, to, step } = samples;
  const index = Math.min(chosen ?? times.length - 1, times.length - 1);
  const shown = areas
    .map((area, position) => ({ ...area, position, values: samples.values.get(area.series) ?? [] }))
    .filter(({ values }) => values.some((value) => value !== null && value > 0));
  const changes = samples.values.get('CHANGES') ?? [];
  const most = Math.max(1, ...times.map((_, at) => shown.reduce((sum, { values }) => sum + (values[at] ?? 0), 0)));
  const x = (at: number): number => (WIDTH * Math.min(Math.max(at - from, 0), to - from)) / (to - from);
  const boxes = times.map((time) => ({ x: x(time), width: x(time + step) - x(time) }));
  const below = times.map(() => 0);
  const choose = ({ clientX, currentTarget }: PointerEvent): void => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const at = (WIDTH * (clientX - left)) / width;
    const nearest = boxes.findLastIndex((box) => box.x <= at);
    setChosen(Math.max(nearest, 0));
  };
  const navigate = useNavigate();
  /** A touch only chooses the moment: a finger is not exact. */
  const lead = (event: MouseEvent): void => {
    const { nativeEvent } = event;
    if (nativeEvent instanceof globalThis.PointerEvent && nativeEvent.pointerType === 'touch') return;
    void navigate(clickedPath(event, samples));
  };
  const time = texts.parts.time(new Date(times[index] ?? to));
  const values = shown.map(({ label: name, position, values: all }) => ({ name, position, value: all[index] ?? null }));
  const spoken = texts.samples.at(
    time,
    values.map(({ name, value }) => texts.samples.value(name, value)),
    changes[index] ?? 0,
  );
  return (
    <Stack spacing={1}>
      <Box
        component="svg"
        aria-hidden
        viewBox={`0 0 ${WIDTH} ${HEIGHT + MARKS}`}
        preserveAspectRatio="none"
        shapeRendering="crispEdges"
        onPointerMove={choose}
        onPointerDown={choose}
        onClick={lead}
        sx={{
          cursor: 'pointer',
          display: 'block',
          width: '100%',
          height: HEIGHT + MARKS,
          borderBottom: 1,
          borderColor: 'divider',
        }}
      >
        {shown.map(({ series, position, values: all }) => {
          const path = boxes.map((box, at) => {
            const height = (HEIGHT * (all[at] ?? 0)) / most;
            below[at] = (below[at] ?? 0) + height;
            return height > 0 ? rectangle(box.x, HEIGHT - below[at], box.width, height) : '';
          });
          return (
            <Box
              key={series}
              component="path"
              d={path.join('')}
              sx={{ fill: ({ palette }) => COLORS[palette.mode][position % COLORS.light.length] }}
            />
          );
        })}
        <Box
          component="path"
          d={boxes
            .map((box, at) =>
              (changes[at] ?? 0) > 0 ? rectangle(box.x, HEIGHT + 2, Math.max(box.width, 3), MARKS - 2) : '',
            )
            .join('')}
          sx={{ fill: 'currentcolor' }}
        />
        <Box
          component="path"
          d={rectangle((boxes[index]?.x ?? 0) + (boxes[index]?.width ?? 0) / 2, 0, 1, HEIGHT)}
          sx={{ fill: 'currentcolor', opacity: 0.6 }}
        />
      </Box>
      <Box
        component="input"
        type="range"
        min={0}
        max={times.length - 1}
        value={index}
        aria-label={texts.samples.timeOf(label)}
        aria-valuetext={spoken}
        onChange={({ target }: { readonly target: { readonly value: string } }) => setChosen(Number(target.value))}
        // Its ends are those of the bars.
        sx={{
          width: `max(2rem, ${100 - (boxes[0]?.x ?? 0) / (WIDTH / 100)}%)`,
          alignSelf: 'flex-end',
          m: 0,
          accentColor: ({ palette }) => palette.primary.main,
        }}
      />
      <Typography variant="body2" color="text.secondary">
        {texts.samples.changed(time, changes[index] ?? 0)}{' '}
        <PageLink to={momentPath(Math.min((times[index] ?? to) + step, to))}>{texts.samples.explain}</PageLink>
      </Typography>
      <Box
        component="ul"
        sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 2, rowGap: 0.5, m: 0, p: 0, listStyle: 'none' }}
      >
        {values.map(({ name, position, value }) => (
          <Typography
            key={name}
            component="li"
            variant="body2"
            sx={{ display: 'flex', gap: 0.75, alignItems: 'center' }}
          >
            <Box
              component="span"
              aria-hidden
              sx={{
                width: 12,
                height: 12,
                bgcolor: ({ palette }) => COLORS[palette.mode][position % COLORS.light.length],
              }}
            />
            {texts.samples.value(name, value)}
          </Typography>
        ))}
      </Box>
      <Values label={label} shown={shown} times={times} changes={changes} />
    </Stack>
  );
}

/** The values as a table, for screen readers. */
function Values({
  label,
  shown,
  times,
  changes,
}: {
  readonly label: string;
  readonly shown: readonly (Area & { readonly values: readonly (number | null)[] })[];
  readonly times: readonly number[];
  readonly changes: readonly (number | null)[];
}) {
  return (
    <Box sx={{ position: 'relative' }}>
      {/* A table does not clip its content. */}
      <Box sx={UNSEEN}>
        <table>
          <caption>{label}</caption>
          <thead>
            <tr>
              <th scope="col">{texts.samples.time}</th>
              {shown.map(({ series, label: name }) => (
                <th key={series} scope="col">
                  {name}
                </th>
              ))}
              <th scope="col">{texts.samples.changes}</th>
            </tr>
          </thead>
          <tbody>
            {times.map((time, at) => (
              <tr key={time}>
                <th scope="row">{texts.parts.time(new Date(time))}</th>
                {shown.map(({ series, values }) => (
                  <td key={series}>{texts.samples.number(values[at] ?? null)}</td>
                ))}
                <td>{texts.samples.number(changes[at] ?? null)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Box>
    </Box>
  );
}

function rectangle(x: number, y: number, width: number, height: number): string {
  const [left, top, wide, high] = [x, y, width, height].map((each) => Math.round(each * 100) / 100);
  return `M${left} ${top}h${wide}v${high}h-${wide}z`;
}
