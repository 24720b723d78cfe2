/** What went wrong in the database, whichever it is. */
export type Failure =
  | { readonly type: 'duplicate'; readonly constraint: string }
  | { readonly type: 'missing-reference' }
  | { readonly type: 'referenced' }
  | { readonly type: 'retryable' }
  | { readonly type: 'slow' }
  | { readonly type: 'refused-pattern' }
  | { readonly type: 'unavailable'; readonly reason: string }
  | { readonly type: 'other' };

// Both MySQL and MariaDB; ER_LOCK_WAIT_TIMEOUT leaves the transaction open, and so does the rollback that follows undo it.
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
  // MySQL says so, too, of a statement that its time ends in a function.
  ER_QUERY_INTERRUPTED: 'slow',
};
const SQLITE: typeof MYSQL = {
  SQLITE_CONSTRAINT_UNIQUE: 'duplicate',
  SQLITE_CONSTRAINT_PRIMARYKEY: 'duplicate',
  // What ON DELETE RESTRICT says.
  SQLITE_CONSTRAINT_TRIGGER: 'referenced',
  SQLITE_BUSY: 'retryable',
  SQLITE_BUSY_SNAPSHOT: 'retryable',
  SQLITE_SLOW: 'slow',
};
/** MariaDB's own errors, which mysql2 gives no code: it names MySQL's. */
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
 * Tells what a driver's error means, by its code. `deleting` decides what a foreign key's refusal is on SQLite, which
 * has one code for both directions.
 */
export function failureOf(error: unknown, deleting = false): Failure {
  const { code, message } = driverError(error);
  if (code === 'SQLITE_CONSTRAINT_FOREIGNKEY') return { type: deleting ? 'referenced' : 'missing-reference' };
  const type = MYSQL[code] ?? SQLITE[code];
  if (type === 'duplicate') return { type, constraint: constraintIn(message) };
  if (type !== undefined) return { type };
  // mysql2 says these without a code, for a pooled connection that died unseen.
  const lost = UNAVAILABLE.has(code) || /closed state|connection lost|server has gone away/i.test(message);
  return lost ? { type: 'unavailable', reason: code || 'connection lost' } : { type: 'other' };
}

/** What the driver said, below TypeORM. */
export function driverError(error: unknown): { code: string; message: string } {
  if (typeof error !== 'object' || error === null) return { code: '', message: '' };
  // TypeORM's QueryFailedError wraps the driver's.
  if ('driverError' in error && error.driverError !== error) return driverError(error.driverError);
  const named = 'errno' in error && typeof error.errno === 'number' ? MARIADB[error.errno] : undefined;
  return {
    code: named ?? ('code' in error && typeof error.code === 'string' ? error.code : ''),
    message: 'message' in error && typeof error.message === 'string' ? error.message : '',
  };
}

/** MySQL names the index (`for key 'gateways.gateways_ref'`), SQLite the columns (`gateways.ref`). */
function constraintIn(message: string): string {
  return /for key '([^']*)'$/.exec(message)?.[1] ?? /UNIQUE constraint failed: (.*)$/.exec(message)?.[1] ?? '';
}
