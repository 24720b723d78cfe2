import { createPool, type Pool, type PoolConnection, type PoolOptions, type SslOptions } from 'mysql2';
import type { DataSource } from 'typeorm';

import type { DatabaseTls, ServerTarget } from '../../config/database-url';
import type { PoolUse } from '../driver';
import { isSilent } from '../errors';
import { responseWithin, socketOf } from './mysql-socket';

// Milliseconds within which a server must respond to a new connection, and to each of its settings.
const CONNECTING = 5000;

/** How to connect to the servers of a database. */
export function connectionOptions({ username, password, database, tls }: ServerTarget) {
  return {
    user: username,
    password,
    database,
    ...(tls && { ssl: tlsOptions(tls) }),
    charset: 'utf8mb4_bin',
    connectTimeout: CONNECTING,
  };
}

/** The TLS options of mysql2, which never falls back to an unencrypted connection. */
function tlsOptions({ verify, ca }: DatabaseTls): SslOptions {
  return {
    minVersion: 'TLSv1.2',
    rejectUnauthorized: verify,
    verifyIdentity: verify,
    ...(ca !== undefined && { ca }),
  };
}

const optionsOf = new WeakMap<Pool, PoolOptions>();

// What the settings of a server may change for all sessions: the character set, also that of the handshake
// (`skip-character-set-client-handshake`), whether a statement outside a transaction begins one, and what reads see.
const OWN_SETTINGS = [
  'SET NAMES utf8mb4 COLLATE utf8mb4_bin',
  'SET autocommit = 1',
  'SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ',
];

/**
 * Creates a pool. mysql2 handles only the first error of each connection. If a server or proxy sends malformed packets,
 * the next error would end the process.
 */
function open(options: PoolOptions): Pool {
  const pool = createPool(options);
  pool.on('connection', (connection) => {
    connection.on('error', () => socketOf(connection).destroy());
    for (const setting of OWN_SETTINGS) set(connection, setting);
  });
  return pool;
}

/**
 * The options of a pool beside that of TypeORM, which expects rows as objects. The pool says how it returns rows, because mysql2
 * copies options that a statement has of its own.
 */
function optionsBeside(pool: Pool): PoolOptions {
  return { ...optionsOf.get(pool), rowsAsArray: true };
}

/**
 * Creates another pool to the same database, of the same size unless a limit is given. The new pool connects on first
 * use.
 */
export function poolBeside(pool: Pool, connectionLimit?: number): Pool {
  return open({ ...optionsBeside(pool), ...(connectionLimit !== undefined && { connectionLimit }) });
}

/** Creates a pool to another server, with the other options of a pool. `connecting` must include the TLS options. */
export function poolElsewhere(pool: Pool, connecting: PoolOptions): Pool {
  const { ssl: _ssl, ...options } = optionsBeside(pool);
  return open({ ...options, ...connecting });
}

/**
 * Like `poolBeside`. Each new connection first runs these settings. Connections that are idle for `idleTimeout`
 * milliseconds are closed.
 */
export function poolWith(
  pool: Pool,
  settings: readonly string[],
  {
    connectionLimit,
    idleTimeout,
  }: Pick<PoolOptions, 'connectionLimit'> & { readonly idleTimeout?: number | undefined },
): Pool {
  const options = optionsBeside(pool);
  const size = connectionLimit ?? options.connectionLimit ?? 1;
  // mysql2 closes idle connections only if `maxIdle` is below the limit.
  const idle = idleTimeout === undefined ? {} : { idleTimeout, maxIdle: size - 1 };
  const made = createLatestPool({ ...options, connectionLimit: size, ...idle });
  made.on('connection', (connection) => {
    for (const setting of settings) set(connection, setting);
  });
  return made;
}

/**
 * Creates a pool that turns off `innodb_snapshot_isolation`, which MariaDB enables by default since 11.6.2. With this
 * setting, an update fails if another transaction has changed the row since this transaction's first read, so
 * concurrent changes of a resource would fail.
 */
export function createLatestPool(options: PoolOptions): Pool {
  const pool = open(options);
  optionsOf.set(pool, options);
  pool.on('connection', (connection) => {
    // MySQL and older MariaDB versions reject this statement, which is harmless.
    set(connection, 'SET SESSION innodb_snapshot_isolation = OFF');
  });
  return pool;
}

/** Runs a setting on a new connection. Without a response, the connection ends, and all statements that wait for it. */
function set(connection: PoolConnection, setting: string): void {
  responseWithin(CONNECTING, (done) => connection.query(setting, done)).catch((error: unknown) => {
    // `destroy` of the connection would leave the statements waiting.
    if (isSilent(error)) socketOf(connection).destroy();
  });
}

/** The pool of a data source of MySQL or MariaDB. */
export function poolOf(dataSource: DataSource): Pool {
  // TypeORM declares only the common driver interface. Here, the driver is always that of mysql2.
  return (dataSource.driver as unknown as { readonly pool: Pool }).pool;
}

/** Reads the state of a pool of mysql2, which publishes it only in these fields. */
export function poolUse(name: string, pool: Pool): PoolUse {
  const { _allConnections, _freeConnections, _connectionQueue, config } = pool as unknown as Internals;
  return {
    pool: name,
    size: config.connectionLimit,
    used: _allConnections.length - _freeConnections.length,
    waiting: _connectionQueue.length,
  };
}

interface Internals {
  readonly _allConnections: { readonly length: number };
  readonly _freeConnections: { readonly length: number };
  readonly _connectionQueue: { readonly length: number };
  readonly config: { readonly connectionLimit: number };
}
