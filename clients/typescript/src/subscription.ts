import { SipgraphError, responseError } from './errors.js';
import type { Result } from './event-stream.js';

/** The operations of a client that a subscription uses. */
export interface Channel {
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
export async function* resumed<T>(
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
