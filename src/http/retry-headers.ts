import { DomainError, RateLimitedError, type Quota } from '../errors';

/** When to retry a failed request, in seconds, and the exceeded quota; empty if a retry does not help. */
export function retryOf(error: unknown): { readonly retryAfter?: number; readonly quota?: Quota } {
  if (!(error instanceof DomainError) || error.retryAfter === undefined) return {};
  const { retryAfter } = error;
  return { retryAfter, ...(error instanceof RateLimitedError && error.quota && { quota: error.quota }) };
}

/**
 * The headers for the result of `retryOf`: Retry-After (RFC 9110, 10.2.3), and the exceeded quota as RateLimit-Policy
 * and RateLimit (draft-ietf-httpapi-ratelimit-headers-11).
 */
export function retryHeaders({ retryAfter, quota }: ReturnType<typeof retryOf>): Readonly<Record<string, string>> {
  if (retryAfter === undefined) return {};
  return {
    'retry-after': String(retryAfter),
    ...(quota && {
      'ratelimit-policy': `"${quota.name}";q=${String(quota.points)};w=${String(quota.seconds)}`,
      ratelimit: `"${quota.name}";r=0;t=${String(retryAfter)}`,
    }),
  };
}
