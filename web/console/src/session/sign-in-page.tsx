import { Card, CardContent, Container, Typography } from '@mui/material';

import { texts } from '../texts';
import { SignInForm } from './sign-in-form';

/** The page for somebody who is not signed in. */
export function SignInPage() {
  return (
    <Container component="main" maxWidth="xs" sx={{ pt: 8 }}>
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
