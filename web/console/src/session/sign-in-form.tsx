import { Alert, Button, Stack, TextField } from '@mui/material';

import { useSignInForm } from '../../../shared/session';
import { signIn } from '../graph/session';
import { texts } from '../texts';

interface Props {
  /** The name in the form, before the user changes it. */
  readonly username: string;
  readonly hint: string;
}

/** The sign-in form. The secret is sent once and not stored. */
export function SignInForm({ username, hint }: Props) {
  const { failure, isBusy, submit } = useSignInForm(signIn);
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
        <Button type="submit" variant="contained" disabled={isBusy}>
          {isBusy ? texts.session.busy : texts.session.submit}
        </Button>
      </Stack>
    </form>
  );
}
