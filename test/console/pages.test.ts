import { getIntrospectionQuery } from 'graphql';

import { startApp, type TestApp } from '../support/app';

const ENCODINGS = ['br', 'gzip'];
const PAGES = ['/playground', '/docs'];
const NAMES = Array.from({ length: 10 }, (_, index) => `${'a'.repeat(190)}${String(index)}`);
const LONG = `{ ${NAMES.map((name) => `${name}: viewer { username }`).join(' ')} }`;
const CREATE_TOKEN = 'mutation($secret: String!) { createToken(username: "admin", secret: $secret) { token } }';

let app: TestApp;

beforeAll(async () => {
  app = await startApp({ SAMPLE_DATA: 'true' });
});

afterAll(() => app.close());

function get(path: string, encoding = 'br, gzip', headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${app.url}${path}`, { headers: { 'accept-encoding': encoding, ...headers } });
}

async function assetsOf(page: string): Promise<string[]> {
  const html = await (await get(page)).text();
  return [...html.matchAll(/"(assets\/[^"]+)"/g)].map(([, path = '']) => `/${path}`);
}

async function ask(query: string, variables = {}, accept = 'application/json'): Promise<Response> {
  return fetch(`${app.url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${await app.token()}`,
      accept,
      'accept-encoding': 'br, gzip',
    },
    body: JSON.stringify({ query, variables }),
  });
}

describe.each(PAGES)('The page %s', (page) => {
  test('loads only from this server, cannot be framed, and sends no referrer', async () => {
    const { status, headers } = await get(page);
    expect(status).toBe(200);
    const policy = (headers.get('content-security-policy') ?? '').split(';').sort();
    expect(policy).toEqual(
      [
        ...["base-uri 'none'", "connect-src 'self'", "default-src 'none'", "font-src 'self' data:"],
        ...["form-action 'self'", "frame-ancestors 'none'", "img-src 'self' data:", "script-src 'self'"],
        ...["style-src 'self' 'unsafe-inline'", "worker-src 'self'"],
      ].sort(),
    );
    expect(Object.fromEntries(headers)).toMatchObject({
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-cache',
    });
    expect(headers.has('strict-transport-security')).toBe(false);
  });

  test.each(ENCODINGS)(
    'loads files that the build compressed with %s, and that are cached permanently',
    async (encoding) => {
      const paths = await assetsOf(page);
      expect(paths).toHaveLength(2);
      for (const path of paths) {
        const [plain, compressed] = [await get(path, 'identity'), await get(path, encoding)];
        expect(compressed.headers.get('content-encoding')).toBe(encoding);
        expect(compressed.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
        expect(compressed.headers.get('vary')).toBe('accept-encoding');
        expect(compressed.headers.get('content-type')).toBe(plain.headers.get('content-type'));
        expect(Number(compressed.headers.get('content-length'))).toBeLessThan(
          Number(plain.headers.get('content-length')) * 0.6,
        );
        expect(await compressed.text()).toBe(await plain.text());
      }
    },
  );
});

test.each(ENCODINGS)(
  '/openapi.json is compressed with %s, and sent again only when it has changed',
  async (encoding) => {
    const [plain, compressed] = [await get('/openapi.json', 'identity'), await get('/openapi.json', encoding)];
    expect(plain.headers.has('content-encoding')).toBe(false);
    expect(compressed.headers.get('content-encoding')).toBe(encoding);
    expect(compressed.headers.get('cache-control')).toBe('no-cache');
    expect(await compressed.json()).toEqual(await plain.json());
    const tag = compressed.headers.get('etag') ?? '';
    const again = await get('/openapi.json', encoding, { 'if-none-match': tag });
    expect([again.status, await again.text()]).toEqual([304, '']);
  },
);

test.each([
  ['gzip;q=0.8', 'gzip'],
  ['br;q=0.5, gzip;q=0', 'br'],
  ['br;q=0.000, gzip;q=0', null],
])('/openapi.json is compressed as Accept-Encoding: %s asks for', async (accepted, encoding) => {
  expect((await get('/openapi.json', accepted)).headers.get('content-encoding')).toBe(encoding);
});

test.each([
  ['compresses the schema', getIntrospectionQuery(), 'br'],
  ['compresses a response over 1 kB', LONG, 'br'],
  ['does not compress a response under 1 kB', '{ viewer { username } }', null],
])('GraphQL %s', async (_name, query, encoding) => {
  const answer = await ask(query);
  expect(answer.headers.get('content-encoding')).toBe(encoding);
  expect(await answer.json()).toMatchObject({ data: expect.anything() as unknown });
});

test('A response of Apollo is compressed, too', async () => {
  const answer = await ask(LONG, {}, 'application/graphql-response+json');
  expect(answer.headers.get('content-encoding')).toBe('br');
  expect(await answer.json()).toMatchObject({
    data: Object.fromEntries(NAMES.map((name) => [name, { username: 'admin' }])),
  });
});

test.each(['application/json', 'application/graphql-response+json'])(
  'A response with a token is not compressed (%s)',
  async (accept) => {
    // With text that the caller chooses next to the token, which is what BREACH needs.
    const alias = 'a'.repeat(2000);
    const query = CREATE_TOKEN.replace('token }', `${alias}: role token }`);
    const answer = await ask(query, { secret: app.adminSecret }, accept);
    expect(answer.headers.has('content-encoding')).toBe(false);
    expect((await answer.text()).length).toBeGreaterThan(2000);
  },
);

test('REST responses are not compressed', async () => {
  const spec = { host: 'sip.example.net', transport: 'udp', credentials: { username: 'u', secret: 'changeit' } };
  await app.rest('POST', '/gateways', {
    body: { apiVersion: 'v1beta1', kind: 'Gateway', metadata: { name: 'Another' }, spec },
  });
  const { headers, text } = await app.rest('GET', '/gateways', { headers: { 'accept-encoding': 'br, gzip' } });
  expect(text.length).toBeGreaterThan(1024);
  expect(text).toContain('"secret":"changeit"');
  expect(headers.has('content-encoding')).toBe(false);
});

test('An event stream is not compressed', async () => {
  const answer = await ask(LONG, {}, 'text/event-stream');
  expect(answer.headers.has('content-encoding')).toBe(false);
  expect(await answer.text()).toContain('event: complete');
});
