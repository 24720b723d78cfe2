import { DataSource, type DataSourceOptions, type EntitySchema } from 'typeorm';

import type { DatabaseConfig } from '../config';
import { migrations } from './migrations';

/** The DataSource for TypeORM: its schema, migrations, pool and transactions. */
export function createDataSource(config: DatabaseConfig, entities: readonly EntitySchema[]): DataSource {
  const common = {
    entities: [...entities],
    migrations,
    migrationsTransactionMode: 'each',
    logging: false,
  } satisfies Partial<DataSourceOptions>;
  if (config.dialect === 'sqlite') {
    return new DataSource({ ...common, type: 'better-sqlite3', database: config.file, enableWAL: true });
  }
  const { product, host, port, username, password, database, poolSize } = config;
  return new DataSource({
    ...common,
    type: product,
    ...{ host, port, username, password, database, poolSize },
    charset: 'utf8mb4_bin',
    timezone: 'Z',
    connectTimeout: 5000,
    // Ids and milliseconds stay below 2^53, so they may come as numbers.
    supportBigNumbers: false,
    bigNumberStrings: false,
    extra: { maxPreparedStatements: 250, enableKeepAlive: true },
  });
}
