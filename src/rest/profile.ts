import { DomainError } from '../errors';

/**
 * The clients for which responses are written. `spec` follows docs/rest-contract.md exactly. `routr1` deviates where
 * Routr v1's clients, `rctl` and the web console, require it (docs/legacy-clients.md, "Profiles").
 */
export type Profile = 'spec' | 'routr1';

/** The options on which the response to a failure depends: the configured profile, and the route. */
export interface FailureContext {
  readonly profile: Profile;
  /** Whether `status` is a number in the body. */
  readonly numericStatus: boolean;
  /** Whether the response is a bare token. Clients then treat any response except 401 and 500 as a token. */
  readonly bare?: boolean;
  /** Whether the request body is the document of a resource. */
  readonly document?: boolean;
}

/**
 * The statuses that `rctl` and the web console handle. Any other status makes them fail. 4091 is kept
 * (docs/rest-contract.md, section 4.3, rule 1), because these clients read only the HTTP status, which is 409.
 */
const ROUTR1_STATUSES: readonly number[] = [400, 401, 404, 405, 409, 4091, 422, 500];
const ROUTR1_INSTEAD: Readonly<Record<number, number>> = { 403: 405, 4092: 409 };

/** Whether the response is 422 with the reasons as its message, which Routr v1 returns for an invalid document. */
export function refusesDocument(error: unknown, { profile, document }: FailureContext): error is DomainError {
  return profile === 'routr1' && document === true && error instanceof DomainError && error.code === 'BAD_USER_INPUT';
}

/** Returns the status of a failure in the body. The HTTP status is the same, except for 4091 and 4092. */
export function failureStatus(status: number, { profile, bare }: Pick<FailureContext, 'profile' | 'bare'>): number {
  if (bare) return status === 401 ? 401 : 500;
  if (profile === 'spec') return status;
  return ROUTR1_INSTEAD[status] ?? (ROUTR1_STATUSES.includes(status) ? status : 500);
}
