import { DomainError } from '../errors';

/**
 * Which clients responses are written for: `spec` follows docs/rest-contract.md exactly; `routr1` uses what Routr v1's own
 * clients, `rctl` and the web console, understand (docs/legacy-clients.md, "Profiles").
 */
export type Profile = 'spec' | 'routr1';

/** What decides how a failure is answered: the deployment's profile, and the route that failed. */
export interface FailureContext {
  readonly profile: Profile;
  /** Whether `status` is a number in the body. */
  readonly numericStatus: boolean;
  /** The answer to success is a bare token, and any answer but 401 and 500 is taken for one. */
  readonly bare?: boolean;
  /** The request carried a document of a resource. */
  readonly document?: boolean;
}

/**
 * The failures that `rctl` and the web console tell apart; on any other they stop with an error of their own. 4091 is
 * docs/rest-contract.md, section 4.3, rule 1: the clients see its HTTP status, 409.
 */
const ROUTR1_STATUSES: readonly number[] = [400, 401, 404, 405, 409, 4091, 422, 500];
const ROUTR1_INSTEAD: Readonly<Record<number, number>> = { 403: 405, 4092: 409 };

/** Whether a failure is answered with 422 and the reasons as its message, as Routr v1 answered a refused document. */
export function refusesDocument(error: unknown, { profile, document }: FailureContext): error is DomainError {
  return profile === 'routr1' && document === true && error instanceof DomainError && error.code === 'BAD_USER_INPUT';
}

/** The status of a failure in the body; the HTTP status is the same, but for 4091 and 4092. */
export function failureStatus(status: number, { profile, bare }: Pick<FailureContext, 'profile' | 'bare'>): number {
  if (bare) return status === 401 ? 401 : 500;
  if (profile === 'spec') return status;
  return ROUTR1_INSTEAD[status] ?? (ROUTR1_STATUSES.includes(status) ? status : 500);
}
