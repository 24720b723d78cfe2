import { useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { useEffect } from 'react';

const PANES = { query: 'Query', result: 'Result', docs: 'Docs' } as const;

/** The panes. A narrow screen shows one at a time, a wide one shows all. */
export type Pane = keyof typeof PANES;

interface Props {
  readonly pane: Pane;
  readonly onChoose: (pane: Pane) => void;
}

/** The buttons that select the pane on a narrow screen. The style sheet hides them on a wide screen. */
export function Panes({ pane, onChoose }: Props) {
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
