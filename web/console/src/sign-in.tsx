import {
  Alert,
  Button,
  Card,
  CardContent,
  Checkbox,
  Container,
  FormControlLabel,
  Stack,
  TextField,
  Typography,
} from '@mui/material';

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
          <SignInForm hint={texts.session.hint} />
        </CardContent>
      </Card>
    </Container>
  );
}

interface Props {
  /** The name in the form, before the user changes it. */
  readonly username?: string;
  readonly hint: string;
  /** Whether the session is for this tab only, before the user changes it. */
  readonly isOnlyThisTab?: boolean;
}

/** The sign-in form. The secret is sent once and not stored. */
export function SignInForm({ username = '', hint, isOnlyThisTab = false }: Props) {
  const { failure, isBusy, submit } = useSignInForm(async (name, secret, form) =>
    signIn(name, secret, form.has('onlyThisTab')),
  );
  return (
    <form onSubmit={submit}>
      <Stack spacing={2}>
        <TextField
          name="username"
          label={texts.session.name}
          autoComplete="username"
          required
          defaultValue={username}
          autoFocus={username === ''}
        />
        <TextField
          name="secret"
          label={texts.session.secret}
          type="password"
          autoComplete="current-password"
          required
          autoFocus={username !== ''}
        />
        <FormControlLabel
          control={<Checkbox name="onlyThisTab" defaultChecked={isOnlyThisTab} />}
          label={texts.session.onlyThisTab}
        />
        <Alert severity={failure === undefined ? 'info' : 'error'}>{failure ?? hint}</Alert>
        <Button type="submit" variant="contained" disabled={isBusy}>
          {isBusy ? texts.session.busy : texts.session.submit}
        </Button>
      </Stack>
    </form>
  );
}
