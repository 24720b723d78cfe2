import { Alert, Button, TextField } from '@mui/material';
import { useState } from 'react';
import { useNotify } from 'react-admin';

import { isShared, valueIn } from '../../../shared/session';
import { request, useRefresh } from '../graph/request';
import { signIn, useSession } from '../graph/session';
import { FormDialog } from '../parts/dialogs';
import { words } from './texts';

const { own } = words;
const CHANGE = `mutation ChangeSecret($oldSecret: String!, $newSecret: String!) {
  changeSecret(oldSecret: $oldSecret, newSecret: $newSecret)
}`;

/** Changes the secret of whoever is signed in, and signs in with the new one. */
export function ChangeSecret() {
  const session = useSession();
  const [isOpen, setOpen] = useState(false);
  const notify = useNotify();
  const refresh = useRefresh('sessions', 'history');
  if (!session) return null;
  const change = async (form: FormData): Promise<void> => {
    const [oldSecret, newSecret] = [valueIn(form, 'oldSecret'), valueIn(form, 'newSecret')];
    await request(CHANGE, { oldSecret, newSecret });
    await signIn(session.username, newSecret, !isShared(session));
    notify(own.changed, { type: 'info' });
    await refresh();
  };
  return (
    <>
      <Button variant="outlined" onClick={() => setOpen(true)}>
        {own.open}
      </Button>
      {isOpen && (
        <FormDialog title={own.open} submit={own.submit} onSubmit={change} onClose={() => setOpen(false)}>
          {(refused) => (
            <>
              <Alert severity="info">{own.about}</Alert>
              <TextField
                name="oldSecret"
                type="password"
                label={own.oldSecret}
                required
                autoFocus
                autoComplete="current-password"
                {...refused('oldSecret')}
              />
              <TextField
                name="newSecret"
                type="password"
                label={own.newSecret}
                required
                autoComplete="new-password"
                {...refused('newSecret', own.hint)}
              />
            </>
          )}
        </FormDialog>
      )}
    </>
  );
}
