// Bundles the pages for browsers, the console and the playground, into dist/: hashed, precompressed files in assets/,
// and HTML files that load them. What is newer than all that it is made from stays as it is.
import { readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

import { build } from 'esbuild';

import { importers, withDeepImports } from './deep-imports.mjs';

const root = join(import.meta.dirname, '..');

/** Modules that only return what they are called with. */
const identities = (...names) => names.map((name) => `export const ${name} = (text) => text;`).join('\n');

/**
 * Packages that the first page would load, and what is bundled instead: the browser's own functions, which older browsers lack,
 * and nothing for what the console does not need of react-admin: plurals for labels, which the console gives itself, and keys of
 * menu entries, which have none.
 */
const PACKAGES = {
  'object.entries': 'module.exports = Object.entries;',
  hasown: 'module.exports = Object.hasOwn;',
  inflection: identities('humanize', 'inflect', 'singularize', 'pluralize', 'capitalize', 'transform'),
  'react-hotkeys-hook': identities('useHotkeys'),
};

/**
 * Modules of react-admin that the console does not use: its form to sign in and the editor of a page's title, with which
 * the first page would load the package for forms, and an inspector of settings that asks for the width of the page
 * whenever a page is shown, so that the browser lays it out once more.
 */
const REPLACED = {
  'auth/LoginForm.js': 'export const LoginForm = () => null;',
  'preferences/Inspector.js': 'export const Inspector = () => null;',
  'layout/PageTitleConfigurable.js': `import { createElement } from 'react';
    import { PageTitle } from './PageTitle.js';
    export const PageTitleConfigurable = ({ preferenceKey, ...props }) => createElement(PageTitle, props);
    export const PageTitleEditor = () => null;`,
};

const replacedPackages = {
  name: 'replaced-packages',
  setup(build) {
    const namespace = 'replaced';
    build.onResolve({ filter: /^[\w.-]+$/ }, ({ path }) => (path in PACKAGES ? { path, namespace } : undefined));
    build.onLoad({ filter: /.*/, namespace }, ({ path }) => ({ contents: PACKAGES[path] }));
  },
};

/**
 * A plugin for esbuild that bundles modules instead of the indexes that export them. `added` has the files that modules
 * import besides.
 */
const deepImports = (added = new Map()) => ({
  name: 'deep-imports',
  setup(build) {
    // esbuild leaves out a module of which nothing is used, unless it has side effects.
    build.onResolve({ filter: /^added:/ }, ({ path }) => ({ path: path.slice('added:'.length), sideEffects: true }));
    build.onLoad({ filter: importers }, async ({ path }) => {
      const replaced = Object.keys(REPLACED).find((module) => path.endsWith(`/ra-ui-materialui/dist/${module}`));
      const text = replaced === undefined ? await readFile(path, 'utf8') : REPLACED[replaced];
      const imports = (added.get(path) ?? []).map((file) => `import ${JSON.stringify(`added:${file}`)};`).join('');
      return { contents: imports + withDeepImports(path, text), loader: extname(path).slice(1) };
    });
  },
});

/** What at least so many pages and parts of pages need is loaded before them. */
const SHARED = 5;

/**
 * Returns what modules import besides, so that the pages come in few files: esbuild makes a file for each set of modules
 * that are imported later and share something. Here, all of them import the modules of `first`, which are loaded before
 * them, and the last of `first` imports what at least SHARED of them need. Modules of one entry of `onDemand` count as one.
 */
async function sharedImports(options, first, onDemand) {
  const { metafile } = await build({
    ...options,
    plugins: [deepImports(), replacedPackages],
    minify: false,
    write: false,
  });
  const reached = (file, found = new Set()) => {
    if (found.has(file)) return found;
    found.add(file);
    for (const { path, kind, external } of metafile.inputs[file].imports)
      if (kind !== 'dynamic-import' && !external) reached(path, found);
    return found;
  };
  const entries = Object.values(metafile.outputs).flatMap(({ entryPoint }) => entryPoint ?? []);
  const isOneOf = (modules, file) => modules.some((module) => file.endsWith(`/${module}`));
  const isFirst = (file) => isOneOf(first, file);
  const groupOf = (file) => Object.keys(onDemand).find((name) => isOneOf(onDemand[name], file)) ?? file;
  const loaded = new Set(entries.filter(isFirst).flatMap((file) => [...reached(file)]));
  const users = new Map();
  for (const entry of entries)
    for (const file of reached(entry))
      if (!loaded.has(file) && !file.startsWith('replaced:'))
        users.set(file, (users.get(file) ?? new Set()).add(groupOf(entry)));
  const at = (file) => join(root, file);
  const before = first.map((module) => at(entries.find((file) => isOneOf([module], file))));
  const common = [...users].filter(([, { size }]) => size >= SHARED).map(([file]) => at(file));
  return new Map([
    ...entries.filter((file) => !isFirst(file)).map((file) => [at(file), before]),
    ...before.map((file, index) => [file, [...before.slice(0, index), ...(index === before.length - 1 ? common : [])]]),
  ]);
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
  first: ['main.tsx', 'console.tsx'],
  // With what features add to every list.
  onDemand: {
    console: ['console.tsx'],
    'kind-list': [
      'kinds/kind-list.tsx',
      'bulk/filtered-actions.tsx',
      'bulk/selected-actions.tsx',
      'jobs/links.tsx',
      'views/save-view.tsx',
      'views/saved-views.tsx',
    ],
  },
});
await bundle({
  sources: ['web/playground', 'web/shared'],
  target: 'dist/playground',
  pages: { 'index.html': 'main.tsx', 'docs.html': 'docs.tsx' },
  workers: {
    'editor.worker': 'monaco-editor/esm/vs/editor/editor.worker.js',
    'json.worker': 'monaco-editor/esm/vs/language/json/json.worker.js',
    'graphql.worker': 'monaco-graphql/esm/graphql.worker.js',
  },
});

/**
 * Bundles into `target`, unless it is newer than everything in `sources`. `pages` maps HTML templates in the first
 * source to their entry points; `workers` maps names without a hash to modules. `onDemand` names modules that a page imports
 * later, together: the pages get a template for each name, with links that load all that these consist of at once. `first`
 * names the modules that are loaded before all others.
 */
async function bundle({ sources, target, pages, workers = {}, first = [], onDemand = {} }) {
  const newest = Math.max(...inputs(sources).map((file) => statSync(file).mtimeMs));
  const source = join(root, sources[0]);
  const directory = join(root, target);
  const made = statSync(join(directory, Object.keys(pages)[0]), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (made >= newest) return;
  rmSync(directory, { recursive: true, force: true });
  const outdir = join(directory, 'assets');
  const options = {
    ...common,
    outdir,
    entryPoints: Object.values(pages).map((entry) => join(source, entry)),
    splitting: true,
    metafile: true,
    jsx: 'automatic',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    loader: { '.ttf': 'file', '.woff2': 'file', '.graphql': 'text' },
  };
  const added = first.length > 0 ? await sharedImports(options, first, onDemand) : new Map();
  const [{ metafile }] = await Promise.all([
    build({ ...options, plugins: [deepImports(added), replacedPackages] }),
    build({ ...common, outdir, entryPoints: workers }),
  ]);
  for (const file of readdirSync(outdir)) precompress(join(outdir, file));
  for (const [page, entry] of Object.entries(pages))
    writeFileSync(join(directory, page), pageOf(join(source, page), entry, onDemand, metafile.outputs));
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
  return [
    ...files,
    import.meta.filename,
    join(import.meta.dirname, 'deep-imports.mjs'),
    join(root, 'package-lock.json'),
  ];
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
function pageOf(template, entry, onDemand, outputs) {
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
  for (const [name, modules] of Object.entries(onDemand))
    links.push(
      `<template id="load-${name}">`,
      linksTo(modules.flatMap((module) => [scriptOf(module), ...collect(scriptOf(module))])),
      '</template>',
    );
  return html
    .replace('%PRELOADS%', links.join('\n    '))
    .replace('%STYLE%', `assets/${basename(outputs[script].cssBundle)}`)
    .replace('%SCRIPT%', `assets/${basename(script)}`);
}
