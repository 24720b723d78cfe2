import { Alert, Button, Card, CardContent, Container, Stack, TextField, Typography } from '@mui/material';

import { useSignInForm } from '../../shared/session';
import { signIn } from './graph/session';
import { texts } from './texts';

/** The page for somebody who is not signed in. */
export function SignInPage() {
  return (
    <Container component="main" maxWidth="xs" sx={{ pt: { xs: 2, sm: 8 } }}>
      <Card>
        <CardContent>
          <Typography component="h1" variant="h5" gutterBottom>
            {texts.session.title}
          </Typography>
          <SignInForm username="admin" hint={texts.session.hint} />
        </CardContent>
      </Card>
    </Container>
  );
}

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
