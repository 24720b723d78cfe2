import { fetchToken } from '../support/app';
import { createAgent, createDomain, createPeer } from '../support/factories';
import { onEachDriver, type Subject } from '../support/databases/on-each-database';
import { registerContact, runSql } from '../support/databases/sql';

const peer = (spec: object, metadata: object = { name: 'A peer' }): object => ({
  apiVersion: 'v1beta1',
  kind: 'Peer',
  metadata,
  spec,
});
const CREDENTIALS = { username: 'profile', secret: 'x' };

function credentials({ app }: Subject, username: string, secret: string): Promise<Response> {
  const authorization = `Basic ${Buffer.from(`${username}:${secret}`).toString('base64')}`;
  return fetch(`${app.url}/api/v1beta1/credentials`, { headers: { authorization } });
}

/** The parts of a response that a client of Routr v1 reads: the two statuses, and the message. */
async function answered(
  subject: Subject,
  method: string,
  path: string,
  options: { readonly body?: unknown; readonly token?: string | null } = {},
): Promise<readonly unknown[]> {
  const { status, body } = await subject.app.rest(method, path, options);
  return [status, body.status, body.message];
}

onEachDriver(
  'REST_PROFILE=routr1',
  (subject) => {
    test.each([
      ['GET', '/gateways', 200, 'Successful request'],
      ['GET', '/gateways?page=0', 400, 'Bad Request'],
      ['GET', "/gateways?filter=@.spec.host='x'", 400, 'Bad Request'],
      ['GET', '/gateways/nobody', 404, 'Not found'],
      ['GET', '/nowhere', 404, 'Not found'],
      ['GET', `/gateways/${'x'.repeat(300)}`, 404, 'Not found'],
      ['GET', '/gateways/%zz', 400, 'Bad Request'],
      ['PATCH', '/gateways', 405, 'Operation not supported by data source the service'],
      ['PUT', '/system/config', 405, 'Operation not supported by data source the service'],
    ])('%s %s is %i in HTTP and in the body, as a number', async (method, path, status, message) => {
      expect(await answered(subject(), method, path)).toEqual([status, status, message]);
    });

    test('a create and a request without a token have numbers, too', async () => {
      const body = peer({ credentials: { ...CREDENTIALS, username: 'created' } });
      expect(await answered(subject(), 'POST', '/peers', { body })).toEqual([201, 201, 'Created']);
      expect(await answered(subject(), 'GET', '/peers', { token: null })).toEqual([
        401,
        401,
        'You are unauthorized to make this request.',
      ]);
    });

    test('an invalid document is 422, with all reasons in the message and no data', async () => {
      const { status, body } = await subject().app.rest('POST', '/peers', { body: peer({ device: 7 }, {}) });
      expect([status, body]).toEqual([
        422,
        {
          status: 422,
          message:
            'spec.device: 7 is not a string, metadata.name: is required, ' +
            'spec.credentials.username: is required, spec.credentials.secret: is required',
        },
      ]);
    });

    test('an invalid PUT is 422, too, and changes nothing', async () => {
      const ref = await createPeer(subject().app, { username: 'kept' });
      expect(
        await answered(subject(), 'PUT', `/peers/${ref}`, { body: peer({ credentials: { username: 'other' } }) }),
      ).toEqual([422, 422, 'spec.credentials.username: cannot be changed']);
      const { body } = await subject().app.rest<{ spec: unknown }>('GET', `/peers/${ref}`);
      expect(body.data.spec).toMatchObject({ credentials: { username: 'kept' } });
    });

    test.each([['{"kind":'], ['']])('a malformed body, %p, is 400', async (body) => {
      expect(await answered(subject(), 'POST', '/peers', { body })).toEqual([400, 400, 'Bad Request']);
    });

    test('an invalid entry of an uploaded list is 422, and the message names it', async () => {
      const form = new FormData();
      form.append('file', new Blob(['- kind: Peer\n  metadata: {}\n  spec: {}\n']), 'peers.yml');
      const response = await fetch(`${subject().app.url}/api/v1beta1/peers?token=${await subject().app.token()}`, {
        method: 'POST',
        body: form,
      });
      expect([response.status, await response.json()]).toEqual([
        422,
        { status: 422, message: expect.stringContaining('file[0].metadata.name: is required, file[0].') as string },
      ]);
    });

    test('a resource in use and a conflict are 409, and a missing reference is 4091', async () => {
      const { app } = subject();
      await createDomain(app, { ref: 'dm-used', domainUri: 'used.test' });
      await createAgent(app, { domains: ['used.test'] });
      await createPeer(app, { username: 'taken' });
      const number = {
        kind: 'Number',
        metadata: { gwRef: 'nobody' },
        spec: { location: { telUrl: 'tel:1', aorLink: 'sip:a@b.test' } },
      };
      const taken = peer({ credentials: { username: 'taken', secret: 'x' } });
      expect([
        await answered(subject(), 'DELETE', '/domains/dm-used'),
        await answered(subject(), 'POST', '/peers', { body: taken }),
        await answered(subject(), 'POST', '/numbers', { body: number }),
      ]).toEqual([
        [409, 409, 'Found one or more dependent objects'],
        [409, 409, 'An attempt was made to create an object that already exists'],
        [409, 4091, 'Found one or more unfulfilled dependencies'],
      ]);
    });

    test('an operation that a viewer may not use is 405, with the reason', async () => {
      const { app } = subject();
      const { errors } = await app.graphql(
        'mutation { createUser(input: { username: "watcher", secret: "watcher-secret", role: VIEWER }) { ref } }',
      );
      expect(errors).toBeUndefined();
      const token = await fetchToken(app.url, 'watcher', 'watcher-secret');
      const body = peer({ credentials: CREDENTIALS });
      expect(await answered(subject(), 'POST', '/peers', { body, token })).toEqual([
        405,
        405,
        'You are not allowed to make this request.',
      ]);
    });

    test('too many sign-in attempts are 500 with Retry-After', async () => {
      const { url } = subject().app;
      const authorization = `Basic ${Buffer.from('guessed:wrong').toString('base64')}`;
      const attempt = () => fetch(`${url}/api/v1beta1/token`, { headers: { authorization } });
      let response = await attempt();
      for (let count = 0; count < 100 && response.status === 401; count++) response = await attempt();
      expect(response.status).toBe(500);
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await response.json()).toEqual({ status: 500, message: 'Too many requests' });
    });

    test('a SIP server that cannot be reached is 500', async () => {
      await registerContact(subject().url, { username: 'a', domain: 'x.test', contact: 'sip:a@10.0.0.1' });
      expect(await answered(subject(), 'DELETE', '/location')).toEqual([500, 500, 'Service unavailable']);
    });

    test('an unexpected error is 500', async () => {
      await runSql(subject().url, 'ALTER TABLE peers RENAME TO peers_gone');
      expect(await answered(subject(), 'GET', '/peers')).toEqual([500, 500, 'Internal server error']);
      await runSql(subject().url, 'ALTER TABLE peers_gone RENAME TO peers');
    });
  },
  { REST_PROFILE: 'routr1', SIP_RPC_URL: 'http://127.0.0.1:9/RPC', SIP_RPC_TOKEN: 'x' },
);

onEachDriver(
  'REST_PROFILE=spec',
  (subject) => {
    test('statuses are strings, and an invalid document is 400', async () => {
      expect(await answered(subject(), 'GET', '/gateways')).toEqual([200, '200', 'Successful request']);
      expect(await answered(subject(), 'POST', '/peers', { body: peer({}) })).toEqual([400, '400', 'Bad Request']);
    });
  },
  { REST_PROFILE: 'spec' },
);

describe.each(['spec', 'routr1'])('GET /credentials with REST_PROFILE=%s', (profile) => {
  onEachDriver(
    'returns what rctl understands',
    (subject) => {
      test('text with 200', async () => {
        const response = await credentials(subject(), 'admin', subject().app.adminSecret);
        expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
        expect(await response.text()).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
      });

      test.each([
        ['a wrong secret', { authorization: `Basic ${Buffer.from('admin:wrong').toString('base64')}` }],
        ['no credentials', {}],
        ['a malformed Basic header', { authorization: 'Basic ???' }],
      ])('401 for %s', async (_what, headers) => {
        const response = await fetch(`${subject().app.url}/api/v1beta1/credentials`, { headers });
        expect(response.status).toBe(401);
        expect(await response.json()).toMatchObject({ message: 'You are unauthorized to make this request.' });
      });

      test('500 for too many attempts, with Retry-After', async () => {
        let response = await credentials(subject(), 'guessed', 'wrong');
        for (let count = 0; count < 100 && response.status === 401; count++) {
          response = await credentials(subject(), 'guessed', 'wrong');
        }
        expect([response.status, Number(response.headers.get('retry-after')) > 0]).toEqual([500, true]);
        expect(await response.json()).toMatchObject({ message: 'Too many requests' });
      });

      test('500 when the users cannot be read', async () => {
        const { app, url } = subject();
        await runSql(url, 'ALTER TABLE users RENAME TO users_gone');
        const response = await credentials(subject(), 'someone', app.adminSecret);
        await runSql(url, 'ALTER TABLE users_gone RENAME TO users');
        expect(response.status).toBe(500);
        expect(await response.json()).toMatchObject({ message: 'Internal server error' });
      });
    },
    { REST_PROFILE: profile },
  );
});

onEachDriver('Documents that Routr v1 accepts', (subject) => {
  test.each(['v1beta1', 'v1', 'v1.0'])('apiVersion %s is accepted, and returned as v1beta1', async (apiVersion) => {
    const { app } = subject();
    const username = `version-${apiVersion.replace('.', '-')}`;
    const document = { ...peer({ credentials: { username, secret: 'x' } }), apiVersion };
    const { status, body } = await app.rest<string>('POST', '/peers', { body: document });
    expect(status).toBe(201);
    expect((await app.rest('PUT', `/peers/${body.data}`, { body: document })).status).toBe(200);
    expect((await app.rest('GET', `/peers/${body.data}`)).body.data).toMatchObject({ apiVersion: 'v1beta1' });
  });

  test.each([undefined, 'Peer', 'peer'])('PUT of one member, with the kind %p, keeps the others', async (kind) => {
    const { app } = subject();
    const document = peer({ credentials: { ...CREDENTIALS, username: `partial-${String(kind)}` }, device: 'one' });
    const path = `/peers/${(await app.rest<string>('POST', '/peers', { body: document })).body.data}`;
    const body = { kind, metadata: { ref: path.slice('/peers/'.length) }, spec: { device: 'two' } };
    expect((await app.rest('PUT', path, { body })).status).toBe(200);
    const changed = {
      kind: 'Peer',
      metadata: { name: 'A peer' },
      spec: { credentials: { secret: 'x' }, device: 'two' },
    };
    expect((await app.rest('GET', path)).body.data).toMatchObject(changed);
  });

  test.each([null, '', 'Agent'])('PUT with the kind %p is 400', async (kind) => {
    const { app } = subject();
    const document = peer({ credentials: { ...CREDENTIALS, username: `other-${String(kind)}` } });
    const { body } = await app.rest<string>('POST', '/peers', { body: document });
    const put = await app.rest('PUT', `/peers/${body.data}`, { body: { kind } });
    expect([put.status, put.body.data]).toEqual([400, [`kind: ${JSON.stringify(kind)} is not Peer`]]);
  });

  test.each(['v2', 'V1', 1, ''])('apiVersion %p is 400', async (apiVersion) => {
    const body = { ...peer({ credentials: CREDENTIALS }), apiVersion };
    expect((await subject().app.rest('POST', '/peers', { body })).body.data).toEqual([
      `apiVersion: ${JSON.stringify(apiVersion)} is not v1beta1, v1 or v1.0`,
    ]);
  });

  test.each([
    ['private', 'Private'],
    ['PRIVATE', 'Private'],
    ['Private', 'Private'],
    ['none', 'None'],
  ])('privacy %s is stored as %s', async (privacy, stored) => {
    const { app } = subject();
    const domainUri = `x${Buffer.from(privacy).toString('hex')}.test`;
    await createDomain(app, { domainUri });
    const { body } = await app.rest<string>('POST', '/agents', {
      body: {
        apiVersion: 'v1',
        kind: 'agent',
        metadata: { name: 'A' },
        spec: { credentials: { username: privacy, secret: 'x' }, domains: [domainUri], privacy },
      },
    });
    const agent = await app.rest('GET', `/agents/${body.data}`);
    expect(agent.body.data).toMatchObject({ spec: { privacy: stored } });
    const { data } = await app.graphql(`{ agent(ref: "${body.data}") { privacy } }`);
    expect(data).toEqual({ agent: { privacy: stored.toUpperCase() } });
  });
});

onEachDriver('The system operations of Routr v1', (subject) => {
  test('/system/info has the complete path prefix', async () => {
    const { body } = await subject().app.rest('GET', '/system/info');
    expect(body.data).toMatchObject({ apiPath: '/api/v1beta1', apiVersion: 'v1beta1' });
  });

  test('/system/status returns up', async () => {
    expect((await subject().app.rest('GET', '/system/status', { token: null })).body).toMatchObject({
      status: 200,
      message: 'up',
    });
  });

  test('/system/logs returns an empty string and a message, and requires a token', async () => {
    const { status, body } = await subject().app.rest('GET', '/system/logs');
    expect([status, body]).toEqual([
      200,
      { status: 200, message: 'The server writes its logs to standard output', data: '' },
    ]);
    expect(await answered(subject(), 'GET', '/system/logs', { token: null })).toEqual([
      401,
      401,
      'You are unauthorized to make this request.',
    ]);
  });
});
