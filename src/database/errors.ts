import { InvalidInputError, TooSlowError, UnavailableError } from '../errors';

/** The kinds of database errors, independent of the product. */
export type Failure =
  | { readonly type: 'duplicate'; readonly constraint: string }
  | { readonly type: 'missing-reference' }
  | { readonly type: 'referenced' }
  | { readonly type: 'retryable' }
  | { readonly type: 'slow' }
  | { readonly type: 'refused-pattern' }
  | { readonly type: 'unavailable'; readonly reason: string }
  | { readonly type: 'other' };

// MySQL and MariaDB. ER_LOCK_WAIT_TIMEOUT leaves the transaction open; the rollback that follows ends it.
const MYSQL: Readonly<
  Record<string, 'duplicate' | 'missing-reference' | 'referenced' | 'retryable' | 'slow' | 'refused-pattern'>
> = {
  ER_DUP_ENTRY: 'duplicate',
  ER_NO_REFERENCED_ROW: 'missing-reference',
  ER_NO_REFERENCED_ROW_2: 'missing-reference',
  ER_ROW_IS_REFERENCED: 'referenced',
  ER_ROW_IS_REFERENCED_2: 'referenced',
  ER_LOCK_DEADLOCK: 'retryable',
  ER_LOCK_WAIT_TIMEOUT: 'retryable',
  ER_CHECKREAD: 'retryable',
  ER_QUERY_TIMEOUT: 'slow',
  ER_STATEMENT_TIMEOUT: 'slow',
  ER_REGEXP_TIME_OUT: 'slow',
  ER_REGEXP_ERROR: 'refused-pattern',
  ER_REGEXP_STACK_OVERFLOW: 'refused-pattern',
  ER_REGEXP_PATTERN_TOO_BIG: 'refused-pattern',
  ER_REGEXP_BUFFER_OVERFLOW: 'refused-pattern',
  ER_REGEXP_INTERNAL_ERROR: 'refused-pattern',
  // MySQL reports this when a statement times out inside a function.
  ER_QUERY_INTERRUPTED: 'slow',
};
const SQLITE: typeof MYSQL = {
  SQLITE_CONSTRAINT_UNIQUE: 'duplicate',
  SQLITE_CONSTRAINT_PRIMARYKEY: 'duplicate',
  // Reported for ON DELETE RESTRICT.
  SQLITE_CONSTRAINT_TRIGGER: 'referenced',
  SQLITE_BUSY: 'retryable',
  SQLITE_BUSY_SNAPSHOT: 'retryable',
  SQLITE_SLOW: 'slow',
};
/** Errors that only MariaDB has, by number: mysql2 knows the codes of MySQL only. */
const MARIADB: Readonly<Record<number, string>> = { 1927: 'ER_CONNECTION_KILLED', 1969: 'ER_STATEMENT_TIMEOUT' };
const UNAVAILABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'PROTOCOL_CONNECTION_LOST',
  'PROTOCOL_SEQUENCE_TIMEOUT',
  'ER_SERVER_SHUTDOWN',
  'ER_CON_COUNT_ERROR',
  'SQLITE_READER_LOST',
  'ER_CONNECTION_KILLED',
  'ER_NORMAL_SHUTDOWN',
]);

/**
 * Classifies a driver's error by its code. SQLite has one code for both kinds of foreign key violations, so `deleting` tells
 * which statement failed.
 */
export function failureOf(error: unknown, deleting = false): Failure {
  const { code, message } = driverError(error);
  if (code === 'SQLITE_CONSTRAINT_FOREIGNKEY') return { type: deleting ? 'referenced' : 'missing-reference' };
  const type = MYSQL[code] ?? SQLITE[code];
  if (type === 'duplicate') return { type, constraint: constraintIn(message) };
  if (type !== undefined) return { type };
  // mysql2 reports a pooled connection that was lost while idle without a code.
  const lost = UNAVAILABLE.has(code) || /closed state|connection lost|server has gone away/i.test(message);
  return lost ? { type: 'unavailable', reason: code || 'connection lost' } : { type: 'other' };
}

/** Converts errors that callers can understand to a DomainError, and returns any other error unchanged. */
export function toDomainError(error: unknown): unknown {
  switch (failureOf(error).type) {
    case 'unavailable':
      return new UnavailableError('The database', { cause: error });
    case 'slow':
      return new TooSlowError({ cause: error });
    case 'refused-pattern':
      return InvalidInputError.of('filter', 'contains a pattern that the database does not support');
    default:
      return error;
  }
}

/** The error of one of several reads that a statement failed for, as an object of its own. */
export function ownError(error: unknown): unknown {
  const own = toDomainError(error);
  return own === error && error instanceof Error
    ? Object.assign(new Error(error.message, { cause: error }), error)
    : own;
}

/** The code and message of the driver's error, which TypeORM may have wrapped. */
export function driverError(error: unknown): { code: string; message: string } {
  if (typeof error !== 'object' || error === null) return { code: '', message: '' };
  // TypeORM's QueryFailedError has the driver's error here.
  if ('driverError' in error && error.driverError !== error) return driverError(error.driverError);
  const named = 'errno' in error && typeof error.errno === 'number' ? MARIADB[error.errno] : undefined;
  return {
    code: named ?? ('code' in error && typeof error.code === 'string' ? error.code : ''),
    message: 'message' in error && typeof error.message === 'string' ? error.message : '',
  };
}

/** The violated constraint: MySQL reports the index (`gateways.gateways_ref`), SQLite the columns (`gateways.ref`). */
function constraintIn(message: string): string {
  return /for key '([^']*)'$/.exec(message)?.[1] ?? /UNIQUE constraint failed: (.*)$/.exec(message)?.[1] ?? '';
}
