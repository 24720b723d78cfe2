import { Alert, AlertTitle, LinearProgress } from '@mui/material';

import type { LiveResult } from '../graph/live-query';
import { texts } from '../texts';

interface Props {
  readonly title: string;
  readonly summary: string;
  readonly reachable: boolean;
}

/** Whether it rings, in one sentence. Screen readers read it when it changes. */
export function Verdict({ title, summary, reachable }: Props) {
  return (
    <Alert severity={reachable ? 'success' : 'error'} role="status">
      <AlertTitle>{title}</AlertTitle>
      {summary}
    </Alert>
  );
}

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
