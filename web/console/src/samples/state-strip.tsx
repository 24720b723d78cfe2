import { Box } from '@mui/material';
import { useNavigate } from 'react-router-dom';

import { colorOf } from '../parts/progress';
import { isUp } from '../live/operations';
import { texts } from '../texts';
import { type Availability, observedOf } from './availability';
import { clickedPath } from './moment';
import type { Span } from './use-samples';

interface Props {
  /** The gateway of the trunk. */
  readonly gatewayRef: string;
  readonly availability: Availability;
  readonly span: Span;
  /** The span in words. */
  readonly label: string;
}

const [WIDTH, HEIGHT] = [1000, 20];

/**
 * When a trunk was up: high and green; when it was not: low and red. Time without samples is empty. A click leads to what was at
 * that moment.
 */
export function StateStrip({ gatewayRef, availability, span, label }: Props) {
  const navigate = useNavigate();
  const { registered, periods } = availability;
  const { from, to } = span;
  const pathOf = (areUp: boolean): string =>
    periods
      .filter(({ state }) => isUp(state) === areUp)
      .map((period) => {
        const [start, end] = [x(period.from), x(period.to)];
        const top = areUp ? 0 : HEIGHT / 2;
        // A short outage is visible, too.
        return `M${start} ${top}h${Math.max(end - start, areUp ? 0 : 3)}V${HEIGHT}H${start}z`;
      })
      .join('');
  const x = (time: string): number => Math.round((WIDTH * (Date.parse(time) - from)) / (to - from));
  return (
    <Box
      component="svg"
      role="img"
      aria-label={texts.samples.registered(label, registered, observedOf(availability, span))}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      onClick={(event) => void navigate(clickedPath(event, span, gatewayRef))}
      sx={{
        cursor: 'pointer',
        display: 'block',
        width: '100%',
        minWidth: 80,
        height: HEIGHT,
        borderBottom: 1,
        borderColor: 'divider',
      }}
    >
      <Box component="path" d={pathOf(true)} sx={{ fill: 'currentcolor', color: colorOf('works') }} />
      <Box component="path" d={pathOf(false)} sx={{ fill: 'currentcolor', color: colorOf('broken') }} />
    </Box>
  );
}
