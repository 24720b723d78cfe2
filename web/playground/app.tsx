import { explorerPlugin } from '@graphiql/plugin-explorer';
import { useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { GraphiQL, HISTORY_PLUGIN } from 'graphiql';
import { useEffect, useMemo, useRef, useState } from 'react';

import {
  credentialsOf,
  endSessionOnServer,
  forgetSession,
  isSame,
  isShared,
  loadSession,
  saveSession,
  sharedSession,
  watchSharedSession,
  type Session,
} from '../shared/session';
import { Behaviour } from './editors';
import { examplesOf, SAMPLE, type Subjects } from './examples';
import { createFetcher } from './fetcher';
import { Header } from './header';
import { keepDocuments, readSubjects, replaceKeptExamples } from './subjects';

/** The root of the server: every bundled module is in assets/ below it. */
const ROOT = new URL('../', import.meta.url);
const PLUGINS = [HISTORY_PLUGIN, { ...explorerPlugin({ showAttribution: false }), title: 'Query builder' }];

/** GraphiQL with a sign-in form. */
export function App() {
  const [session, setSession] = useState(() => loadSession(ROOT));
  const [hint, setHint] = useState<string>();
  const [isReady, setReady] = useState(false);
  const [pane, setPane] = useState<Pane>('query');
  const refused = useRef<string>(undefined);
  const [signOuts, setSignOuts] = useState(0);
  const kept = useRef<ReturnType<typeof keepDocuments>>(undefined);
  kept.current ??= keepDocuments();
  /** Whose documents are shown; undefined if they are nobody's. */
  const owner = useRef(session?.username ?? sharedSession(ROOT)?.session.username);
  // Undefined until it is known what the examples can read.
  const [subjects, setSubjects] = useState<Subjects | undefined>(session ? undefined : SAMPLE);
  /** Shows the examples again: the next user must neither see nor run the documents of the one before. */
  const forgetDocuments = (): void => {
    refused.current = undefined;
    owner.current = undefined;
    kept.current?.forget();
    kept.current = undefined;
    setSignOuts((count) => count + 1);
  };
  const goOn = (next: Session | undefined): void => {
    if (next && owner.current !== undefined && next.username !== owner.current) forgetDocuments();
    owner.current = next?.username ?? owner.current;
    setSession(next);
  };
  const change = (next: Session | undefined, why?: string): void => {
    goOn(next);
    setHint(why);
  };
  const latest = useRef(session);
  useEffect(
    () =>
      watchSharedSession(ROOT, () => {
        const next = loadSession(ROOT);
        // Signed out in another tab. A session that is over goes on when its user signs in again.
        if (!next && latest.current && (!isShared(latest.current) || !sharedSession(ROOT))) forgetDocuments();
        goOn(next);
      }),
    [],
  );
  useEffect(() => {
    latest.current = session;
  }, [session]);
  const credentials = JSON.stringify(credentialsOf(session));
  useEffect(() => {
    if (!session) return;
    let isOver = false;
    const use = (found: Subjects): void => {
      if (isOver) return;
      const before = subjects ?? SAMPLE;
      if (JSON.stringify(found) === JSON.stringify(subjects)) return;
      replaceKeptExamples(before, found);
      const at = examplesOf(before).findIndex(({ query }) => query === refused.current);
      refused.current = examplesOf(found)[at]?.query ?? refused.current;
      setSubjects(found);
    };
    readSubjects(credentialsOf(session)).then(use, () => use(subjects ?? SAMPLE));
    return () => {
      isOver = true;
    };
  }, [credentials]);
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
    <div className="playground page">
      <Header
        here="playground"
        session={session}
        hint={hint}
        onSignedIn={(next) => {
          saveSession(ROOT, next);
          change(next);
        }}
        onSignOut={(ended) => {
          forgetSession(ROOT, ended, false);
          forgetDocuments();
          change(undefined);
          void endSessionOnServer('graphql', ended);
        }}
      />
      <main inert={!isReady} data-pane={pane}>
        {subjects && (
          <GraphiQL
            // GraphiQL reads its tabs once.
            key={JSON.stringify([signOuts, subjects])}
            fetcher={fetcher}
            storage={kept.current.storage}
            defaultTabs={examplesOf(subjects).map(({ query, variables = null }) => ({ query, variables }))}
            plugins={PLUGINS}
            shouldPersistHeaders={false}
          >
            <GraphiQL.Logo>{null}</GraphiQL.Logo>
            <Panes pane={pane} onChoose={setPane} />
            <Behaviour isSignedIn={session !== undefined} refused={refused} onReady={setReady} />
          </GraphiQL>
        )}
      </main>
    </div>
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
