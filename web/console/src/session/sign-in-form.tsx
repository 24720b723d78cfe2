import { Alert, Button, Stack, TextField } from '@mui/material';
import { useState, type SyntheticEvent } from 'react';

import { signIn } from '../graph/session';
import { texts } from '../texts';

interface Props {
  /** The name in the form, before the user changes it. */
  readonly username: string;
  readonly hint: string;
}

/** The sign-in form. The secret is sent once and not stored. */
export function SignInForm({ username, hint }: Props) {
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);

  const submit = (event: SyntheticEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setBusy(true);
    setFailure(undefined);
    signIn(text(form, 'username'), text(form, 'secret'))
      .catch((error: unknown) => setFailure(error instanceof Error ? error.message : String(error)))
      .finally(() => setBusy(false));
  };

  return (
    <form onSubmit={submit}>
      <Stack spacing={2}>
        <TextField
          name="username"
          label={texts.session.name}
          autoComplete="username"
          required
          defaultValue={username}
        />
        <TextField
          name="secret"
          label={texts.session.secret}
          type="password"
          autoComplete="current-password"
          required
          autoFocus
        />
        <Alert severity={failure === undefined ? 'info' : 'error'}>{failure ?? hint}</Alert>
        <Button type="submit" variant="contained" disabled={busy}>
          {busy ? texts.session.busy : texts.session.submit}
        </Button>
      </Stack>
    </form>
  );
}

function text(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
