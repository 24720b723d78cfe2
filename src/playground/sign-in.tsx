import { useState, type SyntheticEvent } from 'react';

import { signIn, type Session } from './session';

interface Props {
  /** Why the user is asked, if there is more to say than that a token is needed. */
  readonly hint: string | undefined;
  readonly onSignedIn: (session: Session) => void;
}

/** Asks for name and secret; the secret is sent once and not kept. */
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
        setFailure(error instanceof Error ? error.message : 'Signing in failed');
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
        {failure ?? hint ?? 'Queries need a token. The server printed the admin’s secret when it first started.'}
      </p>
    </form>
  );
}

function text(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
