import { writeFile } from 'node:fs/promises';
import { mkdtempSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

import { runCommand } from '../support/command-line';
import { eventually } from '../support/eventually';
import { createAgent, createDid, createDomain, createGateway } from '../support/factories';
import { onEachDatabase } from '../support/databases/on-each-database';
import { fetchToken, startApp } from '../support/app';
import { runSql } from '../support/databases/sql';

/** A row of the history. */
interface Entry {
  readonly event: string;
  readonly who: unknown;
  readonly way: unknown;
  readonly address: unknown;
  readonly request: unknown;
  readonly details: {
    readonly before?: Readonly<Record<string, unknown>>;
    readonly after?: Readonly<Record<string, unknown>>;
    readonly count?: number;
  };
}

onEachDatabase('The history', (subject) => {
  /** The entries of a resource, oldest first, once they are numbered. */
  async function entries(kind: string, ref: string): Promise<readonly Entry[]> {
    const { app, url } = subject();
    await app.graphql('{ changeCursor }');
    const text = `SELECT did, who, way, address, request, details FROM changes WHERE kind = '${kind}' AND ref = '${ref}' ORDER BY id`;
    return (await runSql(url, text)).map(([event, who, way, address, request, details]) => ({
      ...{ event: String(event), who, way, address, request },
      details: JSON.parse(String(details)) as Entry['details'],
    }));
  }

  test('says of each write who made it, how, and what changed', async () => {
    const { app } = subject();
    const ref = await createGateway(app, { name: 'one', host: 'a.test', username: 'u', secret: 'first secret' });
    const changed = await app.graphql(
      `mutation { updateGateway(ref: "${ref}", input: { name: "two", username: null, secret: null }) { ref } }`,
    );
    const { headers } = await app.rest('PUT', `/gateways/${ref}`, {
      body: { kind: 'Gateway', metadata: { name: 'three', remark: 'x' }, spec: { host: 'a.test', transport: 'udp' } },
    });
    await app.rest('DELETE', `/gateways/${ref}`);
    const [created, updated, put, deleted] = await entries('Gateway', ref);
    const fingerprint = { fingerprint: expect.stringMatching(/^[0-9a-f]{8}$/) };
    const times = { createdOn: expect.any(Number), modifiedOn: expect.any(Number) };
    expect(created).toMatchObject({ event: 'CREATED', who: 'admin', way: 'GRAPHQL', address: '127.0.0.1' });
    expect(created?.details).toEqual({
      after: { name: 'one', host: 'a.test', username: 'u', secret: fingerprint, transport: 'udp', ...times },
    });
    expect(updated).toMatchObject({ event: 'UPDATED', way: 'GRAPHQL', request: changed.headers.get('x-request-id') });
    expect(updated?.details).toEqual({
      before: { name: 'one', username: 'u', secret: fingerprint, modifiedOn: times.modifiedOn },
      after: { name: 'two', modifiedOn: times.modifiedOn },
    });
    expect(put).toMatchObject({ event: 'UPDATED', way: 'REST', request: headers.get('x-request-id') });
    expect(put?.details).toMatchObject({
      before: { name: 'two', extra: null },
      after: { name: 'three', extra: '{"metadata":{"remark":"x"}}' },
    });
    expect(deleted).toMatchObject({ event: 'DELETED', who: 'admin', way: 'REST' });
    expect(deleted?.details).toEqual({
      before: { name: 'three', host: 'a.test', transport: 'udp', extra: '{"metadata":{"remark":"x"}}', ...times },
    });
  });

  test('names requests by ids that begin with the time, as UUIDs of version 7', async () => {
    const before = Date.now();
    const { headers } = await subject().app.rest('GET', '/gateways');
    const id = headers.get('x-request-id') ?? '';
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const time = parseInt(id.replace('-', '').slice(0, 12), 16);
    expect(time).toBeGreaterThanOrEqual(before);
    expect(time).toBeLessThanOrEqual(Date.now());
  });

  test('keeps the references of a deleted resource', async () => {
    const { app } = subject();
    for (const domainUri of ['j1.test', 'j2.test']) await createDomain(app, { domainUri });
    const agent = await createAgent(app, { domains: ['j2.test', 'j1.test'] });
    const gatewayRef = await createGateway(app);
    const did = await createDid(app, { gatewayRef, geoInfo: { city: 'Bonn' } });
    await app.graphql(`mutation { deleteAgent(ref: "${agent}") deleteDID(ref: "${did}") }`);
    expect((await entries('Agent', agent)).at(-1)?.details.before).toMatchObject({ domains: ['j2.test', 'j1.test'] });
    expect((await entries('DID', did)).at(-1)?.details.before).toMatchObject({ gatewayRef, 'geoInfo.city': 'Bonn' });
  });

  test('keeps apart the actors of writes that share a transaction', async () => {
    const { app } = subject();
    const names = ['ann', 'bob', 'cid'];
    const tokens = await Promise.all(
      names.map(async (username) => {
        await app.graphql('mutation ($input: CreateUserInput!) { createUser(input: $input) { ref } }', {
          input: { username, secret: 'a good secret', role: 'OPERATOR' },
        });
        return fetchToken(app.url, username, 'a good secret');
      }),
    );
    const refs = await Promise.all(
      Array.from({ length: 12 }, async (_, n) => {
        const input = { name: 'g', host: `shared${n}.test`, transport: 'UDP' };
        const { data } = await app.graphql<{ createGateway: { ref: string } }>(
          'mutation ($input: CreateGatewayInput!) { createGateway(input: $input) { ref } }',
          { input },
          { token: tokens[n % 3] },
        );
        return data.createGateway.ref;
      }),
    );
    for (const [n, ref] of refs.entries()) expect(await entries('Gateway', ref)).toMatchObject([{ who: names[n % 3] }]);
  });

  test('contains no secret in clear text, and no fingerprint twice for equal secrets', async () => {
    const { app, url } = subject();
    const secret = 'the very same secret';
    const one = await createAgent(app, { secret });
    const other = await createAgent(app, { secret });
    await app.graphql(`mutation { updateAgent(ref: "${one}", input: { secret: "another secret" }) { ref } }`);
    await app.graphql(`mutation { updateAgent(ref: "${one}", input: { secret: "${secret}" }) { ref } }`);
    const ofSecrets = [...(await entries('Agent', one)), ...(await entries('Agent', other))].flatMap(
      ({ details: { before, after } }) => [before?.['secret'], after?.['secret']].filter(Boolean),
    );
    expect(ofSecrets).toHaveLength(6);
    expect(new Set(ofSecrets.map((each) => JSON.stringify(each))).size).toBe(6);
    const all = await runSql(url, 'SELECT details FROM changes');
    expect(JSON.stringify(all)).not.toContain(secret);
  });

  test('counts sign-ins, and failed ones by user', async () => {
    const { app, url } = subject();
    const { data } = await app.graphql<{ createUser: { ref: string } }>(
      'mutation { createUser(input: { username: "counted", secret: "a good secret", role: VIEWER }) { ref } }',
    );
    const { ref } = data.createUser;
    const other = await startApp({ DATABASE_URL: url });
    for (let n = 0; n < 3; n++) await fetchToken(other.url, 'counted', 'a good secret');
    for (const name of ['counted', 'counted', 'nobody'])
      await expect(fetchToken(other.url, name, 'wrong')).rejects.toThrow();
    // Writes what it has counted.
    await other.close();
    const total = async (of: string, event: string): Promise<number> => {
      const found = (await entries('User', of)).filter((each) => each.event === event);
      return found.reduce((sum, { details: { count = 0 } }) => sum + count, 0);
    };
    expect(await total(ref, 'SIGNED_IN')).toBe(3);
    expect(await total(ref, 'SIGN_IN_FAILED')).toBe(2);
    expect(await total('', 'SIGN_IN_FAILED')).toBe(1);
    expect((await entries('User', ref)).length).toBeLessThanOrEqual(1 + 2 + 2);
    expect(JSON.stringify(await runSql(url, 'SELECT ref, who, details FROM changes'))).not.toContain('nobody');
  });

  test('has entries of a process of the version before, which does not know who made them', async () => {
    const { app, url } = subject();
    const row = "1, 'Peer', 'older', 'CREATED'";
    if (url.startsWith('sqlite:')) {
      await runSql(url, 'UPDATE change_head SET last = last + 1');
      await runSql(url, `INSERT INTO changes (id, at, kind, ref, did) SELECT last, ${row} FROM change_head`);
    } else await runSql(url, `INSERT INTO unnumbered_changes (at, kind, ref, did) VALUES (${row})`);
    await app.graphql('{ changeCursor }');
    const found = await runSql(url, "SELECT did, who, way FROM changes WHERE kind = 'Peer' AND ref = 'older'");
    expect(found).toEqual([['CREATED', null, null]]);
    await createGateway(app);
    await eventually(5, async () => {
      const [head] = await runSql(url, 'SELECT h.chained - c.last FROM history_head h, change_head c');
      expect(Number(head?.[0])).toBe(0);
    });
  });

  test('gives changes times that increase with their numbers', async () => {
    const { app, url } = subject();
    await app.graphql('{ changeCursor }');
    const times = (await runSql(url, "SELECT at FROM changes WHERE ref <> 'older' ORDER BY id")).map(([at]) =>
      Number(at),
    );
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  test('gives no change an earlier time than the one before, if the clock was set back a little', async () => {
    const { app, url } = subject();
    const timeOf = async (ref: string): Promise<number> => {
      await app.graphql('{ changeCursor }');
      return Number((await runSql(url, 'SELECT MAX(at) FROM changes WHERE ref = ?', [ref]))[0]?.[0]);
    };
    // As if the last change had been made before the clock was set back.
    const madeAfter = async (time: number): Promise<number> => {
      await timeOf(await createGateway(app));
      const [[last] = []] = await runSql(url, 'SELECT MAX(id) FROM changes');
      await runSql(url, 'UPDATE changes SET at = ? WHERE id = ?', [time, Number(last)]);
      return timeOf(await createGateway(app));
    };
    const soon = Date.now() + 4500;
    expect(await madeAfter(soon)).toBeGreaterThanOrEqual(soon);
    // A clock that was set back by much more was wrong before.
    const late = Date.now() + 3_600_000;
    expect(await madeAfter(late)).toBeLessThan(late);
  });

  // The last one: it deletes the key of the token.
  test('has entries on users and signing keys, and on what commands do', async () => {
    const { app, url } = subject();
    const env = { DATABASE_URL: url };
    const { code } = await runCommand(env, 'user', 'add', 'zoe', '--role', 'viewer', '--secret', 'a good secret');
    expect(code).toBe(0);
    const found = await app.graphql<{ users: { nodes: { ref: string; username: string }[] } }>(
      '{ users(first: 100) { nodes { ref username } } }',
    );
    const ref = found.data.users.nodes.find(({ username }) => username === 'zoe')?.ref ?? '';
    await app.graphql(`mutation { setUserRole(ref: "${ref}", role: OPERATOR) { ref } }`);
    await app.graphql(`mutation { setUserSecret(ref: "${ref}", secret: "another good one") { ref } }`);
    await app.graphql(`mutation { deleteUser(ref: "${ref}") }`);
    expect(await entries('User', ref)).toMatchObject([
      { event: 'CREATED', who: userInfo().username, way: 'COMMAND_LINE', details: { after: { username: 'zoe' } } },
      { event: 'UPDATED', who: 'admin', details: { before: { role: 'viewer' }, after: { role: 'operator' } } },
      { event: 'UPDATED', who: 'admin', details: { before: { secret: {} }, after: { secret: {} } } },
      { event: 'DELETED', who: 'admin', details: { before: { username: 'zoe', role: 'operator' } } },
    ]);
    const rotated = JSON.parse((await runCommand(env, 'key', 'rotate', '--json')).out) as { kid: string };
    await app.graphql('{ changeCursor }');
    const keys = await runSql(url, `SELECT did, way FROM changes WHERE kind = 'SigningKey' AND ref = '${rotated.kid}'`);
    expect(keys).toEqual([['CREATED', 'COMMAND_LINE']]);
    expect((await runCommand(env, 'key', 'rotate', '--now')).code).toBe(0);
    await app.graphql('{ changeCursor }');
    const events = await runSql(url, "SELECT did FROM changes WHERE kind = 'SigningKey' ORDER BY id");
    expect(events.map(([event]) => event).slice(-5)).toEqual(['UPDATED', 'CREATED', 'DELETED', 'DELETED', 'CREATED']);
    const file = join(mkdtempSync(join(tmpdir(), 'history-')), 'domains.json');
    const domain = {
      kind: 'Domain',
      metadata: { name: 'I', ref: 'imported' },
      spec: { context: { domainUri: 'i.test' } },
    };
    await writeFile(file, JSON.stringify([domain]));
    expect((await runCommand(env, 'import', file)).code).toBe(0);
    expect(await entries('Domain', 'imported')).toMatchObject([{ event: 'CREATED', way: 'IMPORT' }]);
  });
});
