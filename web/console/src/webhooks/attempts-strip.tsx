import { Box, Typography } from '@mui/material';

import { colorOf } from '../parts/progress';
import { texts } from '../texts';
import type { Attempts } from './webhook';

const HOUR = 3_600_000;
const HOURS = 24;
const [WIDTH, HEIGHT] = [240, 24];
const STEP = WIDTH / HOURS;

/** The attempts of the last 24 hours, a bar an hour: what succeeded above what failed. Nothing without attempts. */
export function AttemptsStrip({ attempts }: { readonly attempts: readonly Attempts[] }) {
  const succeeded = attempts.reduce((sum, each) => sum + each.succeeded, 0);
  const failed = attempts.reduce((sum, each) => sum + each.failed, 0);
  if (succeeded + failed === 0) return null;
  const most = Math.max(...attempts.map((each) => each.succeeded + each.failed));
  const now = Date.now();
  const first = now - (now % HOUR) - (HOURS - 1) * HOUR;
  const label = texts.webhooks.attemptsOfDay(succeeded, failed);
  // What happened once is visible beside what happened often.
  const height = (count: number): number => (count === 0 ? 0 : Math.max((HEIGHT * count) / most, 2));
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', flexWrap: 'wrap', columnGap: 1, mt: 1 }}>
      <Box
        component="svg"
        role="img"
        aria-label={label}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        sx={{ width: WIDTH, maxWidth: '100%', height: HEIGHT, borderBottom: 1, borderColor: 'divider' }}
      >
        {attempts.map((each) => {
          const x = ((Date.parse(each.from) - first) / HOUR) * STEP;
          const [good, bad] = [height(each.succeeded), height(each.failed)];
          return (
            <g key={each.from}>
              <Bar x={x} top={HEIGHT - bad - good} height={good} color={colorOf('works')} />
              <Bar x={x} top={HEIGHT - bad} height={bad} color={colorOf('broken')} />
            </g>
          );
        })}
      </Box>
      <Typography component="span" variant="body2" aria-hidden>
        {label}
      </Typography>
    </Box>
  );
}

interface BarProps {
  readonly x: number;
  readonly top: number;
  readonly height: number;
  readonly color: ReturnType<typeof colorOf>;
}

function Bar({ x, top, height, color }: BarProps) {
  return (
    <Box component="rect" x={x + 1} y={top} width={STEP - 2} height={height} sx={{ fill: 'currentcolor', color }} />
  );
}
