import { createClient as createSocketClient, type Client } from 'graphql-ws';
import { createClient as createStreamClient } from 'graphql-sse';
import WebSocket from 'ws';

import { eventually } from './eventually';
import { metric } from './metrics';

/** A result of a subscription: data, or errors. */
export interface Told {
  readonly data?: Readonly<Record<string, unknown>> | null | undefined;
  readonly errors?:
    | readonly { readonly message: string; readonly extensions?: Readonly<Record<string, unknown>> | undefined }[]
    | undefined;
}

/** An open subscription. */
export interface Subscription {
  /** The next result. Fails if there is none within some seconds. */
  readonly next: (seconds?: number) => Promise<Told>;
  /** All results that `next` has not returned. */
  readonly heard: Told[];
  /** Whether the subscription has ended. */
  readonly over: () => boolean;
  readonly close: () => Promise<void>;
}

/** A way to subscribe: over WebSockets or as an event stream. */
export interface Transport {
  readonly name: string;
  readonly subscribe: (
    url: string,
    token: string | undefined,
    query: string,
    variables?: object,
    /** How often the client reconnects after a lost connection. */
    retryAttempts?: number,
  ) => Promise<Subscription>;
}

export const transports: readonly [Transport, Transport] = [
  {
    name: 'graphql-ws',
    subscribe: async (url, token, query, variables = {}, retryAttempts = 0) => {
      const client = socketClient(url, token, retryAttempts);
      return listening(
        url,
        token,
        () => client.iterate({ query, variables: { ...variables } }),
        () => client.dispose(),
      );
    },
  },
  {
    name: 'graphql-sse',
    subscribe: (url, token, query, variables = {}, retryAttempts = 0) => {
      const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const client = createStreamClient({ url: `${url}/graphql`, headers, retryAttempts });
      return listening(
        url,
        token,
        () => client.iterate({ query, variables: { ...variables } }),
        () => client.dispose(),
      );
    },
  },
];

/** Both transports on one database, and one on the others, because the code behind them is the same. */
export function transportsOn(database: string): readonly Transport[] {
  return database === 'SQLite' ? transports : transports.slice(0, 1);
}

/** A client of graphql-ws. */
export function socketClient(url: string, token: string | undefined, retryAttempts = 0): Client {
  return createSocketClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts,
    connectionParams: token === undefined ? {} : { authorization: `Bearer ${token}` },
  });
}

/**
 * Subscribes, and waits until the server has accepted the subscription. The protocols do not report this, so it reads
 * the number of subscribers.
 */
async function listening(
  url: string,
  token = '',
  begin: () => AsyncIterableIterator<Told>,
  dispose: () => unknown,
): Promise<Subscription> {
  // A rejected token opens no subscription.
  const open = (): Promise<number> => metric(url, token, 'sipgraph_subscribers').catch(() => 0);
  const heard: Told[] = [];
  let waiter: ((told: Told) => void) | undefined;
  let over = false;
  const hear = (told: Told): void => {
    if (waiter) waiter(told);
    else heard.push(told);
  };
  const before = await open();
  const source = begin();
  void (async () => {
    try {
      for await (const told of source) hear(told);
    } catch (error) {
      hear({ errors: [{ message: reasonOf(error) }] });
    } finally {
      over = true;
    }
  })();
  const taken = async (): Promise<boolean> => heard.length > 0 || over || (await open()) > before;
  await eventually(60, async () => expect(await taken()).toBe(true), 10);
  return {
    heard,
    over: () => over,
    next: (seconds = 15) => {
      const known = heard.shift();
      if (known) return Promise.resolve(known);
      const silence = new Error(`The subscription had no result within ${String(seconds)} s`); // created here, so that its stack names the test
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiter = undefined;
          reject(silence);
        }, seconds * 1000);
        waiter = (told) => {
          waiter = undefined;
          clearTimeout(timer);
          resolve(told);
        };
      });
    },
    close: async () => {
      const last = over ? Infinity : Math.max(await open(), 1);
      await dispose();
      await eventually(5, async () => expect(await open()).toBeLessThan(last), 10);
    },
  };
}

/** The reason of an error, or of the close of a socket. */
function reasonOf(error: unknown): string {
  if (error instanceof Error) return error.message;
  if (typeof error === 'object' && error !== null && 'reason' in error) return String(error.reason);
  return JSON.stringify(error);
}
