import { createClient, type Client, type Role } from '../../clients/typescript/src/index';
import { fetchToken, startApp, type TestApp } from '../support/app';
import { runCommand } from '../support/command-line';
import { eventually } from '../support/eventually';
import { createGateway } from '../support/factories';
import { metric } from '../support/metrics';
import { onEachDriver } from '../support/databases/on-each-database';
import { runSql } from '../support/databases/sql';
import { transportsOn } from '../support/subscriptions';

const SECRET = 'the secret of a user';
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const DAY = 86_400_000;

const failing = (code: string, rest: object = {}): object => ({ code, ...rest });

/** CRC-32 (ITU-T V.42), bit by bit. */
function crc32(text: string): number {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
}

function inBase62(number: number): string {
  return number === 0 ? '' : inBase62(Math.floor(number / 62)) + (DIGITS[number % 62] ?? '');
}

/** A token that nobody has been given, with the right checksum. */
const UNKNOWN = `sg_${'a'.repeat(30)}${inBase62(crc32('a'.repeat(30))).padStart(6, '0')}`;

onEachDriver('API tokens', (subject, database) => {
  let admin: Client;
  let count = 0;

  const clientOf = (token: string, app: TestApp = subject().app): Client =>
    createClient(`${app.url}/graphql`, { token });

  /** A new user, with a client that is signed in. */
  async function userOf(role: Role) {
    const username = `${role.toLowerCase()}${++count}`;
    const { ref } = (await admin.createUser({ input: { username, secret: SECRET, role } })).createUser;
    return { ref, username, client: clientOf(await fetchToken(subject().app.url, username, SECRET)) };
  }

  /** A new API token of the admin, or of another user. */
  async function made(role: Role = 'VIEWER', owner = admin) {
    const { token, apiToken } = (await owner.createApiToken({ name: 'a script', role })).createApiToken;
    return { token, ref: apiToken.ref };
  }

  const statements = async (): Promise<number> =>
    metric(subject().app.url, await subject().app.token(), 'sipgraph_sql_statements_total');

  const newestEntry = async (ref: string): Promise<unknown> => {
    const { data } = await subject().app.graphql<{ history: { nodes: unknown[] } }>(
      `{ history(first: 1, where: { kind: ApiToken, ref: "${ref}" }) {
        nodes { event who { username } changes { field before } }
      } }`,
    );
    return data.history.nodes[0];
  };

  /** The entry on a deleted token. */
  const deletion = (owner: string, username = 'admin'): object => ({
    event: 'DELETED',
    who: { username },
    changes: expect.arrayContaining([{ field: 'username', before: owner }]),
  });

  beforeAll(async () => {
    admin = clientOf(await subject().app.token());
  });

  test('an API token has a prefix, 30 random characters and their CRC-32, and only its hash is stored', async () => {
    const [one, other] = [await made(), await made()];
    const [, random = '', checksum] = /^sg_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/.exec(one.token) ?? [];
    expect(checksum).toBe(inBase62(crc32(random)).padStart(6, '0'));
    expect(other.token.slice(0, 33)).not.toBe(one.token.slice(0, 33));
    const [row = []] = await runSql(subject().url, 'SELECT * FROM api_tokens WHERE ref = ?', [one.ref]);
    expect(row).toContainEqual(expect.stringMatching(/^[0-9a-f]{64}$/));
    expect(JSON.stringify(row)).not.toContain(random);
    expect(JSON.stringify(await admin.apiTokens())).not.toContain(random);
  });

  test('it is accepted in GraphQL and REST, as a bearer token and in the query', async () => {
    const { app } = subject();
    const { token } = await made('OPERATOR');
    expect((await clientOf(token).viewer()).viewer).toMatchObject({ username: 'admin', role: 'OPERATOR' });
    const bearer = { authorization: `Bearer ${token}` };
    expect((await app.rest('GET', '/gateways', { token })).status).toBe(200);
    expect((await app.rest('GET', '/gateways', { token: null, headers: bearer })).status).toBe(200);
    expect((await app.rest('DELETE', '/gateways/nothing', { token })).status).toBe(404);
  });

  test('a deleted token is rejected from the next request on', async () => {
    const { token, ref } = await made();
    await clientOf(token).viewer();
    expect(await admin.deleteApiToken({ ref })).toEqual({ deleteApiToken: ref });
    await expect(clientOf(token).viewer()).rejects.toMatchObject(failing('UNAUTHENTICATED', { status: 401 }));
    expect((await subject().app.rest('GET', '/gateways', { token })).status).toBe(401);
    await expect(admin.deleteApiToken({ ref })).rejects.toMatchObject(failing('NOT_FOUND', { fields: ['ref'] }));
  });

  test.each(transportsOn(database))('$name ends the subscriptions of a deleted token', async ({ subscribe }) => {
    const { app } = subject();
    const { token, ref } = await made();
    const subscription = await subscribe(app.url, token, 'subscription { resourceChanged { ref } }');
    const gateway = await createGateway(app);
    expect(await subscription.next()).toMatchObject({ data: { resourceChanged: { ref: gateway } } });
    await admin.deleteApiToken({ ref });
    await eventually(10, () => expect(subscription.over()).toBe(true));
    await subscription.close();
  });

  test('an API token never has a higher role than its owner, who also cannot grant one', async () => {
    const { ref, client } = await userOf('OPERATOR');
    await expect(made('ADMIN', client)).rejects.toMatchObject(failing('FORBIDDEN'));
    const { token } = await made('OPERATOR', client);
    const write = () => clientOf(token).deleteGateway({ ref: 'nothing' });
    await expect(write()).rejects.toMatchObject(failing('NOT_FOUND'));
    await admin.setUserRole({ ref, role: 'VIEWER' });
    await expect(write()).rejects.toMatchObject(failing('FORBIDDEN'));
    expect((await clientOf(token).viewer()).viewer.role).toBe('VIEWER');
    await admin.setUserRole({ ref, role: 'ADMIN' });
    expect((await clientOf(token).viewer()).viewer.role).toBe('OPERATOR');
  });

  test('an API token with a lower role than its owner does not read the account of the owner', async () => {
    const { app } = subject();
    const [lesser, equal] = [await made('OPERATOR'), await made('ADMIN')];
    for (const query of ['{ viewer { sessions { address } } }', '{ apiTokens { name } }']) {
      const { errors } = await app.graphql(query, {}, { token: lesser.token });
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'FORBIDDEN', status: 403 });
      expect((await app.graphql(query, {}, { token: equal.token })).errors).toBeUndefined();
    }
    const { client } = await userOf('VIEWER');
    const { token } = await made('VIEWER', client);
    expect((await clientOf(token).apiTokens()).apiTokens).toHaveLength(1);
  });

  test('the tokens of a deleted user are rejected, and deleted', async () => {
    const { ref, username, client } = await userOf('VIEWER');
    const { token, ref: tokenRef } = await made('VIEWER', client);
    await admin.deleteUser({ ref });
    await admin.createUser({ input: { username, secret: SECRET, role: 'VIEWER' } });
    await expect(clientOf(token).viewer()).rejects.toMatchObject(failing('UNAUTHENTICATED'));
    const [left] = await runSql(subject().url, 'SELECT ref FROM api_tokens WHERE ref = ?', [tokenRef]);
    expect(left).toBeUndefined();
    expect(await newestEntry(tokenRef)).toEqual(deletion(username));
  });

  test('a new secret of the owner ends sign-ins, but no API tokens', async () => {
    const { ref, client } = await userOf('VIEWER');
    const { token } = await made('VIEWER', client);
    await admin.setUserSecret({ ref, secret: 'another secret' });
    await expect(client.viewer()).rejects.toMatchObject(failing('UNAUTHENTICATED'));
    expect((await clientOf(token).viewer()).viewer.ref).toBe(ref);
  });

  test('tokens are listed with what is known about them, and the day of their last use is written once', async () => {
    const { client, username } = await userOf('VIEWER');
    const expiresOn = new Date(Date.now() + DAY).toISOString();
    const { apiToken, token } = (
      await client.createApiToken({ name: 'nightly', role: 'VIEWER', expiresOn, note: 'a note' })
    ).createApiToken;
    const expected = { ref: apiToken.ref, name: 'nightly', note: 'a note', role: 'VIEWER', username, expiresOn };
    expect((await client.apiTokens()).apiTokens).toEqual([
      { ...expected, documents: null, createdOn: expect.any(String), lastUsedOn: null, lastUsedFrom: null },
    ]);
    const used = async () => (await client.apiTokens()).apiTokens[0];
    const today = new Date().toISOString().slice(0, 10);
    await clientOf(token).viewer();
    await eventually(5, async () => expect((await used())?.lastUsedFrom).toBe('127.0.0.1'));
    expect((await used())?.lastUsedOn).toMatch(/T00:00:00.000Z$/);
    expect(((await used())?.lastUsedOn ?? '') >= `${today}T`).toBe(true);
    await runSql(subject().url, "UPDATE api_tokens SET used_from = 'kept' WHERE ref = ?", [apiToken.ref]);
    await clientOf(token).viewer();
    await clientOf(token).viewer();
    expect((await used())?.lastUsedFrom).toBe('kept');
  });

  test('an expired token is rejected, and makes room for another', async () => {
    const { client, username } = await userOf('VIEWER');
    const { token, ref } = await made('VIEWER', client);
    await clientOf(token).viewer();
    await runSql(subject().url, 'UPDATE api_tokens SET expires_on = ? WHERE ref = ?', [Date.now(), ref]);
    await expect(clientOf(token).viewer()).rejects.toMatchObject({ message: 'The token has expired' });
    await made('VIEWER', client);
    expect((await client.apiTokens()).apiTokens.map((each) => each.ref)).not.toContain(ref);
    expect(await newestEntry(ref)).toEqual(deletion(username, username));
  });

  test('a request with an API token takes one statement to identify the caller, and none if the token is mistyped', async () => {
    const { token } = await made();
    const wrong = `${token.slice(0, -1)}${token.endsWith('x') ? 'y' : 'x'}`;
    await clientOf(token).viewer(); // also stores the day of the last use
    const cost = async (sent: string): Promise<number> => {
      const before = await statements();
      await Promise.all(
        [1, 2, 3].map(() =>
          clientOf(sent)
            .viewer()
            .catch(() => undefined),
        ),
      );
      return (await statements()) - before - 1; // the metrics take one
    };
    expect(await cost(token)).toBeLessThanOrEqual(3);
    expect(await cost(wrong)).toBe(0);
    expect(await cost('sg_')).toBe(0);
    await expect(clientOf(wrong).viewer()).rejects.toMatchObject(failing('UNAUTHENTICATED'));
    await expect(clientOf(UNKNOWN).viewer()).rejects.toMatchObject(failing('UNAUTHENTICATED'));
  });

  test('guesses with a right checksum are limited before the database is read, and real tokens still work', async () => {
    const { token } = await made();
    const app = await startApp({ DATABASE_URL: subject().url, RATE_LIMIT_ANONYMOUS: '20' });
    await clientOf(token, app).viewer();
    for (let i = 0; i < 20; i++) await app.rest('GET', '/gateways', { token: UNKNOWN });
    const read = () => metric(app.url, token, 'sipgraph_sql_statements_total');
    // The last use of a token is stored a little later.
    await eventually(5, async () => {
      const before = await read();
      expect((await app.rest('GET', '/gateways', { token: UNKNOWN })).status).toBe(429);
      expect((await read()) - before).toBe(1);
    });
    expect((await app.rest('GET', '/gateways', { token })).status).toBe(200);
    await app.close();
  });

  test('each token has a budget, which a new token in the place of a deleted one inherits', async () => {
    const { client } = await userOf('VIEWER');
    const [one, other] = [await made('VIEWER', client), await made('VIEWER', client)];
    const app = await startApp({ DATABASE_URL: subject().url, RATE_LIMIT_REQUESTS: '30' });
    const status = async (token: string) => (await app.rest('GET', '/system/info', { token })).status;
    const sent = await Promise.all(Array.from({ length: 40 }, () => status(one.token)));
    expect(sent).toContain(429);
    expect(await status(other.token)).toBe(200);
    await client.deleteApiToken({ ref: one.ref });
    const next = await made('VIEWER', client);
    const again = await Promise.all(Array.from({ length: 10 }, () => status(next.token)));
    expect(again).toContain(429);
    await app.close();
  });

  test('a user has at most 50 tokens, even if they are created at the same time', async () => {
    const { client } = await userOf('VIEWER');
    const results = await Promise.allSettled(Array.from({ length: 55 }, () => made('VIEWER', client)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(50);
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject(failing('CONFLICT'));
    expect((await client.apiTokens()).apiTokens).toHaveLength(50);
  });

  test('users see and delete their own tokens; admins those of others, too', async () => {
    const [one, other] = [await userOf('OPERATOR'), await userOf('OPERATOR')];
    const { ref } = await made('VIEWER', one.client);
    const create = (client: Client, role: Role) =>
      client.createApiToken({ name: 'for another', role, userRef: one.ref });
    await expect(other.client.apiTokens({ userRef: one.ref })).rejects.toMatchObject(failing('FORBIDDEN'));
    await expect(other.client.deleteApiToken({ ref })).rejects.toMatchObject(failing('NOT_FOUND'));
    await expect(create(other.client, 'VIEWER')).rejects.toMatchObject(failing('FORBIDDEN'));
    await expect(create(admin, 'ADMIN')).rejects.toMatchObject(failing('BAD_USER_INPUT', { fields: ['role'] }));
    const { apiToken } = (await create(admin, 'OPERATOR')).createApiToken;
    expect(apiToken.username).toBe(one.username);
    const { apiTokens } = await admin.apiTokens({ userRef: one.ref });
    expect(apiTokens.map((each) => each.ref)).toEqual([ref, apiToken.ref]);
    await admin.deleteApiToken({ ref });
  });

  test.each<[string, (client: Client) => Promise<unknown>]>([
    ['create API tokens', (client) => client.createApiToken({ name: 'x', role: 'VIEWER' })],
    ['delete API tokens', (client) => client.deleteApiToken({ ref: 'x' })],
    ['create users', (client) => client.createUser({ input: { username: 'x', secret: SECRET, role: 'VIEWER' } })],
    ['change secrets', (client) => client.setUserSecret({ ref: 'x', secret: SECRET })],
    [
      'change the secret of its owner',
      (client) => client.changeSecret({ oldSecret: SECRET, newSecret: 'a new secret' }),
    ],
    ['change roles', (client) => client.setUserRole({ ref: 'x', role: 'ADMIN' })],
    ['delete users', (client) => client.deleteUser({ ref: 'x' })],
  ])('an API token of an admin cannot %s', async (_what, act) => {
    const { token } = await made('ADMIN');
    await expect(act(clientOf(token))).rejects.toMatchObject(failing('FORBIDDEN', { status: 403 }));
    await expect(clientOf(token).users()).resolves.toBeDefined();
  });

  test.each<[string, object, string]>([
    ['an empty name', { name: '' }, 'name'],
    ['a name of 101 characters', { name: 'x'.repeat(101) }, 'name'],
    ['a name with a line break', { name: 'a\nb' }, 'name'],
    ['a note of 501 characters', { note: 'x'.repeat(501) }, 'note'],
    ['an expiry in the past', { expiresOn: '2020-01-01T00:00:00Z' }, 'expiresOn'],
    ['an unknown user', { userRef: 'usnobody' }, 'userRef'],
  ])('createApiToken refuses %s', async (_what, wrong, field) => {
    const input = { name: 'x', role: 'VIEWER' as const, ...wrong };
    await expect(admin.createApiToken(input)).rejects.toMatchObject({ fields: [field] });
  });

  test('its creation, use and deletion are logged with its ref, and it is in no log line', async () => {
    const lines: string[] = [];
    const log = { write: (line: string) => void lines.push(line) };
    const app = await startApp({ DATABASE_URL: subject().url, LOG_LEVEL: 'trace' }, log);
    const client = clientOf(await app.token(), app);
    const { token, ref } = await made('VIEWER', client);
    await app.rest('GET', '/gateways', { token });
    await app.rest('DELETE', '/gateways/x', { token });
    await app.rest('GET', '/gateways', { token: UNKNOWN });
    await client.deleteApiToken({ ref });
    await app.close();
    const events = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const named = (name: string) => events.find(({ event }) => event === name);
    expect(named('api-token-created')).toMatchObject({ user: 'admin', target: 'admin', token: ref, role: 'viewer' });
    expect(named('refused-by-role')).toMatchObject({ user: 'admin', token: ref });
    expect(named('api-token-deleted')).toMatchObject({ user: 'admin', target: 'admin', token: ref });
    expect(lines.join('')).not.toMatch(/sg_[0-9A-Za-z]/);
  });

  test('the command line creates, lists and deletes API tokens', async () => {
    const { app, url } = subject();
    const env = { DATABASE_URL: url };
    const { username } = await userOf('OPERATOR');
    const options = ['--name', 'nightly report', '--expires', '2199-12-31', '--note', 'by hand'];
    const created = await runCommand(env, 'token', 'create', username, '--role', 'operator', ...options, '--json');
    expect(created.code).toBe(0);
    const { token, apiToken } = JSON.parse(created.out) as { token: string; apiToken: { ref: string } };
    expect((await app.rest('DELETE', '/gateways/nothing', { token })).status).toBe(404);
    const listed = await runCommand(env, 'token', 'list', '--user', username);
    expect(listed.out).toMatch(
      new RegExp(`^${apiToken.ref} +operator +${username}: nightly report \\(expires 2199-12-31T`),
    );
    expect((await runCommand(env, 'token', 'list')).out).toContain(apiToken.ref);
    expect(listed.out).not.toContain('sg_');
    const tooMuch = await runCommand(env, 'token', 'create', username, '--role', 'admin', '--name', 'x');
    expect(tooMuch).toMatchObject({ code: 1, err: expect.stringContaining('admin is more than the role of') });
    expect((await runCommand(env, 'token', 'delete', apiToken.ref)).code).toBe(0);
    expect((await app.rest('GET', '/gateways', { token })).status).toBe(401);
    expect((await runCommand(env, 'token', 'delete', apiToken.ref)).code).toBe(1);
  });
});
