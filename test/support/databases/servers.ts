import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { resolve } from 'node:path';

import { createConnection } from 'mysql2/promise';

/** A database server on which tests create databases. */
export interface Server {
  readonly name: string;
  readonly version: string;
  readonly url: string;
}

/** A server that was started for this run. */
export interface StartedServer extends Server {
  /** The process that runs it as a child. */
  readonly pid: number | undefined;
  stop(): Promise<void>;
}

/** Starts `servers/<script>` on a free port. Rejects with the script's error message. */
export async function startServer(script: 'mariadb' | 'mysql'): Promise<StartedServer> {
  const port = await freePort();
  // In a separate session, so that Ctrl-C reaches the script only as the end of its input, and it can clean up.
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
    const server = await soonAt(`mysql://root@127.0.0.1:${String(port)}/`);
    if (server.name === 'MySQL') await hurry(server.url);
    return { ...server, pid: child.pid, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Waits for a server: the script of MySQL prints its URL after half a minute even if the server is still starting. */
async function soonAt(url: string): Promise<Server> {
  for (const until = Date.now() + 60_000; ;) {
    try {
      return await serverAt(url);
    } catch (error) {
      if (Date.now() > until) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** Connects to a server and reads its product and version. */
export async function serverAt(url: string): Promise<Server> {
  const version = String(await query(url, 'SELECT VERSION()'));
  return { name: version.includes('MariaDB') ? 'MariaDB' : 'MySQL', version, url };
}

/** Runs a statement on a separate connection. Returns the first value of the first row, if any. */
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

/**
 * Makes the server faster: test data need not survive a power failure, so nothing waits for the disk. Tables in one file
 * are created with less CPU time, and with a fifth less again without the measurements of performance_schema.
 */
async function hurry(url: string): Promise<void> {
  await query(
    url,
    `SET GLOBAL innodb_flush_log_at_trx_commit = 0, GLOBAL sync_binlog = 0, GLOBAL max_connections = 500,
       GLOBAL innodb_file_per_table = OFF`,
  );
  await query(url, 'ALTER INSTANCE DISABLE INNODB REDO_LOG');
  await query(url, "UPDATE performance_schema.setup_instruments SET enabled = 'NO', timed = 'NO'");
}

/** A port below the range for outgoing connections, so that it is still free when the server starts. */
export async function freePort(): Promise<number> {
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
