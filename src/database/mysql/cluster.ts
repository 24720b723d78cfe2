import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';

import type { PoolConnection } from 'mysql2';
import type { DataSource } from 'typeorm';

import { failureOf } from '../errors';
import { begin } from './mysql-connection';

/** The clusters in which several nodes accept writes. Each node finds conflicts with others only at the commit. */
type ClusterType = 'galera' | 'group-replication';

/**
 * The cluster that a server belongs to; undefined for a server of its own. `read` returns rows as objects or arrays.
 */
export async function clusterOf(read: (text: string) => Promise<readonly object[]>): Promise<ClusterType | undefined> {
  const rows = await read("SHOW VARIABLES WHERE Variable_name IN ('wsrep_on', 'group_replication_group_name')");
  for (const [name, value] of rows.map((row): unknown[] => Object.values(row))) {
    if (name === 'wsrep_on' && value === 'ON') return 'galera';
    if (name === 'group_replication_group_name' && value !== '') return 'group-replication';
  }
  return undefined;
}

/**
 * Returns a function that looks up the cluster of a server, and remembers it. A look-up that fails is not remembered.
 */
export function cachedCluster(...args: Parameters<typeof clusterOf>): () => ReturnType<typeof clusterOf> {
  let cluster: ReturnType<typeof clusterOf> | undefined;
  return () =>
    (cluster ??= clusterOf(...args).catch((error: unknown) => {
      cluster = undefined;
      throw error;
    }));
}

// A read that waits for what the other nodes have committed. The read must be of a table.
const STATEMENTS: Readonly<Record<ClusterType, readonly string[]>> = {
  galera: ['SET SESSION wsrep_sync_wait = 1', 'SELECT last FROM change_head'],
  'group-replication': ["SET SESSION group_replication_consistency = 'BEFORE'", 'SELECT last FROM change_head'],
};

/**
 * Returns `Driver.catchUp`. Callers that wait share a run that begins after their calls. `take` takes a
 * connection that is used for nothing else, because a setting of it changes.
 */
export function catchUpOn(
  cluster: () => Promise<ClusterType | undefined>,
  take: () => Promise<PoolConnection>,
): () => Promise<boolean> {
  let current: Promise<unknown> = Promise.resolve();
  let next: Promise<boolean> | undefined;

  const run = async (): Promise<boolean> => {
    const type = await cluster();
    if (!type) return false;
    (await begin(take, STATEMENTS[type])).release();
    return true;
  };

  return () =>
    (next ??= current.then(() => {
      next = undefined;
      const running = run();
      current = running.catch(() => undefined);
      return running;
    }));
}

const TABLE = `CREATE TABLE IF NOT EXISTS start_lock (
  id integer PRIMARY KEY NOT NULL, holder varchar(32) NOT NULL, beat bigint NOT NULL, claims bigint NOT NULL
) ENGINE=InnoDB CHARACTER SET utf8mb4`;
// Milliseconds.
const [LOOK, BEAT, STALE] = [200, 1000, 15_000];

/**
 * Runs `work` under a lock that holds on all nodes of a cluster, unlike GET_LOCK: a row, which its holder changes every
 * second. A process that waits takes the lock over if the row does not change for 15 seconds, twice. Its own write in
 * between proves that the cluster accepts writes, which a long DDL statement delays. Throws after `seconds`.
 */
export async function withClusterLock<T>(source: DataSource, seconds: number, work: () => Promise<T>): Promise<T> {
  const holder = randomBytes(12).toString('hex');
  await source.query(TABLE);
  await take(source, holder, Date.now() + seconds * 1000);
  const beat = setInterval(() => {
    // After a conflict with the write of a process that waits, the next one succeeds.
    source.query('UPDATE start_lock SET beat = beat + 1 WHERE holder = ?', [holder]).catch(() => undefined);
  }, BEAT);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    await release(source, 'holder = ?', [holder]);
  }
}

async function take(source: DataSource, holder: string, end: number): Promise<void> {
  let [seen, seenOn, isClaimed] = ['', Date.now(), false];
  const insert = 'INSERT INTO start_lock (id, holder, beat, claims) VALUES (1, ?, 0, 0)';
  while (!(await succeeds(source.query(insert, [holder])))) {
    if (Date.now() > end) throw new Error('A process on another node has held the startup lock for too long');
    await setTimeout(LOOK);
    const [row] = await source.query<{ readonly holder: string; readonly beat: unknown }[]>(
      'SELECT holder, beat FROM start_lock WHERE id = 1',
    );
    const now = row ? `${row.holder} ${String(row.beat)}` : '';
    if (now !== seen) [seen, seenOn, isClaimed] = [now, Date.now(), false];
    if (!row || Date.now() - seenOn < STALE) continue;
    if (isClaimed) await release(source, 'holder = ? AND beat = ?', [row.holder, Number(row.beat)]);
    isClaimed ||= await succeeds(source.query('UPDATE start_lock SET claims = claims + 1 WHERE id = 1'));
    seenOn = Date.now();
  }
}

/** Deletes the row of a lock. A conflict can only be with a write that is harmless. */
async function release(source: DataSource, where: string, values: readonly (string | number)[]): Promise<void> {
  for (let attempt = 0; attempt < 10; attempt++) {
    if (await succeeds(source.query(`DELETE FROM start_lock WHERE ${where}`, [...values]))) return;
    await setTimeout(LOOK * Math.random());
  }
}

/** Whether a statement succeeds. Returns false if another process was faster. */
async function succeeds(statement: Promise<unknown>): Promise<boolean> {
  try {
    await statement;
    return true;
  } catch (error) {
    if (['duplicate', 'retryable'].includes(failureOf(error).type)) return false;
    throw error;
  }
}
