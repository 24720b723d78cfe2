import { createSecretKey } from 'node:crypto';

import { decode, sign, type Jwt, type SignOptions } from 'jsonwebtoken';

import { fetchToken, startApp, type TestApp } from '../support/app';
import { runCommand } from '../support/command-line';
import { eventually } from '../support/eventually';
import { metric } from '../support/metrics';
import { onEachDriver } from '../support/databases/on-each-database';
import { runSql } from '../support/databases/sql';

const KEY = 'a key of the tests that is longer than thirty-two bytes';

function parts(token: string): Jwt {
  const decoded = decode(token, { complete: true });
  if (!decoded) throw new Error('no token');
  return decoded;
}

async function statusOf(app: TestApp, token: string): Promise<number> {
  return (await app.rest('GET', '/system/info', { token })).status;
}

onEachDriver(
  'A token',
  (subject) => {
    const claims = async (): Promise<object> => parts(await subject().app.token()).payload as object;
    const kid = async (): Promise<string> => parts(await subject().app.token()).header.kid ?? '';
    const forged = async (changes: object, options: SignOptions = {}, header: object = {}): Promise<string> =>
      sign({ ...(await claims()), ...changes }, createSecretKey(Buffer.from(KEY)), {
        algorithm: 'HS256',
        ...options,
        header: { alg: options.algorithm ?? 'HS256', kid: await kid(), ...header },
      });

    test('names its key, its issuer and its audience', async () => {
      const { header } = parts(await subject().app.token());
      expect(header).toEqual({ alg: 'HS256', typ: 'JWT', kid: expect.stringMatching(/^[\w-]{16}$/) });
      expect(await claims()).toMatchObject({ iss: 'sipgraph', aud: 'sipgraph-api' });
      expect(await statusOf(subject().app, await forged({}))).toBe(200);
    });

    test.each<[string, () => Promise<string>]>([
      ['of another issuer', () => forged({ iss: 'other' })],
      ['without an issuer', () => forged({ iss: undefined })],
      ['for another audience', () => forged({ aud: 'other' })],
      ['without an audience', () => forged({ aud: undefined })],
      ['without a kid', () => forged({}, {}, { kid: undefined })],
      ['with an empty kid', () => forged({}, {}, { kid: '' })],
      ['with an unknown kid', () => forged({}, {}, { kid: 'AAAAAAAAAAAAAAAA' })],
      ['with a kid that is a path', () => forged({}, {}, { kid: '../../../../dev/null' })],
      ['with a kid that is not a string', () => forged({}, {}, { kid: ['__proto__'] })],
      ['with another algorithm', () => forged({}, { algorithm: 'HS512' })],
      ['whose header names another algorithm than its signature', () => forged({}, {}, { alg: 'none' })],
    ])('%s is refused', async (_what, make) => {
      expect(await statusOf(subject().app, await make())).toBe(401);
    });
  },
  { JWT_SECRET: KEY },
);

onEachDriver('Signing keys', (subject) => {
  const env = (more: Readonly<Record<string, string>> = {}) => ({ DATABASE_URL: subject().url, ...more });
  const freshToken = (app = subject().app): Promise<string> => fetchToken(app.url, 'admin', app.adminSecret);

  test('are rotated while two replicas run: both keys verify, the new one signs', async () => {
    const { app, url } = subject();
    const replica = await startApp({ DATABASE_URL: url });
    const old = await freshToken();
    expect(await statusOf(replica, old)).toBe(200);

    const { out, code } = await runCommand(env(), 'key', 'rotate');
    expect(code).toBe(0);
    const kid = /The key ([\w-]+) signs/.exec(out)?.[1];

    const token = await freshToken();
    expect([parts(token).header.kid, parts(old).header.kid === kid]).toEqual([kid, false]);
    // The replica has not read the new key yet.
    expect(await statusOf(replica, token)).toBe(200);
    expect(parts(await freshToken(replica)).header.kid).toBe(kid);
    expect([await statusOf(replica, old), await statusOf(app, old)]).toEqual([200, 200]);
    await replica.close();
  });

  test('are listed, without the key material', async () => {
    const { out } = await runCommand(env(), 'key', 'list');
    const [signing, ...others] = out.trim().split('\n');
    expect(signing).toMatch(/^[\w-]{16} created \S+Z, signs$/);
    expect(others.join('\n')).toMatch(/^[\w-]{16} created \S+Z, verifies until \S+Z$/);
    for (const [secret] of await runSql(subject().url, 'SELECT secret FROM signing_keys'))
      expect(out).not.toContain(secret);
  });

  test('a key is deleted once its tokens have expired', async () => {
    const { url } = subject();
    const old = await freshToken();
    await runCommand(env(), 'key', 'rotate');
    const day = 86_400_000;
    await runSql(url, `UPDATE signing_keys SET retired_on = retired_on - ${String(day)} WHERE retired_on IS NOT NULL`);
    const restarted = await startApp({ DATABASE_URL: url });
    const forged = sign({ ...(parts(old).payload as object), exp: Math.floor(Date.now() / 1000) + 3600 }, 'x', {
      keyid: parts(old).header.kid ?? '',
    });
    expect([await statusOf(restarted, old), await statusOf(restarted, forged)]).toEqual([401, 401]);
    // Requests do not wait for it.
    await eventually(5, async () => expect(await runSql(url, 'SELECT COUNT(*) FROM signing_keys')).toEqual([[1]]));
    await restarted.close();
  });

  test('with --now, tokens that were already verified are revoked, too', async () => {
    const { app } = subject();
    const old = await freshToken();
    expect(await statusOf(app, old)).toBe(200);
    await runCommand(env(), 'key', 'rotate', '--now');
    const token = await freshToken();
    expect([await statusOf(app, old), await statusOf(app, token)]).toEqual([401, 200]);
  });

  test('tokens with unknown kids cost at most one statement a second', async () => {
    const { app } = subject();
    const old = parts(await freshToken());
    const statements = async (): Promise<number> => metric(app.url, await app.token(), 'sipgraph_sql_statements_total');
    await statements();
    const [before, began] = [await statements(), Date.now()];
    const unknown = Array.from({ length: 300 }, (_, n) =>
      sign(old.payload as object, KEY, { keyid: `unknown-${String(n)}` }),
    );
    const statuses = await Promise.all(unknown.map((token) => statusOf(app, token)));
    expect(new Set(statuses)).toEqual(new Set([401]));
    const seconds = (Date.now() - began) / 1000;
    // Each request for the metrics runs a statement for its user.
    expect((await statements()) - before).toBeLessThan(seconds + 10);
  });

  test('from JWT_SECRET are rotated with JWT_SECRET_PREVIOUS', async () => {
    const { url } = subject();
    const next = `${KEY}, the next one`;
    const first = await startApp(env({ JWT_SECRET: KEY }));
    const old = await freshToken(first);
    await first.close();
    const second = await startApp(env({ JWT_SECRET: next, JWT_SECRET_PREVIOUS: KEY }));
    const token = await freshToken(second);
    expect([await statusOf(second, old), await statusOf(second, token)]).toEqual([200, 200]);
    await second.close();
    const third = await startApp(env({ JWT_SECRET: next }));
    expect([await statusOf(third, old), await statusOf(third, token)]).toEqual([401, 200]);
    await third.close();
    const { err } = await runCommand({ DATABASE_URL: url, JWT_SECRET: next }, 'key', 'rotate');
    expect(err).toContain('JWT_SECRET_PREVIOUS');
  });
});
