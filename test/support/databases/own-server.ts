import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { databases } from './databases';
import { eventually } from '../eventually';
import { closeAtTheLatest } from '../runner/leftovers';
import { freePort, query } from './servers';

/** A database server for one test file, which can be stopped, and started again with its data. */
export interface OwnServer {
  readonly name: 'MariaDB' | 'MySQL';
  readonly port: number;
  /** The URL of the server, which ends with a slash. The user `root` has no password. */
  readonly url: string;
  /** Creates the database `sipgraph`. */
  readonly createDatabase: () => Promise<{ readonly url: string; readonly drop: () => Promise<void> }>;
  /** Runs a statement, and returns the first value of the first row, if any. */
  readonly run: (sql: string) => Promise<unknown>;
  /** Kills the server, as a power failure would. */
  readonly kill: () => Promise<void>;
  /** Starts the server, with other settings if given. */
  readonly start: (settings?: readonly string[]) => Promise<void>;
  /** Suspends the server. */
  readonly freeze: () => void;
  readonly goOn: () => void;
  /** Kills the server, and deletes its data. */
  readonly remove: () => Promise<void>;
}

/** How a product creates the data of a server, and starts it. */
interface Program {
  readonly name: OwnServer['name'];
  readonly server: readonly string[];
  readonly installer: readonly string[];
  /** Options of both. They come first: the programs require `--no-defaults` before all others. */
  readonly common: readonly string[];
  readonly installing: readonly string[];
  readonly settings: readonly string[];
}

const MARIADB: Program = {
  name: 'MariaDB',
  server: ['mariadbd'],
  installer: ['mariadb-install-db'],
  common: ['--no-defaults'],
  installing: ['--auth-root-authentication-method=normal', '--skip-test-db'],
  settings: ['--skip-name-resolve', '--innodb-buffer-pool-size=64M'],
};

// The files that ../shared/mysql/mysql-server unpacks on its first use.
const ROOT = join(process.env['MYSQL_SERVER_HOME'] ?? join(homedir(), '.cache', 'mysql-server'), 'root');
const LIBRARIES = join(ROOT, 'usr/lib/x86_64-linux-gnu');
const MYSQLD = [join(LIBRARIES, 'ld-linux-x86-64.so.2'), '--library-path', LIBRARIES, join(ROOT, 'usr/sbin/mysqld')];

const MYSQL: Program = {
  name: 'MySQL',
  server: MYSQLD,
  installer: MYSQLD,
  common: [
    '--no-defaults',
    `--basedir=${join(ROOT, 'usr')}`,
    `--lc-messages-dir=${join(ROOT, 'usr/share/mysql')}`,
    `--character-sets-dir=${join(ROOT, 'usr/share/mysql/charsets')}`,
    `--plugin-dir=${join(ROOT, 'usr/lib/mysql/plugin')}`,
    '--secure-file-priv=',
  ],
  installing: ['--initialize-insecure'],
  settings: ['--mysqlx=OFF', '--innodb-buffer-pool-size=64M', '--performance-schema-instrument=%=OFF'],
};

/** Whether `ownMySql` can start servers. */
export const hasMySql = databases.some(({ name }) => name === 'MySQL');

/** Starts a MariaDB server. */
export function ownMariaDb(...settings: readonly string[]): Promise<OwnServer> {
  return ownServer(MARIADB, settings);
}

/** Starts a MySQL server with the files of the shared one. */
export function ownMySql(...settings: readonly string[]): Promise<OwnServer> {
  return ownServer(MYSQL, settings);
}

async function ownServer(program: Program, settings: readonly string[]): Promise<OwnServer> {
  const home = await mkdtemp(join(tmpdir(), `sipgraph-own-${program.name.toLowerCase()}-`));
  const port = await freePort();
  // Of its own, too: a server that starts deletes the temporary tables that it finds there.
  const env = { ...process.env, TMPDIR: home };
  const data = join(home, 'data');
  await createData(program, data, env);
  const common = [...program.common, `--user=${userInfo().username}`, `--datadir=${data}`];
  const url = `mysql://root@127.0.0.1:${String(port)}/`;
  let child: ChildProcess;

  const start = async (given = settings): Promise<void> => {
    const places = [`--socket=${join(home, 's')}`, `--port=${String(port)}`, '--bind-address=127.0.0.1'];
    const [server = '', ...loading] = program.server;
    const options = [...common, ...places, ...program.settings, ...given];
    child = spawn(server, [...loading, ...options], { stdio: 'ignore', env });
    await eventually(30, () => query(url, 'SELECT 1').then(() => undefined), 50);
  };
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  const remove = async (): Promise<void> => {
    await kill();
    await rm(home, { recursive: true, force: true });
  };
  await start();
  closeAtTheLatest(remove);
  return {
    name: program.name,
    port,
    url,
    createDatabase: async () => {
      await query(url, 'CREATE DATABASE sipgraph CHARACTER SET utf8mb4 COLLATE utf8mb4_bin');
      return { url: `${url}sipgraph`, drop: () => Promise.resolve() };
    },
    run: (sql) => query(url, sql),
    kill,
    start,
    freeze: () => void child.kill('SIGSTOP'),
    goOn: () => void child.kill('SIGCONT'),
    remove,
  };
}

/** Creates the data of a server. A run installs each product once, in a directory of the global setup. */
async function createData(program: Program, data: string, env: NodeJS.ProcessEnv): Promise<void> {
  const install = async (directory: string): Promise<void> => {
    const [installer = '', ...loading] = program.installer;
    const options = [...program.common, `--user=${userInfo().username}`, `--datadir=${directory}`];
    await promisify(execFile)(installer, [...loading, ...options, ...program.installing], { env });
  };
  const shared = process.env['SIPGRAPH_TEST_DATA'];
  if (shared === undefined) {
    await install(data);
    return;
  }
  const installed = join(shared, program.name);
  if (!existsSync(installed)) {
    const own = `${installed}-${randomUUID()}`;
    await install(own);
    // Another test file may have installed it at the same time.
    await rename(own, installed).catch(() => undefined);
  }
  // MySQL would start with the identity of the other servers that have this file.
  await cp(installed, data, { recursive: true, filter: (path) => !path.endsWith('auto.cnf') });
}

/** Lets `replica` replicate `primary`, by GTID, from the primary's first transaction. */
export async function replicate(replica: OwnServer, primary: OwnServer): Promise<void> {
  if (replica.name === 'MariaDB') {
    await replica.run("SET GLOBAL gtid_slave_pos = ''");
    await replica.run(
      `CHANGE MASTER TO MASTER_HOST = '127.0.0.1', MASTER_PORT = ${String(primary.port)}, MASTER_USER = 'root',
       MASTER_CONNECT_RETRY = 1, MASTER_USE_GTID = slave_pos`,
    );
    await replica.run('START SLAVE');
  } else {
    await replica.run(
      `CHANGE REPLICATION SOURCE TO SOURCE_HOST = '127.0.0.1', SOURCE_PORT = ${String(primary.port)},
       SOURCE_USER = 'root', SOURCE_CONNECT_RETRY = 1, SOURCE_AUTO_POSITION = 1, GET_SOURCE_PUBLIC_KEY = 1`,
    );
    await replica.run('START REPLICA');
  }
}

/** Settings with which servers can replicate each other; `id` must differ between them. */
export function replicating(name: OwnServer['name'], id: number): readonly string[] {
  const common = [`--server-id=${String(id)}`, '--log-bin=log'];
  return name === 'MariaDB'
    ? [...common, '--log-slave-updates', '--binlog-format=ROW', '--sync-binlog=0']
    : [...common, '--gtid-mode=ON', '--enforce-gtid-consistency=ON', '--sync-binlog=0'];
}
