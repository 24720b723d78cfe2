import { Stack, Typography } from '@mui/material';

import { Status } from '../parts/status';
import { TextWithNumbers } from '../parts/telephone';
import { texts } from '../texts';
import type { TargetState } from './operations';

const words = texts.explain.targets;

/** When each of several targets of a number is called, and what becomes of it. Nothing for a single one. */
export function Targets({ of: targets }: { readonly of: readonly TargetState[] }) {
  if (targets.length <= 1) return null;
  return (
    <Stack component="ol" aria-label={words.title} spacing={1} sx={{ pl: 2.5, m: 0 }}>
      {targets.map(({ when, progress, summary }) => (
        <li key={when}>
          <Typography sx={{ overflowWrap: 'anywhere' }}>
            <TextWithNumbers>{when}</TextWithNumbers>
          </Typography>
          <Status progress={progress}>
            <strong>{words.states[progress]}</strong>{' '}
            <Typography component="span" variant="body2" sx={{ color: 'text.secondary' }}>
              <TextWithNumbers>{summary}</TextWithNumbers>
            </Typography>
          </Status>
        </li>
      ))}
    </Stack>
  );
}
