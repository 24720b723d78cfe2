import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

import type { Pool } from 'mysql2';
import type { Logger } from 'pino';
import { DataSource, type DataSourceOptions, type EntitySchema } from 'typeorm';

import type { DatabaseConfig } from '../config/config';
import { addressText, type ServerTarget } from '../config/database-url';
import { Database } from './database';
import { productOf } from './ddl';
import { driverError, failureOf } from './errors';
import { migrations, pendingMigrations } from './migrations';
import { clusterOf, withClusterLock } from './mysql/cluster';
import { createMysqlDriver } from './mysql/mysql';
import { pooledReads } from './mysql/mysql-connection';
import { HostSockets } from './mysql/mysql-socket';
import { connectionOptions, createLatestPool, poolElsewhere, poolOf } from './mysql/pools';
import { resumable } from './resumable';
import { HostProbe } from './servers/host-probe';
import { Hosts } from './servers/hosts';
import { Replica } from './servers/replica';
import { Replicas } from './servers/replicas';
import { betterSqlite3 } from './sqlite/better-sqlite3.js';
import { createSqliteDriver } from './sqlite/sqlite';
import { protectSqliteFile } from './sqlite/sqlite-file';

// Statements and transactions that may wait for a connection of a pool, for each of its connections.
const WAITING = 100;

/** How to open a database. */
interface DataSourceOpening {
  /** Whether a SQLite file is neither created nor changed. */
  readonly mustExist?: boolean;
  /** Opens the sockets of connections to one of several servers. By default, the first server is used. */
  readonly stream?: Hosts['stream'] | undefined;
  /** The tables as the kinds declare them, to compare the migrations with. */
  readonly entities?: readonly EntitySchema[];
}

/**
 * The most prepared statements of a connection. By default, a server has 16,382 for all its connections (`max_prepared_stmt_count`), of which
 * it accepts 151. Once they are used up, hardly anything can be read or written.
 */
const MAX_PREPARED = 100;

/** Creates the TypeORM data source. */
export function createDataSource(
  config: DatabaseConfig,
  { mustExist = false, stream, entities = [] }: DataSourceOpening = {},
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
    migrations: migrations.map(resumable),
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
      maxPreparedStatements: MAX_PREPARED,
      enableKeepAlive: true,
      queueLimit: WAITING * poolSize,
      ...(stream !== undefined && { stream }),
    },
  });
}

// MySQL limits the names of locks to 64 characters, and a database's name alone can have 64.
const LOCK = "CONCAT('sipgraph.start.', LEFT(SHA2(DATABASE(), 256), 40))";
const LOCK_SECONDS = 300;

/** How to open a database. */
export interface OpenOptions {
  /** Throw if the database does not exist or a migration is missing, instead of creating a file. */
  readonly mustExist?: boolean;
  /**
   * Retry while the server cannot be reached, until the signal aborts. Without it, an unreachable server is an error.
   */
  readonly wait?: { readonly signal?: AbortSignal | undefined };
  /** Whether to read from the replicas of the configuration. */
  readonly replicas?: boolean;
  readonly log: Pick<Logger, 'warn'>;
}

/** Connects to the database. Throws an error that identifies the database and says what to do. */
export async function openDatabase(
  config: DatabaseConfig,
  { mustExist = false, log, wait, replicas = false }: OpenOptions,
): Promise<Database> {
  if (mustExist && config.dialect === 'sqlite' && !existsSync(config.file))
    throw new Error(`${config.file} does not exist: check DATABASE_URL, or run \`sipgraph migrate\` to create it`);
  for (let seconds = 1; ; seconds = Math.min(seconds * 2, 15)) {
    try {
      // With `mustExist`, only a file that turned out to be a sipgraph database is changed.
      if (config.dialect === 'sqlite' && !mustExist) protect(config.file, log);
      const database = await connect(config, mustExist, log);
      if (replicas && config.replicas)
        database.useReplicas(openReplicas(config.replicas, database, poolOf(database.dataSource), config));
      if (config.dialect === 'sqlite' && mustExist) protect(config.file, log);
      return database;
    } catch (error) {
      const failure = failureOf(error);
      if (failure.type !== 'unavailable') throw naming(config, error);
      if (!wait) throw new Error(`${nameOf(config)} cannot be reached (${failure.reason}): check DATABASE_URL`);
      log.warn(`the database cannot be reached (${failure.reason}); retrying in ${String(seconds)} s`);
      await setTimeout(seconds * 1000, undefined, wait.signal && { signal: wait.signal });
    }
  }
}

function protect(file: string, log: OpenOptions['log']): void {
  for (const path of protectSqliteFile(file))
    log.warn(`${path} is readable by other users, and its mode cannot be changed`);
}

async function connect(config: DatabaseConfig, mustExist: boolean, log: OpenOptions['log']): Promise<Database> {
  const hosts = await findHost(config, log);
  const dataSource = createDataSource(config, { mustExist, stream: hosts?.stream });
  try {
    await dataSource.initialize();
    if (mustExist) await assertMigrated(dataSource, nameOf(config));
    const driver =
      config.dialect === 'sqlite'
        ? createSqliteDriver(dataSource, config.file, config.admission.requests / 2)
        : createMysqlDriver(dataSource, await productOf(dataSource), config.heavyReads, hosts);
    return new Database(dataSource, driver, config.heavyReads, hosts);
  } catch (error) {
    if (dataSource.isInitialized) await dataSource.destroy();
    hosts?.close();
    throw error;
  }
}

/** Finds the server to use among several ones. Returns undefined if there is only one. */
async function findHost(config: DatabaseConfig, log: OpenOptions['log']): Promise<Hosts | undefined> {
  if (config.dialect === 'sqlite' || config.hosts.length === 1) return undefined;
  const hosts = new Hosts(config.hosts, connectionOptions(config), log);
  await hosts.start();
  return hosts;
}

/** Connects a database to its replicas. Pools have the options of `pool`, which connects to the primary. */
function openReplicas(
  target: ServerTarget,
  database: Database,
  pool: Pool,
  { poolSize, heavyReads, admission }: DatabaseConfig,
): Replicas {
  const { product } = database;
  if (product === 'sqlite') throw new Error('SQLite has no replicas');
  const sockets = new HostSockets();
  const read = pooledReads(product);
  const replicas = target.hosts.map((address) => {
    const stream: Hosts['stream'] = () => sockets.open(address);
    const connecting = connectionOptions(target);
    const others = { ...address, ...connecting, stream };
    return new Replica({
      probe: new HostProbe(address, connecting),
      sockets,
      pool: poolElsewhere(pool, { ...others, connectionLimit: poolSize }),
      heavyPool: poolElsewhere(pool, { ...others, connectionLimit: heavyReads }),
      read,
      product,
      heavyReads,
      observer: database.observer,
    });
  });
  return new Replicas(replicas, product, database, admission.timeout);
}

async function assertMigrated(dataSource: DataSource, name: string): Promise<void> {
  const missing = (await pendingMigrations(dataSource)).length;
  if (missing === 0) return;
  if (missing === dataSource.migrations.length)
    throw new Error(`${name} has no sipgraph tables: check DATABASE_URL, or run \`sipgraph migrate\` to create them`);
  throw new Error(
    `${name} is missing ${String(missing)} migration(s) of this version: make a backup and run \`sipgraph migrate\``,
  );
}

/**
 * Returns the name of a database for messages: the file, or hosts, ports and database name. The name never contains the
 * password.
 */
export function nameOf(config: DatabaseConfig): string {
  return config.dialect === 'sqlite' ? config.file : `${config.hosts.map(addressText).join(',')}/${config.database}`;
}

/** Adds the file or server to the messages of SQLite and TLS errors, which do not contain it. */
function naming(config: DatabaseConfig, error: unknown): unknown {
  const { code, message } = driverError(error);
  if (code.startsWith('SQLITE')) return new Error(`${nameOf(config)}: ${message}`, { cause: error });
  const isTls = config.dialect === 'mysql' && config.tls !== undefined && /SSL|TLS|CERT/.test(code);
  return isTls ? new Error(`TLS with ${nameOf(config)}: ${message}`, { cause: error }) : error;
}

/**
 * Runs `work` under a lock in the database, so that replicas can start at the same time, also on several nodes of a
 * cluster.
 */
export async function withStartLock<T>(database: Database, work: () => Promise<T>): Promise<T> {
  const { dataSource } = database;
  // A SQLite file is used by one process, and each migration locks the file.
  if (dataSource.options.type === 'better-sqlite3') return work();
  const runner = dataSource.createQueryRunner();
  try {
    const [row] = (await runner.query(`SELECT GET_LOCK(${LOCK}, ?) AS held`, [LOCK_SECONDS])) as {
      held: unknown;
    }[];
    if (Number(row?.held) !== 1)
      throw new Error(`Another process has held the startup lock for ${String(LOCK_SECONDS)} s`);
    // Processes on one node wait here, and those on other nodes below.
    return await ((await clusterOf((text) => dataSource.query(text)))
      ? withClusterLock(dataSource, LOCK_SECONDS, work)
      : work());
  } finally {
    await runner.query(`SELECT RELEASE_LOCK(${LOCK})`).catch(() => undefined);
    await runner.release();
  }
}
