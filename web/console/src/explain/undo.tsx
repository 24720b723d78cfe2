import { Button, Stack } from '@mui/material';
import { useState } from 'react';

import { useGraph } from '../graph/request';
import { useMayWrite } from '../graph/session';
import { type DonePage, requestsOf, revertingOf } from '../history/done';
import { isRevertible } from '../history/entry';
import type { Reverting } from '../history/revert-dialog';
import { useModel } from '../model/model';
import { onDemand } from '../on-demand';
import { PageLink, requestPath } from '../parts/links';
import { texts } from '../texts';
import type { Culprit } from './operations';
import { words } from './texts';

const RevertDialog = onDemand(() => import('../history/revert-dialog').then((file) => file.RevertDialog));

/**
 * Leads to the request that broke something, and undoes it, with the preview that the history has. What was created only later broke
 * nothing.
 */
export function Undo(change: Culprit) {
  const reverting = useReverting(change);
  const [isOpen, setOpen] = useState(false);
  return (
    <Stack direction="row" spacing={2} useFlexGap sx={{ mt: 1, flexWrap: 'wrap', alignItems: 'center' }}>
      {reverting && (
        <Button size="small" variant="outlined" color="inherit" onClick={() => setOpen(true)}>
          {texts.requests.undo}
        </Button>
      )}
      {change.request !== null && <PageLink to={requestPath(change.request)}>{words.change}</PageLink>}
      {reverting && isOpen && <RevertDialog what={reverting} onClose={() => setOpen(false)} />}
    </Stack>
  );
}

/** What undoes the request of a change; undefined if the user may not, or nothing can. */
function useReverting(change: Culprit): Reverting | undefined {
  const { entry, request } = change;
  const model = useModel();
  const mayWrite = useMayWrite();
  const { data } = useGraph<{ requests: DonePage }>(
    'history',
    requestsOf(model),
    { where: { request } },
    { enabled: mayWrite && request !== null && change.event !== 'CREATED' },
  );
  if (!mayWrite || change.event === 'CREATED') return undefined;
  if (request === null) return isRevertible(change, model.kinds) ? { entry } : undefined;
  const [done] = data?.requests.nodes ?? [];
  return done && revertingOf(done, model);
}
