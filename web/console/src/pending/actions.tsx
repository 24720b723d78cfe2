import { Button } from '@mui/material';
import { useState } from 'react';
import { useNotify } from 'react-admin';

import { messageOf } from '../graph/graph-error';
import { request, useRefresh } from '../graph/request';
import { useMayWrite } from '../graph/session';
import { CANCEL, CONFIRM, type Pending } from './operations';
import { words } from './texts';

/** The buttons for a set of changes that waits, for those who may change resources. */
export function PendingActions({ pending }: { readonly pending: Pending }) {
  const [isBusy, setBusy] = useState(false);
  const mayWrite = useMayWrite();
  const notify = useNotify();
  const refresh = useRefresh('pendingChanges', 'history');
  if (!mayWrite) return null;
  const send = async (mutation: string, done: string): Promise<void> => {
    setBusy(true);
    try {
      await request(mutation, { id: pending.id });
      notify(done, { type: 'info' });
    } catch (error) {
      notify(messageOf(error), { type: 'error' });
    }
    await refresh();
    setBusy(false);
  };
  if (pending.state === 'SCHEDULED')
    return (
      <Button
        size="small"
        disabled={isBusy}
        aria-label={words.cancelOf(pending)}
        onClick={() => void send(CANCEL, words.cancelled)}
      >
        {words.cancel}
      </Button>
    );
  if (pending.state !== 'UNCONFIRMED') return null;
  return (
    <>
      <Button
        size="small"
        variant="contained"
        disabled={isBusy}
        aria-label={words.confirmOf(pending)}
        onClick={() => void send(CONFIRM, words.confirmed)}
      >
        {words.confirm}
      </Button>
      <Button
        size="small"
        color="inherit"
        disabled={isBusy}
        aria-label={words.revertOf(pending)}
        onClick={() => void send(CANCEL, words.reverted)}
      >
        {words.revert}
      </Button>
    </>
  );
}
