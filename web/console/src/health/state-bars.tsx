import { Box, Stack, Typography } from '@mui/material';

import { PageLink } from '../parts/links';
import { colorOf } from '../parts/progress';
import { texts } from '../texts';
import type { NumberState } from './operations';
import type { Counts } from './use-counts';

interface Props {
  readonly counts: Counts;
  /** The address of the numbers in a state. */
  readonly pathOf: (state: NumberState) => string;
  /** The state whose numbers are listed. */
  readonly chosen?: string;
}

/** The number of numbers in each state, each a link to their list. */
export function StateBars({ counts: { states, examined }, pathOf, chosen }: Props) {
  const shown = [...states].filter(([state, count]) => count > 0 || state === 'REACHABLE');
  const sorted = shown.sort(([one, many], [, more]) => (one === 'REACHABLE' ? -1 : more - many));
  return (
    <Stack component="ul" spacing={0.5} aria-label={texts.health.byState} sx={{ listStyle: 'none', p: 0, m: 0 }}>
      {sorted.map(([state, count]) => (
        <Box component="li" key={state} sx={{ position: 'relative', px: 1, py: 0.5 }}>
          <Box
            aria-hidden
            sx={{
              ...{ position: 'absolute', inset: 0, borderRadius: 1, opacity: 0.15 },
              width: `${examined === 0 ? 0 : (100 * count) / examined}%`,
              bgcolor: colorOf(state === 'REACHABLE' ? 'works' : 'broken'),
            }}
          />
          <Stack direction="row" spacing={1} sx={{ position: 'relative', justifyContent: 'space-between' }}>
            <PageLink
              to={pathOf(state)}
              aria-current={state === chosen ? 'true' : undefined}
              sx={{ fontWeight: state === chosen ? 700 : 400 }}
            >
              {texts.health.states[state]}
            </PageLink>
            <Typography sx={{ fontVariantNumeric: 'tabular-nums' }}>{texts.live.count(count)}</Typography>
          </Stack>
        </Box>
      ))}
    </Stack>
  );
}
