import { createPool, type Pool, type PoolOptions, type SslOptions } from 'mysql2';
import { DataSource, type DataSourceOptions, type EntitySchema } from 'typeorm';

import type { DatabaseConfig } from '../config/config';
import type { DatabaseTls } from '../config/database-url';
import { migrations } from './migrations';

/** The DataSource for TypeORM: its schema, migrations, pool and transactions. `mustExist` never makes or changes a file. */
export function createDataSource(
  config: DatabaseConfig,
  entities: readonly EntitySchema[],
  mustExist = false,
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
      database: config.file,
      fileMustExist: mustExist,
      // It is written into the file, and stays there.
      enableWAL: !mustExist,
    });
  }
  const { product, host, port, username, password, database, poolSize, tls } = config;
  return new DataSource({
    ...common,
    type: product,
    driver: { createPool: createLatestPool },
    ...{ host, port, username, password, database, poolSize },
    ...(tls && { ssl: tlsOptions(tls) }),
    charset: 'utf8mb4_bin',
    timezone: 'Z',
    connectTimeout: 5000,
    // Ids and milliseconds stay below 2^53, so they may come as numbers.
    supportBigNumbers: false,
    bigNumberStrings: false,
    extra: { maxPreparedStatements: 250, enableKeepAlive: true },
  });
}

/** A server that offers no TLS is refused; the driver never goes on without. */
function tlsOptions({ verify, ca }: DatabaseTls): SslOptions {
  return {
    minVersion: 'TLSv1.2',
    rejectUnauthorized: verify,
    verifyIdentity: verify,
    ...(ca !== undefined && { ca }),
  };
}

const optionsOf = new WeakMap<Pool, PoolOptions>();

/** A pool of its own to the same database, which connects when it is needed. */
export function poolBeside(pool: Pool, connectionLimit: number): Pool {
  return createPool({ ...optionsOf.get(pool), connectionLimit });
}

/**
 * A pool whose transactions write to rows as they are by then. MariaDB (from 11.6.2 on, unless told otherwise) refuses
 * one that was changed since the transaction first read anything, as the row that gives out the ids of changes always was.
 */
function createLatestPool(options: PoolOptions): Pool {
  const pool = createPool(options);
  optionsOf.set(pool, options);
  pool.on('connection', (connection) => {
    // MySQL and older versions do not know it, and need not. What is asked next waits for this.
    connection.query('SET SESSION innodb_snapshot_isolation = OFF', () => undefined);
  });
  return pool;
}
