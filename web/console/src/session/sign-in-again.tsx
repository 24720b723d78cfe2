import { Dialog, DialogContent, DialogTitle } from '@mui/material';

import { useSessionState } from '../graph/session';
import { texts } from '../texts';
import { SignInForm } from './sign-in-form';

/** Asks to sign in again when the token has ended. For the same user, the page stays, and what it was doing goes on. */
export function SignInAgain() {
  const { ended } = useSessionState();
  return (
    <Dialog open={ended !== undefined} aria-labelledby="sign-in-again" fullWidth maxWidth="xs">
      <DialogTitle id="sign-in-again">{texts.session.again}</DialogTitle>
      <DialogContent>
        <SignInForm username={ended?.username ?? ''} hint={texts.session.ended} />
      </DialogContent>
    </Dialog>
  );
}
