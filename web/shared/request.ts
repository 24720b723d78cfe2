/** What the server responds to an operation. */
export interface Answer<Data = unknown> {
  readonly data?: Data | null;
  readonly errors?: readonly ReportedError[];
}

/** An error of the graph, as the server reported it. */
export interface ReportedError {
  readonly message: string;
  readonly extensions?: {
    readonly code?: string;
    readonly fields?: readonly string[];
    /** What is wrong with each field, or with each change of a set. */
    readonly errors?: readonly { readonly path: string; readonly message: string }[];
    readonly retryAfter?: number;
    /** Whether the query itself took too long. */
    readonly timedOut?: boolean;
    /** When a resource was last changed, and what was changed since the caller has read it. */
    readonly modifiedOn?: string;
    readonly changes?: readonly ReportedChange[];
  };
}

/** A field that was changed since a resource was read. */
export interface ReportedChange {
  readonly field: string;
  readonly now: string | null;
  readonly isSecret: boolean;
  /** The name of who made the last change of the field; null if it is not known. */
  readonly by: string | null;
  readonly at: string;
}

/** The server cannot be reached, or a proxy responded instead of it. The message tells the user why. */
export class UnreachableError extends Error {
  /** `response`: what responded instead of the server, if anything did. It is neither JSON nor an event stream. */
  constructor(response?: Response) {
    super(response ? explainProxy(response.status) : explainSilence());
  }
}

/** Sends an operation once. Throws an UnreachableError, or the reason of the signal if it is aborted. */
export async function post<Data>(
  url: string,
  operation: object,
  headers: Readonly<Record<string, string>> = {},
  signal?: AbortSignal,
): Promise<Answer<Data>> {
  const onLost = (error: unknown): never => {
    throw signal?.aborted === true ? error : new UnreachableError();
  };
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(operation),
    signal: signal ?? null,
  }).catch(onLost);
  if (response.headers.get('content-type')?.includes('json') !== true) throw new UnreachableError(response);
  return response.json().catch(onLost) as Promise<Answer<Data>>; // the format of GraphQL over HTTP
}

function explainSilence(): string {
  return `The server at ${location.origin} cannot be reached. Check that sipgraph is running and that you are online.`;
}

function explainProxy(status: number): string {
  const isGateway = status >= 502 && status <= 504;
  const why = isGateway ? 'sipgraph may be down or still starting' : 'check the proxies between this page and sipgraph';
  return `A proxy responded instead of sipgraph, with status ${String(status)}: ${why}.`;
}
