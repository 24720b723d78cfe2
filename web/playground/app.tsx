import { explorerPlugin } from '@graphiql/plugin-explorer';
import { useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { GraphiQL, HISTORY_PLUGIN } from 'graphiql';
import { useEffect, useMemo, useRef, useState } from 'react';

import {
  createSession,
  credentialsOf,
  endSessionOnServer,
  forgetSession,
  isSame,
  loadSession,
  saveSession,
  useSignInForm,
  watchSharedSession,
  type Session,
} from '../shared/session';
import { Behaviour } from './editors';
import { examples } from './examples';
import { createFetcher } from './fetcher';

/** The root of the server: every bundled module is in assets/ below it. */
const ROOT = new URL('../', import.meta.url);
const TABS = examples.map(({ query, variables = null }) => ({ query, variables }));
const PLUGINS = [HISTORY_PLUGIN, { ...explorerPlugin({ showAttribution: false }), title: 'Query builder' }];

/** GraphiQL with a sign-in form. */
export function App() {
  const [session, setSession] = useState(() => loadSession(ROOT));
  const [hint, setHint] = useState<string>();
  const [isReady, setReady] = useState(false);
  const [pane, setPane] = useState<Pane>('query');
  const refused = useRef<string>(undefined);
  const change = (next: Session | undefined, why?: string): void => {
    if (next) saveSession(ROOT, next);
    setSession(next);
    setHint(why);
  };
  useEffect(() => watchSharedSession(ROOT, () => setSession(loadSession(ROOT))), []);
  const latest = useRef(session);
  useEffect(() => {
    latest.current = session;
  }, [session]);
  const credentials = JSON.stringify(credentialsOf(session));
  const fetcher = useMemo(
    () =>
      createFetcher(credentialsOf(session), (query) => {
        // A subscription may outlast its session.
        if (!isSame(latest.current, session)) return;
        refused.current = query ?? refused.current;
        if (!session) return;
        forgetSession(ROOT, session, true);
        change(undefined, 'Your token is no longer valid. Sign in again.');
      }),
    [credentials],
  );

  return (
    <div className="playground">
      <header>
        <h1>sipgraph</h1>
        <a href="docs">REST API docs</a>
        {session ? (
          <p className="who">
            <span>
              Signed in as <strong>{session.username}</strong> ({session.role.toLowerCase()})
            </span>
            <button
              type="button"
              onClick={() => {
                refused.current = undefined;
                forgetSession(ROOT, session, false);
                change(undefined);
                void endSessionOnServer('graphql', session);
              }}
            >
              Sign out
            </button>
          </p>
        ) : (
          <SignIn
            hint={hint}
            onSignedIn={(next) => {
              change(next);
            }}
          />
        )}
      </header>
      <main inert={!isReady} data-pane={pane}>
        <GraphiQL fetcher={fetcher} defaultTabs={TABS} plugins={PLUGINS} shouldPersistHeaders={false}>
          <GraphiQL.Logo>{null}</GraphiQL.Logo>
          <Panes pane={pane} onChoose={setPane} />
          <Behaviour isSignedIn={session !== undefined} refused={refused} onReady={setReady} />
        </GraphiQL>
      </main>
    </div>
  );
}

interface SignInProps {
  /** Why the user has to sign in; undefined for the default text. */
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

const PANES = { query: 'Query', result: 'Result', docs: 'Docs' } as const;

/** The panes. A narrow screen shows one at a time, a wide one shows all. */
type Pane = keyof typeof PANES;

interface PanesProps {
  readonly pane: Pane;
  readonly onChoose: (pane: Pane) => void;
}

/** The buttons that select the pane on a narrow screen. The style sheet hides them on a wide screen. */
function Panes({ pane, onChoose }: PanesProps) {
  const actions = useGraphiQLActions();
  const visiblePlugin = useGraphiQL((state) => state.visiblePlugin);
  const referencePlugin = useGraphiQL((state) => state.referencePlugin);
  const isFetching = useGraphiQL((state) => state.isFetching);

  useEffect(() => {
    if (isFetching) onChoose('result');
  }, [isFetching]);
  useEffect(() => {
    if (!visiblePlugin && pane === 'docs') onChoose('query');
  }, [visiblePlugin]);

  return (
    <div className="panes" role="group" aria-label="Show">
      {Object.entries(PANES).map(([name, label]) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === pane}
          onClick={() => {
            if (name === 'docs' && !visiblePlugin) actions.setVisiblePlugin(referencePlugin ?? null);
            onChoose(name as Pane); // a key of PANES
          }}
        >
          {label}
        </button>
      ))}
    </div>
  );
}
