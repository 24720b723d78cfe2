import { Chip } from '@mui/material';

import { colorOf } from '../parts/progress';
import { texts } from '../texts';
import type { TrunkState } from './operations';

interface Props {
  readonly state: TrunkState;
  readonly count: number | undefined;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

/** How many trunks are in a state; lists only these while it is chosen. */
export function StateChip({ state, count, isChosen, onChoose }: Props) {
  const progress = state === 'REGISTERED' ? 'works' : 'broken';
  return (
    <Chip
      label={texts.live.inState(texts.live.states[state], count)}
      variant={isChosen ? 'filled' : 'outlined'}
      aria-pressed={isChosen}
      onClick={onChoose}
      sx={{ color: colorOf(count === 0 ? 'unreached' : progress), borderColor: 'currentcolor' }}
    />
  );
}
