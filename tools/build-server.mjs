// Bundles the server and the command line into dist/, with all packages but those with native code. An installation is
// small, and starts without looking for thousands of files. The entry points keep their places in src/, because they
// and the code refer to files by relative paths.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';

import { transform } from '@swc/core';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '..');
const source = join(root, 'src');
const target = join(root, 'dist');

/** What runs. `main.js` and `cli.js` load the second only if the first does not end the process. */
const PARTS = ['config/node-version', 'commands/run'];
const ENTRIES = ['main.ts', 'cli.ts', 'config/node-version.js', 'commands/run.ts', 'database/sqlite/sqlite-child.js'];

/** The large files, which run with a code cache. */
const CACHED = ['commands/run.js', 'packages.js'];

/** The packages with native code, and an option of TypeGraphQL that sipgraph does not use. */
const NOT_BUNDLED = ['@node-rs/argon2', 'better-sqlite3-12', 'better-sqlite3-13', 'class-validator'];
/** The packages that the help of the command line needs, and the child process. */
const EARLY = ['commander', 'ipaddr.js', 'lru-cache', 'reflect-metadata'];

/** The packages that not every server needs: that of MariaDB and MySQL takes 5 MB. */
const LATE = ['mysql2'];

/** The other packages that the sources import. They are in a bundle of their own, 7 MB that the help does not load. */
const packages = new Set();
const apart = {
  name: 'apart',
  setup({ onLoad, onResolve }) {
    const namespace = 'apart';
    onResolve({ filter: /^[@\w]/ }, ({ path, importer }) => {
      if (!importer.startsWith(source) || isBuiltin(path) || [...NOT_BUNDLED, ...EARLY].includes(path))
        return undefined;
      packages.add(path);
      return { path, namespace };
    });
    onResolve({ filter: /packages$/, namespace }, () => ({ path: '../packages', external: true }));
    onLoad({ filter: /.*/, namespace }, ({ path }) => ({
      contents: `module.exports = require('../packages')[${JSON.stringify(path)}]();`,
    }));
  },
};

/** Compiles TypeScript as the tests do: esbuild does not write the types that decorators read. */
const compiled = {
  name: 'compiled',
  setup({ onLoad, onResolve }) {
    const asWritten = ({ path, kind }) => (kind === 'entry-point' ? undefined : { path, external: true });
    onResolve({ filter: new RegExp(`^\\./(${PARTS.join('|')})$`) }, asWritten);
    onResolve({ filter: /^(\.\.\/)+package\.json$/ }, (file) =>
      file.importer.startsWith(source) ? asWritten(file) : undefined,
    );
    onLoad({ filter: /\.[jt]s$/ }, async ({ path }) => {
      if (!path.startsWith(source)) return undefined;
      const text = await readFile(path, 'utf8');
      // A command loads what it uses when it runs, so that the help needs only the commands themselves.
      const isCommand = path.startsWith(join(source, 'commands'));
      const imports = [...text.matchAll(/ from '([^']+)'/g)].map(([, module]) => module);
      const lazy = imports.filter((module) => isCommand || LATE.includes(module));
      const { code } = await transform(text, {
        filename: path,
        swcrc: false,
        jsc: {
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
          target: 'es2023',
          keepClassNames: true,
        },
        // esbuild lets ES modules call the functions of each other directly. Those of CommonJS are read from `exports` for
        // each call.
        module: lazy.length > 0 || path.endsWith('.js') ? { type: 'commonjs', lazy } : { type: 'es6' },
      });
      const folder = relative(join(source, 'commands'), dirname(path));
      return {
        contents: code.replaceAll('__dirname', `require('node:path').join(__dirname, ${JSON.stringify(folder)})`),
      };
    });
  },
};

/**
 * @fastify/compress asks of each response whether it is a Response of Node's fetch. That loads fetch, which takes 10 MB and which most
 * servers do not use otherwise. An object with this tag is such a Response.
 */
const withoutFetch = {
  name: 'without-fetch',
  setup({ onLoad }) {
    onLoad({ filter: /@fastify.compress.lib.utils\.js$/ }, async ({ path }) => {
      const [before, after, ...more] = (await readFile(path, 'utf8')).split('obj instanceof Response');
      if (after === undefined || more.length > 0)
        throw new Error(`${path} looks for Response in another way than before`);
      return { contents: `${before}Object.prototype.toString.call(obj) === '[object Response]'${after}` };
    });
  },
};

/** Files of packages that never run: TypeORM's drivers for other databases, and zod's messages in other languages. */
const UNUSED = [
  /[\\/]typeorm[\\/]driver[\\/](?!(better-sqlite3|mysql|sqlite-abstract|types)[\\/])\w[^\\/]*[\\/]/,
  /[\\/]zod[\\/]v4[\\/]locales[\\/](?!(en|index)\.)/,
];
const withoutUnused = {
  name: 'without-unused',
  setup({ onLoad }) {
    onLoad({ filter: /typeorm|zod/ }, ({ path }) =>
      UNUSED.some((unused) => unused.test(path)) ? { contents: '' } : undefined,
    );
  },
};

// esbuild leaves such characters in regular expressions. A source with one takes two bytes for each of its characters
// in memory, as long as the process runs.
const NOT_ASCII = /[^\x00-\x7f]/g;
const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  // Node.js 20 cannot run import() in functions that come from V8's code cache, so that it becomes require().
  supported: { 'dynamic-import': false },
  minifySyntax: true,
  legalComments: 'none',
  external: NOT_BUNDLED,
  metafile: true,
  write: false,
  logLevel: 'warning',
};
const own = await build({
  ...common,
  // As in packages.js, names stay, so that a stack can be read. It tells the place in a line, so lines are short.
  minifyWhitespace: true,
  lineLimit: 200,
  entryPoints: ENTRIES.map((name) => join('src', name)),
  outbase: 'src',
  outdir: 'dist',
  plugins: [compiled, apart],
});
const loaders = [...packages].map((name) => `${JSON.stringify(name)}: () => require(${JSON.stringify(name)})`);
const others = await build({
  ...common,
  stdin: { contents: `module.exports = { ${loaders.join(', ')} };`, resolveDir: root },
  outfile: 'dist/packages.js',
  plugins: [withoutFetch, withoutUnused],
  minifyWhitespace: true,
});
// What an earlier build wrote goes, but for the pages, which have a build of their own.
for (const name of existsSync(target) ? readdirSync(target) : [])
  if (!['console', 'playground'].includes(name)) rmSync(join(target, name), { recursive: true, force: true });
for (const { path, text } of [...own.outputFiles, ...others.outputFiles]) {
  mkdirSync(dirname(path), { recursive: true });
  const bundle = CACHED.includes(relative(target, path)) ? path.replace(/\.js$/, '.bundle.js') : path;
  writeFileSync(bundle, text.replace(NOT_ASCII, escaped));
  if (bundle !== path) writeFileSync(path, moduleOf(bundle));
}
cpSync(join(root, 'tools/code-cache.cjs'), join(target, 'code-cache.cjs'));
cpSync(join(source, 'sip/kamailio/templates'), join(target, 'sip/kamailio/templates'), { recursive: true });
// npm does so only when it installs, so `npx sipgraph` would fail after a build in an empty directory.
chmodSync(join(target, 'cli.js'), 0o755);
await writeCodeCaches();
// The last file: tests build again if it is older than a source.
writeFileSync(
  join(target, 'third-party-licenses.txt'),
  licenses([own, others].flatMap(({ metafile }) => Object.keys(metafile.inputs))),
);

/** The module that runs a bundle beside it with its code cache. */
function moduleOf(bundle) {
  const runner = join(relative(dirname(bundle), target) || '.', 'code-cache.cjs');
  const path = `require('node:path').join(__dirname, ${JSON.stringify(basename(bundle))})`;
  return `'use strict';\nrequire('./${runner}').run(${path}, module, require, __filename, __dirname);\n`;
}

/**
 * Starts and ends a server, which then writes the code caches. Without them, sipgraph only starts later, so the build does not
 * fail where a server cannot run, or while another build replaces the same files.
 */
async function writeCodeCaches() {
  const directory = mkdtempSync(join(tmpdir(), 'sipgraph-build-'));
  const server = spawn(process.execPath, ['-r', join(root, 'tools/write-code-cache.cjs'), join(target, 'main.js')], {
    cwd: directory,
    env: { HOST: '127.0.0.1', PORT: '0', DATABASE_URL: `sqlite:${join(directory, 'empty.db')}`, LOG_LEVEL: 'warn' },
  });
  let output = '';
  const ended = once(server, 'exit');
  for (const stream of [server.stdout, server.stderr])
    stream.on('data', (data) => {
      output += data;
      if (output.includes('is listening')) server.kill('SIGTERM');
    });
  const [code] = await ended;
  rmSync(directory, { recursive: true });
  if (code !== 0) console.error(`No code caches: the server that writes them ended with ${code}:\n${output}`);
}

/** The licenses of the packages that the files belong to. */
function licenses(files) {
  const folders = new Set(files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []));
  return [...folders]
    .toSorted()
    .map(licenseOf)
    .join(`\n${'-'.repeat(80)}\n\n`);
}

function licenseOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  const files = readdirSync(join(root, folder)).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file));
  const texts = files.map((file) => join(root, folder, file)).map((file) => readFileSync(file, 'utf8'));
  return [`${name} ${version} (${license})\n`, ...texts].join('\n');
}
