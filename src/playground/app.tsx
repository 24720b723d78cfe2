import { useGraphiQL } from '@graphiql/react';
import { GraphiQL } from 'graphiql';
import { useEffect, useMemo, useState } from 'react';

import { examples } from './examples';
import { createFetcher } from './fetcher';
import { loadSession, saveSession, type Session } from './session';
import { SignIn } from './sign-in';

const TABS = examples.map(({ query, variables = null }) => ({ query, variables }));

/** GraphiQL, and who is signed in. */
export function App() {
  const [session, setSession] = useState<Session | undefined>(loadSession);
  const [hint, setHint] = useState<string>();
  const [isReady, setReady] = useState(false);
  const change = (next: Session | undefined, why?: string): void => {
    saveSession(next);
    setSession(next);
    setHint(why);
  };
  const token = session?.token;
  const fetcher = useMemo(
    () =>
      createFetcher(token, () => {
        change(undefined, token === undefined ? undefined : 'Your token has ended: sign in again.');
      }),
    [token],
  );

  return (
    <div className="playground">
      <header>
        <h1>sipgraph</h1>
        {session ? (
          <p className="who">
            Signed in as <strong>{session.username}</strong> ({session.role.toLowerCase()})
            <button
              type="button"
              onClick={() => {
                change(undefined);
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
      <main inert={!isReady}>
        <GraphiQL fetcher={fetcher} defaultTabs={TABS} shouldPersistHeaders={false}>
          <GraphiQL.Logo>
            <Ready onReady={setReady} />
            <a href="docs">REST API docs</a>
          </GraphiQL.Logo>
        </GraphiQL>
      </main>
    </div>
  );
}

/** Tells when the editors are there: GraphiQL loses a tab that is chosen before, and still shows the first one's document. */
function Ready({ onReady }: { readonly onReady: (isReady: boolean) => void }) {
  const isReady = useGraphiQL(({ queryEditor, variableEditor, responseEditor }) =>
    Boolean(queryEditor && variableEditor && responseEditor),
  );
  useEffect(() => {
    onReady(isReady);
  }, [isReady]);
  return null;
}
