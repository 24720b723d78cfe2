import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

import { createConnection } from 'mysql2/promise';

import { eventually } from '../support/eventually';
import { freePort } from './support';

/** A MariaDB for one test file, which can be stopped and started again with its data. */
export interface OwnMariaDb {
  readonly createDatabase: () => Promise<{ readonly url: string; readonly drop: () => Promise<void> }>;
  /** Kills the server, as a power failure would. */
  readonly kill: () => Promise<void>;
  readonly start: () => Promise<void>;
  /** Suspends the server. */
  readonly freeze: () => void;
  readonly goOn: () => void;
  readonly remove: () => Promise<void>;
}

export async function ownMariaDb(...settings: readonly string[]): Promise<OwnMariaDb> {
  const home = await mkdtemp(join(tmpdir(), 'sipgraph-own-mariadb-'));
  const port = await freePort();
  const common = ['--no-defaults', `--user=${userInfo().username}`, `--datadir=${join(home, 'data')}`];
  const options = ['--auth-root-authentication-method=normal', '--skip-test-db'];
  execFileSync('mariadb-install-db', [...common, ...options], { stdio: 'ignore' });
  const server = `mysql://root@127.0.0.1:${String(port)}/`;
  let child: ChildProcess;

  const start = async (): Promise<void> => {
    const places = [`--socket=${join(home, 's')}`, `--port=${String(port)}`, '--bind-address=127.0.0.1'];
    child = spawn('mariadbd', [...common, ...places, '--skip-name-resolve', ...settings], { stdio: 'ignore' });
    await eventually(30, () => execute(server, 'SELECT 1'));
  };
  const kill = async (): Promise<void> => {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  await start();
  return {
    createDatabase: async () => {
      await execute(server, 'CREATE DATABASE sipgraph CHARACTER SET utf8mb4 COLLATE utf8mb4_bin');
      return { url: `${server}sipgraph`, drop: () => Promise.resolve() };
    },
    kill,
    start,
    freeze: () => void child.kill('SIGSTOP'),
    goOn: () => void child.kill('SIGCONT'),
    remove: async () => {
      await kill();
      await rm(home, { recursive: true });
    },
  };
}

async function execute(url: string, sql: string): Promise<void> {
  const connection = await createConnection(url);
  try {
    await connection.query(sql);
  } finally {
    connection.destroy();
  }
}
