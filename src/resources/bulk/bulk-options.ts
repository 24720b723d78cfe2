import type { Cancellable } from '../../database/sql';
import type { Rehearser } from '../../sip/simulation/simulation';

/** How a request makes many changes, all or none. */
export interface BulkOptions {
  /** Change nothing, and return what would change. */
  readonly dryRun: boolean;
  /** The request. When it is over, the changes are rolled back. */
  readonly request: Cancellable;
  /** Charges the user for objects. Throws RateLimitedError. */
  readonly charge: (objects: number) => void;
  /** Runs the writes: with `dryRun`, it compares what calls do before and after them. */
  readonly rehearser?: Rehearser | undefined;
}

/** Whether a right guess of a secret must do what a wrong one does: only a write that is kept may tell. */
export function hidesSecrets({ dryRun, rehearser }: Pick<BulkOptions, 'dryRun' | 'rehearser'>): boolean {
  return dryRun || rehearser !== undefined;
}
