import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

import type { Logger } from 'pino';
import type { DataSource, EntitySchema } from 'typeorm';

import type { DatabaseConfig } from '../config/config';
import { createDataSource } from './data-source';
import { Database } from './database';
import { productOf } from './dialect';
import { driverError, failureOf } from './errors';
import { pendingMigrations } from './migrations';
import { createMysqlDriver } from './mysql';
import { createSqliteDriver } from './sqlite';
import { protectSqliteFile } from './sqlite-file';

// MySQL takes names of up to 64 characters for locks, and as many for databases.
const LOCK = "CONCAT('sipgraph.start.', LEFT(SHA2(DATABASE(), 256), 40))";
const LOCK_SECONDS = 300;

/** How a database is opened. */
export interface OpenOptions {
  /** Refuse a database that is not there, or lacks tables of this version, and leave it as it is. */
  readonly mustExist?: boolean;
  /** Wait for a server that cannot be reached, until the signal; without this, that is an error. */
  readonly wait?: { readonly signal?: AbortSignal | undefined };
  readonly log: Pick<Logger, 'warn'>;
}

/** Connects. Throws an error that names the database, and what to do about it. */
export async function openDatabase(
  config: DatabaseConfig,
  entities: readonly EntitySchema[],
  { mustExist = false, log, wait }: OpenOptions,
): Promise<Database> {
  if (mustExist && config.dialect === 'sqlite' && !existsSync(config.file))
    throw new Error(`${config.file} does not exist: check DATABASE_URL, or run \`sipgraph migrate\` to make it`);
  for (let seconds = 1; ; seconds = Math.min(seconds * 2, 15)) {
    try {
      // Somebody else's file, which was not meant, is left as it is.
      if (config.dialect === 'sqlite' && !mustExist) protect(config.file, log);
      const database = await connect(config, entities, mustExist);
      if (config.dialect === 'sqlite' && mustExist) protect(config.file, log);
      return database;
    } catch (error) {
      const failure = failureOf(error);
      if (failure.type !== 'unavailable') throw naming(config, error);
      if (!wait) throw new Error(`${nameOf(config)} cannot be reached (${failure.reason}): check DATABASE_URL`);
      log.warn(`the database cannot be reached (${failure.reason}); trying again in ${String(seconds)} s`);
      await setTimeout(seconds * 1000, undefined, wait.signal && { signal: wait.signal });
    }
  }
}

function protect(file: string, log: OpenOptions['log']): void {
  for (const path of protectSqliteFile(file))
    log.warn(`${path} can be read by other users, and its mode cannot be changed`);
}

async function connect(
  config: DatabaseConfig,
  entities: readonly EntitySchema[],
  mustExist: boolean,
): Promise<Database> {
  const dataSource = createDataSource(config, entities, mustExist);
  await dataSource.initialize();
  try {
    if (mustExist) await assertMigrated(dataSource, nameOf(config));
    return new Database(
      dataSource,
      config.dialect === 'sqlite'
        ? createSqliteDriver(dataSource, config.file)
        : createMysqlDriver(dataSource, await productOf(dataSource), config.heavyReads),
      config.heavyReads,
    );
  } catch (error) {
    await dataSource.destroy();
    throw error;
  }
}

async function assertMigrated(dataSource: DataSource, name: string): Promise<void> {
  const lacking = (await pendingMigrations(dataSource)).length;
  if (lacking === 0) return;
  if (lacking === dataSource.migrations.length)
    throw new Error(`${name} has no tables of sipgraph: check DATABASE_URL, or run \`sipgraph migrate\` to make them`);
  throw new Error(
    `${name} lacks ${String(lacking)} migration(s) of this version: run \`sipgraph migrate\`, after a backup`,
  );
}

/** What messages call a database: the file, or host, port and name. */
export function nameOf(config: DatabaseConfig): string {
  return config.dialect === 'sqlite' ? config.file : `${config.host}:${String(config.port)}/${config.database}`;
}

/** SQLite and TLS say what is wrong, but not with which file or server. */
function naming(config: DatabaseConfig, error: unknown): unknown {
  const { code, message } = driverError(error);
  if (code.startsWith('SQLITE')) return new Error(`${nameOf(config)}: ${message}`, { cause: error });
  const isTls = config.dialect === 'mysql' && config.tls !== undefined && /SSL|TLS|CERT/.test(code);
  return isTls ? new Error(`TLS with ${nameOf(config)}: ${message}`, { cause: error }) : error;
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
