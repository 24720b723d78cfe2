import { createClient as createSocketClient } from 'graphql-ws';
import WebSocket from 'ws';

import { createClient } from '../../clients/typescript/src/index';
import { startApp } from '../support/app';
import { onEachDriver } from '../support/databases/on-each-database';

const ORIGIN = 'http://console.test:8080';
const HEADER = 'sipgraph-session';
const WHO = '{ viewer { username } }';
const SECRET = 'the secret of a user';

/** A session as a page at an origin has it. */
interface Session {
  readonly id: string;
  /** `name=value`, as the browser sends it. */
  readonly cookie: string;
  /** The whole Set-Cookie header. */
  readonly stored: string;
  readonly text: string;
}

type Headers = Readonly<Record<string, string>>;

const headersOf = ({ id, cookie }: Session, origin = ORIGIN): Headers => ({ [HEADER]: id, cookie, origin });

function send(url: string, body: object, headers: Headers): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

async function signIn(url: string, username: string, secret: string, headers: Headers = {}): Promise<Session> {
  const response = await send(`${url}/graphql/session`, { username, secret }, { origin: ORIGIN, ...headers });
  const text = await response.text();
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
  const stored = response.headers.getSetCookie().at(-1) ?? '';
  return { id: (JSON.parse(text) as { data: Session }).data.id, cookie: stored.split(';')[0] ?? '', stored, text };
}

onEachDriver('The session of a browser', (subject) => {
  const url = (): string => subject().app.url;
  const enter = (headers: Headers = {}) => signIn(url(), 'admin', subject().app.adminSecret, headers);
  const ask = async (headers: Headers): Promise<unknown> => {
    const response = await send(`${url()}/graphql`, { query: WHO }, headers);
    const { data, errors } = (await response.json()) as {
      data?: { viewer: { username: string } };
      errors?: readonly { extensions: { code: string } }[];
    };
    return errors?.[0]?.extensions.code ?? data?.viewer.username;
  };
  const end = (session: Session) =>
    fetch(`${url()}/graphql/session`, { method: 'DELETE', headers: headersOf(session) });

  test('is in a cookie that pages cannot read, and not in the response', async () => {
    const { id, cookie, stored, text } = await enter();
    const attributes = stored.split('; ').slice(1);
    expect(attributes.slice(1)).toEqual(['HttpOnly', 'SameSite=Strict']);
    expect(Number(/^Max-Age=(\d+)$/.exec(attributes[0] ?? '')?.[1])).toBeGreaterThan(60);
    expect(JSON.parse(text)).toEqual({
      data: { id, username: 'admin', role: 'ADMIN', expiresIn: Number(attributes[0]?.slice(8)) },
    });
    expect(text).not.toContain(cookie.split('=')[1]);
  });

  test('is secure, with the prefix that demands it, if the page was loaded over HTTPS', async () => {
    const session = await enter({ origin: 'https://console.test' });
    expect(session.stored).toMatch(/^__Secure-sipgraph-.*; SameSite=Strict; Secure$/);
    expect(await ask(headersOf(session, 'https://console.test'))).toBe('admin');
    expect(await ask(headersOf(session, 'http://console.test'))).toBe('UNAUTHENTICATED');
  });

  test('its cookie, which whatever listens on another port of the host receives, is no token and does not reveal the id', async () => {
    const [{ id, cookie, ...session }, other] = [await enter(), await enter()];
    const value = cookie.slice(cookie.indexOf('=') + 1);
    expect(value).toMatch(/^[\w-]{100,}$/);
    expect(await ask({ authorization: `Bearer ${value}` })).toBe('UNAUTHENTICATED');
    expect((await fetch(`${url()}/api/v1beta1/gateways?token=${value}`)).status).toBe(401);
    const known = await ask(headersOf({ id, cookie, ...session }));
    expect(known).toBe('admin');
    const { data } = await subject().app.graphql<object>('{ viewer { sessions { id } } }');
    expect(JSON.stringify(data)).not.toContain(id);
    for (const changed of [
      `${value.slice(0, -4)}AAAA`,
      value.slice(0, 30),
      '',
      'a.b.c',
      other.cookie.split('=')[1] ?? '',
    ])
      expect(await ask(headersOf({ id, ...session, cookie: `${cookie.split('=')[0] ?? ''}=${changed}` }))).toBe(
        'UNAUTHENTICATED',
      );
  });

  test('counts for requests that name it and come from the same origin, and for no other ones', async () => {
    const [session, other] = [await enter(), await enter()];
    const { [HEADER]: id = '', cookie = '', origin = '' } = headersOf(session);
    expect(await ask({ [HEADER]: id, cookie, origin })).toBe('admin');
    expect(await ask({ [HEADER]: id, cookie: `theme=dark; ${cookie};${other.cookie}`, origin })).toBe('admin');
    const attempts: readonly Headers[] = [
      { cookie, origin },
      { [HEADER]: id, origin },
      { [HEADER]: id, cookie },
      { [HEADER]: '1', cookie, origin },
      { [HEADER]: other.id, cookie, origin },
      { [HEADER]: id, cookie: other.cookie, origin },
      { [HEADER]: id, cookie: `x${cookie}`, origin },
      { [HEADER]: id, cookie, origin, authorization: 'Basic YWRtaW46eA==' },
      ...['null', '', 'https://console.test:8080', 'http://console.test:8081', 'http://evil.console.test:8080'].map(
        (another) => ({ [HEADER]: id, cookie, origin: another }),
      ),
    ];
    for (const headers of attempts) expect([headers, await ask(headers)]).toEqual([headers, 'UNAUTHENTICATED']);
  });

  test('does not count over REST, which responds as without credentials', async () => {
    const session = await enter();
    const rest = async (method: string, path: string, headers: Headers) => {
      const response = await fetch(`${url()}/api/v1beta1${path}`, { method, headers });
      return [response.status, await response.text()];
    };
    for (const [method, path] of [
      ['GET', '/gateways'],
      ['DELETE', '/gateways/gweef506'],
      ['GET', '/token'],
      ['GET', '/credentials'],
    ] as const) {
      const without = await rest(method, path, {});
      expect(without[0]).not.toBe(200);
      expect(await rest(method, path, headersOf(session))).toEqual(without);
    }
  });

  test('ends when the browser signs out, which removes the cookie, and no other session ends', async () => {
    const [session, other] = [await enter(), await enter()];
    const response = await end(session);
    expect(response.status).toBe(200);
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(`^${session.cookie.split('=')[0] ?? ''}=; Max-Age=0; HttpOnly; SameSite=Strict$`),
    ]);
    expect(await ask(headersOf(session))).toBe('UNAUTHENTICATED');
    expect(await ask(headersOf(other))).toBe('admin');
    const again = await end(session);
    expect([again.status, again.headers.getSetCookie()]).toEqual([401, [expect.stringContaining('Max-Age=0')]]);
  });

  test('is ended by nobody who cannot use it', async () => {
    const session = await enter();
    const token = await subject().app.token();
    for (const headers of [
      headersOf(session, 'http://evil.test'),
      { cookie: session.cookie, origin: ORIGIN },
      { authorization: `Bearer ${token}`, origin: ORIGIN },
    ])
      expect((await fetch(`${url()}/graphql/session`, { method: 'DELETE', headers })).status).toBe(401);
    expect(await ask(headersOf(session))).toBe('admin');
    expect(await ask({ authorization: `Bearer ${token}` })).toBe('admin');
  });

  test('another sign-in removes the cookie of the session that it replaces', async () => {
    const before = await enter();
    const { username, secret } = { username: 'admin', secret: subject().app.adminSecret };
    const response = await send(`${url()}/graphql/session`, { username, secret }, headersOf(before));
    const [removed, stored] = response.headers.getSetCookie();
    expect(removed).toMatch(`${before.cookie.split('=')[0] ?? ''}=; Max-Age=0;`);
    expect(stored).not.toContain('Max-Age=0');
  });

  test.each([
    ['a wrong secret', { username: 'admin', secret: 'wrong' }, { origin: ORIGIN }, 401, /name or the secret is wrong/],
    ['no origin', { username: 'admin', secret: 'x' }, {}, 400, /Origin: "" is not/],
    ['the origin null', { username: 'admin', secret: 'x' }, { origin: 'null' }, 400, /Origin: "null" is not/],
    ['no secret', { username: 'admin' }, { origin: ORIGIN }, 400, /secret: must be a string/],
    ['a name that is no text', { username: {}, secret: 'x' }, { origin: ORIGIN }, 400, /username: must be a string/],
    ['a form', { username: 'a' }, { origin: ORIGIN, 'content-type': 'text/plain' }, 415, /body: /],
    ['too large a body', { username: 'a'.repeat(20_000) }, { origin: ORIGIN }, 413, /body: /],
  ])('is not opened with %s', async (_what, body, headers, status, message) => {
    const response = await send(`${url()}/graphql/session`, body, headers);
    const { errors } = (await response.json()) as { errors: readonly { message: string }[] };
    expect([response.status, response.headers.getSetCookie()]).toEqual([status, []]);
    expect(errors[0]?.message).toMatch(message);
  });

  describe('over a WebSocket', () => {
    const open = (session: Session, origin: string, named: Headers) => {
      const headers = { origin, cookie: session.cookie };
      return createSocketClient({
        url: `${url().replace('http', 'ws')}/graphql`,
        webSocketImpl: class extends WebSocket {
          constructor(address: string, protocol: string) {
            super(address, protocol, { headers });
          }
        },
        retryAttempts: 0,
        connectionParams: named,
      });
    };

    test('counts if connection_init names it, and the page has the same origin', async () => {
      const [session, other] = [await enter(), await enter()];
      const right = open(session, ORIGIN, { [HEADER]: session.id });
      for await (const { data } of right.iterate({ query: WHO }))
        expect(data).toEqual({ viewer: { username: 'admin' } });
      for (const [origin, named] of [
        ['http://evil.console.test:8080', { [HEADER]: session.id }],
        ['null', { [HEADER]: session.id }],
        [ORIGIN, {}],
        [ORIGIN, { [HEADER]: other.id }],
      ] as const)
        await expect(open(session, origin, named).iterate({ query: WHO }).next()).rejects.toMatchObject({ code: 4403 });
    });

    test('its end closes the connection', async () => {
      const session = await enter();
      const client = open(session, ORIGIN, { [HEADER]: session.id });
      const next = client.iterate({ query: 'subscription { resourceChanged { ref } }' }).next();
      const closed = expect(next).rejects.toMatchObject({ code: 4403 });
      // A later operation has its response, so the subscription has begun.
      await client.iterate({ query: '{ viewer { username } }' }).next();
      expect((await end(session)).status).toBe(200);
      await closed;
    });
  });

  test('follows its user: a new role applies at once, and a new secret ends it', async () => {
    const admin = createClient(`${url()}/graphql`, { token: await subject().app.token() });
    const input = { username: 'follower', secret: SECRET, role: 'OPERATOR' } as const;
    const { ref } = (await admin.createUser({ input })).createUser;
    const session = await signIn(url(), 'follower', SECRET);
    const roleNow = async () =>
      (await send(`${url()}/graphql`, { query: '{ viewer { role } }' }, headersOf(session))).json();
    expect(await roleNow()).toEqual({ data: { viewer: { role: 'OPERATOR' } } });
    await admin.setUserRole({ ref, role: 'VIEWER' });
    expect(await roleNow()).toEqual({ data: { viewer: { role: 'VIEWER' } } });
    await admin.setUserSecret({ ref, secret: `${SECRET} again` });
    expect(await ask(headersOf(session))).toBe('UNAUTHENTICATED');
  });

  test('is accepted by every process of the database, unless it serves no console, and logged by none', async () => {
    const session = await enter();
    const lines: string[] = [];
    const log = { write: (line: string) => void lines.push(line) };
    const shared = { DATABASE_URL: subject().url, LOG_LEVEL: 'trace' };
    const second = await startApp({ ...shared, CORS_ORIGINS: 'http://other.test' }, log);
    const without = await startApp({ ...shared, CONSOLE: 'off' }, log);
    const statusAt = async (app: { readonly url: string }) =>
      (await send(`${app.url}/graphql`, { query: WHO }, headersOf(session))).status;
    expect([await statusAt(second), await statusAt(without)]).toEqual([200, 401]);
    expect((await send(`${without.url}/graphql/session`, {}, { origin: ORIGIN })).status).toBe(404);
    // A page of an origin that may use the API gets no response to a request with cookies.
    const preflight = await fetch(`${second.url}/graphql`, {
      method: 'OPTIONS',
      headers: { origin: 'http://other.test', 'access-control-request-method': 'POST' },
    });
    expect(preflight.headers.get('access-control-allow-origin')).toBe('http://other.test');
    expect(preflight.headers.get('access-control-allow-credentials')).toBeNull();
    const fresh = await signIn(second.url, 'admin', subject().app.adminSecret);
    await send(`${second.url}/graphql`, { query: '{ nothing' }, headersOf(fresh));
    await Promise.all([second.close(), without.close()]);
    expect(lines.join('')).toContain('/graphql/session');
    for (const { cookie } of [session, fresh])
      for (const part of cookie.split('=')) expect(lines.join('')).not.toContain(part);
  });
});
