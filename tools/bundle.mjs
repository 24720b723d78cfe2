// Bundles pages for browsers: hashed, precompressed files in assets/, and HTML files that load them.
import { readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

import { build } from 'esbuild';

import { deepImports } from './deep-imports.mjs';
import { nativeFunctions } from './native-functions.mjs';
import { root } from './root.mjs';

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

/**
 * Bundles into `target`, unless it is newer than everything in `sources`. `pages` maps HTML templates in `source` to
 * their entry points; `workers` maps names without a hash to modules. `onDemand` are modules that a page imports later:
 * the pages get a template for each, with links that load all that it consists of at once.
 */
export async function bundle({ source, target, pages, workers = {}, sources = [], onDemand = [] }) {
  const newest = Math.max(...inputs([source, ...sources]).map((file) => statSync(file).mtimeMs));
  const made = statSync(join(target, Object.keys(pages)[0]), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (made >= newest) return;
  rmSync(target, { recursive: true, force: true });
  const outdir = join(target, 'assets');
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
    writeFileSync(join(target, page), pageOf(join(source, page), [entry, ...onDemand], metafile.outputs));
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

/** Returns a page with the generated file names of its entry point, and of the modules that this loads, now and later. */
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

/** The files in the given files and directories, with everything that decides how they are bundled. */
function inputs(paths) {
  const files = paths.flatMap((path) =>
    statSync(path).isFile()
      ? path
      : readdirSync(path, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name)),
  );
  const tools = ['bundle', 'deep-imports', 'native-functions'].map((name) => join(root, `tools/${name}.mjs`));
  return [...files, ...tools, process.argv[1], join(root, 'package-lock.json')];
}
