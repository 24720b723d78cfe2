import { useGraphiQL, useGraphiQLActions, useMonaco } from '@graphiql/react';
import { useEffect, type RefObject } from 'react';

import { colourEditors } from './theme';

interface Props {
  readonly isSignedIn: boolean;
  /** The last document that was rejected because of its token. */
  readonly refused: RefObject<string | undefined>;
  readonly onReady: (isReady: boolean) => void;
}

/** Adds behaviour to GraphiQL; renders nothing. */
export function Behaviour({ isSignedIn, refused, onReady }: Props) {
  const actions = useGraphiQLActions();
  const monaco = useMonaco((state) => state.monaco);
  const queryEditor = useGraphiQL((state) => state.queryEditor);
  const responseEditor = useGraphiQL((state) => state.responseEditor);
  const isReady = useGraphiQL(({ variableEditor }) => Boolean(queryEditor && variableEditor && responseEditor));
  const tab = useGraphiQL(({ tabs, activeTabIndex }) => tabs[activeTabIndex]);
  const fetcher = useGraphiQL((state) => state.fetcher);
  const isSubscribed = useGraphiQL((state) => state.subscription !== null);

  useEffect(() => {
    if (monaco) colourEditors(monaco.editor);
  }, [monaco]);

  // If a tab is selected before the editors are ready, GraphiQL ignores it and keeps showing the first tab.
  useEffect(() => {
    onReady(isReady);
  }, [isReady]);

  // Opens the variables pane if the tab has variables. GraphiQL has no API for this, only a button.
  useEffect(() => {
    const wanted = tab?.variables ? 'Show' : 'Hide';
    if (isReady) document.querySelector<HTMLElement>(`[aria-label="${wanted} editor tools"]`)?.click();
  }, [isReady, tab?.id]);

  // Runs the rejected document again after sign-in, when GraphiQL has the fetcher with the new token.
  useEffect(() => {
    if (!isSignedIn || refused.current === undefined) return;
    if (refused.current === queryEditor?.getValue()) actions.run();
    refused.current = undefined;
  }, [fetcher]);

  // Scrolls to the newest event.
  useEffect(() => {
    if (!isSubscribed || !responseEditor) return;
    const watching = responseEditor.onDidChangeModelContent(() => {
      responseEditor.revealLine(responseEditor.getModel()?.getLineCount() ?? 1);
    });
    return () => {
      watching.dispose();
    };
  }, [isSubscribed, responseEditor]);

  return null;
}
