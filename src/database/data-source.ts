import { DataSource, type DataSourceOptions, type EntitySchema } from 'typeorm';

import type { DatabaseConfig } from '../config/config';
import { migrations } from './migrations';
import { connectionOptions, createLatestPool } from './mysql/pools';
import type { Hosts } from './servers/hosts';
import { betterSqlite3 } from './sqlite/better-sqlite3';

// Statements and transactions that may wait for a connection of a pool, for each of its connections.
const WAITING = 100;

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
