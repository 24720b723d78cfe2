import { Typography } from '@mui/material';
import { useEffect, useState } from 'react';

import { DataTable, type Column } from '../parts/data-table';
import { PageLink, StoredLink } from '../parts/links';
import { colorOf, type Progress } from '../parts/progress';
import { Time } from '../parts/time';
import { texts } from '../texts';
import { LIVE, type Call, type CallState } from './operations';
import { words } from './texts';

const COLUMNS: readonly Column<Call>[] = [
  {
    label: words.columns.begun,
    cell: ({ id, begunOn }) => (
      <PageLink to={`/calls/${encodeURIComponent(id)}`}>
        <Time isBrief value={begunOn} />
      </PageLink>
    ),
  },
  {
    label: words.columns.parties,
    cell: ({ from, to, called }) => words.parties(from ?? texts.parts.noValue, called ?? to ?? texts.parts.noValue),
  },
  {
    label: words.columns.direction,
    cell: ({ direction }) => words.directions[direction ?? ''] ?? texts.parts.noValue,
  },
  { label: words.columns.state, cell: ({ state }) => <State state={state} /> },
  { label: words.columns.duration, cell: (call) => <Duration of={call} /> },
  {
    label: words.columns.response,
    cell: ({ status, reason }) => words.response(status, reason) || texts.parts.noValue,
  },
  {
    label: words.columns.gateway,
    cell: ({ gateway, gatewayRef, former }) =>
      gatewayRef === null ? (
        texts.parts.noValue
      ) : (
        <StoredLink kind="Gateway" now={gateway} of={gatewayRef} former={former} />
      ),
  },
];

/** A table of calls, each with a link to its page. */
export function CallTable({ label, calls }: { readonly label: string; readonly calls: readonly Call[] }) {
  return <DataTable label={label} columns={COLUMNS} rows={calls} keyOf={({ id }) => id} />;
}

/** The state of a call. Calls in progress are marked. */
export function State({ state }: { readonly state: CallState }) {
  return (
    <Typography
      component="span"
      variant="body2"
      sx={{ fontWeight: LIVE.includes(state) ? 600 : 400, color: colorOf(progressOf(state)) }}
    >
      {words.states[state]}
    </Typography>
  );
}

function progressOf(state: CallState): Progress {
  if (LIVE.includes(state)) return 'works';
  return state === 'ENDED' ? 'unneeded' : 'broken';
}

/** How long a call lasted after its answer, or has lasted. */
export function Duration({ of: { state, answeredOn, endedOn } }: { readonly of: Call }) {
  if (answeredOn === null) return texts.parts.noValue;
  if (endedOn === null) return state === 'ANSWERED' ? <Lasting since={answeredOn} /> : texts.parts.noValue;
  return words.duration((Date.parse(endedOn) - Date.parse(answeredOn)) / 1000);
}

/** The time since a call was answered. Screen readers read it when they are asked to, and not each second. */
function Lasting({ since }: { readonly since: string }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <Typography component="span" variant="body2" role="timer" sx={{ fontVariantNumeric: 'tabular-nums' }}>
      {words.duration(Math.max(0, now - Date.parse(since)) / 1000)}
    </Typography>
  );
}
