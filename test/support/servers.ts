import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { resolve } from 'node:path';

import { createConnection } from 'mysql2/promise';

/** A database server that tests may make databases on. */
export interface Server {
  readonly name: string;
  readonly version: string;
  readonly url: string;
}

/** A server that was started for this run alone. */
export interface StartedServer extends Server {
  stop(): Promise<void>;
}

/** Starts `servers/<script>` on a free port; rejects with the script's reason when it cannot. */
export async function startServer(script: 'mariadb' | 'mysql'): Promise<StartedServer> {
  const port = await freePort();
  // In a session of its own: a Ctrl-C reaches it as the end of its input, and it can clean up in peace.
  const child = spawn(resolve(__dirname, 'servers', script), [String(port)], { detached: true });
  const ended = once(child, 'close');
  let complaint = '';
  child.stderr.on('data', (data: Buffer) => (complaint += data.toString()));
  const ready = once(child.stdout, 'data').then(() => true);
  if (!(await Promise.race([ready, ended.then(() => false)]))) throw new Error(complaint.trim());

  const stop = async (): Promise<void> => {
    child.stdin.end();
    await ended;
  };
  try {
    const server = await serverAt(`mysql://root@127.0.0.1:${String(port)}/`);
    if (server.name === 'MySQL') await hurry(server.url);
    return { ...server, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Asks the server at the URL what it is. */
export async function serverAt(url: string): Promise<Server> {
  const version = String(await query(url, 'SELECT VERSION()'));
  return { name: version.includes('MariaDB') ? 'MariaDB' : 'MySQL', version, url };
}

/** Runs one statement on a connection of its own; answers the first value of the first row, if there is one. */
export async function query(url: string, sql: string): Promise<unknown> {
  const connection = await createConnection({ uri: url, rowsAsArray: true });
  try {
    const [rows] = await connection.query(sql);
    const first: unknown = Array.isArray(rows) ? rows[0] : undefined;
    return Array.isArray(first) ? first[0] : undefined;
  } finally {
    await connection.end();
  }
}

/** Nothing on a server of ours has to survive a power cut, so nothing waits for the disk. */
async function hurry(url: string): Promise<void> {
  await query(
    url,
    'SET GLOBAL innodb_flush_log_at_trx_commit = 0, GLOBAL sync_binlog = 0, GLOBAL max_connections = 500',
  );
  await query(url, 'ALTER INSTANCE DISABLE INNODB REDO_LOG');
}

/** A port below those that the system gives to outgoing connections, so that it is still free when the server comes. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    const probe = createServer().listen(port, '127.0.0.1');
    const free = await once(probe, 'listening').then(
      () => true,
      () => false,
    );
    if (!free) continue;
    probe.close();
    await once(probe, 'close');
    return port;
  }
}
