import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

import type BetterSqlite3 from 'better-sqlite3';
import { createConnection } from 'mysql2/promise';

import { descendants } from './processes';
import { openSqlite } from '../src/database/sqlite/better-sqlite3';
import { startServer } from '../test/support/databases/servers';

type Value = string | number | null;

/** The database of one run. */
export interface BenchDatabase {
  readonly name: string;
  /** The value of DATABASE_URL. */
  readonly url: string;
  run(sql: string, values?: readonly Value[]): Promise<void>;
  rows(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Updates the planner's statistics now, so that the server does not do so during the run. */
  analyse(tables: readonly string[]): Promise<void>;
  /** CPU time of the database's own processes since their start, in microseconds. */
  cpu(): Promise<number>;
  drop(): Promise<void>;
}

/** The reason why MariaDB cannot be measured on this machine, if any. */
export function mariadbMissing(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.some((folder) => existsSync(join(folder, 'mariadbd'))) ? undefined : 'mariadbd is not on the PATH';
}

/** Creates an SQLite database in a temporary directory. */
export async function createSqlite(): Promise<BenchDatabase> {
  const directory = await mkdtemp(join(tmpdir(), 'sipgraph-bench-'));
  const file = join(directory, 'sipgraph.db');
  const once = <T>(work: (connection: BetterSqlite3.Database) => T): Promise<T> => {
    const connection = openSqlite(file);
    try {
      return Promise.resolve(work(connection));
    } finally {
      connection.close();
    }
  };
  return {
    name: 'SQLite',
    url: `sqlite:${file}`,
    run: (sql, values = []) => once((connection) => void connection.prepare(sql).run(values)),
    rows: (sql) => once((connection) => connection.prepare<[], Record<string, unknown>>(sql).all()),
    analyse: () => Promise.resolve(),
    cpu: () => Promise.resolve(0),
    drop: () => rm(directory, { recursive: true, force: true }),
  };
}

/** Starts a MariaDB server, and creates a database. */
export async function createMariadb(): Promise<BenchDatabase> {
  const server = await startServer('mariadb');
  try {
    const database = await createIn(server, 'sipgraph');
    const drop = async (): Promise<void> => {
      await database.drop();
      await server.stop();
    };
    return {
      ...database,
      cpu: async () => (await descendants(server.pid)).reduce((sum, { cpu }) => sum + cpu, 0),
      drop,
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** Creates another database on the server of one that `createMariadb` created. It lasts as long as the server. */
export async function createBeside({ name, url }: BenchDatabase, other: string): Promise<BenchDatabase> {
  return { ...(await createIn({ url }, other)), name };
}

async function createIn(
  { url, version = '' }: { readonly url: string; readonly version?: string },
  name: string,
): Promise<BenchDatabase> {
  const connect = (path: string) => createConnection({ uri: new URL(path, url).href });
  const outside = await connect('/');
  await outside.query(`CREATE DATABASE ${name} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`);
  await outside.end();
  const connection = await connect(`/${name}`);
  return {
    name: `MariaDB (${version})`,
    url: new URL(`/${name}`, url).href,
    run: async (sql, values = []) => {
      await connection.query(sql, [...values]);
    },
    rows: async (sql) => (await connection.query(sql))[0] as Record<string, unknown>[], // the result of a SELECT
    analyse: async (tables) => {
      await connection.query(`ANALYZE TABLE ${tables.join(', ')}`);
    },
    cpu: () => Promise.resolve(0),
    drop: () => {
      connection.destroy();
      return Promise.resolve();
    },
  };
}
