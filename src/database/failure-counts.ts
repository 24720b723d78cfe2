import { DomainError } from '../errors';
import { driverError, failureOf, type Failure } from './errors';

type Reason = 'conflict' | 'timeout' | 'refused' | 'unavailable' | 'other';

/** Failures that callers cause, such as duplicates, are not counted. */
const REASONS: Readonly<Record<Failure['type'], Reason | undefined>> = {
  retryable: 'conflict',
  locked: 'conflict',
  slow: 'timeout',
  refused: 'refused',
  unavailable: 'unavailable',
  other: 'other',
  duplicate: undefined,
  'missing-reference': undefined,
  referenced: undefined,
  'refused-pattern': undefined,
};

/** Counts the reads and transactions that failed in the database, by reason. Each attempt of a transaction counts. */
export class FailureCounts {
  private readonly counts: Record<Reason, number> = { conflict: 0, timeout: 0, refused: 0, unavailable: 0, other: 0 };

  get byReason(): Readonly<Record<Reason, number>> {
    return this.counts;
  }

  /** Returns the result of `work`. If `work` fails in the database, counts the failure. */
  async counting<T>(work: () => Promise<T> | T): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const reason = isOfDatabase(error) ? REASONS[failureOf(error).type] : undefined;
      if (reason) this.counts[reason]++;
      throw error;
    }
  }
}

/** Whether a statement failed because of what its caller asked for, such as a duplicate. */
export function isCallersFault(error: unknown): boolean {
  return isOfDatabase(error) && REASONS[failureOf(error).type] === undefined;
}

/** Whether the error comes from the driver. A transaction can also fail because its work throws an error of ours. */
function isOfDatabase(error: unknown): boolean {
  const { code, errno } = driverError(error);
  return !(error instanceof DomainError) && (code !== '' || errno !== 0);
}
