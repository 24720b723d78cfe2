import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';

import { build } from 'esbuild';

import { startApp } from '../support/app';

const ROOT = join(__dirname, '../..');
const README = readFileSync(join(ROOT, 'clients/typescript/README.md'), 'utf8');
const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');

/** The dependencies of the package in the versions of the lock file, so that the test needs no registry. */
const DEPENDENCIES = ['graphql', 'graphql-request', '@graphql-typed-document-node/core'];

const run = promisify(execFile);

/** Runs Node without the variables of this test's environment that change module resolution. */
async function node(cwd: string, ...args: string[]): Promise<string> {
  const { stdout } = await run(process.execPath, args, { cwd, env: { PATH: process.env['PATH'] } });
  return stdout;
}

/** The examples of the README as one program, and the output that their comments state. */
function examples(url: string, secret: string): { readonly program: string; readonly printed: string } {
  const blocks = [...README.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, code = '']) => code);
  const program = blocks
    .join('\n')
    .replace('http://localhost:4567/graphql', `${url}/graphql`)
    .replace('the-admin-secret', secret);
  const printed = [...program.matchAll(/console\.log\(.*\/\/ (.*)$/gm)].map(([, said = '']) => said);
  return { program, printed: `${printed.join('\n')}\n` };
}

describe('The client package', () => {
  let project: string;
  let tarball: string;

  beforeAll(async () => {
    project = mkdtempSync(join(tmpdir(), 'sipgraph-client-'));
    const pack = ['pack', '--silent', '--pack-destination', project];
    await run('npm', [...pack, '-w', 'sipgraph-client'], { cwd: ROOT });
    tarball = join(project, readdirSync(project)[0] ?? '');
    const folders = DEPENDENCIES.map((name) => join(ROOT, 'node_modules', name));
    await run('npm', [...pack, '--ignore-scripts', ...folders], { cwd: project });
    writeFileSync(join(project, 'package.json'), '{ "name": "empty", "private": true }');
    const tarballs = readdirSync(project).filter((file) => file.endsWith('.tgz'));
    await run('npm', ['install', '--offline', '--ignore-scripts', ...tarballs.map((file) => `./${file}`)], {
      cwd: project,
    });
  }, 600_000);

  afterAll(() => {
    rmSync(project, { recursive: true, force: true });
  });

  /** Compiles with `strict`, and checks the types of libraries, too. */
  async function compile(file: string, ...options: string[]): Promise<void> {
    const flags = ['--strict', '--exactOptionalPropertyTypes', '--target', 'es2022'];
    await run(process.execPath, [tsc, ...flags, ...options, file], { cwd: project }).catch((error: unknown) => {
      throw new Error((error as { stdout: string }).stdout);
    });
  }

  test('has types for every module resolution', () => {
    const attw = join(ROOT, 'node_modules/@arethetypeswrong/cli/dist/index.js');
    expect(execFileSync(process.execPath, [attw, tarball, '--no-emoji'], { encoding: 'utf8' })).toContain(
      'No problems',
    );
  });

  test('depends only on graphql-request and its dependencies', () => {
    const manifest = readFileSync(join(project, 'node_modules/sipgraph-client/package.json'), 'utf8');
    expect(JSON.parse(manifest)).toMatchObject({
      dependencies: { 'graphql-request': expect.any(String), graphql: expect.any(String) },
    });
    expect(readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
      ...['@graphql-typed-document-node', 'graphql', 'graphql-request', 'sipgraph-client'],
    ]);
  });

  test('runs the examples of its README as an ES module, compiled with strict', async () => {
    const app = await startApp({ SAMPLE_DATA: 'true' });
    const { program, printed } = examples(app.url, app.adminSecret);
    writeFileSync(join(project, 'readme.mts'), program);
    await compile('readme.mts', '--module', 'nodenext', '--lib', 'es2022,dom,dom.iterable,dom.asynciterable');
    expect(await node(project, 'readme.mjs')).toBe(printed);
    await app.close();
  });

  test('runs as a CommonJS module, compiled with strict', async () => {
    const app = await startApp({ SAMPLE_DATA: 'true' });
    writeFileSync(
      join(project, 'script.cts'),
      `import { createClient, signIn } from 'sipgraph-client';
       const url = '${app.url}/graphql';
       const client = createClient(url, { token: signIn(url, 'admin', '${app.adminSecret}') });
       void client.viewer().then(({ viewer }) => console.log(viewer.username));`,
    );
    await compile('script.cts', '--module', 'nodenext', '--lib', 'es2022,dom');
    expect(readFileSync(join(project, 'script.cjs'), 'utf8')).toContain('require(');
    expect(await node(project, 'script.cjs')).toBe('admin\n');
    await app.close();
  });

  test.each([
    ['a call that does not match the schema', 'dids({ where: { nothing: 1 } })', 'nothing'],
    [
      'an idempotency key where it does not count',
      "createWebhook({ url: 'https://x.test', events: [] }, { idempotencyKey: 'x' })",
      'idempotencyKey',
    ],
  ])('rejects %s at compile time', async (_what, call, wrong) => {
    writeFileSync(
      join(project, 'wrong.mts'),
      `import { createClient } from 'sipgraph-client';\nvoid createClient('http://x').${call};`,
    );
    await expect(compile('wrong.mts', '--module', 'nodenext', '--lib', 'es2022,dom')).rejects.toThrow(
      `'${wrong}' does not exist in type`,
    );
  });

  test('is smaller than 25 kB, minified and gzipped', async () => {
    const { outputFiles } = await build({
      stdin: { contents: "export * from 'sipgraph-client';", resolveDir: project },
      bundle: true,
      minify: true,
      write: false,
      format: 'esm',
      platform: 'browser',
    });
    const size = gzipSync(outputFiles[0]?.contents ?? '').length;
    expect(size).toBeGreaterThan(5_000);
    expect(size).toBeLessThan(25_000);
  });
});
