import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';

import { getIntrospectionQuery } from 'graphql';
import WebSocket from 'ws';

import { hashPassword } from '../../src/auth/password';
import { loadConfig } from '../../src/config/config';
import { fetchToken, startApp, type RestReply, type TestApp } from '../support/app';
import { eventually } from '../support/eventually';
import { onEachDriver, onSqlite } from '../support/databases/on-each-database';
import { useRealPasswords } from '../support/passwords';
import { runSql } from '../support/databases/sql';
import { withStoppedClock } from '../support/stopped-clock';
import { socketClient } from '../support/subscriptions';

const SECRET = 'the secret of a user';
const LISTEN = 'subscription { resourceChanged { event } }';

const from = (address: string): Readonly<Record<string, string>> => ({ 'x-forwarded-for': address });

const basic = (username: string, secret: string): string =>
  `Basic ${Buffer.from(`${username}:${secret}`).toString('base64')}`;

function signIn(
  app: TestApp,
  username: string,
  secret: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<RestReply<string>> {
  return app.rest('GET', '/token', { token: null, headers: { authorization: basic(username, secret), ...headers } });
}

/** Sends this many sign-ins, each with another unknown name. */
function flood(app: TestApp, times: number, headers: Readonly<Record<string, string>> = {}) {
  return Array.from({ length: times }, (_, i) => signIn(app, `nobody${String(i)}`, 'a wrong secret', headers));
}

async function timed<T>(work: Promise<T>): Promise<{ readonly result: T; readonly seconds: number }> {
  const begun = Date.now();
  const result = await work;
  return { result, seconds: (Date.now() - begun) / 1000 };
}

const statuses = async (replies: readonly Promise<RestReply<unknown>>[]): Promise<readonly number[]> =>
  (await Promise.all(replies)).map(({ status }) => status);

onEachDriver(
  'Sign-in limits',
  (subject) => {
    useRealPasswords();
    let users = 0;

    async function newUser(): Promise<{ readonly ref: string; readonly username: string }> {
      const username = `user${String(++users)}`;
      const { data } = await subject().app.graphql<{ createUser: { ref: string } }>(
        'mutation ($input: CreateUserInput!) { createUser(input: $input) { ref } }',
        { input: { username, secret: SECRET, role: 'VIEWER' } },
      );
      return { ref: data.createUser.ref, username };
    }

    test.each([
      ['from the same address, for the first time', '198.51.100.1', '198.51.100.1'],
      ['from another address', '198.51.100.2', '198.51.100.3'],
    ])('400 sign-ins with random names do not delay a real one %s', async (_where, attacker, caller) => {
      const { app } = subject();
      const { username } = await newUser();
      let checked = 0;
      const attack = flood(app, 400, from(attacker)).map(async (sent) => {
        const reply = await sent;
        if (reply.status === 401) checked++;
        return reply;
      });
      expect((await signIn(app, username, SECRET, from(caller))).status).toBe(200);
      // Each check is a real one, so the requests of one network wait in the queue.
      expect(checked).toBeLessThan(150);
      const refused = (await Promise.all(attack)).filter(({ status }) => status === 429);
      expect(refused.length).toBeGreaterThan(250);
      expect(refused.every(({ headers }) => Number(headers.get('retry-after')) >= 1)).toBe(true);
    });

    test('all addresses of an IPv6 /64 share a limit, and an IPv4 address mapped into IPv6 has its own', async () => {
      const { app } = subject();
      const refused = async (addresses: (i: number) => string): Promise<number> =>
        (
          await statuses(
            Array.from({ length: 90 }, (_, i) =>
              signIn(app, `v6-${addresses(i)}`, 'a wrong secret', from(addresses(i))),
            ),
          )
        ).filter((status) => status === 429).length;
      expect(await refused((i) => `2001:db8:0:1::${i.toString(16)}`)).toBeGreaterThan(20);
      expect(await refused((i) => (i % 2 === 0 ? '::ffff:203.0.113.9' : '203.0.113.9'))).toBeGreaterThan(20);
      expect((await signIn(app, 'v6', 'a wrong secret', from('2001:db8:0:2::1'))).status).toBe(401);
    });

    test('a name that is guessed from many networks is rejected for increasing times, except where its user has signed in', async () => {
      const { app } = subject();
      const { username } = await newUser();
      const known = from('192.0.2.250');
      expect((await signIn(app, username, SECRET, known)).status).toBe(200);
      let longest = 0;
      // Rejected attempts do not count: one more attempt is accepted after each wait.
      for (let i = 0; longest < 4; i++) {
        expect(i).toBeLessThan(60);
        const replies = await Promise.all(
          Array.from({ length: 10 }, () => signIn(app, username, 'a wrong secret', from(`192.0.2.${String(i)}`))),
        );
        longest = Math.max(longest, ...replies.map(({ headers }) => Number(headers.get('retry-after') ?? 0)));
        if (longest > 0) await new Promise((resolve) => setTimeout(resolve, 1000));
      }
      expect((await signIn(app, username, SECRET, from('192.0.2.100'))).status).toBe(429);
      expect((await signIn(app, username, SECRET, known)).status).toBe(200);
    });

    test('a correct secret keeps working where its user has signed in, whatever else is tried there', async () => {
      const { app } = subject();
      const { username } = await newUser();
      const here = from('198.51.100.40');
      expect((await signIn(app, username, SECRET, here)).status).toBe(200);
      const guesses = Array.from({ length: 150 }, () => signIn(app, username, 'a wrong secret', here));
      const correct = signIn(app, username, SECRET, here);
      expect((await statuses(guesses)).filter((status) => status === 429).length).toBeGreaterThan(60);
      expect((await correct).status).toBe(200);
    });

    test('300 scripts sign in at once with the same correct secret', async () => {
      const { app } = subject();
      const { username } = await newUser();
      const here = from('198.51.100.50');
      const scripts = await statuses(Array.from({ length: 300 }, () => signIn(app, username, SECRET, here)));
      expect(new Set(scripts)).toEqual(new Set([200]));
    });

    test('a secret is rejected once it has been changed', async () => {
      const { app } = subject();
      const { ref, username } = await newUser();
      expect((await signIn(app, username, SECRET)).status).toBe(200);
      await app.graphql('mutation ($ref: String!) { setUserSecret(ref: $ref, secret: "the second one") { ref } }', {
        ref,
      });
      expect((await signIn(app, username, SECRET)).status).toBe(401);
      expect((await signIn(app, username, 'the second one')).status).toBe(200);
    });

    test('an old secret is rejected even while an earlier check of it is waiting', async () => {
      const { app, url } = subject();
      const { username } = await newUser();
      const changed = await hashPassword('the second one');
      expect(changed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
      const here = from('198.51.100.55');
      const others = flood(app, 25, here);
      const earlier = signIn(app, username, SECRET, here);
      await Promise.all(others.slice(0, 5));
      await runSql(url, `UPDATE users SET secret_hash = '${changed}' WHERE username = '${username}'`);
      expect((await signIn(app, username, SECRET, here)).status).toBe(401);
      await Promise.all([earlier, ...others]);
    });

    test('an unknown name and a wrong secret are indistinguishable beyond the limits, too', () =>
      withStoppedClock(async () => {
        const { app } = subject();
        const { username } = await newUser();
        const here = from('198.51.100.60');
        const attack = flood(app, 100, here);
        const [wrong, unknown] = await Promise.all([
          timed(signIn(app, username, 'a wrong secret', here)),
          timed(signIn(app, 'not a user', 'a wrong secret', here)),
        ]);
        expect([wrong.result.status, wrong.result.text]).toEqual([unknown.result.status, unknown.result.text]);
        expect(wrong.result.status).toBe(429);
        expect(Math.min(wrong.seconds, unknown.seconds)).toBeGreaterThan(0.9);
        await Promise.all(attack);
      }));

    test('names of users are not told apart by a full queue of sign-ins, either', () =>
      withStoppedClock(async () => {
        const { app } = subject();
        const { username } = await newUser();
        const query =
          'mutation ($name: String!, $secret: String!) { createToken(username: $name, secret: $secret) { token } }';
        const guesses = async (name: string, headers: Readonly<Record<string, string>>) => {
          // More than the network may fail before attempts are slow, and as many as it may have checked after that.
          const before = flood(app, 100, headers);
          const replies = await Promise.all(
            Array.from({ length: 60 }, (_, i) =>
              timed(app.graphql(query, { name, secret: `wrong ${String(i)}` }, { token: null, headers })),
            ),
          );
          await Promise.all(before);
          return {
            told: new Set(
              replies.map(({ result: { status, errors } }) => `${String(status)} ${errors?.[0]?.message ?? ''}`),
            ),
            slowest: Math.max(...replies.map(({ seconds }) => seconds)),
          };
        };
        const unknown = await guesses('not a user', from('198.51.100.61'));
        const wrong = await guesses(username, from('198.51.100.62'));
        expect(wrong.told).toEqual(unknown.told);
        expect([...wrong.told]).toEqual([expect.stringContaining('429 Too many failed attempts')]);
        expect(wrong.slowest - unknown.slowest).toBeLessThan(0.5);
      }));

    test('createToken shares the limits, and returns when to retry', () =>
      withStoppedClock(async () => {
        const { app } = subject();
        const query = 'mutation { createToken(username: "x", secret: "a wrong secret") { token } }';
        const attack = flood(app, 100, from('198.51.100.70'));
        const reply = await fetch(`${app.url}/graphql`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...from('198.51.100.70') },
          body: JSON.stringify({ query }),
        });
        const { errors } = (await reply.json()) as { errors: { extensions: object }[] };
        expect([reply.status, Number(reply.headers.get('retry-after')) > 0]).toEqual([429, true]);
        expect(reply.headers.get('ratelimit-policy')).toBe('"sign-in";q=60;w=60');
        expect(errors[0]?.extensions).toMatchObject({ code: 'RATE_LIMITED', status: 429 });
        await Promise.all(attack);
      }));
  },
  { TRUST_PROXY: '1' },
);

onSqlite('TRUST_PROXY', () => {
  test.each([
    ['true', 'choose their address'],
    ['11', 'hops'],
    ['0.0.0.0/0', 'every address'],
    ['10.0.0.0/8,', 'neither'],
    ['proxy.example.org', 'neither'],
    ['10.0.0.0/33', 'neither'],
  ])('%s is rejected at startup with the reason', (value, reason) => {
    expect(() => loadConfig({ TRUST_PROXY: value })).toThrow(new RegExp(`TRUST_PROXY: .*${reason}`));
  });

  // This test is the proxy, at 127.0.0.1: it appends the address of its caller.
  test.each([
    ['1', '', ''],
    ['loopback', '', ''],
    ['127.0.0.0/8, ::1', '', ''],
    ['2', ', 10.0.0.1', ', 10.0.0.1'],
    ['loopback,10.0.0.0/8', ', 10.0.0.1', ', 10.0.0.1'],
  ])('%s: callers behind a proxy have separate limits, and cannot choose their address', async (setting, inner) => {
    const app = await startApp({ TRUST_PROXY: setting });
    const guess = (address: string, forged = '') =>
      signIn(app, 'admin', 'a wrong secret', from(`${forged}${address}${inner}`));
    const wrong = await statuses(
      Array.from({ length: 130 }, (_, i) => guess('198.51.100.1', `203.0.113.${String(i)}, 10.9.9.9, `)),
    );
    expect(wrong.filter((status) => status === 429).length).toBeGreaterThan(60);
    expect((await guess('198.51.100.2')).status).toBe(401);
  });

  test('without it, X-Forwarded-For changes nothing', async () => {
    const app = await startApp();
    const wrong = await statuses(
      Array.from({ length: 130 }, (_, i) => signIn(app, 'admin', 'a wrong secret', from(`203.0.113.${String(i)}`))),
    );
    expect(wrong.filter((status) => status === 429).length).toBeGreaterThan(60);
  });
});

onEachDriver(
  'Budgets of a user',
  (subject) => {
    const QUOTA = /^"requests";q=200;w=60$/;

    async function userToken(name: string): Promise<string> {
      const { app } = subject();
      await app.graphql('mutation ($input: CreateUserInput!) { createUser(input: $input) { ref } }', {
        input: { username: name, secret: SECRET, role: 'VIEWER' },
      });
      return fetchToken(app.url, name, SECRET);
    }

    test('requests over budget are rejected in both protocols, with the time to retry; those of other users are not', async () => {
      const { app } = subject();
      const token = await userToken('busy');
      const replies = await Promise.all(Array.from({ length: 300 }, () => app.rest('GET', '/system/info', { token })));
      const refused = replies.filter(({ status }) => status === 429);
      expect(refused.length).toBeGreaterThan(30);
      expect(refused[0]?.body).toMatchObject({ message: 'Too many requests' });
      expect(refused[0]?.headers.get('ratelimit-policy')).toMatch(QUOTA);
      expect(refused[0]?.headers.get('ratelimit')).toMatch(/^"requests";r=0;t=\d+$/);
      const [graphql, other] = await Promise.all([
        Promise.all(Array.from({ length: 20 }, () => app.graphql('{ viewer { username } }', {}, { token }))),
        app.graphql('{ viewer { username } }'),
      ]);
      const limited = graphql.find(({ status }) => status === 429);
      expect(limited?.errors?.[0]?.extensions).toMatchObject({ code: 'RATE_LIMITED', status: 429 });
      expect(Number(limited?.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(limited?.headers.get('ratelimit-policy')).toMatch(QUOTA);
      expect(other.errors).toBeUndefined();
    });

    test('a GraphQL operation costs the objects that it could return, a page of REST its size', async () => {
      const { app } = subject();
      const token = await userToken('greedy');
      const large = '{ gateways(first: 90) { nodes { dids(first: 90) { nodes { ref } } } } }';
      const replies = await Promise.all(Array.from({ length: 8 }, () => app.graphql(large, {}, { token })));
      expect(replies.map(({ status }) => status)).toContain(200);
      const limited = replies.find(({ status }) => status === 429);
      expect(limited?.headers.get('ratelimit-policy')).toBe('"work";q=20000;w=60');
      expect((await app.graphql('{ viewer { username } }', {}, { token })).errors).toBeUndefined();
    });

    test('a compiled operation costs the objects that it may give, with and without required variables', async () => {
      const { app } = subject();
      for (const [name, query, variables] of [
        ['fixed', '{ gateways(first: 40) { nodes { dids(first: 40) { nodes { ref } } } } }', {}],
        [
          'required',
          'query ($ref: String!) { gateway(ref: $ref) { dids(first: 90) { nodes { target { ... on Agent { numbers { nodes { ref } } } } } } } }',
          { ref: 'x' },
        ],
        [
          'sized',
          'query ($n: Int!) { gateways(first: $n) { nodes { dids(first: $n) { nodes { ref } } } } }',
          { n: 40 },
        ],
      ] as const) {
        const token = await userToken(`compiled-${name}`);
        const statuses: number[] = [];
        for (let i = 0; i < 20; i++) statuses.push((await app.graphql(query, variables, { token })).status);
        expect(statuses.slice(0, 5)).toEqual(Array(5).fill(200));
        expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
      }
    });

    test.each([
      ['that is refused', `{ ${'viewer { ref } '.repeat(100)} zzz }`],
      ['that asks for one field too often', `{ ${'agents { totalCount } '.repeat(300)} }`],
      ['that does not parse', `{ ${'viewer { ref } '.repeat(200)}`],
      ['of too many tokens', `{ ${'viewer { ref } '.repeat(600)} }`],
    ])('a document %s costs its validation', async (what, query) => {
      const { app } = subject();
      const token = await userToken(`careless ${what}`.replaceAll(' ', '-'));
      const client = socketClient(app.url, token);
      const codes: unknown[] = [];
      const talk = async (text: string): Promise<unknown> => {
        try {
          for await (const { errors } of client.iterate({ query: text })) return errors?.[0]?.extensions?.['code'];
        } catch (refusal) {
          // A connection that is opened beyond the budget is closed.
          if ((refusal as { code?: number }).code === 1013) return 'RATE_LIMITED';
          return (refusal as { extensions: { code: string } }[])[0]?.extensions.code;
        }
        return undefined;
      };
      for (let i = 0; i < 40; i++) {
        const text = `${query} # ${String(i)}`;
        codes.push(
          i % 2 === 0 ? await talk(text) : (await app.graphql(text, {}, { token })).errors?.[0]?.extensions['code'],
        );
      }
      await client.dispose();
      expect(codes[0]).toMatch(/^GRAPHQL_(VALIDATION|PARSE)_FAILED$/);
      expect(codes[1]).toBe(codes[0]);
      expect(new Set(codes)).toEqual(new Set([codes[0], 'RATE_LIMITED']));
    });

    test('a read that is not bounded by an index costs a thousand objects more', async () => {
      const { app } = subject();
      const token = await userToken('searcher');
      const filter = encodeURIComponent('@.spec.host=~/.*[.]net/');
      const replies: number[] = [];
      for (let i = 0; i < 30; i++) {
        replies.push((await app.rest('GET', `/gateways?itemsPerPage=1&filter=${filter}`, { token })).status);
      }
      // The budget refills during the requests.
      expect(replies.filter((status) => status === 429).length).toBeGreaterThan(0);
      expect(replies.slice(0, 9)).toEqual(Array(9).fill(200));
    });

    /** Subscribes over a connection for each token, and returns how many of them are refused. */
    async function refusals(tokens: readonly string[]): Promise<number> {
      const opened = await Promise.all(
        tokens.map(async (token) => {
          const socket = socketClient(subject().app.url, token);
          const stream = socket.iterate({ query: LISTEN });
          const first = Promise.race([
            stream.next().then(
              ({ value }) => (value as { errors?: readonly unknown[] } | undefined)?.errors !== undefined,
              () => true,
            ),
            new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 2000)),
          ]);
          return { socket, refused: await first };
        }),
      );
      for (const { socket } of opened) await socket.dispose();
      return opened.filter(({ refused }) => refused).length;
    }

    test('the subscriptions and connections of a user are limited, over both transports, and released when they end', async () => {
      const { app } = subject();
      const token = await userToken('listener');
      // Six connections fit, and five subscriptions.
      expect(await refusals(Array<string>(9).fill(token))).toBe(4);
      await eventually(5, async () => expect(await refusals(Array<string>(5).fill(token))).toBe(0));

      const client = socketClient(app.url, token);
      const streams = Array.from({ length: 6 }, () => client.iterate({ query: LISTEN }));
      const told = await Promise.race(streams.map((stream) => stream.next()));
      expect(told.value).toMatchObject({ errors: [{ extensions: { code: 'RATE_LIMITED', status: 429 } }] });
      await client.dispose();
    });

    test('a subscription that cannot start takes no place among the subscriptions of its user', async () => {
      const client = socketClient(subject().app.url, await userToken('mistaken'));
      for (let n = 0; n < 6; n++) {
        const query = 'subscription { resourceChanged(since: "nonsense") { event } }';
        const { value } = (await client.iterate({ query }).next()) as { readonly value: unknown };
        expect(value).toMatchObject({ errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] });
      }
      await client.dispose();
    });

    test('a user and all API tokens of the user together hold at most five times as much', async () => {
      const { app } = subject();
      const token = await userToken('owner');
      const create = 'mutation { createApiToken(name: "a", role: VIEWER) { token } }';
      const tokens: string[] = [];
      for (let n = 0; n < 7; n++) {
        const { data } = await app.graphql<{ createApiToken: { token: string } }>(create, {}, { token });
        tokens.push(data.createApiToken.token);
      }
      // Five subscriptions for each of five tokens.
      expect(await refusals(tokens.flatMap((each) => Array<string>(4).fill(each)))).toBe(3);
    });

    test('on a WebSocket, only the operation is rejected', async () => {
      const { app } = subject();
      const token = await userToken('talker');
      const client = socketClient(app.url, token);
      const ask = async (): Promise<boolean> => {
        for await (const { errors } of client.iterate({ query: '{ viewer { username } }' }))
          return errors === undefined;
        return false;
      };
      const answers: boolean[] = [];
      for (let i = 0; i < 5; i++)
        answers.push(...(await Promise.all(Array.from({ length: 50 }, () => ask().catch(() => false)))));
      expect(new Set(answers)).toEqual(new Set([true, false]));
      await eventually(5, async () => expect(await ask().catch(() => false)).toBe(true));
      await client.dispose();
    });
  },
  {
    RATE_LIMIT_REQUESTS: '200',
    RATE_LIMIT_WORK: '20000',
    MAX_CONNECTIONS_PER_USER: '6',
    MAX_SUBSCRIPTIONS_PER_USER: '5',
  },
);

onSqlite('Requests without a token', () => {
  test('are rejected over the budget of their address; requests of users are not', () =>
    withStoppedClock(async () => {
      const app = await startApp({ RATE_LIMIT_ANONYMOUS: '50', TRUST_PROXY: '1' });
      const token = await app.token();
      const ask = (headers: Readonly<Record<string, string>>, with_: string | null = null) =>
        app.rest('GET', '/gateways', { token: with_, headers });
      const here = from('198.51.100.1');
      const refused = await Promise.all(
        Array.from({ length: 120 }, (_, i) => ask(here, i % 2 === 0 ? null : 'garbage')),
      );
      const limited = refused.filter(({ status }) => status === 429);
      expect(limited.length).toBeGreaterThan(50);
      expect(limited[0]?.headers.get('ratelimit-policy')).toBe('"anonymous";q=50;w=60');
      expect((await ask(here, token)).status).toBe(200);
      expect((await ask(from('198.51.100.2'))).status).toBe(401);
      // WebSockets count for the same address.
      const socket = new WebSocket(`${app.url.replace('http', 'ws')}/graphql`, { headers: here });
      socket.on('error', () => undefined);
      const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
      expect([response.statusCode, Number(response.headers['retry-after']) > 0]).toEqual([429, true]);
      socket.terminate();
    }));

  test('cost more for introspection until its response is cached; a sign-in costs as much as other requests', async () => {
    const app = await startApp({ RATE_LIMIT_ANONYMOUS: '120' });
    const ask = async (query: string, variables = {}) => (await app.graphql(query, variables, { token: null })).status;
    const times = async (count: number, query: (i: number) => string): Promise<readonly number[]> => {
      const answers: number[] = [];
      for (let i = 0; i < count; i++) answers.push(await ask(query(i)));
      return answers;
    };
    // Documents that differ only in comments, spaces or the operation name are the same; another field makes a
    // difference.
    const known = await times(30, (i) => `query Q${String(i)} { __schema { types { name } } } # ${String(i)}`);
    expect(new Set(known)).toEqual(new Set([200]));
    const others = await times(4, (i) => `{ __schema { types { name ${'kind '.repeat(i + 1)} } } }`);
    expect(others.filter((status) => status === 429).length).toBeGreaterThanOrEqual(2);
    const { username, secret } = { username: 'admin', secret: app.adminSecret };
    const signIn = 'mutation ($u: String!, $s: String!) { createToken(username: $u, secret: $s) { token } }';
    expect(await ask(signIn, { u: username, s: secret })).toBe(200);
  });

  test.each(['gzip', 'identity'])('get the same schema the first time and the tenth, as %s', async (encoding) => {
    const app = await startApp();
    const ask = async (operationName?: string) => {
      const headers = { 'content-type': 'application/json', 'accept-encoding': encoding };
      const body = JSON.stringify({ query: getIntrospectionQuery(), operationName });
      const answer = await fetch(`${app.url}/graphql`, { method: 'POST', headers, body });
      return { status: answer.status, body: await answer.json() };
    };
    const first = await ask();
    expect(first).toMatchObject({ status: 200, body: { data: { __schema: { queryType: { name: 'Query' } } } } });
    for (let time = 0; time < 9; time++) expect(await ask('IntrospectionQuery')).toEqual(first);
    expect((await ask('Another')).status).toBe(400);
  });

  test('RATE_LIMIT=off disables budgets', async () => {
    const app = await startApp({ RATE_LIMIT: 'off', RATE_LIMIT_ANONYMOUS: '10', RATE_LIMIT_REQUESTS: '10' });
    const token = await app.token();
    const replies = await Promise.all(Array.from({ length: 50 }, () => app.rest('GET', '/system/info', { token })));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  });
});

test('an overloaded server returns 503 everywhere, but health checks and metrics keep working', async () => {
  const lines: string[] = [];
  // The process exceeds this memory limit from the start.
  const app = await startApp({ OVERLOAD_MEMORY: '1', LOG_LEVEL: 'info' }, { write: (line) => void lines.push(line) });
  await eventually(20, async () => {
    const rest = await app.rest('GET', '/gateways', { token: null });
    expect([rest.status, rest.body.status, Number(rest.headers.get('retry-after'))]).toEqual([503, '503', 3]);
  });
  const graphql = await app.graphql('{ viewer { ref } }', {}, { token: null });
  expect([graphql.status, graphql.headers.get('retry-after')]).toEqual([503, '3']);
  expect(graphql.errors?.[0]?.extensions).toMatchObject({ code: 'UNAVAILABLE', status: 503 });
  for (const path of ['/', '/console', '/docs', '/openapi.json', '/nothing']) {
    const reply = await fetch(`${app.url}${path}`);
    expect([path, reply.status, reply.headers.get('retry-after')]).toEqual([path, 503, '3']);
    expect(await reply.text()).toBe('The server is overloaded; try again in 3 s\n');
  }
  expect(lines.join('')).not.toContain('failed unexpectedly');
  for (const path of ['/healthz', '/readyz']) expect((await fetch(`${app.url}${path}`)).status).toBe(200);
  expect((await fetch(`${app.url}/metrics`)).status).toBe(401);
});
