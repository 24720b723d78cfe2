import { explorerPlugin } from '@graphiql/plugin-explorer';
import { GraphiQL, HISTORY_PLUGIN } from 'graphiql';
import { useMemo, useRef, useState } from 'react';

import { Behaviour } from './behaviour';
import { examples } from './examples';
import { createFetcher } from './fetcher';
import { Panes, type Pane } from './panes';
import { loadSession, saveSession, type Session } from './session';
import { SignIn } from './sign-in';
import { signOut } from './sign-in-request';

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
    saveSession(ROOT, next);
    setSession(next);
    setHint(why);
  };
  const token = session?.token;
  const fetcher = useMemo(
    () =>
      createFetcher(token, (query) => {
        // A subscription may outlast its session.
        if (loadSession(ROOT)?.token !== token) return;
        refused.current = query ?? refused.current;
        if (token !== undefined) change(undefined, 'Your token is no longer valid. Sign in again.');
      }),
    [token],
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
                change(undefined);
                void signOut(session);
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
          <Behaviour isSignedIn={token !== undefined} refused={refused} onReady={setReady} />
        </GraphiQL>
      </main>
    </div>
  );
}
