import type { IncomingHttpHeaders } from 'node:http';

/** A request that is traced. */
export interface RequestSpan {
  /** Runs `work`, and what it starts, as part of the request. */
  within(work: () => void): void;
  end(status: number): void;
}

/** Records what a request does, for a few requests. No span contains a value from a request or a database. */
export interface Tracer {
  /** Starts the span of a request; undefined if the request is not traced. `route` is the pattern of its path. */
  request(method: string, route: string, headers: IncomingHttpHeaders): RequestSpan | undefined;
  /** Runs `work` in a span of the current request. Outside of a traced request, only runs `work`. */
  span<T>(kind: 'operation' | 'statement', name: () => string, work: () => Promise<T> | T): Promise<T>;
  /** Sends the spans that are left, and stops. */
  close(): Promise<void>;
}
