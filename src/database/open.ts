import { setTimeout } from 'node:timers/promises';

import type { Logger } from 'pino';
import type { EntitySchema } from 'typeorm';

import type { DatabaseConfig } from '../config';
import { createDataSource } from './data-source';
import { Database } from './database';
import { productOf } from './dialect';
import { failureOf } from './errors';
import { createMysqlDriver } from './mysql';
import { createSqliteDriver } from './sqlite';
import { protectSqliteFile } from './sqlite-file';

// MySQL takes names of up to 64 characters for locks, and as many for databases.
const LOCK = "CONCAT('sipgraph.start.', LEFT(SHA2(DATABASE(), 256), 40))";
const LOCK_SECONDS = 300;

/** Connects; a database that is not there yet is waited for, until the signal says to stop. */
export async function openDatabase(
  config: DatabaseConfig,
  entities: readonly EntitySchema[],
  log: Pick<Logger, 'warn'>,
  signal?: AbortSignal,
): Promise<Database> {
  if (config.dialect === 'sqlite') {
    for (const path of protectedFile(config.file))
      log.warn(`${path} can be read by other users, and its mode cannot be changed`);
  }
  for (let seconds = 1; ; seconds = Math.min(seconds * 2, 15)) {
    const dataSource = createDataSource(config, entities);
    try {
      await dataSource.initialize();
      return new Database(
        dataSource,
        config.dialect === 'sqlite'
          ? createSqliteDriver(dataSource, config.file)
          : createMysqlDriver(dataSource, await productOf(dataSource), config.heavyReads),
        config.heavyReads,
      );
    } catch (error) {
      const failure = failureOf(error);
      if (failure.type !== 'unavailable') throw config.dialect === 'sqlite' ? naming(config.file, error) : error;
      log.warn(`the database cannot be reached (${failure.reason}); trying again in ${String(seconds)} s`);
      await setTimeout(seconds * 1000, undefined, signal && { signal });
    }
  }
}

function protectedFile(file: string): readonly string[] {
  try {
    return protectSqliteFile(file);
  } catch (error) {
    throw naming(file, error);
  }
}

/** SQLite says what is wrong with a file, but not with which. */
function naming(file: string, error: unknown): Error {
  return new Error(`${file}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
}

/** Does `work` in one process at a time, so that several replicas may start at once on one database. */
export async function withStartLock<T>(database: Database, work: () => Promise<T>): Promise<T> {
  const { dataSource } = database;
  // SQLite's file has one process, and each migration is a transaction that locks it.
  if (dataSource.options.type === 'better-sqlite3') return work();
  const runner = dataSource.createQueryRunner();
  try {
    const [row] = (await runner.query(`SELECT GET_LOCK(${LOCK}, ?) AS held`, [LOCK_SECONDS])) as {
      held: unknown;
    }[];
    if (Number(row?.held) !== 1)
      throw new Error(`Another process held the lock of the first start for ${String(LOCK_SECONDS)} s`);
    return await work();
  } finally {
    await runner.query(`SELECT RELEASE_LOCK(${LOCK})`).catch(() => undefined);
    await runner.release();
  }
}
