import { Alert, AlertTitle, LinearProgress } from '@mui/material';

import type { LiveResult } from '../graph/live-query';
import { texts } from '../texts';

/** What is shown instead of an answer while there is none, and above it while it may be out of date. */
export function Reading({ data, error, isLive }: Omit<LiveResult<unknown>, 'refresh'>) {
  if (error)
    return (
      <Alert severity="error">
        <AlertTitle>{texts.explain.failed}</AlertTitle>
        {error.message}
      </Alert>
    );
  if (!isLive) return <Alert severity="warning">{texts.explain.offline}</Alert>;
  return data === undefined ? <LinearProgress aria-label={texts.explain.loading} /> : null;
}
