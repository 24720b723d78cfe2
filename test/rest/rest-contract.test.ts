import { onEachDriver } from '../support/databases/on-each-database';

/** The second is longer than any reference. */
const UNKNOWN_GATEWAYS = ['gwunknown', '3f2504e0-4f89-41d3-9a0c-0305e82c3301'];

function did(overrides: { gwRef?: string; telUrl?: string; kind?: string } = {}): object {
  const { gwRef = 'gweef506', telUrl = 'tel:+17066049999', kind = 'DID' } = overrides;
  return {
    apiVersion: 'v1beta1',
    kind,
    metadata: { gwRef, geoInfo: { city: 'Columbus', country: 'USA', countryISOCode: 'US' } },
    spec: { location: { telUrl, aorLink: 'sip:1001@sip.local' } },
  };
}

const TIMES = { createdOn: expect.stringMatching(/^\d{4}-.*Z$/) as string, modifiedOn: expect.any(String) as string };

onEachDriver(
  'The contract of /api/v1beta1',
  (subject) => {
    const { rest } = {
      rest: (...parameters: Parameters<ReturnType<typeof subject>['app']['rest']>) => subject().app.rest(...parameters),
    };

    test.each([
      ['/gateways', '200', 3],
      ['/agents', '200', 3],
      ['/peers', '200', 2],
      ['/domains', '200', 2],
      ['/registry', 200, 1],
      ['/location', 200, 2],
    ])('GET %s lists with status %p, meta, and %i entries', async (path, status, totalItems) => {
      const answer = await rest('GET', path);
      expect(answer.status).toBe(200);
      expect(Object.keys(answer.body)).toEqual(['status', 'message', 'data', 'meta']);
      expect(answer.body).toMatchObject({ status, message: 'Successful request' });
      expect(answer.body.data).toHaveLength(totalItems);
      expect(answer.body.meta).toEqual({ currentPage: 1, totalPages: 1, itemsPerPage: 30, totalItems });
    });

    test('GET /gateways/{ref} returns the Gateway of the specification, with its members in order', async () => {
      const { body } = await rest('GET', '/gateways/gweef506');
      expect(body).toEqual({
        status: '200',
        message: 'Successful request',
        data: {
          apiVersion: 'v1beta1',
          kind: 'Gateway',
          metadata: { name: 'SP 001', ref: 'gweef506', ...TIMES },
          spec: {
            host: 'sip.provider.net',
            credentials: { username: '215706', secret: 'changeit' },
            transport: 'udp',
          },
        },
      });
      expect(JSON.stringify(body.data)).toMatch(
        /"metadata":\{"name":.*"ref":.*"spec":\{"host":.*"credentials":\{"username":.*"secret":.*\},"transport":/,
      );
    });

    test('GET /dids/{ref} returns the DID in result', async () => {
      const { body } = await rest('GET', '/dids/dd50baa4');
      expect(body).toEqual({
        status: '200',
        message: 'Successful request',
        result: {
          apiVersion: 'v1beta1',
          kind: 'DID',
          metadata: {
            ref: 'dd50baa4',
            gwRef: 'gweef506',
            geoInfo: { city: 'Columbus', country: 'USA', countryISOCode: 'US' },
            ...TIMES,
          },
          spec: { location: { telUrl: 'tel:0000000000', aorLink: 'sip:1001@sip.local' } },
        },
      });
    });

    test('GET /agents returns each Agent with its domains in order', async () => {
      const { body } = await rest('GET', '/agents');
      expect(body.data).toMatchObject([
        {
          metadata: { name: 'John Doe', ref: 'ag3f77f6' },
          spec: { credentials: { username: '1001' }, domains: ['sip.local'] },
        },
        { spec: { domains: ['sip.local', 'sales.sip.local'] } },
        { spec: { domains: ['sip.local'], privacy: 'Private', ex_maxContact: 1 } },
      ]);
    });

    test('GET /peers/{ref} returns the Peer', async () => {
      const { body } = await rest('GET', '/peers/pr4d5c63');
      expect(body).toMatchObject({ status: '200', data: { kind: 'Peer', spec: { credentials: { username: 'ast' } } } });
    });

    test('GET /domains returns the context of each Domain', async () => {
      const { body } = await rest('GET', '/domains');
      expect(body.data).toMatchObject([
        {
          spec: {
            context: {
              domainUri: 'sip.local',
              egressPolicy: { rule: '.*', numberRef: 'dd50baa4' },
              accessControlList: { allow: ['192.168.0.0/16', '10.0.0.0/8', '127.0.0.1'], deny: ['0.0.0.0/1'] },
            },
          },
        },
        { spec: { context: { domainUri: 'sales.sip.local' } } },
      ]);
    });

    test('POST /dids returns 201 with the reference in result, and creates the DID', async () => {
      const { status, body } = await rest('POST', '/dids', { body: did() });
      expect(status).toBe(201);
      expect(body).toEqual({
        status: '201',
        message: 'Created',
        result: expect.stringMatching(/^dd[0-9a-f]{8}$/) as string,
      });
      const { body: made } = await rest('GET', `/dids/${String(body.result)}`);
      expect(made.result).toMatchObject({
        metadata: { gwRef: 'gweef506' },
        spec: { location: { telUrl: 'tel:+17066049999' } },
      });
    });

    test('POST /numbers returns 201 with the reference in data', async () => {
      const { status, body } = await rest('POST', '/numbers', { body: did({ kind: 'Number' }) });
      expect(status).toBe(201);
      expect(body).toEqual({
        status: '201',
        message: 'Created',
        data: expect.stringMatching(/^nu[0-9a-f]{8}$/) as string,
      });
    });

    test.each(['/dids', '/numbers'])('POST %s with an unknown Gateway is 4091, with HTTP 409', async (path) => {
      const kind = path === '/dids' ? 'DID' : 'Number';
      for (const gwRef of UNKNOWN_GATEWAYS) {
        // The number also exists already: missing references take precedence.
        const { status, body } = await rest('POST', path, { body: did({ kind, gwRef, telUrl: 'tel:0000000000' }) });
        expect(status).toBe(409);
        expect(body).toEqual({ status: '4091', message: 'Found one or more unfulfilled dependencies' });
      }
    });

    test.each(['/dids', '/numbers'])('POST %s of a number that exists is 409', async (path) => {
      const kind = path === '/dids' ? 'DID' : 'Number';
      const { status, body } = await rest('POST', path, { body: did({ kind, telUrl: 'tel:0000000000' }) });
      expect(status).toBe(409);
      expect(body).toEqual({ status: '409', message: 'An attempt was made to create an object that already exists' });
    });

    test('GET /location returns addresses of record with contact, transport, nat and the requested lifetime', async () => {
      const { body } = await rest('GET', '/location');
      expect(body.data).toEqual([
        {
          addressOfRecord: 'sip:1001@sip.local',
          contactInfo: 'sip:1001@192.168.1.50:5060;transport=udp;nat=false;expires=600',
        },
        {
          addressOfRecord: 'sip:1002@sip.local',
          contactInfo: 'sip:1002@203.0.113.9:49152;transport=tcp;nat=true;expires=600',
        },
      ]);
    });

    test('GET /registry returns the registered gateways', async () => {
      const { body } = await rest('GET', '/registry');
      expect(body.data).toEqual([
        {
          username: '215706',
          host: 'sip.provider.net',
          ip: '198.51.100.7',
          expires: 600,
          registeredOn: expect.any(Number) as number,
          gwRef: 'gweef506',
          gwURI: 'sip:215706@sip.provider.net:5060',
          regOnFormatted: 'a few seconds ago',
        },
      ]);
    });

    test('GET /system/info returns versions and the variables that are set', async () => {
      const { body } = await rest('GET', '/system/info');
      expect(body).toEqual({
        status: 200,
        message: 'Successful request',
        data: {
          version: expect.stringMatching(/^\d+\.\d+\.\d+$/) as string,
          apiVersion: 'v1beta1',
          apiPath: '/api/v1beta1',
          env: [{ var: 'EXTERN_ADDR', value: '203.0.113.1' }],
        },
      });
    });

    test('GET /token returns a token for basic authentication', async () => {
      const { app } = subject();
      const headers = { authorization: `Basic ${Buffer.from(`admin:${app.adminSecret}`).toString('base64')}` };
      const { body } = await rest('GET', '/token', { token: null, headers });
      expect(body).toEqual({
        status: 200,
        message: 'Successful request',
        data: expect.stringMatching(/^[^.]+\.[^.]+\.[^.]+$/) as string,
      });
      expect((await rest('GET', '/gateways', { token: body.data as string })).status).toBe(200);
    });
  },
  { SAMPLE_DATA: 'true', EXTERN_ADDR: '203.0.113.1' },
);
