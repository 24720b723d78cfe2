import { useGraphiQL, useGraphiQLActions, useMonaco } from '@graphiql/react';
import type * as Monaco from 'monaco-editor';
import { useEffect, type RefObject } from 'react';

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

const SCHEMES = [
  [
    'graphiql-LIGHT',
    'vs',
    { accent: '#0f57bd', faint: '#0f57bd19', back: '#ffffff', input: '#3b4b6811', name: '#6c69ce' },
  ],
  [
    'graphiql-DARK',
    'vs-dark',
    { accent: '#64b1f7', faint: '#64b1f719', back: '#212a3b', input: '#b7c2d711', name: '#908aff' },
  ],
] as const;

/** Replaces GraphiQL's accent colour in the editors with that of the page (playground.css). */
function colourEditors({ defineTheme }: typeof Monaco.editor): void {
  for (const [theme, base, { accent, faint, back, input, name }] of SCHEMES) {
    defineTheme(theme, {
      base,
      inherit: true,
      rules: [{ token: 'argument.identifier.gql', foreground: name }],
      colors: {
        'editor.background': '#ffffff00',
        'scrollbar.shadow': '#ffffff00',
        'input.background': input,
        ...of(accent, 'textLink.foreground', 'textLink.activeForeground', 'editorLink.activeForeground', 'focusBorder'),
        ...of(accent, 'list.highlightForeground', 'list.focusHighlightForeground', 'editorWidget.resizeBorder'),
        ...of(accent, 'editorSuggestWidget.selectedForeground', 'menu.selectionForeground', 'pickerGroup.foreground'),
        ...of(faint, 'list.hoverBackground', 'editorSuggestWidget.selectedBackground', 'menu.selectionBackground'),
        ...of(faint, 'toolbar.hoverBackground', 'inputOption.hoverBackground', 'quickInputList.focusBackground'),
        ...of(back, 'editorHoverWidget.background', 'editorSuggestWidget.background', 'editorWidget.background'),
        ...of(back, 'menu.background', 'quickInput.background'),
      },
    });
  }
}

function of(colour: string, ...names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, colour]));
}
