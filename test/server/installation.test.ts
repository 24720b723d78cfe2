import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../..');
const textOf = (name: string): string => readFileSync(join(ROOT, name), 'utf8');

/** A package in package-lock.json. */
interface Locked {
  readonly name?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly engines?: Readonly<Record<string, string>>;
  readonly gypfile?: boolean;
  readonly hasInstallScript?: boolean;
}

const { packages } = JSON.parse(textOf('package-lock.json')) as { packages: Readonly<Record<string, Locked>> };
const { engines, allowScripts } = JSON.parse(textOf('package.json')) as {
  engines: Readonly<Record<string, string>>;
  allowScripts: Readonly<Record<string, boolean>>;
};

// npm would compile better-sqlite3 13 if package-lock.json did not repeat `gypfile` of its package.json (npm/cli#3341).
// `npm install` removes the line.
test('npm compiles no better-sqlite3 on Node 22 and later', () => {
  expect(packages['node_modules/better-sqlite3-12']).toMatchObject({ engines: { node: '20.x' } });
  expect(packages['node_modules/better-sqlite3-13']).toMatchObject({ gypfile: false });
});

test('npm may run the install script of better-sqlite3, and of no other package', () => {
  const scripts = Object.entries(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path, { name }]) => name ?? path.replace(/^.*node_modules\//, ''));
  expect(Object.keys(allowScripts).toSorted()).toEqual([...new Set(scripts)].toSorted());
  expect(Object.keys(allowScripts).filter((name) => allowScripts[name])).toEqual(['better-sqlite3']);
});

// `npm run build` bundles all other packages.
test('An installation consists of sipgraph and what has native code', () => {
  const { dependencies, optionalDependencies } = packages[''] ?? {};
  expect(Object.keys(dependencies ?? {})).toEqual(['@node-rs/argon2']);
  expect(Object.keys(optionalDependencies ?? {})).toEqual(['better-sqlite3-12', 'better-sqlite3-13']);
});

test('README.md, CI and package.json name the same versions of Node', () => {
  const versions = (engines['node'] ?? '').split(' || ').map((range) => range.replace(/^(\^|>=)/, ''));
  expect(textOf('.ci/node-versions')).toContain(`\nleast=(${versions.join(' ')})\n`);
  const named = versions.map((version) => version.replace(/\.0$/, '+'));
  expect(textOf('README.md')).toContain(`sipgraph runs on Node ${named.join(', ')} and 26;`);
});
