import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const ROOT = resolve(__dirname, '..');

/** The commands of docs/migrating.md, in their order, as one reads them. */
async function commands(): Promise<readonly string[]> {
  const text = await readFile(join(ROOT, 'docs/migrating.md'), 'utf8');
  return [...text.matchAll(/```sh\n([^`]*)```/g)].flatMap(([, block = '']) => block.trim().split('\n'));
}

test('docs/migrating.md: its commands do what it says', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'sipgraph-migrating-'));
  await cp(join(__dirname, 'legacy'), join(directory, 'config'), { recursive: true });
  await writeFile(join(directory, 'numbers.csv'), 'telUrl,aorLink,gwRef\ntel:+1,sip:1001@sip.local,gw50a1a4ca\n');
  const run = async (args: string): Promise<string> => {
    const cli = ['-r', require.resolve('@swc-node/register'), join(ROOT, 'src/cli.ts'), ...args.split(' ')];
    const env = {
      PATH: process.env['PATH'],
      DATABASE_URL: `sqlite:${join(directory, 'sipgraph.db')}`,
      LOG_LEVEL: 'silent',
      SWC_NODE_PROJECT: join(ROOT, 'tsconfig.json'),
    };
    return (await promisify(execFile)(process.execPath, cli, { cwd: directory, env })).stdout;
  };
  const known = (await commands()).flatMap((line) => /^npx sipgraph (.*)$/.exec(line)?.[1] ?? []);
  expect(known).toEqual([
    'import --dry-run config/',
    'import config/',
    'import-numbers numbers.csv',
    'serve',
    'export backup/',
  ]);
  const answers = [];
  // The server is run by other tests.
  for (const args of known.filter((each) => each !== 'serve')) answers.push(await run(args));
  expect(answers[0]).toContain('9 to create, 0 to update, 0 unchanged; nothing was imported');
  expect(answers[1]).toBe('9 created, 0 updated, 0 unchanged\n');
  expect(answers[2]).toContain('1 row: 1 created, 0 unchanged');
  expect(answers[3]).toBe('1 gateways, 1 agents, 1 peers, 2 domains, 1 dids, 2 numbers, 2 users\n');
}, 60_000);
