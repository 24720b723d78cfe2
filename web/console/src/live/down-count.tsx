import { Typography } from '@mui/material';

import { HEALTH, REGISTRATIONS, resourcesOf, useLiveQuery } from '../graph/live-query';
import { colorOf } from '../parts/progress';
import { texts } from '../texts';
import { allOf, upOf, type Counts } from './operations';

const COUNT_TRUNKS = '{ trunkCounts { state count silent } }';
const WATCHED = [REGISTRATIONS, HEALTH, resourcesOf(['Gateway'])];
// Milliseconds: every page has the menu.
const PAUSE = 5000;

/** How many trunks are down, in the menu; nothing if none is. */
export function DownCount() {
  const { data } = useLiveQuery<Pick<Counts, 'trunkCounts'>>(COUNT_TRUNKS, {}, () => WATCHED, { pause: PAUSE });
  const counts = data?.trunkCounts ?? [];
  const count = allOf(counts) - upOf(counts);
  if (count === 0) return null;
  return (
    <Typography component="span" variant="body2" sx={{ color: colorOf('broken'), fontVariantNumeric: 'tabular-nums' }}>
      {texts.live.down(count)}
    </Typography>
  );
}
