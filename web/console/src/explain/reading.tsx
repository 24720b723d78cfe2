import { Alert, AlertTitle, LinearProgress } from '@mui/material';
import type { ReactNode } from 'react';

import type { LiveResult } from '../graph/live-query';
import { TextWithNumbers } from '../parts/telephone';
import { texts } from '../texts';

/** What is shown instead of an answer while there is none, and above it while it may be out of date. */
export function Reading({ data, error, isLive }: Pick<LiveResult<unknown>, 'data' | 'error' | 'isLive'>) {
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

/** How each outcome of a call is shown. */
export const SEVERITIES = { RINGS: 'success', LEAVES: 'success', REFUSED: 'error', UNKNOWN: 'warning' } as const;

interface VerdictProps {
  readonly severity: 'success' | 'info' | 'warning' | 'error';
  readonly title: string;
  readonly summary: string;
  readonly children?: ReactNode;
}

/** What becomes of a call, in one sentence. Screen readers read it when it changes. */
export function Verdict({ severity, title, summary, children }: VerdictProps) {
  return (
    <Alert severity={severity} role="status">
      <AlertTitle>{title}</AlertTitle>
      <TextWithNumbers>{summary}</TextWithNumbers>
      {children}
    </Alert>
  );
}
