import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { buildSchema, isRequiredArgument, type GraphQLField } from 'graphql';

import { createClient, type Client, type Role } from '../../clients/typescript/src/index';
import { onEachDriver } from '../support/databases/on-each-database';

const schema = buildSchema(readFileSync(join(__dirname, '../../schema/schema.graphql'), 'utf8'));
const mutations = Object.values(schema.getMutationType()?.getFields() ?? {});
const ofAdmins = /^(createUser|setUser|deleteUser)|Webhook(Secret)?$|^redeliver$|^(importFrom|uploadDump|startMove)$/;
const ofAccounts = /(ApiToken|Sessions?|changeSecret|View)$/;
const keeping = mutations.filter(({ name }) => ofAdmins.test(name));
const own = mutations.filter(({ name }) => ofAccounts.test(name));
const reading = mutations.filter(({ name }) => name.endsWith('Export'));
const writing = mutations.filter(
  (each) => ![...keeping, ...own, ...reading].includes(each) && each.name !== 'createToken',
);

const NUMBER = '{ gatewayRef: "x", telUrl: "tel:+1", aorLink: "sip:a@b" }';
const INPUTS: Readonly<Record<string, string>> = {
  CreateGatewayInput: '{ name: "x", host: "x.test", transport: UDP }',
  CreateAgentInput: '{ name: "x", username: "x", secret: "x", domains: ["x"] }',
  CreatePeerInput: '{ name: "x", username: "x", secret: "x" }',
  CreateDomainInput: '{ name: "x", domainUri: "x.test" }',
  CreateDIDInput: NUMBER,
  CreateNumberInput: NUMBER,
  CreateRouteInput: '{ name: "x", domainRef: "x", prefix: "", numberRefs: ["x"] }',
  '[ChangeInput!]!': '[{ delete: { kind: Agent, ref: "x" } }]',
  ExportOf: '{ calls: {} }',
  Int: '0',
  MovingSystem: 'KAMAILIO',
  ResourceKind: 'Agent',
  Role: 'VIEWER',
  '[WebhookEvent!]!': '[GATEWAY_LOST]',
  CreateUserInput: '{ username: "x", secret: "long enough", role: ADMIN }',
};

/** A call of a mutation with arguments that match the schema. */
function callOf({ name, args, type }: GraphQLField<unknown, unknown>): string {
  const given = args.filter(isRequiredArgument).map((argument) => {
    const wanted = String(argument.type).replace(/^(\w+)!$/, '$1');
    const value = INPUTS[wanted] ?? (wanted.endsWith('Input') ? '{}' : '"x"');
    return `${argument.name}: ${value}`;
  });
  return `mutation { ${name}${given.length > 0 ? `(${given.join(', ')})` : ''} ${/^(ID|Int)!$/.test(String(type)) ? '' : '{ __typename }'} }`;
}

const failing = (code: string, rest: object = {}): object => ({ code, ...rest });

onEachDriver('Users', (subject) => {
  const SECRET = 'long enough, with: colons';
  let admin: Client;
  let count = 0;

  const clientOf = (token?: string): Client =>
    createClient(`${subject().app.url}/graphql`, token === undefined ? {} : { token });

  async function signIn(username: string, secret = SECRET): Promise<string> {
    return (await clientOf().createToken({ username, secret })).createToken.token;
  }

  async function userOf(role: Role): Promise<{ ref: string; username: string; token: string }> {
    const username = `${role.toLowerCase()}${++count}`;
    const { createUser } = await admin.createUser({ input: { username, secret: SECRET, role } });
    return { ref: createUser.ref, username, token: await signIn(username) };
  }

  beforeAll(async () => {
    const { createToken } = await clientOf().createToken({ username: 'admin', secret: subject().app.adminSecret });
    admin = clientOf(createToken.token);
  });

  test.each<Role>(['ADMIN', 'OPERATOR', 'VIEWER'])('a new %s signs in, and viewer returns it', async (role) => {
    const { ref, username } = await userOf(role);
    const { createToken } = await clientOf().createToken({ username, secret: SECRET });
    expect(createToken.role).toBe(role);
    const hours = (Date.parse(createToken.expiresOn) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(11.9);
    expect(hours).toBeLessThanOrEqual(12);
    expect((await clientOf(createToken.token).viewer()).viewer).toEqual({ ref, username, role });
  });

  test('users are listed in pages, in the order of creation, without their secrets', async () => {
    const made = [await userOf('VIEWER'), await userOf('OPERATOR')];
    const { users } = await admin.users({ last: 2 });
    expect(users.nodes.map(({ ref, username, role }) => ({ ref, username, role }))).toEqual([
      { ref: made[0]?.ref, username: made[0]?.username, role: 'VIEWER' },
      { ref: made[1]?.ref, username: made[1]?.username, role: 'OPERATOR' },
    ]);
    expect(users.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
    const { users: first } = await admin.users({ first: 1 });
    expect(first).toMatchObject({ totalCount: users.totalCount, nodes: [{ username: 'admin', role: 'ADMIN' }] });
    expect(JSON.stringify(users)).not.toMatch(/secret|hash|argon/i);
  });

  test('a changed role takes effect at once, for existing tokens', async () => {
    const { ref, token } = await userOf('VIEWER');
    const client = clientOf(token);
    await expect(client.users()).rejects.toMatchObject(failing('FORBIDDEN'));
    expect((await admin.setUserRole({ ref, role: 'ADMIN' })).setUserRole).toMatchObject({ ref, role: 'ADMIN' });
    await expect(client.users({ first: 1 })).resolves.toBeDefined();
    await admin.setUserRole({ ref, role: 'OPERATOR' });
    await expect(client.users()).rejects.toMatchObject(failing('FORBIDDEN'));
    expect((await client.viewer()).viewer.role).toBe('OPERATOR');
  });

  test('after a change, only the new secret signs in, and earlier tokens are revoked', async () => {
    const { ref, username, token } = await userOf('VIEWER');
    await admin.setUserSecret({ ref, secret: 'another long one' });
    await expect(clientOf(token).viewer()).rejects.toMatchObject(failing('UNAUTHENTICATED', { status: 401 }));
    await expect(signIn(username)).rejects.toMatchObject(failing('UNAUTHENTICATED', { status: 401 }));
    expect((await clientOf(await signIn(username, 'another long one')).viewer()).viewer.ref).toBe(ref);
  });

  test.each<Role>(['ADMIN', 'OPERATOR', 'VIEWER'])('a user with the role %s changes the own secret', async (role) => {
    const { ref, username, token } = await userOf(role);
    const others = await signIn(username);
    expect(await clientOf(token).changeSecret({ oldSecret: SECRET, newSecret: 'a new secret' })).toEqual({
      changeSecret: ref,
    });
    for (const each of [token, others])
      await expect(clientOf(each).viewer()).rejects.toMatchObject(failing('UNAUTHENTICATED'));
    await expect(signIn(username)).rejects.toMatchObject(failing('UNAUTHENTICATED'));
    expect((await clientOf(await signIn(username, 'a new secret')).viewer()).viewer.ref).toBe(ref);
  });

  test.each([
    ['a wrong old secret', { oldSecret: 'a wrong secret' }, 'oldSecret'],
    ['a short new secret', { newSecret: 'short' }, 'newSecret'],
    ['a new secret of 101 characters', { newSecret: 'x'.repeat(101) }, 'newSecret'],
  ])('changeSecret refuses %s, and the session goes on', async (_what, wrong, field) => {
    const { username, token } = await userOf('VIEWER');
    const change = clientOf(token).changeSecret({ oldSecret: SECRET, newSecret: 'a new secret', ...wrong });
    await expect(change).rejects.toMatchObject(failing('BAD_USER_INPUT', { fields: [field] }));
    await clientOf(token).viewer();
    await signIn(username);
  });

  test('deleting a user revokes all of its tokens, and the name can be used again', async () => {
    const { ref, username, token } = await userOf('OPERATOR');
    expect(await admin.deleteUser({ ref })).toEqual({ deleteUser: ref });
    await expect(clientOf(token).viewer()).rejects.toMatchObject(failing('UNAUTHENTICATED'));
    await expect(signIn(username)).rejects.toMatchObject(failing('UNAUTHENTICATED'));
    const { createUser } = await admin.createUser({ input: { username, secret: SECRET, role: 'VIEWER' } });
    expect(createUser.ref).not.toBe(ref);
    await expect(clientOf(token).viewer()).rejects.toMatchObject(failing('UNAUTHENTICATED'));
  });

  test('an admin can be deleted, but not the last one', async () => {
    const other = await userOf('ADMIN');
    const { users } = await admin.users({ first: 1 });
    const last = users.nodes[0]?.ref ?? '';
    for (const { ref, role } of (await admin.users({ first: 100 })).users.nodes) {
      if (role === 'ADMIN' && ref !== last) await admin.deleteUser({ ref });
    }
    await expect(admin.deleteUser({ ref: last })).rejects.toMatchObject(failing('NOT_SUPPORTED', { status: 405 }));
    await expect(admin.setUserRole({ ref: last, role: 'VIEWER' })).rejects.toMatchObject(failing('NOT_SUPPORTED'));
    expect((await admin.setUserRole({ ref: last, role: 'ADMIN' })).setUserRole.role).toBe('ADMIN');
    await expect(clientOf(other.token).viewer()).rejects.toMatchObject(failing('UNAUTHENTICATED'));
  });

  test.each<[string, (client: Client) => Promise<unknown>]>([
    ['deleteUser', (client) => client.deleteUser({ ref: 'usnobody' })],
    ['setUserRole', (client) => client.setUserRole({ ref: 'usnobody', role: 'VIEWER' })],
    ['setUserSecret', (client) => client.setUserSecret({ ref: 'usnobody', secret: 'long enough' })],
  ])('%s of an unknown user is NOT_FOUND, and the error names the ref', async (_what, act) => {
    await expect(act(admin)).rejects.toMatchObject({
      message: 'User "usnobody" does not exist',
      code: 'NOT_FOUND',
      status: 404,
      fields: ['ref'],
    });
  });

  test.each(keeping)('$name is for admins', async (field) => {
    for (const role of ['OPERATOR', 'VIEWER'] as const) {
      const { token } = await userOf(role);
      const { errors } = await subject().app.graphql(callOf(field), {}, { token });
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'FORBIDDEN', status: 403 });
    }
  });

  test.each(writing)('$name is for operators and admins, but not for viewers', async (field) => {
    const { app } = subject();
    const { errors } = await app.graphql(callOf(field), {}, { token: (await userOf('VIEWER')).token });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'FORBIDDEN', status: 403 });
    const tried = await app.graphql(callOf(field), {}, { token: (await userOf('OPERATOR')).token });
    expect(tried.errors?.[0]?.extensions['code']).not.toBe('FORBIDDEN');
  });

  test.each(own)('$name is for every user, and not for API tokens', async (field) => {
    const { app } = subject();
    for (const role of ['OPERATOR', 'VIEWER'] as const) {
      const { token } = await userOf(role);
      const { errors } = await app.graphql(callOf(field), {}, { token });
      // Beyond the role: there is no such session, and this is not the secret.
      expect([undefined, 'NOT_FOUND', 'BAD_USER_INPUT']).toContain(errors?.[0]?.extensions['code']);
    }
    const { token } = (await admin.createApiToken({ name: 'x', role: 'ADMIN' })).createApiToken;
    expect((await app.graphql(callOf(field), {}, { token })).errors?.[0]?.extensions['code']).toBe('FORBIDDEN');
  });

  test.each(reading)('$name is for every user', async (field) => {
    const { errors } = await subject().app.graphql(callOf(field), {}, { token: (await userOf('VIEWER')).token });
    // Beyond the role: there is no such export to cancel.
    expect(errors?.[0]?.extensions['code']).toBe(field.name === 'cancelExport' ? 'NOT_FOUND' : undefined);
  });

  test('all kinds of mutations are covered', () => {
    expect([keeping.length, own.length, reading.length, writing.length]).toEqual([14, 7, 2, 48]);
  });

  test.each([
    ['no token', null],
    ['a garbled token', 'garbage'],
  ])('with %s, only introspection and sign-in work', async (_what, token) => {
    const { app } = subject();
    const ask = (query: string) => app.graphql<Record<string, unknown>>(query, {}, { token });
    expect((await ask('{ __typename __schema { queryType { name } } }')).errors).toBeUndefined();
    const { data } = await ask(`mutation { createToken(username: "admin", secret: "${app.adminSecret}") { role } }`);
    expect(data).toEqual({ createToken: { role: 'ADMIN' } });
    for (const field of [...keeping, ...own, ...writing]) {
      expect((await ask(callOf(field))).errors?.[0]?.extensions).toMatchObject({
        code: 'UNAUTHENTICATED',
        status: 401,
      });
    }
  });

  // The last one: other wrong secrets from this network are refused after it.
  test('guesses of the old secret are limited as sign-ins are', async () => {
    const { token } = await userOf('VIEWER');
    const guess = async (): Promise<unknown> =>
      clientOf(token)
        .changeSecret({ oldSecret: 'a wrong secret', newSecret: 'a new secret' })
        .catch((error: unknown) => error);
    const refusals: unknown[] = [];
    // One more is possible each second.
    for (let rounds = 0; rounds < 10; rounds++)
      refusals.push(...(await Promise.all(Array.from({ length: 20 }, guess))));
    expect(refusals).toContainEqual(expect.objectContaining({ code: 'RATE_LIMITED' }));
  });
});
