import { createGateway } from '../support/factories';
import { onEachDriver } from '../support/databases/on-each-database';
import { registerContact } from '../support/databases/sql';

onEachDriver('The system, and the location', (subject) => {
  const rest = (method: string, path: string) => subject().app.rest(method, path);

  test('/system/config names the data source, and contains no secrets', async () => {
    const { body, text } = await rest('GET', '/system/config?filter=*');
    expect(body).toMatchObject({
      status: 200,
      data: { spec: { dataSource: { provider: expect.stringMatching(/^(sqlite|mysql|mariadb)$/) as string } } },
    });
    expect(text).not.toMatch(/secret|password|url/i);
  });

  test.each([
    ['PUT', '/system/config'],
    ['POST', '/system/logs'],
    ['POST', '/system/status'],
    ['POST', '/system/status/restarting?now=true'],
  ])('%s %s is 405, as a number', async (method, path) => {
    const { status, body } = await rest(method, path);
    expect([status, body]).toEqual([
      405,
      { status: 405, message: 'Operation not supported by data source the service' },
    ]);
  });

  test('HEAD /system/status does not require a token', async () => {
    expect((await fetch(`${subject().app.url}/api/v1beta1/system/status`, { method: 'HEAD' })).status).toBe(200);
  });

  test.each(['/location', '/location/sip:a@x.test'])('without SIP_RPC_URL, DELETE %s is 405', async (path) => {
    const { status, body } = await rest('DELETE', path);
    expect([status, body]).toEqual([
      405,
      { status: 405, message: 'Operation not supported by data source the service' },
    ]);
  });

  test('without SIP_RPC_URL, the error of evictContact names the setting', async () => {
    const { errors } = await subject().app.graphql('mutation { evictContact(addressOfRecord: "sip:a@x.test") }');
    expect(errors?.[0]).toMatchObject({
      message: 'Evictions need the SIP server: set SIP_RPC_URL',
      extensions: { code: 'NOT_SUPPORTED', status: 405 },
    });
  });
});

// test/sip tests evictions with a SIP server.
onEachDriver(
  'A SIP server that cannot be reached',
  (subject) => {
    test('causes 503, and no binding is removed', async () => {
      const { app, url } = subject();
      await registerContact(url, { username: 'a', domain: 'x.test', contact: 'sip:a@10.0.0.1' });
      for (const path of ['/location', '/location/sip:a@x.test']) {
        const { status, body } = await app.rest('DELETE', path);
        expect([status, body]).toEqual([503, { status: 503, message: 'Service unavailable' }]);
      }
      expect((await app.rest('GET', '/location')).body.data).toHaveLength(1);
    });

    test('is not called for an address of record without bindings, which is 404', async () => {
      const { status, body } = await subject().app.rest('DELETE', '/location/sip:nobody@x.test');
      expect([status, body]).toEqual([404, { status: 404, message: 'Not found' }]);
    });
  },
  { SIP_RPC_URL: 'http://127.0.0.1:9/RPC', SIP_RPC_TOKEN: 'x' },
);

onEachDriver(
  'REST_STATUS=number',
  (subject) => {
    test.each([
      ['GET', '/gateways', 200],
      ['GET', '/gateways/nobody', 404],
      ['GET', '/nowhere', 404],
      ['PATCH', '/gateways', 405],
      ['POST', '/gateways', 400],
      ['GET', '/system/info', 200],
    ])('%s %s has the number %i', async (method, path, status) => {
      const { body } = await subject().app.rest(method, path);
      expect(body.status).toBe(status);
    });
  },
  { REST_STATUS: 'number' },
);

onEachDriver(
  'READ_ONLY',
  (subject) => {
    test.each([
      ['POST', '/gateways'],
      ['PUT', '/gateways/x'],
      ['DELETE', '/gateways/x'],
      ['DELETE', "/gateways?filter=@.metadata.ref=='x'"],
      ['DELETE', '/location'],
    ])('%s %s is 405', async (method, path) => {
      const { status, body } = await subject().app.rest(method, path, { body: {} });
      expect([status, body.message]).toEqual([405, 'Operation not supported by data source the service']);
    });

    test.each([
      'deleteGateway(ref: "x")',
      'createGateway(input: { name: "x", host: "x.test", transport: UDP }) { ref }',
      'updateGateway(ref: "x", input: {}) { ref }',
      'createUser(input: { username: "x", secret: "12345678", role: VIEWER }) { ref }',
      'deleteUser(ref: "x")',
    ])('mutation %s is NOT_SUPPORTED', async (mutation) => {
      const { errors } = await subject().app.graphql(`mutation { ${mutation} }`);
      expect(errors?.[0]).toMatchObject({
        message: 'Operation not supported by data source the service',
        extensions: { code: 'NOT_SUPPORTED', status: 405 },
      });
    });

    test('everything can be read, including users', async () => {
      const { errors } = await subject().app.graphql('{ gateways { totalCount } users { totalCount } }');
      expect(errors).toBeUndefined();
      await expect(createGateway(subject().app)).rejects.toThrow('NOT_SUPPORTED');
    });
  },
  { READ_ONLY: 'true' },
);

onEachDriver(
  'CORS',
  (subject) => {
    const preflight = (path: string, origin: string) =>
      fetch(`${subject().app.url}${path}`, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization,x',
        },
      });

    test('/graphql is available only to pages of CORS_ORIGINS', async () => {
      const allowed = await preflight('/graphql', 'https://app.example.org');
      expect(allowed.headers.get('access-control-allow-origin')).toBe('https://app.example.org');
      expect(allowed.headers.get('access-control-max-age')).toBe('600');
      const other = await preflight('/graphql', 'https://evil.example.org');
      expect(other.headers.get('access-control-allow-origin')).toBeNull();
    });

    test.each(['/graphql', '/api/v1beta1/gateways'])(
      'pages may read the headers of %s for later requests',
      async (path) => {
        const { headers } = await fetch(`${subject().app.url}${path}`, {
          headers: { origin: 'https://app.example.org' },
        });
        expect(headers.get('access-control-expose-headers')).toBe(
          'sipgraph-after, retry-after, ratelimit, ratelimit-policy, x-request-id',
        );
      },
    );

    test.each([
      ['of any origin', 'https://evil.example.org', 'x'],
      ['of CORS_ORIGINS, with Authorization', 'https://app.example.org', 'authorization,x'],
    ])('REST is available to pages %s', async (_which, origin, allowed) => {
      const { headers, status } = await preflight('/api/v1beta1/gateways/x', origin);
      expect([status, headers.get('access-control-allow-origin')]).toEqual([204, '*']);
      expect(headers.get('access-control-allow-methods')).toBe('POST');
      expect(headers.get('access-control-allow-headers')).toBe(allowed);
      expect(headers.get('access-control-allow-credentials')).toBeNull();
    });

    test.each([
      ['https://evil.example.org', {}, '*'],
      ['https://app.example.org', { authorization: 'Basic eA==' }, '*'],
      ['https://evil.example.org', { authorization: 'Basic eA==' }, null],
      ['https://evil.example.org', { authorization: '' }, null],
    ])(
      'the response to a page of %s that sends %j has Access-Control-Allow-Origin %j',
      async (origin, sent, allowed) => {
        const response = await fetch(`${subject().app.url}/api/v1beta1/token`, { headers: { origin, ...sent } });
        expect(response.headers.get('access-control-allow-origin')).toBe(allowed);
      },
    );
  },
  { CORS_ORIGINS: 'https://app.example.org, https://other.example.org' },
);
