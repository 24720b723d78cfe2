import { createHmac } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { sign } from 'jsonwebtoken';
import { dump } from 'js-yaml';

import { loadConfig } from '../../src/config/config';
import { startApp } from '../support/app';
import { runCommand } from '../support/command-line';
import { onEachDriver } from '../support/databases/on-each-database';

// As Routr v1 generates them: a UUID without hyphens.
const SALT = '0f8fad5bd9cb469fa16570867728950e';
const LEGACY = { LEGACY_JWT_SALT: SALT, LEGACY_JWT_UNTIL: '2199-01-01' };

const legacyToken = (sub: string): string =>
  sign({ sub }, Buffer.from(SALT, 'base64'), { algorithm: 'HS512', noTimestamp: true });

onEachDriver(
  'A token of Routr v1',
  (subject) => {
    const statusFor = async (username: string): Promise<number> =>
      (await subject().app.rest('GET', '/system/info', { token: legacyToken(username) })).status;

    async function importUser(username: string, secret: string): Promise<string> {
      const directory = await mkdtemp(join(tmpdir(), 'sipgraph-users-'));
      const file = join(directory, 'users.yml');
      await writeFile(file, dump({ kind: 'User', spec: { credentials: { username, secret } } }));
      const { code, err } = await runCommand({ DATABASE_URL: subject().url }, 'import', file);
      await rm(directory, { recursive: true });
      expect(code).toBe(0);
      return err;
    }

    async function refOf(username: string): Promise<string> {
      const { data } = await subject().app.graphql<{ users: { nodes: readonly { ref: string; username: string }[] } }>(
        '{ users(first: 100) { nodes { ref username } } }',
      );
      return data.users.nodes.find((user) => user.username === username)?.ref ?? '';
    }

    const change = async (mutation: string, variables: object): Promise<void> => {
      const { errors } = await subject().app.graphql(mutation, { ...variables });
      expect(errors).toBeUndefined();
    };
    const setSecret = async (username: string, secret: string): Promise<void> =>
      change('mutation ($ref: String!, $secret: String!) { setUserSecret(ref: $ref, secret: $secret) { ref } }', {
        ref: await refOf(username),
        secret,
      });
    const deleteUser = async (username: string): Promise<void> =>
      change('mutation ($ref: String!) { deleteUser(ref: $ref) }', { ref: await refOf(username) });
    const createUser = (username: string): Promise<void> =>
      change(
        'mutation ($username: String!) { createUser(input: { username: $username, secret: "long enough", role: VIEWER }) { ref } }',
        { username },
      );

    test('is accepted for an imported user, and for the admin created at the first start', async () => {
      await importUser('mover', 'changeit1');
      expect([await statusFor('mover'), await statusFor('admin')]).toEqual([200, 200]);
    });

    test('is rejected if its expiry is not a number', async () => {
      const key = Buffer.from(SALT, 'base64');
      const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
      const signed = (claims: object): string => {
        const text = `${encode({ alg: 'HS512', typ: 'JWT' })}.${encode({ sub: 'admin', ...claims })}`;
        return `${text}.${createHmac('sha512', key).update(text).digest('base64url')}`;
      };
      const statusWith = async (claims: object): Promise<number> =>
        (await subject().app.rest('GET', '/system/info', { token: signed(claims) })).status;
      expect([await statusWith({}), await statusWith({ exp: 'never' })]).toEqual([200, 401]);
    });

    test('is rejected for a user created in sipgraph', async () => {
      await createUser('native');
      expect(await statusFor('native')).toBe(401);
    });

    test('is revoked when the secret changes, even if it is changed back', async () => {
      await importUser('changer', 'changeit1');
      expect(await statusFor('changer')).toBe(200);
      await setSecret('changer', 'something else');
      expect(await statusFor('changer')).toBe(401);
      await setSecret('changer', 'changeit1');
      await importUser('changer', 'changeit1');
      expect(await statusFor('changer')).toBe(401);
    });

    test.each<[string, (username: string) => Promise<unknown>]>([
      ['is made', createUser],
      ['is imported', (username) => importUser(username, 'changeit1')],
    ])('is revoked when the user is deleted, even if another one with the name %s', async (how, again) => {
      const username = how.replace(' ', '-');
      await importUser(username, 'changeit1');
      expect(await statusFor(username)).toBe(200);
      await deleteUser(username);
      expect(await statusFor(username)).toBe(401);
      await again(username);
      expect(await statusFor(username)).toBe(401);
    });

    test.each([
      ['brief', 'pw', 'must have 8 to 100 characters'],
      ['long-enough', 'Long-Enough', 'is the name of the user'],
    ])('the weak secret of the imported user %s is kept, with a warning', async (username, secret, reason) => {
      const warning = await importUser(username, secret);
      expect(warning).toContain(`users.yml:1: warning: the secret of user "${username}" ${reason}`);
      expect(warning).not.toContain(`"${secret}"`);
      const authorization = `Basic ${Buffer.from(`${username}:${secret}`).toString('base64')}`;
      const { status } = await subject().app.rest('GET', '/token', { token: null, headers: { authorization } });
      expect(status).toBe(200);
    });

    test.each([
      ['shorty', 'short'],
      ['Long-Name', 'long-name'],
      ['long-name-2', ' LONG-NAME-2 '],
    ])('the user %s cannot have the secret %j', async (username, secret) => {
      const { app } = subject();
      const made = await app.graphql('mutation ($input: CreateUserInput!) { createUser(input: $input) { ref } }', {
        input: { username, secret, role: 'VIEWER' },
      });
      expect(made.errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', fields: ['secret'] });
      await createUser(username);
      const changed = await app.graphql(
        'mutation ($ref: String!, $secret: String!) { setUserSecret(ref: $ref, secret: $secret) { ref } }',
        { ref: await refOf(username), secret },
      );
      expect(changed.errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', fields: ['secret'] });
      const command = await runCommand({ DATABASE_URL: subject().url }, 'user', 'secret', username, '--secret', secret);
      expect(command.err).toMatch(/secret/);
    });
  },
  LEGACY,
);

describe('The configuration', () => {
  test.each([
    ['LEGACY_JWT_SALT', '!!!!', 'is not base64'],
    ['LEGACY_JWT_SALT', `${SALT}\n`, 'is not base64'],
    ['LEGACY_JWT_SALT', SALT.slice(0, 29), 'is not base64'],
    ['LEGACY_JWT_SALT', '0f8fad5bd9cb469fa165-_', 'is not base64'],
    ['LEGACY_JWT_SALT', 'c2hvcnQ=', 'is shorter than 16 bytes'],
    ['ADMIN_SECRET', 'admin', 'must have 8 to 100 characters'],
    ['ADMIN_SECRET', 'seven77', 'must have 8 to 100 characters'],
    ['JWT_SECRET_PREVIOUS', 'too-short-to-be-a-key', 'is shorter than 32 bytes'],
  ])('rejects %s=%j, with an error that does not contain it', async (name, value, reason) => {
    const env = { LEGACY_JWT_UNTIL: '2199-01-01', LEGACY_JWT_SALT: SALT, [name]: value };
    expect(() => loadConfig(env)).toThrow(`- ${name}: ${reason}`);
    expect(() => loadConfig(env)).not.toThrow(value);
    await expect(async () => startApp(env)).rejects.toThrow(name);
  });

  test.each(['2199-02-31', '2199-01-01T12:00', '2199-01-01T25:00Z', '1.1.2199'])(
    'rejects LEGACY_JWT_UNTIL=%s',
    (value) => {
      const env = { LEGACY_JWT_UNTIL: value, LEGACY_JWT_SALT: SALT };
      expect(() => loadConfig(env)).toThrow(`- LEGACY_JWT_UNTIL: "${value}" is not a date such as 2027-01-31`);
    },
  );
});
