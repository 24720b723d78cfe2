import { SipgraphError, badResponse, networkError, responseError, type ErrorDetail } from './errors.js';

/** One result of a subscription. */
interface Result {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly ErrorDetail[];
}

/** The operations of a client that a subscription uses. */
interface Channel {
  /** Returns the current cursor. */
  readonly cursor: () => Promise<string>;
  /** Opens the subscription after the cursor `since`. */
  readonly open: (since: string | undefined) => Promise<AsyncIterable<Result>>;
  /** Discards the rejected token. Returns whether another one can be obtained. */
  readonly renew: () => Promise<boolean>;
}

const RETRIED = ['NETWORK_ERROR', 'UNAVAILABLE', 'RATE_LIMITED'];
// Milliseconds.
const [FIRST_PAUSE, LONGEST_PAUSE] = [250, 15_000];

/**
 * The events of a subscription, each once and in order. After a lost connection, a restart of the server or the expiry
 * of the token, it resumes after the last event. `isResumable`: whether the document has the variable `$since` and
 * selects `cursor`.
 */
export async function* followEvents<T>(
  { cursor, open, renew }: Channel,
  from: string | undefined,
  isResumable: boolean,
  signal: AbortSignal | undefined,
): AsyncGenerator<T, void> {
  let since = from;
  for (let failures = 0; ; failures++) {
    const openedAt = Date.now();
    try {
      // Start with a cursor, so that nothing is missed if the connection is lost before the first event.
      if (isResumable) since ??= await cursor();
      for await (const { data, errors } of await open(since)) {
        if (errors) throw responseError(errors);
        failures = 0;
        const at = cursorIn(data);
        if (at !== undefined && at === since) continue;
        since = at ?? since;
        yield data as T; // the type generated for the document
      }
      return;
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof SipgraphError)) throw error;
      const { code, status = 0 } = error;
      if (code === 'UNAUTHENTICATED') {
        // If a new token is rejected at once, another one will be, too.
        const isNew = failures > 0 && Date.now() - openedAt < FIRST_PAUSE;
        if (isNew || !(await renew())) throw error;
      } else if (!RETRIED.includes(code) && !(code === 'BAD_RESPONSE' && status >= 500)) throw error;
    }
    await pause(Math.min(FIRST_PAUSE * 2 ** failures, LONGEST_PAUSE) * (0.5 + Math.random() / 2), signal);
  }
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
export async function* openEventStream(
  url: string,
  operation: object,
  { fetch, token, signal }: StreamOptions,
): AsyncGenerator<Result, void> {
  const closing = new AbortController();
  const reader = await open().catch((error: unknown) => {
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

  async function open(): Promise<ReadableStreamDefaultReader<Uint8Array>> {
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

/** The cursor of an event. A subscription has only one root field. */
function cursorIn(data: Result['data']): string | undefined {
  const [event] = Object.values(data ?? {}) as readonly ({ readonly cursor?: unknown } | null)[];
  return typeof event?.cursor === 'string' ? event.cursor : undefined;
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(done, milliseconds);
    signal?.addEventListener('abort', done);
    function done(): void {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      if (signal?.aborted === true) reject(signal.reason as Error);
      else resolve();
    }
  });
}
