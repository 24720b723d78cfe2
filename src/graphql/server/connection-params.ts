import { bearerToken } from '../../http/bearer-token';

/**
 * The token in the parameters of `connection_init`: in `{ authorization: "Bearer ..." }`, in any case, or in `{ token:
 * "..." }`.
 */
export function tokenIn(params: Readonly<Record<string, unknown>> | undefined): string | undefined {
  for (const [name, value] of Object.entries(params ?? {})) {
    if (typeof value !== 'string') continue;
    if (name.toLowerCase() === 'authorization') return bearerToken(value);
    if (name === 'token') return value;
  }
  return undefined;
}
