declare module 'autocannon' {
  import type { EventEmitter } from 'node:events';

  function autocannon(options: autocannon.Options): EventEmitter & PromiseLike<autocannon.Result>;

  namespace autocannon {
    /** One request of a connection's list. */
    interface Request {
      readonly method: string;
      readonly path: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly body?: string;
    }

    /** One connection. */
    interface Client {
      setRequests(requests: readonly Request[]): void;
    }

    /** The options that the benchmark uses. */
    interface Options {
      readonly url: string;
      readonly connections: number;
      readonly amount: number;
      /** Milliseconds between looks at whether all is answered. */
      readonly sampleInt: number;
      readonly setupClient: (client: Client) => void;
    }

    /** What came of it. */
    interface Result {
      readonly '2xx': number;
      readonly errors: number;
      readonly statusCodeStats: Readonly<Record<string, { readonly count: number }>>;
    }
  }

  export = autocannon;
}
