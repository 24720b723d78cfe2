import { useGraphiQL, useGraphiQLActions, useMonaco } from '@graphiql/react';
import { useEffect, type RefObject } from 'react';

import { colourEditors } from './theme';

interface Props {
  readonly isSignedIn: boolean;
  /** The document that was last refused for want of a token. */
  readonly refused: RefObject<string | undefined>;
  readonly onReady: (isReady: boolean) => void;
}

/** What the playground does beyond GraphiQL; shows nothing. */
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

  // GraphiQL loses a tab that is chosen before the editors are there, and still shows the first one's document.
  useEffect(() => {
    onReady(isReady);
  }, [isReady]);

  // The pane of variables is open where a tab has some. GraphiQL has only its button for that.
  useEffect(() => {
    const wanted = tab?.variables ? 'Show' : 'Hide';
    if (isReady) document.querySelector<HTMLElement>(`[aria-label="${wanted} editor tools"]`)?.click();
  }, [isReady, tab?.id]);

  // What was refused is run again after signing in, once GraphiQL has the fetcher with the token.
  useEffect(() => {
    if (!isSignedIn || refused.current === undefined) return;
    if (refused.current === queryEditor?.getValue()) actions.run();
    refused.current = undefined;
  }, [fetcher]);

  // Events are appended: the newest stays in view.
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
