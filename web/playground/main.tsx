import 'graphiql/style.css';
import '@graphiql/plugin-explorer/style.css';
import './header.css';
import './playground.css';

import { createRoot } from 'react-dom/client';

import { App } from './app';

const WORKERS: Readonly<Record<string, string>> = { json: 'json.worker.js', graphql: 'graphql.worker.js' };

// Monaco reads this variable to create its workers.
Object.assign(globalThis, {
  MonacoEnvironment: {
    getWorker: (_workerId: string, label: string) =>
      new Worker(new URL(WORKERS[label] ?? 'editor.worker.js', import.meta.url), { type: 'module' }),
  },
});

const root = document.getElementById('root');
if (root) createRoot(root).render(<App />);
