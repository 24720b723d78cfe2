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

  /** Compiles with `strict`, and checks the types of libraries, too. Returns the errors, a line for each. */
  async function compile(lib: string, ...files: string[]): Promise<string> {
    const flags = ['--strict', '--exactOptionalPropertyTypes', '--target', 'es2022', '--module', 'nodenext'];
    const compiling = run(process.execPath, [tsc, ...flags, '--lib', lib, ...files], { cwd: project });
    return compiling.then(
      ({ stdout }) => stdout,
      (error: unknown) => (error as { stdout: string }).stdout,
    );
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
    expect(await compile('es2022,dom,dom.iterable,dom.asynciterable', 'readme.mts')).toBe('');
    expect(await node(project, 'readme.mjs')).toBe(printed);
    await app.close();
  });

  describe('compiled with strict', () => {
    const WRONG = [
      ['a call that does not match the schema', 'dids({ where: { nothing: 1 } })', 'nothing'],
      [
        'an idempotency key where it does not count',
        "createWebhook({ url: 'https://x.test', events: [] }, { idempotencyKey: 'x' })",
        'idempotencyKey',
      ],
    ] as const;
    let errors: string[];

    // Together, because the compiler takes long to read the types of the package.
    beforeAll(async () => {
      writeFileSync(
        join(project, 'script.cts'),
        `import { createClient, signIn } from 'sipgraph-client';
         const [, , url = '', secret = ''] = process.argv;
         const client = createClient(url, { token: signIn(url, 'admin', secret) });
         void client.viewer().then(({ viewer }) => console.log(viewer.username));
         declare const process: { readonly argv: readonly string[] };`,
      );
      for (const [what, call] of WRONG)
        writeFileSync(
          join(project, `${what}.mts`),
          `import { createClient } from 'sipgraph-client';\nvoid createClient('http://x').${call};`,
        );
      const lines = await compile('es2022,dom', 'script.cts', ...WRONG.map(([what]) => `${what}.mts`));
      // What belongs to an error before it is indented.
      errors = lines.split(/\n(?! |$)/);
    });

    test('runs as a CommonJS module', async () => {
      const app = await startApp({ SAMPLE_DATA: 'true' });
      expect(errors.filter((error) => error.startsWith('script.cts'))).toEqual([]);
      expect(readFileSync(join(project, 'script.cjs'), 'utf8')).toContain('require(');
      expect(await node(project, 'script.cjs', `${app.url}/graphql`, app.adminSecret)).toBe('admin\n');
      await app.close();
    });

    test.each(WRONG)('rejects %s', (what, _call, wrong) => {
      expect(errors.filter((error) => error.startsWith(what))).toEqual([
        expect.stringContaining(`'${wrong}' does not exist in type`),
      ]);
    });

    test('has no other errors', () => {
      expect(errors).toHaveLength(WRONG.length);
    });
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
