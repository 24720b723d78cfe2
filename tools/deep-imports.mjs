import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { root } from './root.mjs';

const INDEX = '@mui/material';
const IMPORT = /import\s*\{([^}]*)\}\s*from\s*['"]@mui\/material['"];?/g;
// What is exported by another module than one of its own name.
const ELSEWHERE = { createFilterOptions: 'Autocomplete', major: 'version', useForkRef: 'utils' };

/**
 * A plugin for esbuild that replaces imports from MUI's index by imports of its modules. esbuild assigns all that is used
 * of an index to one chunk, so the first page would load the components of all pages.
 */
export const deepImports = {
  name: 'deep-imports',
  setup(build) {
    build.onLoad({ filter: /(console\/src|ra-ui-materialui\/dist)\/.*\.(js|tsx)$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const contents = text.replace(IMPORT, (_import, names) => names.split(',').map(importOf).join('\n'));
      return { contents, loader: path.endsWith('.js') ? 'js' : 'tsx' };
    });
  },
};

function importOf(each) {
  const name = each.trim();
  if (name === '' || name.startsWith('type ')) return '';
  const [exported, local = exported] = name.split(/\s+as\s+/);
  const isModule = existsSync(join(root, 'node_modules', INDEX, exported));
  return isModule
    ? `import ${local} from '${INDEX}/${exported}';`
    : `import { ${name} } from '${INDEX}/${ELSEWHERE[exported] ?? 'styles'}';`;
}
