// Bundles the pages for browsers, the console and the playground, into dist/: hashed, precompressed files in assets/,
// and HTML files that load them. What is newer than all that it is made from stays as it is.
import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

import { build } from 'esbuild';

const root = join(import.meta.dirname, '..');

/**
 * Packages that replace functions which older browsers lack, and these functions. Those that the pages support have
 * them.
 */
const NATIVE = { 'object.entries': 'Object.entries', hasown: 'Object.hasOwn' };

/**
 * Packages of react-admin that the console does not need, and what they are replaced with: plurals for labels, which the
 * console gives itself, and keys of menu entries, which have none.
 */
const UNUSED = {
  inflection: ['humanize', 'inflect', 'singularize', 'pluralize', 'capitalize', 'transform'],
  'react-hotkeys-hook': ['useHotkeys'],
};

/**
 * Modules that the first page would load, with the package for forms, although the console does not use them:
 * react-admin's page and form to sign in, its editors of a page's title and of what a page shows, and MUI's ripples, which
 * the theme turns off.
 */
const REPLACED = {
  '@mui/material/ButtonBase/TouchRipple.mjs': 'export default () => null;',
  'ra-ui-materialui/dist/auth/Login.js': 'export const Login = () => null; export const LoginClasses = {};',
  'ra-ui-materialui/dist/auth/LoginForm.js': 'export const LoginForm = () => null;',
  'ra-ui-materialui/dist/preferences/Inspector.js':
    'export const Inspector = () => null; export const InspectorClasses = {};',
  'ra-ui-materialui/dist/layout/PageTitleConfigurable.js': `import { createElement } from 'react';
    import { PageTitle } from './PageTitle.js';
    export const PageTitleConfigurable = ({ preferenceKey, ...props }) => createElement(PageTitle, props);
    export const PageTitleEditor = () => null;`,
};

/**
 * A plugin for esbuild that bundles the browser's own functions instead of packages, which the first page would load,
 * and nothing instead of those that the console does not need.
 */
const nativeFunctions = {
  name: 'native-functions',
  setup(build) {
    const namespace = 'native';
    build.onResolve({ filter: /^(object\.entries|hasown)$/ }, ({ path }) => ({ path, namespace }));
    build.onLoad({ filter: /.*/, namespace }, ({ path }) => ({ contents: `module.exports = ${NATIVE[path]};` }));
    build.onResolve({ filter: /^(inflection|react-hotkeys-hook)$/ }, ({ path }) => ({ path, namespace: 'unused' }));
    build.onLoad({ filter: /.*/, namespace: 'unused' }, ({ path }) => ({
      contents: UNUSED[path].map((name) => `export const ${name} = (text) => text;`).join('\n'),
    }));
  },
};

const MUI = '@mui/material';
const MUI_IMPORT = /import\s*\{([^}]*)\}\s*from\s*['"]@mui\/material['"];?/g;
const INDEX_IMPORT = /import\s*\{([^}]*)\}\s*from\s*['"](\.[^'"]*)\/index\.js['"];?/g;
// What is exported by another module than one of its own name.
const ELSEWHERE = { createFilterOptions: 'Autocomplete', major: 'version', useForkRef: 'utils' };

/**
 * A plugin for esbuild that replaces imports from MUI's index by imports of its modules. esbuild assigns all that is
 * used of an index to one chunk, so the first page would load the components of all pages.
 */
const deepImports = {
  name: 'deep-imports',
  setup(build) {
    build.onLoad({ filter: /(console\/src|ra-ui-materialui\/dist|ButtonBase)\/.*\.(m?js|tsx)$/ }, async ({ path }) => {
      const replaced = Object.keys(REPLACED).find((module) => path.endsWith(`/node_modules/${module}`));
      const text = replaced === undefined ? await readFile(path, 'utf8') : REPLACED[replaced];
      const contents = text
        .replace(MUI_IMPORT, (_import, names) => names.split(',').map(importOf).join('\n'))
        .replace(INDEX_IMPORT, (_import, names, folder) =>
          names
            .split(',')
            .map((name) => siblingImportOf(name.trim(), folder, path))
            .join('\n'),
        );
      return { contents, loader: path.endsWith('.tsx') ? 'tsx' : 'js' };
    });
  },
};

function importOf(each) {
  const name = each.trim();
  if (name === '' || name.startsWith('type ')) return '';
  const [exported, local = exported] = name.split(/\s+as\s+/);
  const isModule = existsSync(join(root, 'node_modules', MUI, exported));
  return isModule
    ? `import ${local} from '${MUI}/${exported}';`
    : `import { ${name} } from '${MUI}/${ELSEWHERE[exported] ?? 'styles'}';`;
}

/** An import from the index of another folder of a package, as one of the module of that name if it exports that. */
function siblingImportOf(name, folder, path) {
  if (name === '') return '';
  const [exported] = name.split(/\s+as\s+/);
  const module = join(dirname(path), folder, `${exported}.js`);
  const isModule = existsSync(module) && readFileSync(module, 'utf8').includes(`export const ${exported} =`);
  return `import { ${name} } from '${folder}/${isModule ? exported : 'index'}.js';`;
}

const common = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  legalComments: 'none',
  define: { 'process.env.NODE_ENV': '"production"' },
  logLevel: 'warning',
};

// The console contains the schema, and how people write numbers.
await bundle({
  sources: ['web/console/src', 'web/shared', 'schema/schema.graphql', 'src/spelling'],
  target: 'dist/console',
  pages: { 'index.html': 'main.tsx' },
  onDemand: ['console.tsx', 'kinds/kind-list.tsx'],
});
await bundle({
  sources: ['web/playground', 'web/shared'],
  target: 'dist/playground',
  pages: { 'index.html': 'main.tsx', 'docs.html': 'docs.ts' },
  workers: {
    'editor.worker': 'monaco-editor/esm/vs/editor/editor.worker.js',
    'json.worker': 'monaco-editor/esm/vs/language/json/json.worker.js',
    'graphql.worker': 'monaco-graphql/esm/graphql.worker.js',
  },
});

/**
 * Bundles into `target`, unless it is newer than everything in `sources`. `pages` maps HTML templates in the first
 * source to their entry points; `workers` maps names without a hash to modules. `onDemand` are modules that a page
 * imports later: the pages get a template for each, with links that load all that it consists of at once.
 */
async function bundle({ sources, target, pages, workers = {}, onDemand = [] }) {
  const newest = Math.max(...inputs(sources).map((file) => statSync(file).mtimeMs));
  const source = join(root, sources[0]);
  const directory = join(root, target);
  const made = statSync(join(directory, Object.keys(pages)[0]), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (made >= newest) return;
  rmSync(directory, { recursive: true, force: true });
  const outdir = join(directory, 'assets');
  const [{ metafile }] = await Promise.all([
    build({
      ...common,
      outdir,
      entryPoints: Object.values(pages).map((entry) => join(source, entry)),
      splitting: true,
      plugins: [deepImports, nativeFunctions],
      metafile: true,
      jsx: 'automatic',
      entryNames: '[name]-[hash]',
      chunkNames: '[name]-[hash]',
      assetNames: '[name]-[hash]',
      loader: { '.ttf': 'file', '.woff2': 'file', '.graphql': 'text' },
    }),
    build({ ...common, outdir, entryPoints: workers }),
  ]);
  for (const file of readdirSync(outdir)) precompress(join(outdir, file));
  for (const [page, entry] of Object.entries(pages))
    writeFileSync(join(directory, page), pageOf(join(source, page), [entry, ...onDemand], metafile.outputs));
}

/** The files in the given files and directories, with everything that decides how they are bundled. */
function inputs(sources) {
  const files = sources
    .map((path) => join(root, path))
    .flatMap((path) =>
      statSync(path).isFile()
        ? path
        : readdirSync(path, { recursive: true, withFileTypes: true })
            .filter((entry) => entry.isFile())
            .map((entry) => join(entry.parentPath, entry.name)),
    );
  return [...files, import.meta.filename, join(root, 'package-lock.json')];
}

/** Compresses a file in advance. Fonts of type woff2 are already compressed. */
function precompress(file) {
  if (file.endsWith('.woff2')) return;
  const content = readFileSync(file);
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants;
  const params = { [BROTLI_PARAM_QUALITY]: 9, [BROTLI_PARAM_SIZE_HINT]: content.length };
  writeFileSync(`${file}.br`, brotliCompressSync(content, { params }));
  writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
}

/**
 * Returns a page with the generated file names of its entry point, and of the modules that this loads, now and later.
 */
function pageOf(template, [entry, ...onDemand], outputs) {
  const scriptOf = (module) => Object.keys(outputs).find((path) => outputs[path].entryPoint?.endsWith(`/${module}`));
  const loaded = new Set();
  /** The modules that a module imports, also through others, and that are not loaded by then. */
  const collect = (script) => {
    const imports = outputs[script].imports.filter(({ kind }) => kind === 'import-statement');
    return imports.flatMap(({ path }) => {
      if (loaded.has(path)) return [];
      loaded.add(path);
      return [path, ...collect(path)];
    });
  };
  const script = scriptOf(entry);
  const html = readFileSync(template, 'utf8');
  const folder = /"([^"]*)%SCRIPT%"/.exec(html)[1];
  const linksTo = (paths) =>
    paths.map((path) => `<link rel="modulepreload" href="${folder}assets/${basename(path)}" />`).join('\n    ');
  const links = [linksTo(collect(script))];
  loaded.add(script);
  // In their order: what an earlier one has loaded is not needed again.
  for (const module of onDemand)
    links.push(
      `<template id="load-${basename(module, '.tsx')}">`,
      linksTo([scriptOf(module), ...collect(scriptOf(module))]),
      '</template>',
    );
  return html
    .replace('%PRELOADS%', links.join('\n    '))
    .replace('%STYLE%', `assets/${basename(outputs[script].cssBundle)}`)
    .replace('%SCRIPT%', `assets/${basename(script)}`);
}
