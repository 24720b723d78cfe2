import { createApp, type AppOptions } from '../../src/app/app';
import { loadConfig } from '../../src/config/config';
import { createLogger } from '../../src/log';
import { isFull } from './runner/full';
import { closeAtTheLatest } from './runner/leftovers';
import { fillWithMigrated } from './databases/migrated';
import { createSqliteDatabase } from './databases/sqlite-database';

/** The part of the REST envelope that tests read. `Data` is the type of `data` or `result`. */
export interface Envelope<Data> {
  readonly status: string | number;
  readonly message: string;
  readonly data: Data;
  readonly result: Data;
  readonly meta: Readonly<Record<string, number>>;
}

/** A response over HTTP. */
export interface RestReply<Data> {
  readonly status: number;
  readonly headers: Headers;
  /** The body, parsed as JSON. Its type is not checked here; the expectations of the test check it. */
  readonly body: Envelope<Data>;
  readonly text: string;
}

/** A GraphQL response, with its HTTP status. */
export interface GraphqlReply<Data> {
  readonly status: number;
  readonly headers: Headers;
  readonly data: Data;
  readonly errors: readonly GraphqlError[] | undefined;
}

/** An entry of `errors`. */
export interface GraphqlError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions: Readonly<Record<string, unknown>>;
}

/** The token of a request: the token of the admin if undefined, none if null. */
interface Caller {
  readonly token?: string | null | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The options of a REST request. A body that is not a string is sent as JSON. */
export interface RestOptions extends Caller {
  readonly body?: unknown;
}

/** The application of a test file, and functions that send requests to it. */
export interface TestApp {
  readonly url: string;
  readonly adminSecret: string;
  readonly close: () => Promise<void>;
  /** The admin's token. */
  readonly token: () => Promise<string>;
  /** Sends a request below /api/v1beta1, with the token in the query, as legacy clients do. */
  readonly rest: <Data = unknown>(method: string, path: string, options?: RestOptions) => Promise<RestReply<Data>>;
  readonly graphql: <Data = unknown>(
    query: string,
    variables?: Readonly<Record<string, unknown>>,
    caller?: Caller,
  ) => Promise<GraphqlReply<Data>>;
}

interface StartOptions extends Pick<AppOptions, 'kinds' | 'timings'> {
  /** Whether the application itself migrates an empty database. By default, it starts with a migrated one. */
  readonly migrates?: boolean;
}

const ADMIN_SECRET = 'the-admin-secret-of-the-tests';

// Of the test file: each one loads this module again.
let timingsOfFile: AppOptions['timings'] = {};

/** Sets times of all applications that this test file starts, so that its tests wait less. A full run waits. */
export function useTimings(timings: NonNullable<AppOptions['timings']>): void {
  if (!isFull) timingsOfFile = timings;
}

/** Starts the application on a free port, by default on a new SQLite database. */
export async function startApp(
  env: Readonly<Record<string, string>> = {},
  /** The destination of the log. */
  log?: { write(line: string): void },
  { kinds, timings, migrates = false }: StartOptions = {},
): Promise<TestApp> {
  const own = env['DATABASE_URL'] === undefined ? await createSqliteDatabase() : undefined;
  if (own) closeAtTheLatest(own.drop);
  if (!migrates && env['MIGRATE'] !== 'off') await fillWithMigrated(own?.url ?? env['DATABASE_URL'] ?? '');
  const config = loadConfig({
    PORT: '0',
    ADMIN_SECRET,
    LOG_LEVEL: 'silent',
    SAMPLE_DATA: 'false',
    DRAIN: '0s',
    // One user sends all requests of a test file without pause, so budgets are off unless a test sets them.
    ...(!Object.keys(env).some((name) => /^RATE_LIMIT|_PER_USER$/.test(name)) && { RATE_LIMIT: 'off' }),
    ...(own && { DATABASE_URL: own.url }),
    ...env,
  });
  const app = await createApp(config, {
    log: log && createLogger(config, log),
    ...(kinds && { kinds }),
    // Without leases, so that the number of statements of a request does not depend on the time of the last one. Texts of
    // the metrics are not shared, because many tests wait for a new one.
    timings: { accountLease: 0, metricsShared: 0, ...timingsOfFile, ...timings },
  });
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
            ...caller.headers,
          },
          body: JSON.stringify({ query, variables }),
        }),
      );
    },
    close,
  };
}

/** Signs in and returns the token. */
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
  // The expectations of the tests check the body.
  const body = (isJson ? JSON.parse(text) : {}) as Envelope<Data>;
  return { status: response.status, headers: response.headers, body, text };
}

async function graphqlReply<Data>(response: Response): Promise<GraphqlReply<Data>> {
  // The expectations of the tests check the response.
  const { data, errors } = (await response.json()) as Pick<GraphqlReply<Data>, 'data' | 'errors'>;
  return { status: response.status, headers: response.headers, data, errors };
}
