import { Alert, AlertTitle, LinearProgress, Link, Stack, TextField, Typography } from '@mui/material';
import { useState, type ReactNode } from 'react';
import { Link as RouterLink } from 'react-router-dom';

import { useGraph } from '../graph/request';
import { TextWithNumbers } from '../parts/telephone';
import { texts } from '../texts';
import { Chain } from './chain';
import { EXPLAIN_PAST, type PastAnswer } from './operations';
import { words } from './texts';

interface Props {
  readonly telUrl: string;
  /** The explanation of now. */
  readonly children: ReactNode;
}

/** Why a number rings or does not, or why it did at a time that can be entered. */
export function AtTime({ telUrl, children }: Props) {
  const [entered, setEntered] = useState('');
  const at = new Date(entered);
  return (
    <Stack spacing={2}>
      {Number.isNaN(at.getTime()) ? children : <PastChain telUrl={telUrl} at={at.toISOString()} />}
      <TextField
        label={words.at}
        helperText={words.hint}
        type="datetime-local"
        size="small"
        value={entered}
        onChange={({ target }) => setEntered(target.value)}
        slotProps={{ inputLabel: { shrink: true }, htmlInput: { step: 1 } }}
        sx={{ maxWidth: 320 }}
      />
    </Stack>
  );
}

function PastChain({ telUrl, at }: { readonly telUrl: string; readonly at: string }) {
  const { data, error } = useGraph<PastAnswer>('past of a number', EXPLAIN_PAST, { telUrl, at });
  if (error)
    return (
      <Alert severity="error">
        <AlertTitle>{texts.explain.failed}</AlertTitle>
        {error.message}
      </Alert>
    );
  if (!data) return <LinearProgress aria-label={texts.explain.loading} />;
  const { state, reachable, summary, steps, change } = data.explainNumber;
  return (
    <>
      <Alert severity={reachable ? 'success' : state === 'UNKNOWN' ? 'warning' : 'error'} role="status">
        <AlertTitle>{titleOf(state, reachable)}</AlertTitle>
        <TextWithNumbers>{summary}</TextWithNumbers>
        {change?.request && (
          <Typography>
            <Link component={RouterLink} to={`/history?${new URLSearchParams({ request: change.request }).toString()}`}>
              {words.change}
            </Link>
          </Typography>
        )}
      </Alert>
      <Chain steps={steps} mend={null} />
    </>
  );
}

function titleOf(state: string, reachable: boolean): string {
  if (state === 'UNKNOWN') return words.unknown;
  if (state === 'MISSING') return words.none;
  return reachable ? words.rang : words.rangNot;
}
