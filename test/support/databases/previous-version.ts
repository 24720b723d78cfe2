import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { transformFileSync } from '@swc/core';

import { programPath } from '../runner/programs';

const ROOT = resolve(__dirname, '../../..');

/** The last commit of the released version before this one, 0.2.0. A release replaces it. */
const PREVIOUS = '6454fc2eca03a6dd2c3963a336acac30ce078b2f';

/** What the previous version imports as better-sqlite3. */
const DRIVER = join(ROOT, 'src/database/sqlite/better-sqlite3.js');

/** Why the previous version cannot be built here; undefined if it can. */
export function whyNotPrevious(): string | undefined {
  if (programPath('git') === undefined) return 'git is not on the PATH';
  try {
    execFileSync('git', ['cat-file', '-e', `${PREVIOUS}^{commit}`], { cwd: ROOT, stdio: 'ignore' });
    return undefined;
  } catch {
    return `this clone does not contain the commit ${PREVIOUS}`;
  }
}

/**
 * Compiles the previous version, with the dependencies of this one, and returns its directory with `dist`. package.json keeps
 * those that only the previous version needs: graphql-armor and @as-integrations/fastify.
 */
export function buildPrevious(): string {
  const directory = join(ROOT, 'node_modules', '.cache', `sipgraph-${PREVIOUS}`);
  if (existsSync(directory)) return directory;
  const work = `${directory}.${String(process.pid)}`;
  mkdirSync(work, { recursive: true });
  const archive = execFileSync('git', ['archive', PREVIOUS, 'src', 'package.json'], { cwd: ROOT, maxBuffer: 2 ** 28 });
  execFileSync('tar', ['x', '-C', work], { input: archive });
  for (const name of readdirSync(join(work, 'src'), { encoding: 'utf8', recursive: true })) {
    if (!/(?<!\.d)\.(ts|js)$/.test(name) || name.startsWith('playground')) continue;
    const target = join(work, 'dist', name.replace(/\.ts$/, '.js'));
    mkdirSync(join(target, '..'), { recursive: true });
    writeFileSync(target, compiled(join(work, 'src', name)));
  }
  renameSync(join(work, 'src/kamailio/templates'), join(work, 'dist/kamailio/templates'));
  rmSync(join(work, 'src'), { recursive: true });
  const driver = join(work, 'dist/node_modules/better-sqlite3');
  mkdirSync(driver, { recursive: true });
  writeFileSync(join(driver, 'index.js'), `module.exports = require(${JSON.stringify(DRIVER)}).betterSqlite3();\n`);
  // Node finds the dependencies in the `node_modules` of a parent directory; the link is for paths relative to `dist`.
  symlinkSync(join(ROOT, 'node_modules'), join(work, 'node_modules'));
  renameSync(work, directory);
  return directory;
}

function compiled(file: string): string {
  const { code } = transformFileSync(file, {
    swcrc: false,
    jsc: {
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true },
      target: 'es2023',
      keepClassNames: true,
    },
    module: { type: 'commonjs' },
  });
  return code;
}
