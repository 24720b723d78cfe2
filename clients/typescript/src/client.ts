import { GraphQLClient } from 'graphql-request';

import { SipgraphError, withoutRequest } from './errors.js';
import { getSdk } from './operations.js';
import type { ResourceKind } from './schema-types.js';
import { followEvents, openEventStream } from './subscription.js';

/**
 * A token, or a function that returns one. It is called before the first request, and again when the token is rejected.
 */
export type TokenSource = string | (() => string | Promise<string>);

/** The options of a client. */
export interface ClientOptions {
  /** Without a token, only `createToken` works. */
  readonly token?: TokenSource;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch;
}

/** The options of a call, besides its variables. */
export interface CallOptions {
  /** Aborts the call. The call, or the iteration of a subscription, throws the signal's reason. */
  readonly signal?: AbortSignal;
  /**
   * Makes a retry safe: a call with a key that was used before changes nothing, and returns what the first one did.
   * 1 to 255 visible ASCII characters, such as a UUID. Counts for the creates of resources, such as `createGateway`, for
   * `updateMany…`, `deleteMany…` and `applyChanges`, also in custom documents. The server ignores it for other mutations,
   * such as `createUser`, `createWebhook` and `createApiToken`.
   */
  readonly idempotencyKey?: string;
}

const POSITION = 'sipgraph-after';

type Variables = Readonly<Record<string, unknown>>;

type Methods = ReturnType<typeof getSdk<CallOptions>>;
type OtherMethods = ReturnType<typeof getSdk<Omit<CallOptions, 'idempotencyKey'>>>;
/** The methods for which the server reads the idempotency key. */
type Keyed = keyof Methods & (`create${ResourceKind}` | `updateMany${string}` | `deleteMany${string}` | 'applyChanges');

/** A method for each field of the schema, with the same name, and two methods for custom documents. */
export interface Client extends Pick<Methods, Keyed>, Omit<OtherMethods, Keyed> {
  /** Runs a custom query or mutation. */
  request<T>(document: string, variables?: Variables, options?: CallOptions): Promise<T>;
  /**
   * Runs a custom subscription. It resumes after a lost connection if it has the variable `$since` and selects
   * `cursor`.
   */
  subscribe<T>(document: string, variables?: Variables, options?: CallOptions): AsyncIterable<T>;
}

/** Creates a client. `url` is the server's /graphql; in a browser, it may be relative. Calls throw SipgraphError. */
export function createClient(
  url: string,
  { token, fetch = globalThis.fetch.bind(globalThis) }: ClientOptions = {},
): Client {
  const endpoint = new URL(url, (globalThis as { location?: { href: string } }).location?.href).href;
  // The position of the last write, which a server with replicas sends, so that later reads see the write.
  let position: string | undefined;
  const fetchAndRemember: typeof fetch = async (...args) => {
    const response = await fetch(...args);
    position = response.headers.get(POSITION) ?? position;
    return response;
  };
  const transport = new GraphQLClient(endpoint, { fetch: fetchAndRemember, excludeOperationName: true });
  const tokens = new Tokens(token);

  async function request<T>(
    document: string,
    variables?: Variables,
    { signal, idempotencyKey }: CallOptions = {},
  ): Promise<T> {
    const send = async (authorization: string | undefined): Promise<T> => {
      try {
        return await transport.request<T>({
          document,
          ...(variables && { variables }),
          ...(signal && { signal }),
          requestHeaders: {
            accept: 'application/json',
            ...(authorization !== undefined && { authorization: `Bearer ${authorization}` }),
            ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
            ...(position !== undefined && { [POSITION]: position }),
          },
        });
      } catch (error) {
        throw withoutRequest(error, signal);
      }
    };
    const current = await tokens.get();
    try {
      return await send(current);
    } catch (error) {
      // Safe to retry: a request whose token is rejected is not executed.
      if (!isTokenRefused(error) || !(await tokens.drop(current))) throw error;
      return send(await tokens.get());
    }
  }

  function subscribe<T>(document: string, variables: Variables = {}, { signal }: CallOptions = {}): AsyncIterable<T> {
    const { since } = variables;
    let used: string | undefined;
    return followEvents<T>(
      {
        cursor: async () => (await sdk.changeCursor({}, signal && { signal })).changeCursor,
        open: async (after) => {
          used = await tokens.get();
          const operation = {
            query: document,
            variables: { ...variables, ...(after !== undefined && { since: after }) },
          };
          return openEventStream(endpoint, operation, { fetch, token: used, signal });
        },
        renew: () => tokens.drop(used),
      },
      typeof since === 'string' ? since : undefined,
      /\$since\b/.test(document) && /\bcursor\b/.test(document),
      signal,
    );
  }

  // The generated documents are String objects.
  const sdk = getSdk<CallOptions>(<R>(document: unknown, variables?: unknown, options?: CallOptions) => {
    const [text, values] = [String(document), variables as Variables | undefined]; // generated operations pass an object
    return /^\s*subscription\b/.test(text) ? subscribe<R>(text, values, options) : request<R>(text, values, options);
  });
  return { ...sdk, request, subscribe };
}

/** Returns a token source that signs in with a name and secret, and signs in again when the token is rejected. */
export function signIn(
  url: string,
  username: string,
  secret: string,
  options: Pick<ClientOptions, 'fetch'> = {},
): () => Promise<string> {
  const client = createClient(url, options);
  return async () => (await client.createToken({ username, secret })).createToken.token;
}

/** Whether the token was rejected, and not the name and secret of a sign-in. */
function isTokenRefused(error: unknown): boolean {
  if (!(error instanceof SipgraphError) || error.code !== 'UNAUTHENTICATED') return false;
  return !error.errors.some(({ path }) => path?.[0] === 'createToken');
}

/** The current token of a client, shared by all of its requests. */
class Tokens {
  private current: Promise<string> | undefined;

  constructor(private readonly source: TokenSource | undefined) {}

  async get(): Promise<string | undefined> {
    const { source } = this;
    if (typeof source !== 'function') return source;
    this.current ??= Promise.resolve(source());
    try {
      return await this.current;
    } catch (error) {
      // The next request tries again.
      this.current = undefined;
      throw error;
    }
  }

  /** Discards a token that the server rejected. Returns false if no other token can be obtained. */
  async drop(refused: string | undefined): Promise<boolean> {
    if (typeof this.source !== 'function') return false;
    // Another request may already have replaced it.
    if ((await this.current?.catch(() => undefined)) === refused) this.current = undefined;
    return true;
  }
}
