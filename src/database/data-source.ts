import { createPool, type Pool, type PoolConnection, type PoolOptions, type SslOptions } from 'mysql2';
import { DataSource, type DataSourceOptions, type EntitySchema } from 'typeorm';

import type { DatabaseConfig } from '../config/config';
import type { DatabaseTls, ServerTarget } from '../config/database-url';
import { betterSqlite3 } from './sqlite/better-sqlite3';
import { isSilent } from './errors';
import type { Hosts } from './servers/hosts';
import { migrations } from './migrations';
import { socketOf } from './mysql/mysql-socket';
import { responseWithin } from './mysql/response-within';

// Statements and transactions that may wait for a connection of a pool, for each of its connections.
const WAITING = 100;
// Milliseconds within which a server must respond to a new connection, and to each of its settings.
const CONNECTING = 5000;

/** How to open a database. */
export interface DataSourceOpening {
  /** Whether a SQLite file is neither created nor changed. */
  readonly mustExist?: boolean;
  /** Opens the sockets of connections to one of several servers. By default, the first server is used. */
  readonly stream?: Hosts['stream'] | undefined;
}

/** Creates the TypeORM data source. */
export function createDataSource(
  config: DatabaseConfig,
  entities: readonly EntitySchema[],
  { mustExist = false, stream }: DataSourceOpening = {},
): DataSource {
  const common = {
    entities: [...entities],
    migrations,
    migrationsTransactionMode: 'each',
    logging: false,
  } satisfies Partial<DataSourceOptions>;
  if (config.dialect === 'sqlite') {
    return new DataSource({
      ...common,
      type: 'better-sqlite3',
      driver: betterSqlite3(),
      database: config.file,
      fileMustExist: mustExist,
      // WAL mode is stored in the file, so it is set only where the file may be changed.
      enableWAL: !mustExist,
    });
  }
  const { product, hosts, poolSize } = config;
  const { user, ...connecting } = connectionOptions(config);
  return new DataSource({
    ...common,
    type: product,
    driver: { createPool: createLatestPool },
    ...hosts[0],
    ...connecting,
    username: user,
    poolSize,
    timezone: 'Z',
    // Ids and milliseconds are below 2^53, so they are returned as numbers.
    supportBigNumbers: false,
    bigNumberStrings: false,
    extra: {
      maxPreparedStatements: 250,
      enableKeepAlive: true,
      queueLimit: WAITING * poolSize,
      ...(stream !== undefined && { stream }),
    },
  });
}

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

/**
 * Creates another pool to the same database, of the same size unless a limit is given. The new pool connects on first
 * use.
 */
export function poolBeside(pool: Pool, connectionLimit?: number): Pool {
  return createPool({ ...optionsOf.get(pool), ...(connectionLimit !== undefined && { connectionLimit }) });
}

/** Creates a pool to another server, with the other options of a pool. `connecting` must include the TLS options. */
export function poolElsewhere(pool: Pool, connecting: PoolOptions): Pool {
  const { ssl: _ssl, ...options }: PoolOptions = optionsOf.get(pool) ?? {};
  return createPool({ ...options, ...connecting });
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
  const options = optionsOf.get(pool);
  const size = connectionLimit ?? options?.connectionLimit ?? 1;
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
function createLatestPool(options: PoolOptions): Pool {
  const pool = createPool(options);
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
