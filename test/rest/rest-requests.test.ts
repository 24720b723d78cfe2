import { createConnection } from 'node:net';
import { gzipSync } from 'node:zlib';

import { createGateway, createNumber } from '../support/factories';
import { onEachDriver } from '../support/databases/on-each-database';

const UNAUTHORIZED = 'You are unauthorized to make this request.';

interface Document {
  readonly kind: string;
  readonly metadata: object;
  readonly spec: { readonly location: { telUrl: string } };
}

const NUMBER = {
  apiVersion: 'v1beta1',
  kind: 'Number',
  metadata: { gwRef: 'gweef506' },
  spec: { location: { telUrl: 'tel:+1', aorLink: 'sip:1001@sip.local' } },
};

let count = 0;

/** A new Number, modified by the test. */
function number(change: (document: Document) => void = () => undefined): object {
  const document = structuredClone(NUMBER);
  document.spec.location.telUrl = `tel:+1444${String(++count).padStart(7, '0')}`;
  change(document);
  return document;
}

onEachDriver(
  'REST requests',
  (subject) => {
    test('a form with two files is refused, and creates nothing', async () => {
      const { app } = subject();
      const form = new FormData();
      for (const name of ['one', 'two']) form.append('file', new Blob([JSON.stringify(number())]), `${name}.json`);
      const token = await app.token();
      const total = async () => (await app.rest<unknown[]>('GET', '/numbers?itemsPerPage=1')).body;
      const before = await total();
      const response = await fetch(`${app.url}/api/v1beta1/numbers?token=${token}`, { method: 'POST', body: form });
      expect([response.status, await response.json()]).toMatchObject([
        400,
        { data: ['file: is there more than once in the form'] },
      ]);
      expect(await total()).toEqual(before);
    });

    test.each(['{"__proto__":{"a":1}}', '{"constructor":{"prototype":{"a":1}}}'])(
      'the body %s is refused with the reason',
      async (body) => {
        const { app } = subject();
        const url = `${app.url}/api/v1beta1/numbers?token=${await app.token()}`;
        const response = await fetch(url, { method: 'POST', body });
        expect([response.status, await response.json()]).toMatchObject([
          400,
          { data: ['body: has the member __proto__ or constructor.prototype, which is refused'] },
        ]);
      },
    );

    test.each([
      ['/gateways', '401'],
      ['/gateways/gweef506', '401'],
      ['/dids/dd50baa4', '401'],
      ['/registry', 401],
      ['/location', 401],
      ['/system/info', 401],
      ['/token', 401],
      ['/credentials', '401'],
    ])('GET %s without a token is 401, status %p', async (path, status) => {
      const answer = await subject().app.rest('GET', path, { token: null });
      expect(answer.status).toBe(401);
      expect(answer.body).toEqual({ status, message: UNAUTHORIZED });
    });

    test.each([
      ['/gateways/nope', '404'],
      ['/peers/nope', '404'],
      ['/dids/nope', '404'],
      ['/dids/DD50BAA4', '404'],
      ['/nothing', '404'],
      ['/system/nothing', '404'],
      [`/dids/${'x'.repeat(500)}`, '404'],
    ])('GET %s, which does not exist, is 404', async (path, status) => {
      const answer = await subject().app.rest('GET', path);
      expect(answer.status).toBe(404);
      expect(answer.body).toEqual({ status, message: 'Not found' });
    });

    test('a URL with a malformed escape is 400, and the response does not contain it', async () => {
      const { status, headers, body } = await subject().app.rest('GET', '/dids/%E0%A4%A');
      expect([status, body]).toEqual([400, { status: '400', message: 'Bad Request', data: ['url: is malformed'] }]);
      const tooLong = await subject().app.rest('GET', `/dids/${'d'.repeat(201)}`);
      expect(tooLong.status).toBe(404);
      for (const each of [headers, tooLong.headers]) expect(each.get('access-control-allow-origin')).toBe('*');
    });

    // A script puts a path after a base URL that ends in a slash.
    test.each(['//dids/dd50baa4', '//dids//dd50baa4/', '//system/status'])(
      'repeated slashes count as one: GET %s',
      async (path) => {
        const answer = await subject().app.rest('GET', path);
        expect(answer.status).toBe(200);
      },
    );

    test.each(['/api/v1/gateways', '/api/v1beta2/token', '/api/gateways', '/api'])('%s is 404', async (path) => {
      const answer = await fetch(`${subject().app.url}${path}`);
      expect(answer.status).toBe(404);
      expect(await answer.json()).toEqual({ status: '404', message: 'Not found' });
    });

    test.each([
      ['PATCH', '/gateways', '405', 'GET, HEAD, POST, DELETE, OPTIONS'],
      ['POST', '/registry', 405, 'GET, HEAD, OPTIONS'],
      ['DELETE', '/token', 405, 'GET, HEAD, OPTIONS'],
      ['POST', '/system/status', 405, 'GET, HEAD, OPTIONS'],
      ['PATCH', '/dids', '405', 'GET, HEAD, POST, DELETE, OPTIONS'],
      ['PATCH', '/dids/dd50baa4', '405', 'GET, HEAD, PUT, DELETE, OPTIONS'],
    ])('%s %s is 405, status %p, with Allow: %s', async (method, path, status, allow) => {
      const answer = await subject().app.rest(method, path);
      expect(answer.status).toBe(405);
      expect(answer.headers.get('allow')).toBe(allow);
      expect(answer.body).toEqual({ status, message: 'Operation not supported by data source the service' });
    });

    test.each<[string, unknown, string]>([
      ['malformed JSON', '{"kind":', 'body: '],
      ['a list', [], 'body: [] is not a JSON object'],
      ['a number', '1', 'body: 1 is not a JSON object'],
      ['nothing', undefined, 'body: '],
      ['no kind', number((d) => Reflect.deleteProperty(d, 'kind')), 'kind: is required'],
      ['another kind', number((d) => Object.assign(d, { kind: 'DID' })), 'kind: "DID" is not Number'],
      ['another version', number((d) => Object.assign(d, { apiVersion: 'v2' })), 'apiVersion: "v2" is not v1beta1'],
      ['no metadata', number((d) => Reflect.deleteProperty(d, 'metadata')), 'metadata.gwRef: is required'],
      [
        'metadata that is not an object',
        number((d) => Object.assign(d, { metadata: 'x' })),
        'metadata: "x" is not an object',
      ],
      [
        'a gwRef that is not a string',
        number((d) => Object.assign(d.metadata, { gwRef: 7 })),
        'metadata.gwRef: 7 is not a string',
      ],
      [
        'a gwRef that is too long',
        number((d) => Object.assign(d.metadata, { gwRef: 'g'.repeat(256) })),
        'is longer than 255 characters',
      ],
      [
        'an invalid telUrl',
        number((d) => Object.assign(d.spec.location, { telUrl: '+1' })),
        'spec.location.telUrl: "+1" is not a tel URI (RFC 3966)',
      ],
      [
        'an invalid aorLink',
        number((d) => Object.assign(d.spec.location, { aorLink: 'mailto:a@b' })),
        'spec.location.aorLink: "mailto:a@b" is not a sip: or sips: URI',
      ],
      [
        'a null byte',
        number((d) => Object.assign(d.metadata, { geoInfo: { city: 'a\0b' } })),
        'metadata.geoInfo.city: "a\\u0000b" has control characters',
      ],
      [
        'a country code of three letters',
        number((d) => Object.assign(d.metadata, { geoInfo: { countryISOCode: 'USA' } })),
        'metadata.geoInfo.countryISOCode: "USA" is longer than 2 characters',
      ],
      [
        'a malformed ref',
        number((d) => Object.assign(d.metadata, { ref: 'a b' })),
        'metadata.ref: "a b" is not 1 to 24 letters, digits, _ or -',
      ],
      ['a prototype', '{"__proto__":{"x":1},"kind":"Number"}', 'body: '],
    ])('POST /numbers with %s is 400, with the reason in data', async (_what, body, mistake) => {
      const before = await countNumbers();
      const answer = await subject().app.rest<string[]>('POST', '/numbers', body === undefined ? {} : { body });
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ status: '400', message: 'Bad Request' });
      expect(answer.body.data.join('\n')).toContain(mistake);
      expect(await countNumbers()).toBe(before);
    });

    async function countNumbers(): Promise<number> {
      const { data } = await subject().app.graphql<{ numbers: { totalCount: number } }>('{ numbers { totalCount } }');
      return data.numbers.totalCount;
    }

    test('all errors in a document are reported at once', async () => {
      const { body } = await subject().app.rest<string[]>('POST', '/dids', {
        body: { kind: 'DID', metadata: { geoInfo: { city: 1 } } },
      });
      expect(body.data).toEqual([
        'metadata.geoInfo.city: 1 is not a string',
        'metadata.gwRef: is required',
        'spec.location.telUrl: is required',
        'spec.location.aorLink: is required',
      ]);
    });

    test('a body over the limit is 400', async () => {
      const { status, body } = await subject().app.rest('POST', '/numbers', { body: ' '.repeat(300_000) });
      expect([status, body.data]).toEqual([400, ['body: is larger than the server accepts']]);
    });

    test.each([
      'text/plain; charset=UTF-8',
      'application/x-www-form-urlencoded',
      'application/json',
      'application/octet-stream',
      'json',
      'garbage; charset=utf-8',
      '*/*',
      '/',
    ])('a body is parsed as JSON with the Content-Type %s', async (type) => {
      const answer = await subject().app.rest('POST', '/numbers', {
        body: number(),
        headers: { 'content-type': type },
      });
      expect(answer.status).toBe(201);
    });

    test('a body is parsed as JSON without a Content-Type', async () => {
      const { app } = subject();
      const body = JSON.stringify(number());
      const { hostname, port } = new URL(app.url);
      const path = `/api/v1beta1/numbers?token=${await app.token()}`;
      const head = `POST ${path} HTTP/1.1\r\nHost: ${hostname}\r\nContent-Length: ${String(body.length)}\r\nConnection: close\r\n\r\n`;
      expect(await exchange(Number(port), head + body)).toMatch(/^HTTP\/1.1 201 /);
    });

    test.each([
      [
        'is not UTF-8',
        Buffer.from(JSON.stringify({ ...NUMBER, metadata: { gwRef: 'é' } }), 'latin1'),
        'body: is not UTF-8',
      ],
      [
        'has a number that no double is',
        JSON.stringify(number()).replace('{', '{"a":[{"b":-1e400}],'),
        'a.0.b: is larger than any number that can be stored',
      ],
      [
        'is compressed',
        gzipSync(JSON.stringify(number())),
        'body: has the Content-Encoding "gzip", but must not be compressed',
        { 'content-encoding': 'gzip' },
      ],
    ])(
      'a body that %s is refused, and creates nothing',
      async (_what, body, reason, headers: Record<string, string> = {}) => {
        const { app } = subject();
        const before = await countNumbers();
        const url = `${app.url}/api/v1beta1/numbers?token=${await app.token()}`;
        const response = await fetch(url, { method: 'POST', body, headers });
        expect([response.status, await response.json()]).toMatchObject([400, { data: [reason] }]);
        expect(await countNumbers()).toBe(before);
      },
    );

    test('a file that is not UTF-8 is refused', async () => {
      const { app } = subject();
      const form = new FormData();
      form.append('file', new Blob([Buffer.from('kind: Number # ü', 'latin1')]), 'file.yml');
      const url = `${app.url}/api/v1beta1/numbers?token=${await app.token()}`;
      const response = await fetch(url, { method: 'POST', body: form });
      expect([response.status, await response.json()]).toMatchObject([400, { data: ['file: is not UTF-8'] }]);
    });

    test.each(['application/json', 'multipart/form-data', 'x'])(
      'the body of a DELETE is ignored, as %s',
      async (type) => {
        const { app } = subject();
        const { body } = await app.rest<string>('POST', '/numbers', { body: number() });
        const answer = await app.rest('DELETE', `/numbers/${body.data}`, {
          body: 'x=1',
          headers: { 'content-type': type },
        });
        expect(answer.status).toBe(200);
      },
    );

    test.each([
      [
        'a URL that is not ASCII',
        "GET /api/v1beta1/agents?filter=@.metadata.name=='José' HTTP/1.1\r\nHost: a\r\n\r\n",
        400,
        'request: is not well-formed HTTP; a URL may have ASCII characters only',
      ],
      [
        'headers that are too long',
        `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`,
        431,
        'request: has a URL and headers that are too long together',
      ],
    ])('%s is refused in the envelope', async (_what, sent, status, reason) => {
      const [head = '', body = ''] = (await exchange(Number(new URL(subject().app.url).port), sent)).split('\r\n\r\n');
      expect(head).toMatch(new RegExp(`^HTTP/1.1 ${String(status)} `));
      expect(head).toContain('Access-Control-Allow-Origin: *');
      expect(JSON.parse(body)).toEqual({ status: String(status), message: 'Bad Request', data: [reason] });
    });

    test.each(['&', '&null', '&filter=', '&filter=*', '&filter=@', '&page=&itemsPerPage=', '&unknown=1&empty'])(
      'a concatenated query string is accepted: ?token=T%s',
      async (rest) => {
        const { app } = subject();
        const answer = await app.rest('GET', `/gateways?token=${await app.token()}${rest}`, { token: null });
        expect(answer.body.data).toHaveLength(3);
      },
    );

    test.each(['/registry', '/location'])('%s ignores a filter', async (path) => {
      expect((await subject().app.rest('GET', `${path}?filter=@.host=='x'`)).status).toBe(200);
    });

    test('the token can be sent in the Authorization header', async () => {
      const headers = { authorization: `Bearer ${await subject().app.token()}` };
      expect((await subject().app.rest('GET', '/gateways', { token: null, headers })).status).toBe(200);
    });

    test('GET /credentials returns the bare token', async () => {
      const { app } = subject();
      const headers = { authorization: `Basic ${Buffer.from(`admin:${app.adminSecret}`).toString('base64')}` };
      const { text } = await app.rest('GET', '/credentials', { token: null, headers });
      expect((await app.rest('GET', '/gateways', { token: text })).status).toBe(200);
    });

    test('GET and HEAD /system/status do not require a token', async () => {
      const { app } = subject();
      expect((await app.rest('GET', '/system/status', { token: null })).body).toMatchObject({ status: 200 });
      expect((await app.rest('HEAD', '/system/status', { token: null })).status).toBe(200);
    });

    test('any origin is allowed, and OPTIONS echoes the requested headers without a token', async () => {
      const { app } = subject();
      const headers = { 'access-control-request-method': 'DELETE', 'access-control-request-headers': 'x-one, x-two' };
      const options = await app.rest('OPTIONS', '/gateways', { token: null, headers });
      expect(options.status).toBe(204);
      expect(options.headers.get('access-control-allow-origin')).toBe('*');
      expect(options.headers.get('access-control-allow-methods')).toBe('DELETE');
      expect(options.headers.get('access-control-allow-headers')).toBe('x-one, x-two');
      for (const path of ['/gateways', '/gateways/nope', '/nothing']) {
        expect((await app.rest('GET', path)).headers.get('access-control-allow-origin')).toBe('*');
      }
    });

    test('members outside the model are stored and returned', async () => {
      const { app } = subject();
      const body = number((d) => {
        Object.assign(d.metadata, {
          ref: 'nu-extra',
          accessKeyId: 'k1',
          geoInfo: { city: 'Berlin', planet: 'Earth' },
        });
        Object.assign(d, { labels: ['a', { b: 1 }] });
      });
      expect((await app.rest('POST', '/dids', { body: { ...body, kind: 'did' } })).status).toBe(201);
      const { body: made } = await app.rest('GET', '/dids/nu-extra');
      expect(made.result).toMatchObject({
        metadata: { ref: 'nu-extra', accessKeyId: 'k1', geoInfo: { city: 'Berlin', planet: 'Earth' } },
        labels: ['a', { b: 1 }],
      });
    });

    test('a given ref is used, and is unique for its kind', async () => {
      const { app } = subject();
      const send = (): ReturnType<typeof app.rest> =>
        app.rest('POST', '/numbers', {
          body: number((d) => Object.assign(d.metadata, { ref: 'My_ref-1' })),
        });
      expect((await send()).body).toMatchObject({ status: '201', data: 'My_ref-1' });
      expect((await send()).body).toMatchObject({ status: '409' });
    });

    test.each([
      [undefined, { city: '', country: '', countryISOCode: '' }],
      [{}, { city: '', country: '', countryISOCode: '' }],
      [
        { city: '', country: '', countryISOCode: '' },
        { city: '', country: '', countryISOCode: '' },
      ],
      [{ country: 'Germany' }, { city: '', country: 'Germany', countryISOCode: '' }],
      [
        { city: '', countryISOCode: 'de' },
        { city: '', country: '', countryISOCode: 'DE' },
      ],
    ])('geoInfo %j is returned with its three members, as strings', async (geoInfo, expected) => {
      const { app } = subject();
      for (const kind of ['DID', 'Number']) {
        const path = `/${kind.toLowerCase()}s`;
        const sent = number((d) => Object.assign(d, { kind, metadata: { ...d.metadata, geoInfo } }));
        const made = (await app.rest<string>('POST', path, { body: sent })).body;
        const ref = kind === 'DID' ? made.result : made.data;
        const { body } = await app.rest<{ metadata: { geoInfo: unknown } }>('GET', `${path}/${ref}`);
        expect((kind === 'DID' ? body.result : body.data).metadata.geoInfo).toEqual(expected);
        const list = await app.rest<unknown[]>('GET', `${path}?itemsPerPage=100`);
        expect(list.body.data).toContainEqual(
          expect.objectContaining({ metadata: expect.objectContaining({ ref, geoInfo: expected }) as unknown }),
        );
        // In GraphQL, a value that was never set is null.
        const { data } = await app.graphql(`{ found: ${kind.toLowerCase()}(ref: "${ref}") { geoInfo { city } } }`);
        expect(JSON.stringify(data)).not.toContain('""');
      }
    });

    test('an empty string in geoInfo clears the value', async () => {
      const { app } = subject();
      const geoInfo = { city: 'Berlin', country: 'Germany', countryISOCode: 'DE' };
      const made = await app.rest<string>('POST', '/numbers', {
        body: number((d) => Object.assign(d.metadata, { geoInfo })),
      });
      const path = `/numbers/${made.body.data}`;
      const body = { kind: 'Number', metadata: { geoInfo: { city: '', countryISOCode: '' } } };
      expect((await app.rest('PUT', path, { body })).status).toBe(200);
      const { data } = await app.graphql(
        `{ number(ref: "${made.body.data}") { geoInfo { city country countryISOCode } } }`,
      );
      expect(data).toEqual({ number: { geoInfo: { city: null, country: 'Germany', countryISOCode: null } } });
    });

    test.each([
      ["@.metadata.geoInfo.city==''", 2],
      ["@.metadata.geoInfo.city!=''", 1],
      ["@.metadata.geoInfo.city empty true && @.metadata.geoInfo.country=='Germany'", 1],
      ['@.metadata.geoInfo.countryISOCode', 3],
    ])('filter %s finds the values that REST returns: %i', async (filter, count) => {
      const { app } = subject();
      const gateway = await createGateway(app);
      for (const geoInfo of [{ city: 'Berlin' }, { country: 'Germany' }, undefined]) {
        await createNumber(app, { gatewayRef: gateway, ...(geoInfo && { geoInfo }) });
      }
      const query = encodeURIComponent(`@.metadata.gwRef=='${gateway}' && ${filter}`);
      expect((await app.rest('GET', `/numbers?filter=${query}`)).body.meta['totalItems']).toBe(count);
    });
  },
  { SAMPLE_DATA: 'true' },
);

onEachDriver(
  'Requests that are not HTTP, with REST_PROFILE=routr1',
  (subject) => {
    test.each([
      ['a URL that is not ASCII', 'GET /api/v1beta1/agents?filter=é HTTP/1.1\r\nHost: a\r\n\r\n'],
      ['headers that are too long', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`],
    ])('%s: 400 in HTTP and in the body, as a number', async (_what, sent) => {
      const [head = '', body = ''] = (await exchange(Number(new URL(subject().app.url).port), sent)).split('\r\n\r\n');
      expect(head).toMatch(/^HTTP\/1.1 400 /);
      expect(JSON.parse(body)).toMatchObject({ status: 400, message: 'Bad Request' });
    });
  },
  { REST_PROFILE: 'routr1' },
);

function exchange(port: number, request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    createConnection(port, '127.0.0.1')
      .on('data', (data) => (answer += data.toString()))
      .on('end', () => {
        resolve(answer);
      })
      .on('error', reject)
      .write(request);
  });
}
