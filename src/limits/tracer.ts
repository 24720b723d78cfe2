import type { IncomingHttpHeaders } from 'node:http';

/** The span of traced work that sends statements: a request, its operation or a transaction. */
export interface Span {
  /** Runs a statement, or a transaction, in a span below this one. `name` must not contain values. */
  statement<T>(name: string, work: (span: Span) => Promise<T> | T): Promise<T>;
}

/** The span of a request that is traced. It goes with the request, so requests that are not traced pay nothing. */
export interface RequestSpan extends Span {
  /** Runs the operation of the request in a span below this one. Statements are below the operation from then on. */
  operation<T>(name: string, work: () => Promise<T>): Promise<T>;
  end(status: number): void;
}

/** Records what a request does, for a few requests. No span contains a value from a request or a database. */
export interface Tracer {
  /** Starts the span of a request; undefined if the request is not traced. `route` is the pattern of its path. */
  request(method: string, route: string, headers: IncomingHttpHeaders): RequestSpan | undefined;
  /** Sends the spans that are left, and stops. */
  close(): Promise<void>;
}
