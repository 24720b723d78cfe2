import { Alert, LinearProgress, Typography } from '@mui/material';
import { useEffect, useState } from 'react';

import { messageOf } from '../graph/graph-error';
import { Telephone } from '../parts/telephone';
import type { Calls } from './calls';
import { words } from './texts';

interface Props {
  /** Reads the calls when the preview opens. The signal is aborted when it closes. */
  readonly load: (signal: AbortSignal) => Promise<Calls | null>;
}

/** Shows which calls would go differently after a change. */
export function CallEffects({ load }: Props) {
  const [calls, setCalls] = useState<Calls | null>();
  const [failure, setFailure] = useState<unknown>();
  useEffect(() => {
    const stop = new AbortController();
    load(stop.signal).then(setCalls, setFailure);
    return () => stop.abort();
  }, []);
  // The change itself may still be possible: a simulation is slower, and has a limit of time.
  if (failure !== undefined) return <Alert severity="info">{words.unknown(messageOf(failure))}</Alert>;
  if (calls === undefined) return <LinearProgress aria-label={words.busy} />;
  if (calls === null) return null;
  return (
    <section aria-label={words.title}>
      <Alert severity={calls.counts.stops > 0 ? 'warning' : 'info'} sx={{ mb: 1 }}>
        {words.summary(calls)}
      </Alert>
      {calls.numbers.map(({ ref, telUrl, before, after }) => (
        <Typography key={ref} variant="body2">
          <Telephone telUrl={telUrl} />
          {words.change(before.summary, after.summary)}
        </Typography>
      ))}
    </section>
  );
}
