import { createHmac, createSecretKey } from 'node:crypto';

import { sign, type SignOptions } from 'jsonwebtoken';

import { fetchToken } from '../support/app';
import { onEachDriver } from '../support/databases/on-each-database';
import { withStoppedClock } from '../support/stopped-clock';

const KEY = 'a key of the tests that is longer than thirty-two bytes';
const SECRET = 'pass:word with: colons';

onEachDriver(
  'Signing in',
  (subject) => {
    let users = 0;

    async function userOf(role: string): Promise<{ ref: string; username: string; token: string }> {
      const { app } = subject();
      const username = `${role.toLowerCase()}${String(++users)}`;
      const { data } = await app.graphql<{ createUser: { ref: string } }>(
        'mutation ($input: CreateUserInput!) { createUser(input: $input) { ref } }',
        { input: { username, secret: SECRET, role } },
      );
      return { ref: data.createUser.ref, username, token: await fetchToken(app.url, username, SECRET) };
    }

    const DID = {
      kind: 'DID',
      metadata: { gwRef: 'gweef506' },
      spec: { location: { telUrl: 'tel:+1', aorLink: 'sip:1001@sip.local' } },
    };

    test('a viewer reads, without secrets, and writes nothing', async () => {
      const { app } = subject();
      const { token } = await userOf('VIEWER');
      const { text } = await app.rest('GET', '/gateways', { token });
      expect(text).toContain('215706');
      expect(text).not.toContain('changeit');
      const refused = await app.rest('POST', '/dids', { token, body: DID });
      expect([refused.status, refused.body]).toEqual([
        403,
        { status: '403', message: 'You are not allowed to make this request.' },
      ]);
      const { errors } = await app.graphql('mutation { deleteGateway(ref: "gweef506") }', {}, { token });
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'FORBIDDEN', status: 403 });
    });

    test('an operator reads secrets and writes resources, but not users', async () => {
      const { app } = subject();
      const { token } = await userOf('OPERATOR');
      expect((await app.rest('GET', '/gateways', { token })).text).toContain('changeit');
      expect((await app.rest('POST', '/dids', { token, body: DID })).status).toBe(201);
      const { errors } = await app.graphql('{ users { nodes { username } } }', {}, { token });
      expect(errors?.[0]?.extensions['code']).toBe('FORBIDDEN');
    });

    test.each([
      ['deleted', 'mutation ($ref: String!) { deleteUser(ref: $ref) }'],
      [
        'given another secret',
        'mutation ($ref: String!) { setUserSecret(ref: $ref, secret: "another secret") { ref } }',
      ],
    ])('the tokens of a user who is %s are revoked at once, in both protocols', async (_what, mutation) => {
      const { app } = subject();
      const { ref, token } = await userOf('OPERATOR');
      expect((await app.rest('GET', '/gateways', { token })).status).toBe(200);
      expect((await app.graphql(mutation, { ref })).errors).toBeUndefined();
      expect((await app.rest('GET', '/gateways', { token })).status).toBe(401);
      const { errors } = await app.graphql('{ viewer { ref } }', {}, { token });
      expect(errors?.[0]?.extensions['code']).toBe('UNAUTHENTICATED');
    });

    test('a changed role takes effect at once', async () => {
      const { app } = subject();
      const { ref, token } = await userOf('OPERATOR');
      await app.graphql('mutation ($ref: String!) { setUserRole(ref: $ref, role: VIEWER) { ref } }', { ref });
      expect((await app.rest('POST', '/dids', { token, body: DID })).status).toBe(403);
    });

    test('the last admin cannot be deleted or given another role', async () => {
      const { app } = subject();
      const { data } = await app.graphql<{ viewer: { ref: string } }>('{ viewer { ref } }');
      for (const mutation of [
        'mutation ($ref: String!) { deleteUser(ref: $ref) }',
        'mutation ($ref: String!) { setUserRole(ref: $ref, role: VIEWER) { ref } }',
      ]) {
        const { errors } = await app.graphql(mutation, data.viewer);
        expect(errors?.[0]?.extensions).toMatchObject({ code: 'NOT_SUPPORTED', status: 405 });
      }
      expect((await app.graphql('{ viewer { role } }')).data).toEqual({ viewer: { role: 'ADMIN' } });
    });

    const now = Math.floor(Date.now() / 1000);
    const kid = createHmac('sha256', KEY).update('kid').digest('base64url').slice(0, 16);
    const forged = (claims: object, options: SignOptions = {}, key = KEY): string =>
      sign({ iss: 'sipgraph', aud: 'sipgraph-api', ...claims }, createSecretKey(Buffer.from(key)), {
        algorithm: 'HS256',
        keyid: kid,
        ...options,
      });

    test.each<[string, (sub: string) => string]>([
      [
        'signed with another key',
        (sub) => forged({ sub, gen: 1, exp: now + 3600 }, {}, 'another key that is as long as thirty-two bytes'),
      ],
      ['that has expired', (sub) => forged({ sub, gen: 1, exp: now - 1 })],
      ['without an end', (sub) => forged({ sub, gen: 1 })],
      ['of another algorithm', (sub) => forged({ sub, gen: 1, exp: now + 3600 }, { algorithm: 'HS512' })],
      ['without a signature', (sub) => sign({ sub, gen: 1, exp: now + 3600 }, '', { algorithm: 'none' })],
      [
        'with a critical header',
        (sub) => forged({ sub, gen: 1, exp: now + 3600 }, { header: { alg: 'HS256', kid, crit: ['x'] } }),
      ],
      ['of an earlier secret', (sub) => forged({ sub, gen: 0, exp: now + 3600 })],
      ['of nobody', () => forged({ sub: 'usnobody', gen: 1, exp: now + 3600 })],
      ['that is garbage', () => 'garbage'],
      ['that is very long', () => 'x'.repeat(6000)],
    ])('a token %s is rejected', async (_what, make) => {
      const { app } = subject();
      const { data } = await app.graphql<{ viewer: { ref: string } }>('{ viewer { ref } }');
      const { ref } = data.viewer;
      expect(
        (await app.rest('GET', '/gateways', { token: forged({ sub: ref, gen: 1, exp: now + 3600 }) })).status,
      ).toBe(200);
      expect((await app.rest('GET', '/gateways', { token: make(ref) })).status).toBe(401);
    });

    test('a wrong secret and an unknown user get the same response', async () => {
      const { app } = subject();
      const answer = (username: string) =>
        app.graphql(
          `mutation { createToken(username: "${username}", secret: "wrong secret") { token } }`,
          {},
          { token: null },
        );
      const [wrong, unknown] = [await answer('admin'), await answer('nobody')];
      expect(wrong.errors).toEqual(unknown.errors);
      expect(wrong.errors?.[0]?.extensions).toMatchObject({ code: 'UNAUTHENTICATED', status: 401 });
    });

    test('guessing is stopped after some failures, for that name only', async () => {
      const { app } = subject();
      const { username } = await userOf('VIEWER');
      const authorization = `Basic ${Buffer.from(`${username}:wrong`).toString('base64')}`;
      const guess = () => app.rest('GET', '/token', { token: null, headers: { authorization } });
      const replies = await Promise.all(Array.from({ length: 100 }, guess));
      const wrong = replies.filter(({ status }) => status === 401);
      expect([wrong.length >= 60, wrong.length < 90]).toEqual([true, true]);
      const [limited] = replies.filter(({ status }) => status === 429);
      if (!limited) throw new Error('no guess was refused');
      expect(limited.body).toEqual({ status: 429, message: 'Too many requests' });
      expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
      await expect(userOf('VIEWER')).resolves.toBeDefined();
    });

    test('behind a proxy, the limit applies to the forwarded address', () =>
      withStoppedClock(async () => {
        const { app } = subject();
        const basic = (secret: string) => `Basic ${Buffer.from(`admin:${secret}`).toString('base64')}`;
        const from = (address: string, secret: string) =>
          app.rest('GET', '/token', {
            token: null,
            headers: { authorization: basic(secret), 'x-forwarded-for': address },
          });
        const wrong = Array.from({ length: 80 }, () => from('198.51.100.1', 'wrong'));
        expect((await from('198.51.100.1', app.adminSecret)).status).toBe(429);
        await Promise.all(wrong);
        expect((await from('198.51.100.2', app.adminSecret)).status).toBe(200);
      }));

    test.each([
      ['username', { username: 'a b', secret: SECRET, role: 'VIEWER' }],
      ['secret', { username: 'short', secret: 'short', role: 'VIEWER' }],
    ])('a user with a malformed %s is rejected', async (field, input) => {
      const { errors } = await subject().app.graphql(
        'mutation ($input: CreateUserInput!) { createUser(input: $input) { ref } }',
        { input },
      );
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', fields: [field] });
    });

    test('a user name is unique', async () => {
      const { errors } = await subject().app.graphql(
        'mutation { createUser(input: { username: "admin", secret: "long enough", role: VIEWER }) { ref } }',
      );
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'CONFLICT', fields: ['username'] });
    });
  },
  { SAMPLE_DATA: 'true', JWT_SECRET: KEY, TRUST_PROXY: '1' },
);
