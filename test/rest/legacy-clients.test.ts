import { request } from 'node:http';

import { sign } from 'jsonwebtoken';

import { onEachDriver } from '../support/databases/on-each-database';
import { registerContact, registerGateway } from '../support/databases/sql';

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly body: {
    readonly status?: unknown;
    readonly message?: unknown;
    readonly data?: unknown;
  };
}

/** A raw request: no client library rewrites the query or adds a Content-Type. */
function raw(
  url: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  sent?: string,
): Promise<Answer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const length = sent === undefined ? {} : { 'content-length': String(Buffer.byteLength(sent)) };
    const outgoing = request(
      { hostname, port, method, path: `/api/v1beta1${path}`, headers: { ...headers, ...length } },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (chunk: string) => (text += chunk));
        answer.on('end', () => {
          const isJson = answer.headers['content-type']?.includes('json') === true;
          resolve({
            status: answer.statusCode ?? 0,
            text,
            body: isJson && text !== '' ? (JSON.parse(text) as Answer['body']) : {},
          });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(sent);
  });
}

const JAVA = { 'accept-encoding': 'gzip', 'user-agent': 'unirest-java/1.3.11' };
const TEXT = { ...JAVA, 'content-type': 'text/plain; charset=UTF-8' };

/** The values that `rctl` prints in the columns of a list; it crashes on `null`. */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  agents: ['metadata.ref', 'metadata.name', 'spec.credentials.username', 'spec.domains'],
  peers: ['metadata.ref', 'metadata.name', 'spec.credentials.username'],
  domains: ['metadata.ref', 'metadata.name', 'spec.context.domainUri'],
  gateways: ['metadata.ref', 'metadata.name', 'spec.host'],
  numbers: ['metadata.ref', 'metadata.gwRef', 'spec.location.telUrl', 'spec.location.aorLink'],
};

function at(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((found, key) => (found as Record<string, unknown> | undefined)?.[key], value);
}

onEachDriver(
  'rctl',
  (subject) => {
    let token: string;
    const send = (method: string, path: string, sent?: string): Promise<Answer> =>
      raw(subject().app.url, method, path, sent === undefined ? JAVA : TEXT, sent);

    beforeAll(async () => {
      const { app } = subject();
      const basic = Buffer.from(`admin:${app.adminSecret}`).toString('base64');
      ({ text: token } = await raw(app.url, 'GET', '/credentials', { ...JAVA, authorization: `Basic ${basic}` }));
    });

    test('login: the whole response is the token', () => {
      expect(token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
    });

    test('login with a wrong password: 401', async () => {
      const basic = Buffer.from('admin:wrong').toString('base64');
      expect((await raw(subject().app.url, 'GET', '/credentials', { authorization: `Basic ${basic}` })).status).toBe(
        401,
      );
    });

    test.each(Object.keys(COLUMNS))('get %s: every column of the table has a value', async (collection) => {
      const { status, body } = await send('GET', `/${collection}?token=${token}&filter=*`);
      expect([status, body.message]).toEqual([200, 'Successful request']);
      const items = body.data as unknown[];
      expect(items.length).toBeGreaterThan(0);
      for (const item of items) for (const path of COLUMNS[collection] ?? []) expect(at(item, path)).toBeTruthy();
      // rctl expects the city of a number to be a string, and the domains of an agent to be a list.
      for (const item of items) {
        if (collection === 'numbers') expect(typeof at(item, 'metadata.geoInfo.city')).toBe('string');
        if (collection === 'agents') expect(Array.isArray(at(item, 'spec.domains'))).toBe(true);
      }
    });

    test.each([
      ['numbers', "@.metadata.ref=='dd50baa4'"],
      ['agents', "@.spec.credentials.username=='1001'"],
      ['gateways', "@.spec.host=='sip.provider.net'"],
      ['domains', "@.spec.context.domainUri=='sip.local'"],
      ['peers', "@.spec.credentials.username=='ast'"],
    ])('get %s --filter "%s": one result, with unescaped quotes and @', async (collection, filter) => {
      const { body } = await send('GET', `/${collection}?token=${token}&filter=${filter}`);
      expect(body.data).toHaveLength(1);
    });

    test('get numbers --filter with a lone =: 400 with its message', async () => {
      const { status, body } = await send('GET', `/numbers?token=${token}&filter=@.metadata.gwRef="gweef506"`);
      expect([status, body.message]).toEqual([400, 'Bad Request']);
    });

    test('create, apply and delete', async () => {
      const peer = {
        apiVersion: 'v1beta1',
        kind: 'Peer',
        metadata: { name: 'New' },
        spec: { credentials: { username: 'rctl', secret: 's' } },
      };
      const created = await send('POST', `/peers?token=${token}&null`, JSON.stringify(peer));
      expect([created.status, created.body.message]).toEqual([201, 'Created']);

      const found = await send('GET', `/peers?token=${token}&filter=@.spec.credentials.username=='rctl'`);
      const ref = String(at((found.body.data as unknown[])[0], 'metadata.ref'));
      const applied = await send(
        'PUT',
        `/peers/${ref}?token=${token}`,
        JSON.stringify({ ...peer, metadata: { name: 'Applied' } }),
      );
      expect([applied.status, applied.body.message]).toEqual([200, 'Successful request']);

      const deleted = await send('DELETE', `/peers/${ref}?token=${token}&filter=`);
      expect([deleted.status, deleted.body.message]).toEqual([200, 'Successful request']);
    });

    test('apply of a gateway with another port, user name and transport', async () => {
      const gateway = (name: string, port: number): object => ({
        apiVersion: 'v1',
        kind: 'Gateway',
        metadata: { name: 'Trunk' },
        spec: { host: 'trunk.test', port, transport: 'udp', credentials: { username: name, secret: 's' } },
      });
      await send('POST', `/gateways?token=${token}&null`, JSON.stringify(gateway('one', 5060)));
      const found = await send('GET', `/gateways?token=${token}&filter=@.spec.host=='trunk.test'`);
      const ref = String(at((found.body.data as unknown[])[0], 'metadata.ref'));
      const applied = await send('PUT', `/gateways/${ref}?token=${token}`, JSON.stringify(gateway('two', 5070)));
      expect([applied.status, applied.body.message]).toEqual([200, 'Successful request']);
    });

    test('apply of an agent: its domains are returned as they were written', async () => {
      const { body } = await send('GET', `/agents?token=${token}&filter=@.spec.credentials.username=='1001'`);
      const [agent] = body.data as { metadata: { ref: string }; spec: { domains: string[] } }[];
      expect(JSON.stringify(agent?.spec.domains)).toBe('["sip.local"]');
      const put = await send('PUT', `/agents/${agent?.metadata.ref ?? ''}?token=${token}`, JSON.stringify(agent));
      expect(put.status).toBe(200);
    });

    test('delete number --filter: those of a gateway', async () => {
      const number = {
        kind: 'Number',
        metadata: { gwRef: 'gweef506' },
        spec: { location: { telUrl: 'tel:+4711', aorLink: 'sip:a@b' } },
      };
      await send('POST', `/numbers?token=${token}&null`, JSON.stringify(number));
      const { status, body } = await send(
        'DELETE',
        `/numbers/?token=${token}&filter=@.spec.location.telUrl=='tel:+4711'`,
      );
      expect([status, body.message, body.data]).toEqual([200, 'Successful request', 1]);
    });

    test('delete of a resource in use: its message', async () => {
      const { status, body } = await send('DELETE', `/gateways/gweef506?token=${token}&filter=`);
      expect([status, body]).toEqual([409, { status: '4092', message: 'Found one or more dependent objects' }]);
    });

    test('locate and registry: every column of the tables has a value', async () => {
      const { url } = subject();
      await registerContact(url, {
        username: '1001',
        domain: 'sip.local',
        contact: 'sip:1001@10.0.0.9:5060;transport=udp',
      });
      await registerGateway(url, 'gw7c10f2').catch(() => undefined); // the sample data may have one already
      const location = await send('GET', `/location?token=${token}&`);
      for (const entry of location.body.data as unknown[]) {
        for (const key of ['addressOfRecord', 'contactInfo']) expect(typeof at(entry, key)).toBe('string');
      }
      const registry = await send('GET', `/registry?token=${token}&`);
      expect((registry.body.data as unknown[]).length).toBeGreaterThan(0);
      for (const entry of registry.body.data as unknown[]) {
        for (const key of ['username', 'host', 'ip', 'regOnFormatted']) expect(typeof at(entry, key)).toBe('string');
      }
    });

    test('ping prints the message: up', async () => {
      expect((await send('GET', `/system/status?token=${token}&null`)).body.message).toBe('up');
    });

    test('version: its data, with the whole path of the API', async () => {
      const { body } = await send('GET', `/system/info?token=${token}&null`);
      for (const key of ['version', 'apiVersion']) expect(typeof at(body.data, key)).toBe('string');
      expect(at(body.data, 'apiPath')).toBe('/api/v1beta1');
      expect(Array.isArray(at(body.data, 'env'))).toBe(true);
    });

    test('logs prints the data, which is a string', async () => {
      const { status, body } = await send('GET', `/system/logs?token=${token}&null`);
      expect([status, body.message, body.data]).toEqual([200, 'The server writes its logs to standard output', '']);
    });

    test.each([
      ['stop', 'POST', '/system/status/down?token=T&now=false'],
      ['restart', 'POST', '/system/status/restarting?token=T&now=false'],
    ])('%s: 405 with a message', async (_command, method, path) => {
      const { status, body } = await send(method, path.replace('T', token));
      expect([status, body.message]).toEqual([405, 'Operation not supported by data source the service']);
    });

    test('an expired access token: 401', async () => {
      expect((await send('GET', '/agents?token=gone&filter=*')).status).toBe(401);
    });
  },
  { SAMPLE_DATA: 'true' },
);

onEachDriver(
  'The web console',
  (subject) => {
    const BROWSER = { origin: 'http://console.test', 'content-type': 'text/plain;charset=UTF-8' };
    const send = async (method: string, path: string, sent?: string): Promise<Answer> => {
      const token = await subject().app.token();
      return raw(subject().app.url, method, `${path}${path.includes('?') ? '&' : '?'}token=${token}`, BROWSER, sent);
    };

    test('reads the configuration, and is allowed to write', async () => {
      const { body } = await send('GET', '/system/config?filter=*');
      expect(body.status).toBe(200);
      expect(at(body.data, 'spec.dataSource.provider')).not.toBe('files_data_provider');
      expect(at(body.data, 'spec.restService')).toBeDefined();
      expect(at(body.data, 'spec.securityContext')).toBeDefined();
    });

    test.each(['gateways', 'agents', 'domains', 'peers', 'numbers', 'registry', 'location'])(
      'loads %s',
      async (section) => {
        const { body } = await send('GET', `/${section}?filter=*`);
        expect([body.status, Array.isArray(body.data)]).toEqual([200, true]);
      },
    );

    test('changes and deletes a resource', async () => {
      const { body } = await send('GET', '/peers?filter=*');
      const [peer] = body.data as { metadata: { ref: string } }[];
      const ref = peer?.metadata.ref ?? '';
      expect((await send('PUT', `/peers/${ref}`, JSON.stringify(peer))).body.status).toBe(200);
      expect((await send('DELETE', `/peers/${ref}`)).body.status).toBe(200);
      expect((await send('DELETE', `/peers/${ref}`)).body.status).toBe(404);
    });

    test('shows that a resource is in use, and that an operation is not supported', async () => {
      expect((await send('DELETE', '/gateways/gweef506')).body.message).toBe('Found one or more dependent objects');
      expect((await send('PUT', '/system/config', '{}')).body.status).toBe(405);
      expect((await send('POST', '/system/status/restarting?now=true')).body.status).toBe(405);
    });

    test('downloads the logs, which are empty', async () => {
      expect((await send('GET', '/system/logs')).body).toMatchObject({ status: 200, data: '' });
    });

    test('shows once why a document was rejected', async () => {
      const { body } = await send('GET', '/peers?filter=*');
      const [peer] = body.data as { metadata: { ref: string; name: unknown } }[];
      const sent = { ...peer, metadata: { ...peer?.metadata, name: 7 } };
      const refused = await send('PUT', `/peers/${peer?.metadata.ref ?? ''}`, JSON.stringify(sent));
      // It appends `data`, if any, to the message.
      expect(refused.body).toEqual({ status: 422, message: 'metadata.name: 7 is not a string' });
    });

    test('polls the status without a token', async () => {
      expect((await raw(subject().app.url, 'HEAD', '/system/status', BROWSER)).status).toBe(200);
    });
  },
  { SAMPLE_DATA: 'true', REST_PROFILE: 'routr1' },
);

const SALT = Buffer.from('the salt of a Routr v1 server, which is long enough for HS512 it seems').toString('base64');
const legacyToken = (sub: string, salt = SALT): string =>
  sign({ sub }, Buffer.from(salt, 'base64'), { algorithm: 'HS512', noTimestamp: true });

onEachDriver(
  'Tokens of Routr v1, until a date',
  (subject) => {
    test('are accepted for the user that they name', async () => {
      expect((await subject().app.rest('GET', '/gateways', { token: legacyToken('admin') })).status).toBe(200);
    });

    test.each([
      ['of an unknown user', legacyToken('nobody')],
      ['signed with another salt', legacyToken('admin', Buffer.from('x'.repeat(64)).toString('base64'))],
      ['signed with another algorithm', sign({ sub: 'admin' }, Buffer.from(SALT, 'base64'), { algorithm: 'HS256' })],
      ['that ended', sign({ sub: 'admin', exp: 1 }, Buffer.from(SALT, 'base64'), { algorithm: 'HS512' })],
    ])('%s are rejected', async (_what, token) => {
      expect((await subject().app.rest('GET', '/gateways', { token })).status).toBe(401);
    });
  },
  { LEGACY_JWT_SALT: SALT, LEGACY_JWT_UNTIL: '2199-01-01' },
);

onEachDriver(
  'Tokens of Routr v1, after the date',
  (subject) => {
    test('are rejected', async () => {
      expect((await subject().app.rest('GET', '/gateways', { token: legacyToken('admin') })).status).toBe(401);
    });
  },
  { LEGACY_JWT_SALT: SALT, LEGACY_JWT_UNTIL: '2020-01-01' },
);
