import { SipgraphError, badResponse, networkError, responseError, type ErrorDetail } from './errors.js';

/** One result of a subscription. */
export interface Result {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly ErrorDetail[];
}

interface StreamOptions {
  readonly fetch: typeof fetch;
  readonly token: string | undefined;
  readonly signal: AbortSignal | undefined;
}

// Milliseconds without data after which the connection is dead: the server sends a comment every 12 s.
const IDLE_TIMEOUT = 30_000;

/**
 * The results of a subscription, as server-sent events (graphql-sse protocol, distinct connections mode). Reads the
 * next event when the previous one has been consumed. Throws SipgraphError if the connection is lost.
 */
export async function* eventStream(
  url: string,
  operation: object,
  { fetch, token, signal }: StreamOptions,
): AsyncGenerator<Result, void> {
  const closing = new AbortController();
  const reader = await opened().catch((error: unknown) => {
    throw networkErrorOf(error);
  });
  try {
    const decoder = new TextDecoder();
    let rest = '';
    for (;;) {
      const bytes = await readWithin(IDLE_TIMEOUT);
      if (bytes === undefined) throw networkError(new Error('the stream ended early'));
      const events = (rest + decoder.decode(bytes, { stream: true })).split(/\r?\n\r?\n/);
      rest = events.pop() ?? '';
      for (const event of events) {
        if (/^event: *complete$/m.test(event)) return;
        const data = /^data: *(.+)$/m.exec(event)?.[1];
        if (data !== undefined) yield JSON.parse(data) as Result;
      }
    }
  } finally {
    closing.abort();
  }

  async function opened(): Promise<ReadableStreamDefaultReader<Uint8Array>> {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        accept: 'text/event-stream',
        'content-type': 'application/json',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(operation),
      signal: signal ? AbortSignal.any([signal, closing.signal]) : closing.signal,
    });
    const { body, headers, status } = response;
    if (body && headers.get('content-type')?.startsWith('text/event-stream') === true) {
      return body.getReader();
    }
    const { errors } = (await response.json().catch(() => ({}))) as Result;
    throw errors ? responseError(errors, status) : badResponse(status);
  }

  async function readWithin(milliseconds: number): Promise<Uint8Array | undefined> {
    const timer = setTimeout(() => closing.abort(new Error('no data for 30 s')), milliseconds);
    try {
      return (await reader.read()).value;
    } catch (error) {
      throw networkErrorOf(error);
    } finally {
      clearTimeout(timer);
    }
  }

  function networkErrorOf(error: unknown): unknown {
    return signal?.aborted === true || error instanceof SipgraphError ? error : networkError(error);
  }
}
