import { SipgraphError, responseError } from './errors.js';
import type { Result } from './event-stream.js';

/** What a subscription needs of its client. */
export interface Channel {
  /** Where the changes stand now. */
  readonly cursor: () => Promise<string>;
  /** Opens the subscription behind `since`. */
  readonly open: (since: string | undefined) => Promise<AsyncIterable<Result>>;
  /** Whether there may be another token in place of the one that was refused. */
  readonly renew: () => Promise<boolean>;
}

const PASSING = ['NETWORK_ERROR', 'UNAVAILABLE', 'RATE_LIMITED'];
// Milliseconds.
const [FIRST_PAUSE, LONGEST_PAUSE] = [250, 15_000];

/**
 * The events of a subscription, each once and in order. When the connection breaks, the server restarts or the token ends,
 * it goes on behind the last event. `isResumable`: the document takes `$since` and asks for `cursor`.
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
      // So that nothing is lost when the connection breaks before the first event.
      if (isResumable) since ??= await cursor();
      for await (const { data, errors } of await open(since)) {
        if (errors) throw responseError(errors);
        failures = 0;
        const at = cursorIn(data);
        if (at !== undefined && at === since) continue;
        since = at ?? since;
        yield data as T; // the type that the document was generated with
      }
      return;
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof SipgraphError)) throw error;
      const { code, status = 0 } = error;
      if (code === 'UNAUTHENTICATED') {
        // A new token that is refused at once is refused for good.
        const isNew = failures > 0 && Date.now() - openedAt < FIRST_PAUSE;
        if (isNew || !(await renew())) throw error;
      } else if (!PASSING.includes(code) && !(code === 'BAD_RESPONSE' && status >= 500)) throw error;
    }
    await pause(Math.min(FIRST_PAUSE * 2 ** failures, LONGEST_PAUSE) * (0.5 + Math.random() / 2), signal);
  }
}

/** The cursor of an event: in the one root field of a subscription. */
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
