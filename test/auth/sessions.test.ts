import { createConnection } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { decode } from 'jsonwebtoken';

import { createClient, type Client, type Role } from '../../clients/typescript/src/index';
import { fetchToken, startApp } from '../support/app';
import { runCommand } from '../support/command-line';
import { eventually } from '../support/eventually';
import { metric } from '../support/metrics';
import { onEachDriver } from '../support/databases/on-each-database';
import { runSql } from '../support/databases/sql';
import { transportsOn } from '../support/subscriptions';

const SECRET = 'the secret of a user';

const failing = (code: string, rest: object = {}): object => ({ code, ...rest });

onEachDriver('Sessions', (subject, database) => {
  let admin: Client;
  let count = 0;

  const clientOf = (token: string): Client => createClient(`${subject().app.url}/graphql`, { token });
  const signIn = async (username: string, agent?: string): Promise<string> => {
    if (agent === undefined) return fetchToken(subject().app.url, username, SECRET);
    const authorization = `Basic ${Buffer.from(`${username}:${SECRET}`).toString('base64')}`;
    const response = await fetch(`${subject().app.url}/api/v1beta1/token`, {
      headers: { authorization, 'user-agent': agent },
    });
    return ((await response.json()) as { data: string }).data; // as the contract says
  };
  const sessionsOf = async (token: string) => (await clientOf(token).sessions()).viewer.sessions;
  const isRefused = (token: string) =>
    expect(clientOf(token).viewer()).rejects.toMatchObject(failing('UNAUTHENTICATED', { status: 401 }));

  async function newUser(role: Role = 'VIEWER') {
    const username = `user${++count}`;
    const { ref } = (await admin.createUser({ input: { username, secret: SECRET, role } })).createUser;
    return { ref, username };
  }

  beforeAll(async () => {
    admin = clientOf(await subject().app.token());
  });

  test('each sign-in is listed with its address and its time, newest first', async () => {
    const { username } = await newUser();
    const [first, second] = [await signIn(username), await signIn(username)];
    const listed = await sessionsOf(first);
    expect(listed).toHaveLength(2);
    expect(listed.map(({ current, address }) => [current, address])).toEqual([
      [false, '127.0.0.1'],
      [true, '127.0.0.1'],
    ]);
    const age = Date.now() - Date.parse(listed[1]?.createdOn ?? '');
    expect(age).toBeLessThan(60_000);
    expect(listed[1]?.expiresOn).toBe(new Date((decode(first, { json: true })?.exp ?? 0) * 1000).toISOString());
    expect((await sessionsOf(second))[0]?.current).toBe(true);
  });

  const MOZILLA = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64';
  const SAFARI = 'AppleWebKit/537.36 (KHTML, like Gecko)';
  const SAME = 'the same';
  test.each<[string, string | null, string | null]>([
    [`${MOZILLA}; rv:140.0) Gecko/20100101 Firefox/140.0`, 'Firefox on Windows', SAME],
    [`${MOZILLA}) ${SAFARI} Chrome/140.0.0.0 Safari/537.36`, 'Chrome on Windows', SAME],
    [`${MOZILLA}) ${SAFARI} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`, 'Edge on Windows', SAME],
    [`Mozilla/5.0 (Linux; Android 15) ${SAFARI} Chrome/140.0 Mobile Safari/537.36`, 'Chrome on Android', SAME],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1 Version/18.5 Safari/605.1',
      'Safari on macOS',
      SAME,
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Version/18.5 Mobile Safari/604.1',
      'Safari on iPhone',
      SAME,
    ],
    [`Mozilla/5.0 (X11; Linux x86_64) ${SAFARI} HeadlessChrome/140.0 Safari/537.36`, 'Chrome on Linux', SAME],
    ['curl/8.5.0', 'curl', SAME],
    ['Mozilla/5.0', null, SAME],
    ['<script>alert(1)</script>', null, SAME],
    ['', null, null],
    ['a\tb \u00e9\u009bc', 'a', 'a b c'],
    ['x'.repeat(1000), null, 'x'.repeat(200)],
  ])('of %j is listed as that of %j, to the user and to admins only', async (agent, device, kept) => {
    const stored = kept === SAME ? agent : kept;
    const { username, ref } = await newUser();
    const token = await signIn(username, agent);
    const listed = await sessionsOf(token);
    expect(listed).toMatchObject([{ device, userAgent: stored, current: true }]);
    expect((await admin.userSessions({ userRef: ref })).userSessions).toEqual([{ ...listed[0], current: false }]);
    const operator = await signIn((await newUser('OPERATOR')).username);
    await expect(clientOf(operator).userSessions({ userRef: ref })).rejects.toMatchObject(failing('FORBIDDEN'));
    if (stored === null) return;
    // The history does not keep it, and it ends with the session.
    expect(JSON.stringify(await runSql(subject().url, 'SELECT * FROM changes WHERE ref = ?', [ref]))).not.toContain(
      stored,
    );
    await clientOf(token).endAllSessions();
    expect(await runSql(subject().url, 'SELECT COUNT(*) FROM sign_ins WHERE user_agent = ?', [stored])).toEqual([[0]]);
  });

  test('of a user that does not exist are not found', async () => {
    await expect(admin.userSessions({ userRef: 'nobody' })).rejects.toMatchObject(
      failing('NOT_FOUND', { fields: ['userRef'] }),
    );
  });

  test('an ended session is rejected at the next request, and no other one is', async () => {
    const { username } = await newUser();
    const [kept, stolen] = [await signIn(username), await signIn(username)];
    const [newest] = await sessionsOf(kept);
    await clientOf(kept).endSession({ id: newest?.id ?? '' });
    await isRefused(stolen);
    expect((await sessionsOf(kept)).map(({ current }) => current)).toEqual([true]);
    await expect(clientOf(kept).endSession({ id: newest?.id ?? '' })).rejects.toMatchObject(
      failing('NOT_FOUND', { fields: ['id'] }),
    );
  });

  test.each(transportsOn(database).slice(0, 1))(
    '$name ends the subscriptions of an ended session',
    async (transport) => {
      const { username } = await newUser();
      const [kept, stolen] = [await signIn(username), await signIn(username)];
      const subscription = await transport.subscribe(
        subject().app.url,
        stolen,
        'subscription { resourceChanged { ref } }',
      );
      await clientOf(kept).endSession({ id: (await sessionsOf(kept))[0]?.id ?? '' });
      await eventually(10, () => expect(subscription.over()).toBe(true));
      await subscription.close();
    },
  );

  test('endAllSessions ends every sign-in of the user at once, and no API token', async () => {
    const { username, ref } = await newUser();
    const [one, other] = [await signIn(username), await signIn(username)];
    const { token } = (await clientOf(one).createApiToken({ name: 'x', role: 'VIEWER' })).createApiToken;
    expect(await clientOf(one).endAllSessions()).toEqual({ endAllSessions: ref });
    await isRefused(one);
    await isRefused(other);
    await clientOf(token).viewer();
    expect(await sessionsOf(await signIn(username))).toHaveLength(1);
  });

  test('admins end the sessions of others; other users only their own', async () => {
    const [one, other] = [await newUser(), await newUser('OPERATOR')];
    const [token, foreign] = [await signIn(one.username), await signIn(other.username)];
    const [session] = await sessionsOf(token);
    await expect(clientOf(foreign).endSession({ id: session?.id ?? '' })).rejects.toMatchObject(failing('NOT_FOUND'));
    await expect(clientOf(foreign).endAllSessions({ userRef: one.ref })).rejects.toMatchObject(failing('FORBIDDEN'));
    await clientOf(token).viewer();
    await admin.endAllSessions({ userRef: one.ref });
    await isRefused(token);
    await expect(admin.endAllSessions({ userRef: 'usnobody' })).rejects.toMatchObject(failing('NOT_FOUND'));
  });

  test('the history tells who ended which sessions', async () => {
    const { username, ref } = await newUser();
    const [token, other] = [await signIn(username), await signIn(username)];
    const [session] = await sessionsOf(token);
    await clientOf(token).endSession({ id: session?.id ?? '' });
    await admin.endAllSessions({ userRef: ref });
    await isRefused(other);
    const ended = async (event: string): Promise<unknown> => {
      const where = `{ kind: User, ref: "${ref}", event: ${event} }`;
      const query = `{ history(where: ${where}) { nodes { who { username } changes { field before after } } } }`;
      return (await subject().app.graphql<{ history: { nodes: unknown } }>(query)).data.history.nodes;
    };
    const changes = [
      { field: 'session', before: session?.id, after: null },
      { field: 'address', before: '127.0.0.1', after: null },
    ];
    expect(await ended('SESSION_ENDED')).toEqual([{ who: { username }, changes }]);
    expect(await ended('SESSIONS_ENDED')).toEqual([{ who: { username: 'admin' }, changes: [] }]);
  });

  test('a new secret ends the sessions, and they are no longer listed', async () => {
    const { username, ref } = await newUser();
    const before = await signIn(username);
    await admin.setUserSecret({ ref, secret: 'another secret' });
    await isRefused(before);
    const after = await fetchToken(subject().app.url, username, 'another secret');
    expect(await sessionsOf(after)).toHaveLength(1);
  });

  test('all but the last 200 sessions are deleted', async () => {
    const { url } = subject();
    const { username } = await newUser();
    const token = await signIn(username);
    const [row = []] = await runSql(url, 'SELECT id, generation FROM users WHERE username = ?', [username]);
    const [id, generation] = row.map(Number);
    const insert = async (ref: string, expiresOn: number) =>
      runSql(
        url,
        `INSERT INTO sign_ins (ref, user_id, generation, kid, address, created_on, expires_on) VALUES (?, ?, ?, 'x', '', 0, ?)`,
        [ref, id ?? 0, generation ?? 0, expiresOn],
      );
    for (let i = 0; i < 230; i++) await insert(`${username}-${i}`, Date.now() + 3_600_000);
    const left = async () =>
      Number((await runSql(url, 'SELECT COUNT(*) FROM sign_ins WHERE user_id = ?', [id ?? 0]))[0]?.[0]);
    for (let i = 0; i < 20; i++) await signIn(username);
    await eventually(5, async () => expect(await left()).toBeLessThanOrEqual(220));
    // Not listed any more, but still good, because nobody ended it.
    await clientOf(token).viewer();
  });

  test('expired sessions are deleted by the database clock, although nobody signs in', async () => {
    const { url } = subject();
    const { username } = await newUser();
    await signIn(username, 'expired');
    await signIn(username, 'good');
    await runSql(url, "UPDATE sign_ins SET expires_on = 1 WHERE user_agent = 'expired'");
    const other = await startApp({ DATABASE_URL: url });
    const left = "SELECT user_agent FROM sign_ins WHERE user_agent IN ('expired', 'good')";
    await eventually(5, async () => expect(await runSql(url, left)).toEqual([['good']]));
    await other.close();
  });

  test('at most 100 sessions are ended one by one, and then all together', async () => {
    const { username } = await newUser();
    const token = await signIn(username);
    const full = Array.from({ length: 100 }, (_, i) => `${String(i).padStart(8, 'x')}:zzzzzz`).join(' ');
    await runSql(subject().url, 'UPDATE users SET ended_sign_ins = ? WHERE username = ?', [full, username]);
    const [session] = await sessionsOf(token);
    const end = () => clientOf(token).endSession({ id: session?.id ?? '' });
    await expect(end()).rejects.toMatchObject(failing('CONFLICT'));
    const expired = full.replaceAll(':zzzzzz', ':1');
    await runSql(subject().url, 'UPDATE users SET ended_sign_ins = ? WHERE username = ?', [expired, username]);
    await end();
    await isRefused(token);
  });

  test('a token from before sessions existed stays valid until it expires or all are ended', async () => {
    const { username, ref } = await newUser();
    const token = await signIn(username);
    await runSql(subject().url, 'DELETE FROM sign_ins WHERE ref = ?', [(await sessionsOf(token))[0]?.id ?? '']);
    expect(await sessionsOf(token)).toEqual([]);
    await admin.endAllSessions({ userRef: ref });
    await isRefused(token);
  });

  test('a request takes as many statements after sessions were ended as before: one for the user', async () => {
    const { username } = await newUser();
    const [token, other] = [await signIn(username), await signIn(username)];
    const cost = async (): Promise<number> => {
      const { app } = subject();
      const read = async () => metric(app.url, await app.token(), 'sipgraph_sql_statements_total');
      const before = await read();
      await clientOf(token).viewer();
      return (await read()) - before - 1; // the metrics take one
    };
    expect(await cost()).toBe(1);
    await clientOf(token).endSession({ id: (await sessionsOf(other))[0]?.id ?? '' });
    expect(await cost()).toBe(1);
  });

  /** Sends a request without the last byte of its body, and returns a function that sends that, and returns the status. */
  function unfinished(path: string, token: string, body: string): () => Promise<number> {
    const socket = createConnection(Number(new URL(subject().app.url).port), '127.0.0.1');
    const received = new Promise<string>((resolve, reject) => {
      let text = '';
      socket.on('data', (data) => (text += data.toString()));
      socket.on('error', reject).on('close', () => resolve(text));
    });
    const type = 'Content-Type: application/json\r\nConnection: close';
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\n${type}\r\nAuthorization: Bearer ${token}`;
    socket.write(`${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body.slice(0, -1)}`);
    return async () => {
      socket.write(body.slice(-1));
      return Number((await received).split(' ')[1]);
    };
  }

  test.each<[string, number, (ref: string) => Promise<unknown>]>([
    ['its sessions were ended', 401, (userRef) => admin.endAllSessions({ userRef })],
    ['the secret was changed', 401, (ref) => admin.setUserSecret({ ref, secret: `${SECRET} again` })],
    ['the role was lowered', 403, (ref) => admin.setUserRole({ ref, role: 'VIEWER' })],
    ['the user was deleted', 401, (ref) => admin.deleteUser({ ref })],
    ['nothing happened', 200, () => Promise.resolve()],
  ])('a request whose body arrives after %s is %d, over GraphQL and REST', async (_what, status, happen) => {
    const { ref, username } = await newUser('OPERATOR');
    const token = await signIn(username);
    const domain = { apiVersion: 'v1beta1', kind: 'Domain', metadata: { name: username } };
    const document = { ...domain, spec: { context: { domainUri: `${username}.rest.test` } } };
    const input = `{ name: "${username}", domainUri: "${username}.graph.test" }`;
    const requests = [
      unfinished('/graphql', token, JSON.stringify({ query: `mutation { createDomain(input: ${input}) { ref } }` })),
      unfinished('/api/v1beta1/domains', token, JSON.stringify(document)),
    ];
    await delay(700);
    await happen(ref);
    const created = status === 200 ? 201 : status;
    expect(await Promise.all(requests.map((finish) => finish()))).toEqual([status, created]);
    const stored = await runSql(subject().url, 'SELECT COUNT(*) FROM domains WHERE name = ?', [username]);
    expect(Number(stored[0]?.[0])).toBe(status === 200 ? 2 : 0);
  });

  test('sessions whose key was retired are not listed, and the events are logged', async () => {
    const lines: string[] = [];
    const log = { write: (line: string) => void lines.push(line) };
    const app = await startApp({ DATABASE_URL: subject().url, LOG_LEVEL: 'info' }, log);
    const { username } = await newUser();
    const token = await fetchToken(app.url, username, SECRET);
    await createClient(`${app.url}/graphql`, { token }).endAllSessions();
    await app.close();
    expect(lines.join('')).toMatch(/"event":"sessions-ended","user":"user\d+"/);
    expect((await runCommand({ DATABASE_URL: subject().url }, 'key', 'rotate', '--now')).code).toBe(0);
    const again = await startApp({ DATABASE_URL: subject().url });
    const fresh = await again.token();
    const { data } = await again.graphql<{ viewer: { sessions: readonly { current: boolean }[] } }>(
      '{ viewer { sessions { current } } }',
      {},
      { token: fresh },
    );
    expect(data.viewer.sessions).toEqual([{ current: true }]);
    await again.close();
  });
});
