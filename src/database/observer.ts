import { DomainError } from '../errors';
import type { Span } from '../limits/tracer';
import type { Driver, ReadDriver } from './driver';
import { driverError, failureOf, type Failure } from './errors';
import type { RequestScope, Transaction } from './sql';

type Outcome = 'ok' | 'rejected' | 'cancelled' | 'failed';
type Reason = 'conflict' | 'timeout' | 'refused' | 'unavailable' | 'other';

/** Failures that callers cause, such as duplicates, have no reason and are not counted. */
const REASONS: Readonly<Record<Failure['type'], Reason | undefined>> = {
  retryable: 'conflict',
  locked: 'conflict',
  slow: 'timeout',
  refused: 'refused',
  denied: 'refused',
  unavailable: 'unavailable',
  other: 'other',
  duplicate: undefined,
  'missing-reference': undefined,
  referenced: undefined,
  'refused-pattern': undefined,
};

/** Counts statements and failures, and adds a span for each statement and transaction of a traced request. */
export class Observer {
  /**
   * Statements that ended, by outcome. `rejected`: the caller is the cause, as of a duplicate. `cancelled`: the request
   * was over, perhaps before the statement was sent. Statements that begin or end transactions, and those of
   * maintenance, are not counted.
   */
  readonly statements: Record<Outcome, number> = { ok: 0, rejected: 0, cancelled: 0, failed: 0 };
  /** Reads and transactions that failed in the database, by reason. Each attempt of a transaction counts. */
  readonly failures: Record<Reason, number> = { conflict: 0, timeout: 0, refused: 0, unavailable: 0, other: 0 };

  /** Returns the same driver, observed. Of maintenance, only failures are counted. */
  observe(driver: Driver): Driver & ReadDriver {
    const { maintenance } = driver;
    return {
      ...driver,
      ...this.observeReads(driver),
      transaction: (work, options) =>
        this.transaction(options?.scope, (within) => driver.transaction((each) => work(within(each)), options)),
      impatientTransaction: (work, shared) =>
        this.transaction(shared.scope, (within) => driver.impatientTransaction((each) => work(within(each)), shared)),
      maintenance: {
        rows: (text, values) => this.attempt(() => maintenance.rows(text, values)),
        transaction: (work) => this.attempt(() => maintenance.transaction(work)),
      },
    };
  }

  observeReads(driver: Pick<Driver, 'rows' | 'heavy'>): ReadDriver {
    const onError = (error: unknown): void => this.countFailure(error);
    return {
      rows: (text, values, scope) =>
        this.statement(text, scope, scope?.span, () => driver.rows(text, values, scope), onError),
      heavy: (text, values, milliseconds, request) =>
        this.statement(text, request, request?.span, () => driver.heavy(text, values, milliseconds, request), onError),
    };
  }

  /** Returns the result of `work`. If `work` fails in the database, counts the failure. */
  async attempt<T>(work: () => Promise<T> | T): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.countFailure(error);
      throw error;
    }
  }

  private transaction<T>(
    scope: RequestScope | undefined,
    run: (within: (transaction: Transaction) => Transaction) => Promise<T>,
  ): Promise<T> {
    const runBelow = (span?: Span): Promise<T> =>
      run((transaction) => ({
        isAside: transaction.isAside === true,
        rows: (text, values) => this.statement(text, scope, span, () => transaction.rows(text, values)),
        run: (text, values, named) => this.statement(text, scope, span, () => transaction.run(text, values, named)),
        undoable: (work) => transaction.undoable(work),
        undone: (work) => transaction.undone(work),
      }));
    return this.attempt(() => (scope?.span ? scope.span.statement('TRANSACTION', runBelow) : runBelow()));
  }

  private async statement<T>(
    text: string,
    scope: RequestScope | undefined,
    span: Span | undefined,
    work: () => Promise<T> | T,
    onError?: (error: unknown) => void,
  ): Promise<T> {
    try {
      const result = await (span ? span.statement<T>(nameOf(text), work) : work());
      this.statements.ok++;
      return result;
    } catch (error) {
      onError?.(error);
      // The error of a cancelled statement may be that of its connection, which was closed.
      if (scope?.cancelledBy) this.statements.cancelled++;
      else this.statements[isCallersFault(error) ? 'rejected' : 'failed']++;
      throw error;
    }
  }

  private countFailure(error: unknown): void {
    const reason = isOfDatabase(error) ? REASONS[failureOf(error).type] : undefined;
    if (reason) this.failures[reason]++;
  }
}

/** Whether a statement failed because of what its caller asked for, such as a duplicate. */
function isCallersFault(error: unknown): boolean {
  return isOfDatabase(error) && REASONS[failureOf(error).type] === undefined;
}

/** Whether the error comes from the driver. A transaction can also fail because its work throws an error of ours. */
function isOfDatabase(error: unknown): boolean {
  const { code, errno } = driverError(error);
  return !(error instanceof DomainError) && (code !== '' || errno !== 0);
}

/** The verb and the first table of a statement: words of the program, because values are never in the text. */
function nameOf(text: string): string {
  const verb = /^\W*(\w+)/.exec(text)?.[1] ?? 'statement';
  const table = /\b(?:FROM|INTO|UPDATE)\s+(\w+)/i.exec(text)?.[1];
  return table === undefined ? verb : `${verb} ${table}`;
}
