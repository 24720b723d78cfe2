import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { startApp, type TestApp } from '../support/app';
import { onEachDriver } from '../support/databases/on-each-database';
import { registerContact, runSql } from '../support/databases/sql';

// test/sip tests evictions with a SIP server that works. Here, it fails.
onEachDriver('An eviction', (subject) => {
  let sipServer: Server;
  let app: TestApp;
  const asked: string[] = [];
  /** The address of record that the SIP server does remove. */
  let removed = '';
  /** What happens before the SIP server responds to an eviction. */
  let meanwhile: (() => Promise<void>) | undefined;

  beforeAll(async () => {
    sipServer = createServer((request, response) => {
      let body = '';
      request.on('data', (data: Buffer) => (body += data.toString()));
      request.on('end', () => {
        const { method, params } = JSON.parse(body) as { method: string; params: string[] }; // what sipgraph sends
        if (method === 'ul.rm') asked.push(params[1] ?? '');
        const isRemoved = params[1] === removed && method === 'ul.rm';
        void Promise.resolve(isRemoved ? meanwhile?.() : undefined).then(() =>
          isRemoved ? response.end('{"jsonrpc":"2.0","result":{},"id":1}') : response.writeHead(500).end('{}'),
        );
      });
    }).listen(0, '127.0.0.1');
    await once(sipServer, 'listening');
    const { port } = sipServer.address() as AddressInfo; // because it listens on a port
    const SIP_RPC_URL = `http://127.0.0.1:${String(port)}/RPC`;
    app = await startApp({ DATABASE_URL: subject().url, SIP_RPC_URL, SIP_RPC_TOKEN: 'token-of-the-rpc' });
  });

  afterAll(async () => {
    await app.close();
    sipServer.close();
  });

  beforeEach(async () => {
    asked.length = 0;
    removed = '';
    meanwhile = undefined;
    await runSql(subject().url, 'DELETE FROM location');
    for (const username of ['ann', 'bob'])
      await registerContact(subject().url, { username, domain: 'one.test', contact: `sip:${username}@127.0.0.1` });
  });

  const all = () => app.rest('DELETE', '/location');
  const one = () => app.rest('DELETE', '/location/sip:ann@one.test');

  async function entries(): Promise<readonly unknown[]> {
    const { data } = await app.graphql<{ history: { nodes: unknown[] } }>(
      '{ history(where: { kind: Binding }) { nodes { ref count } } }',
    );
    return data.history.nodes;
  }

  test.each([
    ['of all devices', all, { ref: '*', count: 2 }],
    ['of an address of record', one, { ref: 'sip:ann@one.test', count: 1 }],
  ])('%s has an entry, even if the SIP server does not respond', async (_what, evict, entry) => {
    const before = await entries();
    expect((await evict()).status).toBe(503);
    expect(asked).not.toEqual([]);
    expect(await entries()).toEqual([entry, ...before]);
  });

  test.each([
    ['of all devices', all],
    ['of an address of record', one],
  ])('%s does not happen if its entry cannot be written', async (_what, evict) => {
    const { url } = subject();
    const table = url.startsWith('sqlite:') ? 'changes' : 'unnumbered_entries';
    await runSql(url, `ALTER TABLE ${table} RENAME TO away`);
    try {
      expect((await evict()).status).toBe(500);
    } finally {
      await runSql(url, `ALTER TABLE away RENAME TO ${table}`);
    }
    expect(asked).toEqual([]);
    expect(await runSql(url, 'SELECT COUNT(*) FROM location')).toEqual([[2]]);
  });

  test('of all devices that stops on the way ends the registrations of those that are gone, and of no others', async () => {
    const { url } = subject();
    const earlier = `INSERT INTO registration_events (at, username, domain, event, devices, reason)
      VALUES (1, 'zoe', 'one.test', 'UNREGISTERED', 0, 'Evicted')`;
    await runSql(url, earlier);
    removed = 'bob@one.test';
    expect((await all()).status).toBe(503);
    const ended = 'SELECT username FROM registration_events ORDER BY username';
    expect(await runSql(url, ended)).toEqual([['bob'], ['zoe']]);
    expect((await one()).status).toBe(503);
    expect(await runSql(url, ended)).toEqual([['bob'], ['zoe']]);
  });

  test.each([
    ['of all devices', all],
    ['of an address of record', one],
  ])('%s leaves the row of a device that registers again meanwhile', async (_what, evict) => {
    const { url } = subject();
    removed = 'ann@one.test';
    await runSql(url, "DELETE FROM location WHERE username = 'bob'");
    meanwhile = () => registerContact(url, { username: 'ann', domain: 'one.test', contact: 'sip:ann@127.0.0.2' });
    expect((await evict()).status).toBe(200);
    expect(await runSql(url, 'SELECT contact FROM location')).toEqual([['sip:ann@127.0.0.2']]);
  });

  test('of all devices has no entry if there are none', async () => {
    await runSql(subject().url, 'DELETE FROM location');
    const before = await entries();
    expect((await all()).status).toBe(200);
    expect(await entries()).toEqual(before);
  });
});
