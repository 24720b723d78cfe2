import type { Channel } from '../changes/actor';
import { ForbiddenError, RateLimitedError } from '../errors';
import type { RequestSpan } from '../limits/tracer';
import { namesOf, type Viewer } from './role';
import type { Origin, SecurityEvents } from './security-events';

/** The sender of a request. */
export interface Caller extends Origin {
  readonly token: string | undefined;
  readonly channel: Channel;
  /** The User-Agent header. */
  readonly userAgent?: string | undefined;
  /** Undefined if the request is not traced. */
  readonly span?: RequestSpan | undefined;
}

/** Runs `work` and logs a refusal by role or budget as a security event. */
export function audit<T>(
  events: SecurityEvents,
  { address, requestId }: Caller,
  viewer: Viewer | undefined,
  work: () => T,
): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof ForbiddenError || error instanceof RateLimitedError) {
      const event = error instanceof ForbiddenError ? 'refused-by-role' : 'refused-by-budget';
      events.logRefusal(event, { ...(viewer && namesOf(viewer)), address, requestId, reason: error.message });
    }
    throw error;
  }
}
