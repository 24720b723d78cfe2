// Bundles the pages of /playground and /docs, with everything that they load, into dist/playground.
import { readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { basename, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = join(root, 'src/playground');
const target = join(root, 'dist/playground');
const assets = join(target, 'assets');

const workers = {
  'editor.worker': 'monaco-editor/esm/vs/editor/editor.worker.js',
  'json.worker': 'monaco-editor/esm/vs/language/json/json.worker.js',
  'graphql.worker': 'monaco-graphql/esm/graphql.worker.js',
};

const common = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  outdir: assets,
  legalComments: 'none',
  define: { 'process.env.NODE_ENV': '"production"' },
  logLevel: 'warning',
};

if (isStale()) {
  rmSync(target, { recursive: true, force: true });
  const [bundle] = await Promise.all([
    build({
      ...common,
      entryPoints: { main: join(source, 'main.tsx'), docs: join(source, 'docs.ts') },
      splitting: true,
      metafile: true,
      jsx: 'automatic',
      entryNames: '[name]-[hash]',
      chunkNames: '[name]-[hash]',
      assetNames: '[name]-[hash]',
      loader: { '.ttf': 'file', '.woff2': 'file' },
    }),
    build({ ...common, entryPoints: workers }),
  ]);
  for (const file of readdirSync(assets)) precompress(join(assets, file));
  const files = Object.keys(bundle.metafile.outputs).map((path) => basename(path));
  writeFileSync(join(target, 'docs.html'), pageWith('docs.html', 'docs', files));
  writeFileSync(join(target, 'index.html'), pageWith('index.html', 'main', files));
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

/** Returns a page with the generated file names of its entry point. */
function pageWith(template, entry, files) {
  const named = (end) => files.find((file) => file.startsWith(`${entry}-`) && file.endsWith(end));
  return readFileSync(join(source, template), 'utf8')
    .replace('%STYLE%', `assets/${named('.css')}`)
    .replace('%SCRIPT%', `assets/${named('.js')}`);
}

/** Whether a source, this script or an installed package is newer than the page. */
function isStale() {
  const made = statSync(join(target, 'index.html'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const inputs = [
    ...readdirSync(source).map((file) => join(source, file)),
    fileURLToPath(import.meta.url),
    join(root, 'package-lock.json'),
  ];
  return inputs.some((file) => statSync(file).mtimeMs > made);
}
