import { Alert, Box } from '@mui/material';
import type { Query } from '@tanstack/react-query';
import { useState } from 'react';

import { useGraph } from '../graph/request';
import { PendingActions } from './actions';
import { Countdown } from './countdown';
import { BAR, type Pending, type PendingOfBar } from './operations';
import { words } from './texts';

// Milliseconds between two reads, while changes wait and otherwise, and for which the end of changes is told.
const BUSY = 2000;
const IDLE = 15_000;
const TOLD = 10 * 60_000;

/** On every page: the changes that are reverted unless somebody confirms them, and those that just were. */
export function PendingBar() {
  const [hidden, setHidden] = useState<readonly string[]>([]);
  const { data } = useGraph<PendingOfBar>('pendingChanges', BAR, {}, { refetchInterval: refreshOf });
  const waiting = data?.waiting.nodes ?? [];
  const ended = (data?.ended.nodes ?? []).filter((each) => isNews(each) && !hidden.includes(each.id));
  if (waiting.length + ended.length === 0) return null;
  return (
    <Box component="section" aria-label={words.bar} sx={{ display: 'grid', gap: 1, pt: 1 }}>
      {waiting.map((pending) => (
        <Alert
          key={pending.id}
          role="group"
          severity="warning"
          action={<PendingActions pending={pending} />}
          sx={{ flexWrap: { xs: 'wrap', sm: 'nowrap' } }}
        >
          {words.who(pending)} {pending.dueOn !== null && <Countdown to={pending.dueOn} />}
          <Box sx={{ typography: 'body2' }}>{words.figures(pending)}</Box>
        </Alert>
      ))}
      {ended.map((pending) => (
        <Alert
          key={pending.id}
          severity={pending.state === 'REVERTED' ? 'info' : 'error'}
          closeText={words.hide}
          onClose={() => setHidden([...hidden, pending.id])}
        >
          {words.ended(pending)}
        </Alert>
      ))}
    </Box>
  );
}

/** The time until the changes are read again. */
function refreshOf({ state: { data } }: Query<PendingOfBar>): number {
  return (data?.waiting.nodes.length ?? 0) > 0 ? BUSY : IDLE;
}

/** Whether changes have ended a moment ago, by sipgraph itself: who did it knows. */
function isNews({ finishedOn, finishedBy }: Pending): boolean {
  return finishedOn !== null && finishedBy === null && Date.now() - Date.parse(finishedOn) < TOLD;
}
