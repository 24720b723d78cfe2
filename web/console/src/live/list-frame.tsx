import { Alert, Button, LinearProgress, Stack, Typography } from '@mui/material';
import type { ReactNode } from 'react';

import type { LiveResult } from '../graph/live-query';
import { texts } from '../texts';

interface Props {
  readonly result: Pick<LiveResult<unknown>, 'data' | 'error' | 'isPrevious'>;
  /** How many items there are on all pages; undefined while it is not known. */
  readonly count: number | undefined;
  readonly isEmpty: boolean;
  /** What is shown instead of an empty list. */
  readonly none: string;
  /** Go to the page before and to the page after this one; undefined without one. */
  readonly back: (() => void) | undefined;
  readonly on: (() => void) | undefined;
  readonly labels: readonly [back: string, on: string];
  readonly children: ReactNode;
}

/** A page of a list, with what surrounds it: how many there are, errors, and the way to other pages. */
export function ListFrame({ result, count, isEmpty, none, back, on, labels, children }: Props) {
  return (
    <Stack spacing={1} aria-busy={result.isPrevious}>
      {result.error && <Alert severity="error">{texts.parts.failed(result.error.message)}</Alert>}
      {result.data === undefined && !result.error && <LinearProgress aria-label={texts.live.updating} />}
      <Stack direction="row" spacing={1} sx={{ alignItems: 'center', justifyContent: 'space-between' }}>
        <Typography role="status" color="text.secondary">
          {isEmpty ? none : count !== undefined && texts.live.count(count)}
        </Typography>
        <Stack direction="row" spacing={1}>
          <Button disabled={!back} onClick={back}>
            {labels[0]}
          </Button>
          <Button disabled={!on} onClick={on}>
            {labels[1]}
          </Button>
        </Stack>
      </Stack>
      {!isEmpty && result.data !== undefined && children}
    </Stack>
  );
}

/** Whether one of the conditions, or the place in the list, leaves something out. */
export function isNarrowed(conditions: object): boolean {
  return Object.values(conditions).some((each) => each !== undefined);
}
