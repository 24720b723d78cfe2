// Bundles the pages of /playground and /docs, with everything that they load, into dist/playground.
import { join } from 'node:path';

import { bundle } from './bundle.mjs';
import { root } from './root.mjs';

await bundle({
  source: join(root, 'web/playground'),
  target: join(root, 'dist/playground'),
  pages: { 'index.html': 'main.tsx', 'docs.html': 'docs.ts' },
  workers: {
    'editor.worker': 'monaco-editor/esm/vs/editor/editor.worker.js',
    'json.worker': 'monaco-editor/esm/vs/language/json/json.worker.js',
    'graphql.worker': 'monaco-graphql/esm/graphql.worker.js',
  },
});
