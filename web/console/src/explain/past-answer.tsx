import { Box, LinearProgress, Stack, TextField, Typography } from '@mui/material';
import { type ReactNode, useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';

import { useGraph } from '../graph/request';
import { localOf, utcOf } from '../parts/local-time';
import { texts } from '../texts';
import type { CallEnds } from './call-form';
import { Chain } from './chain';
import { Reading, SEVERITIES, Verdict } from './reading';
import { Undo } from './undo';
import {
  EXPLAIN_PAST,
  EXPLAIN_PAST_CALL,
  EXPLAIN_RECORDED,
  type PastAnswer,
  type PastCall,
  type PastCallAnswer,
  type PastMembers,
  type Step,
} from './operations';
import { words } from './texts';

// The slider reaches back as far as registrations are kept by default.
const REACH_MINUTES = 7 * 24 * 60;
const STEP_MINUTES = 5;
// Milliseconds without a move of the slider after which the explanation of its time is read.
const SETTLED = 250;

interface Props {
  /** The explanation of an earlier time. */
  readonly past: (at: string) => ReactNode;
  /** The explanation of now. */
  readonly children: ReactNode;
}

/** The explanation of now, or of a time that can be entered, or chosen with a slider. The time is in the address of the page. */
export function AtTime({ past, children }: Props) {
  const [parameters, setParameters] = useSearchParams();
  const entered = parameters.get('at') ?? '';
  const at = utcOf(entered);
  const enter = (text: string): void =>
    setParameters(
      (before) => {
        const after = new URLSearchParams(before);
        if (text === '') after.delete('at');
        else after.set('at', text);
        return after;
      },
      { replace: true },
    );
  // Where the slider was moved, until the address has it.
  const [moved, setMoved] = useState({ to: '', from: '-' });
  const isMoved = moved.from === entered && moved.to !== entered;
  useEffect(() => {
    if (!isMoved) return undefined;
    const timer = setTimeout(() => enter(moved.to), SETTLED);
    return () => clearTimeout(timer);
  });
  const known = at === undefined ? '' : localOf(new Date(at));
  const shown = isMoved ? moved.to : known;
  const minutesAgo = shown === '' ? 0 : (Date.now() - new Date(shown).getTime()) / 60_000;
  return (
    <Stack spacing={2}>
      {at === undefined ? children : past(at)}
      <Stack direction="row" spacing={2} useFlexGap sx={{ flexWrap: 'wrap', alignItems: 'flex-start' }}>
        <TextField
          label={words.at}
          helperText={words.hint}
          type="datetime-local"
          size="small"
          value={shown}
          onChange={({ target }) => enter(target.value)}
          slotProps={{ inputLabel: { shrink: true }, htmlInput: { step: 1 } }}
          sx={{ width: 320 }}
        />
        <Box sx={{ flex: '1 1 16rem', mt: 1.25 }}>
          <Box
            component="input"
            type="range"
            aria-label={words.slider}
            aria-valuetext={shown === '' ? words.now : texts.parts.time(new Date(shown))}
            min={-REACH_MINUTES}
            max={0}
            step={STEP_MINUTES}
            value={-Math.min(REACH_MINUTES, Math.max(0, minutesAgo))}
            onChange={({ target }) => setMoved({ to: ago(-Number(target.value)), from: entered })}
            sx={{ width: '100%', m: 0, accentColor: ({ palette }) => palette.primary.main }}
          />
          <Box aria-hidden sx={{ display: 'flex', justifyContent: 'space-between' }}>
            {[words.reach, words.now].map((end) => (
              <Typography key={end} variant="caption" color="text.secondary">
                {end}
              </Typography>
            ))}
          </Box>
        </Box>
      </Stack>
    </Stack>
  );
}

/** A time some minutes ago, as the field has it; now is empty. */
function ago(minutes: number): string {
  return minutes === 0 ? '' : localOf(new Date(Date.now() - minutes * 60_000));
}

/** Why a number rang or did not at a time. */
export function PastChain({ telUrl, at }: { readonly telUrl: string; readonly at: string }) {
  const { data, error, isPlaceholderData } = useGraph<PastAnswer>(
    'past of a number',
    EXPLAIN_PAST,
    { telUrl, at },
    // So that the slider stays where it is while it is moved.
    { keepsPrevious: true },
  );
  if (!data) return <Reading data={data} error={error ?? undefined} isLive />;
  const { state, reachable, ...past } = data.explainNumber;
  const severity = reachable ? 'success' : state === 'UNKNOWN' ? 'warning' : 'error';
  return <Past {...past} severity={severity} title={titleOf(state, reachable)} isOld={isPlaceholderData} />;
}

/** What became of a call between two ends at a time. */
export function PastCallChain({ to, from, source, at }: CallEnds & { readonly to: string; readonly at: string }) {
  const sourceAddress = source === '' ? null : source;
  const variables = { from, to, sourceAddress, at };
  const { data, error, isPlaceholderData } = useGraph<PastCallAnswer>('past of a call', EXPLAIN_PAST_CALL, variables, {
    keepsPrevious: true,
  });
  return data ? (
    <Call {...data.explainCall} isOld={isPlaceholderData} />
  ) : (
    <Reading data={data} error={error ?? undefined} isLive />
  );
}

/** Why a call on record became what it did. */
export function RecordedCall({ id, isFailed }: { readonly id: string; readonly isFailed: boolean }) {
  const { data, error } = useGraph<PastCallAnswer>('call on record', EXPLAIN_RECORDED, { call: id });
  return data ? (
    <Call {...data.explainCall} isFailed={isFailed} />
  ) : (
    <Reading data={data} error={error ?? undefined} isLive />
  );
}

interface CallProps extends PastCall {
  readonly isFailed?: boolean;
  readonly isOld?: boolean;
}

function Call({ outcome, status, reason, isFailed = false, ...past }: CallProps) {
  // Where it rang or left, it was refused, or nobody answered.
  const became = isFailed && outcome !== 'UNKNOWN' ? words.failed : words.outcomes[outcome];
  const title = status === null ? became : words.refused(status, reason ?? '');
  return <Past {...past} severity={isFailed ? 'error' : SEVERITIES[outcome]} title={title} />;
}

interface PastProps extends PastMembers {
  readonly severity: 'success' | 'warning' | 'error';
  readonly title: string;
  readonly summary: string;
  readonly steps: readonly Step[];
  /** Whether it is of the time that was asked for before, until the answer is there. */
  readonly isOld?: boolean;
}

function Past({ severity, title, summary, steps, change, former, unknown, isOld = false }: PastProps) {
  return (
    <Stack spacing={2} sx={{ position: 'relative', opacity: isOld ? 0.5 : 1 }} aria-busy={isOld}>
      {isOld && <LinearProgress aria-label={texts.explain.loading} sx={TOP} />}
      <Verdict severity={severity} title={title} summary={summary}>
        {change && <Undo {...change} />}
      </Verdict>
      {unknown
        .filter((each) => each !== summary)
        .map((each) => (
          <Typography key={each} variant="body2" color="text.secondary">
            {each}
          </Typography>
        ))}
      <Chain steps={steps} mend={null} former={former} />
    </Stack>
  );
}

// Above the answer, which does not move when the next one comes.
const TOP = { position: 'absolute', top: 0, left: 0, right: 0 } as const;

function titleOf(state: string, reachable: boolean): string {
  if (state === 'UNKNOWN') return words.unknown;
  if (state === 'MISSING') return words.none;
  return reachable ? words.rang : words.rangNot;
}
