import { Box, Stack } from '@mui/material';

import type { Nodes } from '../graph/lists';
import { useGraph } from '../graph/request';
import { Page, Rows } from '../parts/page';
import { Time } from '../parts/time';
import { texts } from '../texts';
import { PendingActions } from './actions';
import { PENDING, type Pending } from './operations';
import { words } from './texts';

const EVERY = 5000;

/** Changes that are scheduled or wait for confirmation, and what has become of others. */
export function PendingPage() {
  const options = { refetchInterval: EVERY };
  const { data, error } = useGraph<{ pendingChanges: Nodes<Pending> }>(
    'pendingChanges',
    PENDING,
    { first: 100 },
    options,
  );
  return (
    <Page title={texts.titles.pending}>
      <Rows
        label={words.list}
        rows={data?.pendingChanges.nodes}
        error={error}
        empty={words.none}
        keyOf={({ id }) => id}
      >
        {(pending) => (
          <Stack direction="row" useFlexGap spacing={2} sx={{ flexWrap: 'wrap', alignItems: 'center' }}>
            <Box sx={{ flex: '1 1 16rem', minWidth: 0 }}>
              <Box sx={{ fontWeight: 600 }}>{words.state(pending)}</Box>
              <Box>{words.who(pending)}</Box>
              {pending.reason !== null && <Box sx={{ typography: 'body2' }}>{pending.reason}</Box>}
              {pending.figures !== null && <Box sx={{ typography: 'body2' }}>{words.figures(pending)}</Box>}
            </Box>
            <Box sx={{ typography: 'body2' }}>
              {pending.dueOn === null ? words.finished : words.due} <Time value={pending.dueOn ?? pending.finishedOn} />
            </Box>
            <PendingActions pending={pending} />
          </Stack>
        )}
      </Rows>
    </Page>
  );
}
