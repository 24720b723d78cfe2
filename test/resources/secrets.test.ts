import { inspect } from 'node:util';

import { SipgraphError, createClient } from '../../clients/typescript/src/index';
import { fetchToken, startApp } from '../support/app';
import { onEachDriver } from '../support/databases/on-each-database';

onEachDriver('Secrets', (subject) => {
  test('the error of a failed sign-in contains nothing that the client sent', async () => {
    const { app } = subject();
    const client = createClient(`${app.url}/graphql`, { token: 'the-token-of-the-client' });
    const failure: unknown = await client
      .createToken({ username: 'admin', secret: 'a-wrong-secret' })
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SipgraphError);
    expect(failure).toMatchObject({
      message: 'The name or the secret is wrong',
      code: 'UNAUTHENTICATED',
      status: 401,
      errors: [{ path: ['createToken'] }],
    });
    const everything = inspect(failure, { depth: Infinity, showHidden: true, getters: true }) + JSON.stringify(failure);
    expect(everything).not.toMatch(/a-wrong-secret|the-token-of-the-client/);
  });

  test.each([
    ['GET', '/api/v1beta1/token', undefined],
    ['GET', '/api/v1beta1/credentials', undefined],
    ['GET', '/api/v1beta1/agents', undefined],
    ['GET', '/api/v1beta1/agents/none', undefined],
    ['POST', '/graphql', '{"query":"{ viewer { username } }"}'],
  ])('the response to %s %s is not cached', async (method, path, body) => {
    const { app } = subject();
    const response = await fetch(`${app.url}${path}`, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        authorization: /token|credentials/.test(path)
          ? `Basic ${Buffer.from(`admin:${app.adminSecret}`).toString('base64')}`
          : `Bearer ${await app.token()}`,
      },
      ...(body !== undefined && { body }),
    });
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  describe('outside the model', () => {
    // Members of a document, and the path to each secret in them.
    const EXTRA = {
      metadata: {
        accessKeyId: 'id-1',
        API_KEY: 'hidden-1',
        credentials: 'hidden-11',
        ex_custom: { credentials: { value: 'hidden-12' }, spec: { credentials: 'hidden-13' } },
      },
      spec: {
        ex_note: 'seen-1',
        sip_password: 'hidden-2',
        'pass-word': 'hidden-3',
        ex_provider: { authToken: 'hidden-4', region: 'seen-2', Secret: { of: { nothing: 'hidden-5' } } },
        ex_accounts: [{ name: 'listed', pwd: 'hidden-6' }],
        ex_plain: [{ name: 'seen-3' }],
        userPw: 'hidden-14',
        apikeys: ['hidden-7'],
        credentials: { username: 'u', secret: 'hidden-8', token: 'hidden-9' },
      },
      Authorization: 'hidden-10',
    };
    const PATHS = [
      '@.metadata.API_KEY',
      '@.metadata.credentials',
      '@.metadata.ex_custom.credentials.value',
      '@.spec.sip_password',
      "@.spec['sip\\u005fpassword']",
      "@.spec['pass-word']",
      '@.spec.userPw',
      '@.spec.ex_provider.authToken',
      '@.spec.ex_provider.Secret',
      '@.spec.ex_provider.Secret.of.nothing',
      '@.spec.ex_accounts[0].pwd',
      '@.spec.ex_accounts[-1].pwd',
      '@.spec.apikeys',
      '@.spec.apikeys[0]',
      '@.spec.apikeys[*]',
      '@.spec.credentials.secret',
      '@.spec.credentials.token',
      '@.Authorization',
    ];
    const PREDICATES = [
      (path: string) => path,
      (path: string) => `${path}=~/hidden.*/`,
      (path: string) => `${path}>='hidden'`,
      (path: string) => `${path}!='x'`,
      (path: string) => `${path} in ['hidden-1','hidden-2','hidden-3','hidden-4','hidden-6','hidden-8','hidden-14']`,
      (path: string) => `${path} contains 'hidden'`,
      (path: string) => `${path} contains 'hidden-7'`,
      (path: string) => `${path} anyof ['hidden-7']`,
      (path: string) => `${path} size 1`,
      (path: string) => `${path} empty false`,
      (path: string) => `length(${path})>0`,
      (path: string) => `count(${path})>0`,
      (path: string) => `search(${path}, 'hidden')`,
    ];

    beforeAll(async () => {
      const { app } = subject();
      const { metadata, spec, Authorization } = EXTRA;
      const { status } = await app.rest('POST', '/gateways', {
        body: {
          kind: 'Gateway',
          Authorization,
          metadata: { ...metadata, name: 'G', ref: 'gwextra' },
          spec: { ...spec, host: 'extra.test', transport: 'udp' },
        },
      });
      expect(status).toBe(201);
    });

    async function tokenOf(role: string): Promise<string> {
      const { app } = subject();
      const secret = 'a long enough one';
      await app.graphql('mutation ($input: CreateUserInput!) { createUser(input: $input) { ref } }', {
        input: { username: role, secret, role },
      });
      return fetchToken(app.url, role, secret);
    }

    test('are returned to operators; viewers see only what clients of Routr v1 name', async () => {
      const { app } = subject();
      const [viewer, operator] = [await tokenOf('VIEWER'), await tokenOf('OPERATOR')];
      for (const path of ['/gateways', '/gateways/gwextra']) {
        const { text } = await app.rest('GET', path, { token: viewer });
        expect(text).not.toMatch(/hidden/);
        expect(text).toContain('id-1');
        expect(text).not.toMatch(/seen/);
        const whole = (await app.rest('GET', path, { token: operator })).text;
        for (let n = 1; n <= 14; n++) expect(whole).toContain(`hidden-${String(n)}`);
        for (let n = 1; n <= 3; n++) expect(whole).toContain(`seen-${String(n)}`);
      }
    });

    test.each(PATHS)('%s matches nothing, with any operator', async (path) => {
      const { app } = subject();
      const matches = async (filter: string): Promise<readonly unknown[]> => {
        const { status, body } = await app.rest('GET', `/gateways?filter=${encodeURIComponent(filter)}`);
        const { data } = await app.graphql('query ($filter: String) { gateways(filter: $filter) { totalCount } }', {
          filter,
        });
        return [filter, status, body.data, data];
      };
      const filters = PREDICATES.map((predicate) => predicate(path));
      const nothing = filters.map((filter) => [filter, 200, [], { gateways: { totalCount: 0 } }]);
      expect(await Promise.all(filters.map(matches))).toEqual(nothing);
    });

    test.each(["@.metadata.accessKeyId=='id-1'", "@.spec.ex_provider.region=='seen-2'", '@.spec.ex_note=~/seen.*/'])(
      'other members are found: %s',
      async (filter) => {
        const { body } = await subject().app.rest('GET', `/gateways?filter=${encodeURIComponent(filter)}`);
        expect(body.data).toHaveLength(1);
      },
    );

    test('the error for a value in place of the credentials does not contain it', async () => {
      const { text, status } = await subject().app.rest('POST', '/gateways', {
        body: { kind: 'Gateway', spec: { credentials: 'hidden-11' } },
      });
      expect(status).toBe(400);
      expect(text).toContain('spec.credentials: is not an object');
      expect(text).not.toContain('hidden-11');
    });
  });
});

onEachDriver(
  'REST_HIDE_SECRETS',
  (subject) => {
    test('hides secrets outside the model, and a PUT of the returned document keeps them', async () => {
      const { app, url } = subject();
      const spec = { ex_token: 'hidden-1', ex_accounts: [{ name: 'a', pwd: 'hidden-2' }], host: 'hidden.test' };
      const document = { kind: 'Gateway', metadata: { name: 'G', ref: 'gw' }, spec: { ...spec, transport: 'udp' } };
      await app.rest('POST', '/gateways', { body: document });
      const { body, text } = await app.rest<object>('GET', '/gateways/gw');
      expect(text).not.toContain('hidden-');
      expect((await app.rest('PUT', '/gateways/gw', { body: body.data })).status).toBe(200);
      const open = await startApp({ DATABASE_URL: url });
      expect((await open.rest<object>('GET', '/gateways/gw')).body.data).toMatchObject({ spec });
      await open.close();
    });
  },
  { REST_HIDE_SECRETS: 'true' },
);
