import { Typography } from '@mui/material';

import { HEALTH, REGISTRATIONS, resourcesOf, useLiveQuery } from '../graph/live-query';
import { colorOf } from '../parts/progress';
import { texts } from '../texts';
import { isUp, type Counts } from './operations';

const COUNT_TRUNKS = '{ trunkCounts { state count } }';
const WATCHED = [REGISTRATIONS, HEALTH, resourcesOf(['Gateway'])];
// Milliseconds: every page has the menu.
const PAUSE = 5000;

/** How many trunks are down, in the menu; nothing if none is. */
export function DownCount() {
  const { data } = useLiveQuery<Pick<Counts, 'trunkCounts'>>(COUNT_TRUNKS, {}, () => WATCHED, { pause: PAUSE });
  const down = (data?.trunkCounts ?? []).filter(({ state }) => !isUp(state));
  const count = down.reduce((sum, each) => sum + each.count, 0);
  if (count === 0) return null;
  return (
    <Typography component="span" variant="body2" sx={{ color: colorOf('broken'), fontVariantNumeric: 'tabular-nums' }}>
      {texts.live.down(count)}
    </Typography>
  );
}
