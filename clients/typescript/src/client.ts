import { GraphQLClient } from 'graphql-request';

import { SipgraphError, withoutRequest } from './errors.js';
import { eventStream } from './event-stream.js';
import { getSdk } from './operations.js';
import { resumed } from './subscription.js';
import { Tokens, type TokenSource } from './tokens.js';

/** How a client reaches its server. */
export interface ClientOptions {
  /** Without one, only `createToken` works. */
  readonly token?: TokenSource;
  /** In place of the platform's. */
  readonly fetch?: typeof fetch;
}

/** What each call takes besides its variables. */
export interface CallOptions {
  /** Ends the call; a subscription's iteration then throws the signal's reason. */
  readonly signal?: AbortSignal;
}

type Variables = Readonly<Record<string, unknown>>;

/** A method for each operation, named as the field of the schema, and two for documents of your own. */
export interface Client extends ReturnType<typeof getSdk<CallOptions>> {
  /** Runs a query or mutation of your own. */
  request<T>(document: string, variables?: Variables, options?: CallOptions): Promise<T>;
  /** Runs a subscription of your own. With `$since` and `cursor` in it, it goes on where it broke off. */
  subscribe<T>(document: string, variables?: Variables, options?: CallOptions): AsyncIterable<T>;
}

/** A client of the sipgraph whose /graphql is at `url`; in a browser, the URL may be relative. Calls throw SipgraphError. */
export function createClient(
  url: string,
  { token, fetch = globalThis.fetch.bind(globalThis) }: ClientOptions = {},
): Client {
  const endpoint = new URL(url, (globalThis as { location?: { href: string } }).location?.href).href;
  const transport = new GraphQLClient(endpoint, { fetch, excludeOperationName: true });
  const tokens = new Tokens(token);

  async function request<T>(document: string, variables?: Variables, { signal }: CallOptions = {}): Promise<T> {
    const send = async (authorization: string | undefined): Promise<T> => {
      try {
        return await transport.request<T>({
          document,
          ...(variables && { variables }),
          ...(signal && { signal }),
          requestHeaders: {
            accept: 'application/json',
            ...(authorization !== undefined && { authorization: `Bearer ${authorization}` }),
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
      // A request whose token is refused has done nothing, so that it may be sent again.
      if (!isTokenRefused(error) || !(await tokens.drop(current))) throw error;
      return send(await tokens.get());
    }
  }

  function subscribe<T>(document: string, variables: Variables = {}, { signal }: CallOptions = {}): AsyncIterable<T> {
    const { since } = variables;
    let used: string | undefined;
    return resumed<T>(
      {
        cursor: async () => (await sdk.changeCursor({}, signal && { signal })).changeCursor,
        open: async (behind) => {
          used = await tokens.get();
          const operation = {
            query: document,
            variables: { ...variables, ...(behind !== undefined && { since: behind }) },
          };
          return eventStream(endpoint, operation, { fetch, token: used, signal });
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
    const [text, values] = [String(document), variables as Variables | undefined]; // an operation's are an object
    return /^\s*subscription\b/.test(text) ? subscribe<R>(text, values, options) : request<R>(text, values, options);
  });
  return { ...sdk, request, subscribe };
}

/** A token, and not the name and secret that are to give one. */
function isTokenRefused(error: unknown): boolean {
  if (!(error instanceof SipgraphError) || error.code !== 'UNAUTHENTICATED') return false;
  return !error.errors.some(({ path }) => path?.[0] === 'createToken');
}
