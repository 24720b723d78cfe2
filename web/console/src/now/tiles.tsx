import { Box, Typography } from '@mui/material';
import { Link } from 'react-router-dom';

import { onDemand } from '../on-demand';
import { allOf, upOf } from '../live/operations';
import { colorOf } from '../parts/progress';
import type { SeriesName } from '../samples/use-samples';
import { texts } from '../texts';
import { midnight, type Shown } from './use-now';

const words = texts.now;
// The room of a line, which is there before the line is.
const LINE = { height: 48, mt: 'auto', pt: 1 };
const TileLine = onDemand(() => import('./tile-line').then((file) => file.TileLine));

/** The figures of the first page, each a link to the page that has more about it. */
export function Tiles({ now: { trunkCounts, devices }, numbers, today }: Shown) {
  const ring = numbers.states.get('REACHABLE') ?? 0;
  const [trunks, up] = [allOf(trunkCounts), upOf(trunkCounts)];
  return (
    <Box
      component="ul"
      aria-label={words.overview}
      sx={{
        ...{ display: 'grid', gap: 2, m: 0, p: 0, listStyle: 'none' },
        gridTemplateColumns: { xs: 'repeat(2, minmax(0, 1fr))', md: 'repeat(4, minmax(0, 1fr))' },
      }}
    >
      <Tile
        to="/health"
        label={words.ring}
        series="NUMBERS_REACHABLE"
        count={ring}
        of={(numbers.isComplete ? words.of : words.ofSoFar)(numbers.examined)}
        wrong={ring < numbers.examined && words.ringNot(numbers.examined - ring)}
      />
      <Tile
        to="/live"
        label={words.trunks}
        series="TRUNKS_REGISTERED"
        count={up}
        of={words.of(trunks)}
        wrong={up < trunks && words.trunksNot(trunks - up)}
      />
      <Tile to="/live?show=devices" label={words.devices} series="DEVICES" count={devices.totalCount} />
      <Tile to={`/history?from=${midnight().toISOString()}`} label={words.changes} series="CHANGES" count={today} />
    </Box>
  );
}

interface TileProps {
  readonly to: string;
  readonly label: string;
  readonly count: number;
  readonly of?: string;
  /** What is wrong; false if nothing is. */
  readonly wrong?: string | false;
  /** What its line of the last 24 hours shows. */
  readonly series: SeriesName;
}

function Tile({ to, label, count, of, wrong = false, series }: TileProps) {
  return (
    <Box component="li" sx={{ display: 'flex', minWidth: 0 }}>
      <Box
        component={Link}
        to={to}
        sx={{
          ...{ display: 'flex', flexDirection: 'column' },
          ...{ flex: 1, minWidth: 0, p: 2, border: 1, borderColor: 'divider', borderRadius: 1 },
          ...{ color: 'text.primary', bgcolor: 'background.paper', textDecoration: 'none' },
          '&:hover': { bgcolor: 'action.hover' },
        }}
      >
        <Typography variant="body2" color="text.secondary">
          {label}
        </Typography>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'baseline', columnGap: 1 }}>
          <Typography component="span" variant="h4" sx={{ fontVariantNumeric: 'tabular-nums' }}>
            {texts.live.count(count)}
          </Typography>
          <Typography component="span" variant="body2" color="text.secondary">
            {of}
          </Typography>
        </Box>
        {wrong !== false && (
          <Typography variant="body2" sx={{ color: colorOf('broken') }}>
            {wrong}
          </Typography>
        )}
        <Box sx={LINE}>
          <TileLine series={series} label={label} />
        </Box>
      </Box>
    </Box>
  );
}
