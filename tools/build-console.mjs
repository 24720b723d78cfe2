// Bundles the page of /console, with everything that it loads, into dist/console.
import { join } from 'node:path';

import { bundle } from './bundle.mjs';
import { root } from './root.mjs';

await bundle({
  source: join(root, 'web/console/src'),
  target: join(root, 'dist/console'),
  pages: { 'index.html': 'main.tsx' },
  onDemand: ['console.tsx', 'kinds/kind-list.tsx'],
  // The console shares the playground's session, and contains the schema.
  sources: ['web/playground/session.ts', 'schema/schema.graphql'].map((file) => join(root, file)),
});
