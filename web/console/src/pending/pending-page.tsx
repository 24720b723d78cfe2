import { Box, Stack } from '@mui/material';

import { useGraph } from '../graph/request';
import { Page, Rows } from '../parts/page';
import { Time } from '../parts/time';
import { texts } from '../texts';
import { PendingActions } from './actions';
import { PENDING, type PendingPage as Result } from './operations';
import { words } from './texts';

const EVERY = 5000;

/** Changes that are scheduled or wait for confirmation, and what has become of others. */
export function PendingPage() {
  const { data, error } = useGraph<Result>('pendingChanges', PENDING, { first: 100 }, { refetchInterval: EVERY });
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
