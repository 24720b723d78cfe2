import { createApp, type AppOptions } from '../../src/app';
import { loadConfig } from '../../src/config/config';
import { createLogger } from '../../src/log';
import { createSqliteDatabase } from './databases';
import { closeAtTheLatest } from './leftovers';

/** The part of the REST envelope that a test looks into; `Data` is what stands in `data` or `result`. */
export interface Envelope<Data> {
  readonly status: string | number;
  readonly message: string;
  readonly data: Data;
  readonly result: Data;
  readonly meta: Readonly<Record<string, number>>;
}

/** What came back over HTTP. */
export interface RestReply<Data> {
  readonly status: number;
  readonly headers: Headers;
  /** The body read as JSON; the envelope is a promise that tests hold the server to, not a check. */
  readonly body: Envelope<Data>;
  readonly text: string;
}

/** A GraphQL answer, with the HTTP status that it came with. */
export interface GraphqlReply<Data> {
  readonly status: number;
  readonly headers: Headers;
  readonly data: Data;
  readonly errors: readonly GraphqlError[] | undefined;
}

/** One entry of `errors`. */
export interface GraphqlError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions: Readonly<Record<string, unknown>>;
}

/** Whose token goes with a request: the admin's when absent, none when null. */
interface Caller {
  readonly token?: string | null | undefined;
}

/** What a REST request can carry; a body that is not a string is sent as JSON. */
export interface RestOptions extends Caller {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The real application of one test file, and the ways to talk to it. */
export interface TestApp {
  readonly url: string;
  readonly adminSecret: string;
  readonly close: () => Promise<void>;
  /** The admin's token. */
  readonly token: () => Promise<string>;
  /** A request under /api/v1beta1; the token goes into the query, as legacy clients send it. */
  readonly rest: <Data = unknown>(method: string, path: string, options?: RestOptions) => Promise<RestReply<Data>>;
  readonly graphql: <Data = unknown>(
    query: string,
    variables?: Readonly<Record<string, unknown>>,
    caller?: Caller,
  ) => Promise<GraphqlReply<Data>>;
}

const ADMIN_SECRET = 'the-admin-secret-of-the-tests';

/** Starts the application on a free port, on a new SQLite database unless DATABASE_URL names another. */
export async function startApp(
  env: Readonly<Record<string, string>> = {},
  /** Where the log goes. */
  log?: { write(line: string): void },
  options: Pick<AppOptions, 'kinds'> = {},
): Promise<TestApp> {
  const own = env['DATABASE_URL'] === undefined ? await createSqliteDatabase() : undefined;
  if (own) closeAtTheLatest(own.drop);
  const config = loadConfig({
    PORT: '0',
    ADMIN_SECRET,
    LOG_LEVEL: 'silent',
    SAMPLE_DATA: 'false',
    // One user sends all requests of a test file, as fast as it can; tests of budgets set their own.
    ...(!Object.keys(env).some((name) => /^RATE_LIMIT|_PER_USER$/.test(name)) && { RATE_LIMIT: 'off' }),
    ...(own && { DATABASE_URL: own.url }),
    ...env,
  });
  const app = await createApp(config, { log: log && createLogger(config, log), ...options });
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= app.close().then(own?.drop));
  closeAtTheLatest(close);
  const url = await app.listen();
  const adminSecret = env['ADMIN_SECRET'] ?? ADMIN_SECRET;

  let adminToken: Promise<string> | undefined;
  const token = (): Promise<string> => (adminToken ??= fetchToken(url, 'admin', adminSecret));
  const tokenOf = async (caller: Caller): Promise<string | null> =>
    caller.token === undefined ? token() : caller.token;

  return {
    url,
    adminSecret,
    token,
    rest: async (method, path, options = {}) => {
      const query = await tokenOf(options);
      const separator = path.includes('?') ? '&' : '?';
      const target = query === null ? path : `${path}${separator}token=${query}`;
      const { body, headers } = options;
      return restReply(
        await fetch(`${url}/api/v1beta1${target}`, {
          method,
          headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
          ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        }),
      );
    },
    graphql: async (query, variables = {}, caller = {}) => {
      const bearer = await tokenOf(caller);
      return graphqlReply(
        await fetch(`${url}/graphql`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            ...(bearer !== null && { authorization: `Bearer ${bearer}` }),
          },
          body: JSON.stringify({ query, variables }),
        }),
      );
    },
    close,
  };
}

/** A user's token, by name and secret. */
export async function fetchToken(url: string, username: string, secret: string): Promise<string> {
  const basic = Buffer.from(`${username}:${secret}`).toString('base64');
  const response = await fetch(`${url}/api/v1beta1/token`, { headers: { authorization: `Basic ${basic}` } });
  const { status, body, text } = await restReply<string>(response);
  if (status !== 200) throw new Error(`No token for ${username}: ${text}`);
  return body.data;
}

async function restReply<Data>(response: Response): Promise<RestReply<Data>> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') === true && text !== '';
  // Tests say what they expect in the body; a wrong shape fails their expectations.
  const body = (isJson ? JSON.parse(text) : {}) as Envelope<Data>;
  return { status: response.status, headers: response.headers, body, text };
}

async function graphqlReply<Data>(response: Response): Promise<GraphqlReply<Data>> {
  // As above: the expectations of the test are the check.
  const { data, errors } = (await response.json()) as Pick<GraphqlReply<Data>, 'data' | 'errors'>;
  return { status: response.status, headers: response.headers, data, errors };
}
