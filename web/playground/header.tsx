import { PAGES, useOtherPages, type Page } from '../shared/pages';
import { createSession, useSignInForm, type Session } from '../shared/session';

interface HeaderProps {
  readonly here: Page;
  readonly session: Session | undefined;
  /** Why the user has to sign in; undefined for the default text. */
  readonly hint: string | undefined;
  readonly onSignedIn: (session: Session) => void;
  readonly onSignOut: (session: Session) => void;
}

/** The head of a page: links to the others, and who is signed in, or a form to sign in. */
export function Header({ here, session, hint, onSignedIn, onSignOut }: HeaderProps) {
  return (
    <header>
      <h1>sipgraph</h1>
      <nav aria-label="Pages">
        {useOtherPages(here, (page) => page).map((page) => (
          <a key={page} href={page}>
            {PAGES[page]}
          </a>
        ))}
      </nav>
      {session ? (
        <p className="who">
          <span>
            Signed in as <strong>{session.username}</strong> ({session.role.toLowerCase()})
          </span>
          <button type="button" onClick={() => onSignOut(session)}>
            Sign out
          </button>
        </p>
      ) : (
        <SignIn hint={hint} onSignedIn={onSignedIn} />
      )}
    </header>
  );
}

interface SignInProps {
  readonly hint: string | undefined;
  readonly onSignedIn: (session: Session) => void;
}

function SignIn({ hint, onSignedIn }: SignInProps) {
  const { failure, isBusy, submit } = useSignInForm(async (username, secret) =>
    onSignedIn(await createSession('graphql', username, secret)),
  );
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
      <button type="submit" disabled={isBusy}>
        {isBusy ? 'Signing in…' : 'Sign in'}
      </button>
      <p role="alert" className={failure === undefined ? 'hint' : 'failure'}>
        {failure ?? hint ?? 'Sign in to run queries. The server printed the admin’s secret on its first start.'}
      </p>
    </form>
  );
}
