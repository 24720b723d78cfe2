import { DatabaseRefusedError, DeniedError, InvalidInputError, TooSlowError, UnavailableError } from '../errors';

/** The kinds of database errors, independent of the product. */
export type Failure =
  | { readonly type: 'duplicate'; readonly constraint: string }
  | { readonly type: 'missing-reference' }
  | { readonly type: 'referenced' }
  | { readonly type: 'retryable' }
  | { readonly type: 'slow' }
  | { readonly type: 'refused-pattern' }
  | { readonly type: 'locked' }
  | { readonly type: 'refused' }
  | { readonly type: 'denied' }
  | { readonly type: 'unavailable'; readonly reason: string }
  | { readonly type: 'other' };

type FailureType = Exclude<Failure['type'], 'unavailable' | 'other'>;

/**
 * Errors of MySQL and MariaDB by number. Error codes are not used, because mysql2 knows only those of MySQL, and
 * MariaDB uses some of the numbers for other errors.
 */
const MYSQL: Readonly<Record<number, FailureType | 'unavailable'>> = {
  1062: 'duplicate', // ER_DUP_ENTRY
  1216: 'missing-reference', // ER_NO_REFERENCED_ROW
  1452: 'missing-reference', // ER_NO_REFERENCED_ROW_2
  1217: 'referenced', // ER_ROW_IS_REFERENCED
  1451: 'referenced', // ER_ROW_IS_REFERENCED_2

  1213: 'retryable', // ER_LOCK_DEADLOCK, and a conflict with another node of a Galera cluster
  1205: 'retryable', // ER_LOCK_WAIT_TIMEOUT leaves the transaction open; the rollback that follows ends it
  1020: 'retryable', // ER_CHECKREAD
  1180: 'retryable', // ER_ERROR_DURING_COMMIT
  3101: 'retryable', // ER_TRANSACTION_ROLLBACK_DURING_COMMIT: a conflict with another node in group replication

  3024: 'slow', // ER_QUERY_TIMEOUT
  1969: 'slow', // ER_STATEMENT_TIMEOUT of MariaDB
  1317: 'slow', // ER_QUERY_INTERRUPTED, which MySQL reports when a statement times out inside a function
  3699: 'slow', // ER_REGEXP_TIME_OUT
  1139: 'refused-pattern', // ER_REGEXP_ERROR
  3684: 'refused-pattern', // ER_REGEXP_BUFFER_OVERFLOW
  3687: 'refused-pattern', // ER_REGEXP_INTERNAL_ERROR
  3698: 'refused-pattern', // ER_REGEXP_STACK_OVERFLOW
  3700: 'refused-pattern', // ER_REGEXP_PATTERN_TOO_BIG

  1044: 'denied', // ER_DBACCESS_DENIED_ERROR
  1142: 'denied', // ER_TABLEACCESS_DENIED_ERROR
  1143: 'denied', // ER_COLUMNACCESS_DENIED_ERROR
  1227: 'denied', // ER_SPECIFIC_ACCESS_DENIED_ERROR

  // The password was changed, the account is locked, or its password has expired.
  1045: 'refused', // ER_ACCESS_DENIED_ERROR
  1698: 'refused', // ER_ACCESS_DENIED_NO_PASSWORD_ERROR
  1820: 'refused', // ER_MUST_CHANGE_PASSWORD
  1862: 'refused', // ER_MUST_CHANGE_PASSWORD_LOGIN
  3118: 'refused', // ER_ACCOUNT_HAS_BEEN_LOCKED
  4151: 'refused', // ER_ACCOUNT_HAS_BEEN_LOCKED of MariaDB

  1021: 'refused', // ER_DISK_FULL
  1026: 'refused', // ER_ERROR_ON_WRITE
  1114: 'refused', // ER_RECORD_FILE_FULL
  1290: 'refused', // ER_OPTION_PREVENTS_STATEMENT: the server is read-only
  1836: 'refused', // ER_READ_ONLY_MODE
  3797: 'refused', // ER_GRP_TRX_CONSISTENCY_BEFORE: a node that does not catch up in time
  1047: 'refused', // a Galera node that is not in the primary component
  1203: 'refused', // ER_TOO_MANY_USER_CONNECTIONS
  1226: 'refused', // ER_USER_LIMIT_REACHED
  1041: 'refused', // ER_OUT_OF_RESOURCES
  1135: 'refused', // ER_CANT_CREATE_THREAD
  1206: 'refused', // ER_LOCK_TABLE_FULL
  1461: 'refused', // ER_MAX_PREPARED_STMT_COUNT_REACHED
  1637: 'refused', // ER_TOO_MANY_CONCURRENT_TRXS
  3100: 'refused', // ER_RUN_HOOK_ERROR: group replication cannot commit, for example without a majority

  1040: 'unavailable', // ER_CON_COUNT_ERROR
  1053: 'unavailable', // ER_SERVER_SHUTDOWN
  1077: 'unavailable', // ER_NORMAL_SHUTDOWN
  1129: 'unavailable', // ER_HOST_IS_BLOCKED, after too many failed connections
  1927: 'unavailable', // ER_CONNECTION_KILLED of MariaDB
  3032: 'unavailable', // ER_SERVER_OFFLINE_MODE
  3168: 'unavailable', // ER_SERVER_ISNT_AVAILABLE
  4031: 'unavailable', // ER_CLIENT_INTERACTION_TIMEOUT
};
// ER_GET_ERRNO and ER_ERROR_DURING_ROLLBACK contain an error of the storage engine. It is HA_ERR_LOCK_DEADLOCK or
// HA_ERR_NO_SAVEPOINT if MySQL has aborted the transaction because of a conflict with another node.
const ENGINE_ERRORS = [1030, 1181];
const ABORTED = /^Got error (149|153) /;
const SILENCE = 'SILENT_SERVER';
const GAVE_WAY = 'GAVE_WAY';
const UNDONE = 'UNDONE_TRANSACTION';
const CODES: Readonly<Record<string, FailureType | 'unavailable'>> = {
  SQLITE_CONSTRAINT_UNIQUE: 'duplicate',
  SQLITE_CONSTRAINT_PRIMARYKEY: 'duplicate',
  // Reported for ON DELETE RESTRICT.
  SQLITE_CONSTRAINT_TRIGGER: 'referenced',
  // These SQLite codes stand for their extended codes, too, such as SQLITE_BUSY_SNAPSHOT.
  SQLITE_BUSY: 'retryable',
  SQLITE_PROTOCOL: 'retryable', // several processes opened the write-ahead log at once
  SQLITE_FULL: 'refused',
  SQLITE_READONLY: 'refused',
  SQLITE_IOERR: 'refused',
  SQLITE_CANTOPEN: 'refused', // such as a journal that cannot be created
  SQLITE_NOMEM: 'refused',

  // Codes of sqlite-locks.ts and sqlite-readers.ts.
  SQLITE_LOCK_TIMEOUT: 'locked',
  SQLITE_SLOW: 'slow',
  SQLITE_READER_LOST: 'unavailable',

  // Codes of mysql2: the server's certificate is not trusted any more, or the server has turned TLS off.
  HANDSHAKE_SSL_ERROR: 'refused',
  HANDSHAKE_NO_SSL_SUPPORT: 'refused',

  NO_HOST: 'unavailable',
  ECONNREFUSED: 'unavailable',
  ECONNRESET: 'unavailable',
  EPIPE: 'unavailable',
  ETIMEDOUT: 'unavailable',
  ENOTFOUND: 'unavailable',
  EAI_AGAIN: 'unavailable',
  EHOSTUNREACH: 'unavailable',
  ENETUNREACH: 'unavailable',
  PROTOCOL_CONNECTION_LOST: 'unavailable',
  [SILENCE]: 'unavailable',
  [GAVE_WAY]: 'retryable',
  [UNDONE]: 'retryable',
};

/**
 * Classifies a driver's error by its code. SQLite has one code for both kinds of foreign key violations, so `deleting`
 * tells whether the failed statement was a DELETE.
 */
export function failureOf(error: unknown, deleting = false): Failure {
  const { code, errno, message } = driverError(error);
  if (code === 'SQLITE_CONSTRAINT_FOREIGNKEY') return { type: deleting ? 'referenced' : 'missing-reference' };
  const type = MYSQL[errno] ?? CODES[code] ?? CODES[/^SQLITE_[A-Z]+/.exec(code)?.[0] ?? ''];
  // mysql2 reports no code for a pool for which too many are waiting.
  if (message === 'Queue limit reached.') return { type: 'refused' };
  if (typeof error === 'object' && error !== null && takenIds.has(error)) return { type: 'retryable' };
  if (ENGINE_ERRORS.includes(errno) && ABORTED.test(message)) return { type: 'retryable' };
  if (type === 'duplicate') return { type, constraint: constraintIn(message) };
  if (type !== undefined && type !== 'unavailable') return { type };
  // mysql2 reports no code for a pooled connection that was lost while idle.
  const lost = type === 'unavailable' || /closed state|connection lost|server has gone away/i.test(message);
  const reason = code === 'NO_HOST' ? message : code || 'connection lost';
  return lost ? { type: 'unavailable', reason } : { type: 'other' };
}

// ER_OPTION_PREVENTS_STATEMENT, ER_READ_ONLY_MODE, and a Galera node that is not in the primary component.
const HOST_REFUSES = [1290, 1836, 1047];

/** Whether a statement failed because of its server, so that it may succeed on another one. */
export function isHostFailure(error: unknown): boolean {
  return failureOf(error).type === 'unavailable' || HOST_REFUSES.includes(driverError(error).errno);
}

/** The error of a statement to which the server does not respond in time. */
export function silence(): Error {
  return Object.assign(new Error('The server does not respond'), { code: SILENCE });
}

/** Whether the error is of `silence`. The connection may never respond, so it must be removed from the pool. */
export function isSilent(error: unknown): boolean {
  return driverError(error).code === SILENCE;
}

/** The error of a transaction that ends because others wait for its locks. */
export function gaveWay(): Error {
  return Object.assign(new Error('Others wait for the locks of the transaction'), { code: GAVE_WAY });
}

const NO_SAVEPOINT = 1305;

/**
 * Throws the error of the release of a savepoint. If the savepoint is gone, the server has rolled its transaction back without an
 * error.
 */
export function throwUndone(error: unknown): never {
  if (driverError(error).errno !== NO_SAVEPOINT) throw error;
  throw Object.assign(new Error('The server has rolled the transaction back', { cause: error }), { code: UNDONE });
}

const takenIds = new WeakSet();

/**
 * Throws the error of an INSERT that generated the row id. If another row has that id, the transaction may succeed when it
 * runs again: in a cluster, another node may have generated the id, too.
 */
export function throwIdGenerated(error: unknown): never {
  const failure = failureOf(error);
  const isTaken = failure.type === 'duplicate' && /(^|\.)PRIMARY$/.test(failure.constraint);
  if (isTaken && typeof error === 'object' && error !== null) takenIds.add(error);
  throw error;
}

const undecided = new WeakSet();

/** Throws the error of a commit. If the connection was lost, the transaction may have been committed. */
export function throwUndecided(error: unknown): never {
  if (typeof error === 'object' && error !== null && failureOf(error).type === 'unavailable') undecided.add(error);
  throw error;
}

/** Whether the error was thrown by `throwUndecided`. */
export function isUndecided(error: unknown): boolean {
  return typeof error === 'object' && error !== null && undecided.has(error);
}

const YIELDED = 'cannot simulate what others change at the moment';
const KEPT_LOCKED = 'cannot change what a longer change, such as an import, keeps locked';
const LOCK_WAIT_TIMEOUT = 1205;

/** The privilege in a message such as "UPDATE command denied to user …", and the database, if the message has it. */
function privilegeIn(message: string): string {
  const [, privilege = /need \(at least one of\) the (.+) privilege/.exec(message)?.[1]] =
    /^([A-Z, ]+) command denied/.exec(message) ?? [];
  const schema = / for table `([^`]*)`\./.exec(message)?.[1] ?? / to database '([^']*)'$/.exec(message)?.[1];
  return [...(privilege === undefined ? [] : [privilege]), ...(schema === undefined ? [] : [`on ${schema}`])].join(' ');
}

/** Converts a database error that is meaningful to callers to a DomainError. Returns any other error unchanged. */
export function toDomainError(error: unknown): unknown {
  switch (failureOf(error).type) {
    case 'unavailable':
      return new UnavailableError('The database', { cause: error });
    // All attempts have failed.
    case 'retryable':
      return new DatabaseRefusedError({ cause: error }, retriedInVain(error));
    case 'denied':
      return new DeniedError(privilegeIn(driverError(error).message), { cause: error });
    case 'refused':
      return new DatabaseRefusedError({ cause: error });
    case 'locked':
      return new DatabaseRefusedError({ cause: error }, 'is locked by another process');
    case 'slow':
      return new TooSlowError({ cause: error });
    case 'refused-pattern':
      return InvalidInputError.of('filter', 'contains a pattern that the database does not support');
    default:
      return error;
  }
}

/** Why all attempts have failed, if the last error tells. */
function retriedInVain(error: unknown): string | undefined {
  const { code, errno } = driverError(error);
  if (code === GAVE_WAY) return YIELDED;
  return errno === LOCK_WAIT_TIMEOUT ? KEPT_LOCKED : undefined;
}

/**
 * The message of an error for the operator, with what a caller may not see: the privilege that is lacking, or why the database refuses
 * or cannot be reached.
 */
export function operatorMessage(error: Error): string {
  if (error instanceof DeniedError)
    return error.privilege === '' ? error.message : `${error.message}: ${error.privilege}`;
  // TypeORM puts the class of SQLite's errors before their message.
  if (!(error instanceof UnavailableError)) return sqliteMessage(error) ?? error.message;
  if (!['refused', 'unavailable'].includes(failureOf(error.cause).type)) return error.message;
  const { code, message } = driverError(error.cause);
  return `${error.message}: ${message || code}`;
}

/** The message of SQLite; undefined if the error is another one. */
function sqliteMessage(error: Error): string | undefined {
  const { code, message } = driverError(error);
  return code.startsWith('SQLITE') ? message : undefined;
}

/** Throws an error as `toDomainError` converts it. */
export function throwDomainError(error: unknown): never {
  throw toDomainError(error);
}

/** Converts the error of a statement that several callers share. Each caller gets an error object of its own. */
export function ownError(error: unknown): unknown {
  const own = toDomainError(error);
  return own === error && error instanceof Error
    ? Object.assign(new Error(error.message, { cause: error }), error)
    : own;
}

/** The code, number and message of the driver's error, which TypeORM may have wrapped. */
export function driverError(error: unknown): { code: string; errno: number; message: string } {
  if (typeof error !== 'object' || error === null) return { code: '', errno: 0, message: '' };
  // TypeORM's QueryFailedError has the driver's error here.
  if ('driverError' in error && error.driverError !== error) return driverError(error.driverError);
  return {
    code: 'code' in error && typeof error.code === 'string' ? error.code : '',
    errno: 'errno' in error && typeof error.errno === 'number' ? error.errno : 0,
    message: 'message' in error && typeof error.message === 'string' ? error.message : '',
  };
}

/** The violated constraint: MySQL reports the index (`gateways.gateways_ref`), SQLite the columns (`gateways.ref`). */
function constraintIn(message: string): string {
  return /for key '([^']*)'$/.exec(message)?.[1] ?? /UNIQUE constraint failed: (.*)$/.exec(message)?.[1] ?? '';
}
