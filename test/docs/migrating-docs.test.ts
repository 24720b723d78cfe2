import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, readdir, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { startApp, type TestApp } from '../support/app';
import { writeNpx } from '../support/cli';
import { createAgent, createDomain, createGateway, createNumber } from '../support/factories';

const ROOT = resolve(__dirname, '../..');
/** The commands of the page that this test does not run: the build and the server, which other tests run. */
const NOT_RUN = ['npm ci && npm run build', 'npx sipgraph serve'];

/** The shell blocks of docs/migrating.md, in order. */
async function blocks(): Promise<readonly string[]> {
  const text = await readFile(join(ROOT, 'docs/migrating.md'), 'utf8');
  return [...text.matchAll(/```sh\n([^`]*)```/g)].map(([, block = '']) => block.trim());
}

/** A server that omits secrets from its lists, as Routr v1 does (mod/rest/rest.js, removeWO). */
async function withoutSecretsInLists(app: TestApp): Promise<Server> {
  const answer = async ({ url = '', headers: { authorization } }: IncomingMessage, response: ServerResponse) => {
    const found = await fetch(`${app.url}${url}`, { headers: authorization === undefined ? {} : { authorization } });
    const text = await found.text();
    const isList = text.includes('"meta":');
    response.writeHead(found.status, { 'content-type': found.headers.get('content-type') ?? '' });
    response.end(isList ? text.replace(/,"secret":"[^"]*"/g, '') : text);
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return server;
}

/**
 * A directory with the files that the page expects: those of a checkout and of Routr v1, a CSV file, and `npx
 * sipgraph`.
 */
async function checkout(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'sipgraph-migrating-'));
  await cp(join(__dirname, '../legacy'), join(directory, 'config'), { recursive: true });
  await cp(join(ROOT, 'docs/migrating'), join(directory, 'docs/migrating'), { recursive: true });
  await writeFile(join(directory, 'numbers.csv'), 'telUrl,aorLink,gwRef\ntel:+1,sip:1001@sip.local,gw50a1a4ca\n');
  await writeNpx(directory);
  return directory;
}

const UNSET = 'Set ROUTR, ROUTR_USER and ROUTR_SECRET, and name a directory: node docs/migrating/fetch.mjs old/\n';

test.each([
  ['without its variables', {}, UNSET],
  [
    'without a server',
    { ROUTR: 'http://127.0.0.1:1/api/v1beta1', ROUTR_USER: 'admin', ROUTR_SECRET: 'changeit' },
    'GET http://127.0.0.1:1/api/v1beta1/credentials: bad port\n',
  ],
])('docs/migrating/fetch.mjs %s fails with one sentence', async (_case, env, message) => {
  const script = join(ROOT, 'docs/migrating/fetch.mjs');
  const args = [script, join(tmpdir(), 'sipgraph-never-written')];
  await expect(promisify(execFile)(process.execPath, args, { env })).rejects.toMatchObject({
    code: 1,
    stderr: message,
  });
});

test('the commands of docs/migrating.md work as described', async () => {
  const old = await startApp({ REST_PROFILE: 'routr1' });
  const gatewayRef = await createGateway(old, { ref: 'gw-old', username: 'u', secret: 'gateway-secret' });
  for (let count = 0; count < 101; count++) await createNumber(old, { gatewayRef });
  await createDomain(old, { domainUri: 'old.test' });
  await createAgent(old, { ref: 'ag-old', domains: ['old.test'], secret: 'agent-secret' });
  const routr = await withoutSecretsInLists(old);
  const directory = await checkout();
  const all = await blocks();
  expect(all).toEqual(expect.arrayContaining(NOT_RUN));
  const { port } = routr.address() as AddressInfo; // it listens on one
  const script = all
    .filter((block) => !NOT_RUN.includes(block))
    .join('\n')
    .replace('http://old-server:4567', `http://127.0.0.1:${String(port)}`)
    .replace('ROUTR_SECRET=changeit', `ROUTR_SECRET=${old.adminSecret}`);
  const env = {
    PATH: [join(directory, 'bin'), process.env['PATH']].join(delimiter),
    LOG_LEVEL: 'silent',
  };
  const { stdout, stderr } = await promisify(execFile)('sh', ['-ec', script], { cwd: directory, env });
  await old.close();
  routr.close();

  const lines = [
    '9 to create, 0 to update, 0 unchanged; nothing was imported',
    '9 created, 0 updated, 0 unchanged',
    '101 numbers',
    '104 created, 0 updated, 0 unchanged',
    '1 row: 1 created, 0 unchanged',
    '2 gateways, 2 agents, 1 peers, 3 domains, 1 dids, 103 numbers, 0 routes, 2 users',
  ];
  const places = lines.map((line) => stdout.indexOf(line));
  expect(places).not.toContain(-1);
  expect(places).toEqual([...places].sort((one, other) => one - other));
  for (const name of ['config.yml', 'log4j2.yml', 'stack.properties']) {
    expect(stdout + stderr).toContain(`config/${name} was skipped`);
  }
  const backup = join(directory, 'backup');
  expect(await readFile(join(backup, 'agents.yml'), 'utf8')).toContain('secret: agent-secret');
  expect(await readFile(join(backup, 'gateways.yml'), 'utf8')).toContain('secret: gateway-secret');
  expect((await readdir(join(directory, 'data'))).join()).toContain('sipgraph.db');
}, 300_000);
