import type * as Monaco from 'monaco-editor';

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
export function colourEditors({ defineTheme }: typeof Monaco.editor): void {
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
