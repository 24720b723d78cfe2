import { useState, type SyntheticEvent } from 'react';

import type { Session } from './session';
import { signIn } from './sign-in-request';

interface Props {
  /** Why the user has to sign in; undefined for the default text. */
  readonly hint: string | undefined;
  readonly onSignedIn: (session: Session) => void;
}

/** The sign-in form. The secret is sent once and not stored. */
export function SignIn({ hint, onSignedIn }: Props) {
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);

  const submit = (event: SyntheticEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setBusy(true);
    setFailure(undefined);
    signIn(text(form, 'username'), text(form, 'secret'))
      .then(onSignedIn, (error: unknown) => {
        setFailure(error instanceof Error ? error.message : 'Sign-in failed');
      })
      .finally(() => {
        setBusy(false);
      });
  };

  return (
    <form className="sign-in" aria-label="Sign in" onSubmit={submit}>
      <label>
        Name
        <input name="username" autoComplete="username" required defaultValue="admin" />
      </label>
      <label>
        Secret
        <input name="secret" type="password" autoComplete="current-password" required autoFocus />
      </label>
      <button type="submit" disabled={busy}>
        {busy ? 'Signing in…' : 'Sign in'}
      </button>
      <p role="alert" className={failure === undefined ? 'hint' : 'failure'}>
        {failure ?? hint ?? 'Sign in to run queries. The server printed the admin’s secret on its first start.'}
      </p>
    </form>
  );
}

function text(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
