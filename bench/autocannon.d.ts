declare module 'autocannon' {
  import type { EventEmitter } from 'node:events';

  function autocannon(options: autocannon.Options): autocannon.Run;

  namespace autocannon {
    interface Run extends EventEmitter, PromiseLike<Result> {
      on(event: 'start', listener: () => void): this;
      /** `time`: milliseconds from the request until the response was read. */
      on(event: 'response', listener: (client: Client, status: number, bytes: number, time: number) => void): this;
    }

    /** A request of a connection. */
    interface Request {
      readonly method: string;
      readonly path: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly body?: string;
    }

    /** A connection. */
    interface Client {
      setRequests(requests: readonly Request[]): void;
    }

    /** The options that the benchmark uses. */
    interface Options {
      readonly url: string;
      readonly connections: number;
      readonly amount: number;
      /** Milliseconds between checks whether all responses have arrived. */
      readonly sampleInt: number;
      readonly setupClient: (client: Client) => void;
    }

    /** The result of a run. */
    interface Result {
      readonly '2xx': number;
      readonly errors: number;
      readonly statusCodeStats: Readonly<Record<string, { readonly count: number }>>;
    }
  }

  export = autocannon;
}
