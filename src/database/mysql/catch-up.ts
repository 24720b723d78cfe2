import type { PoolConnection } from 'mysql2';

import type { ClusterType } from './cluster';
import { begun } from './mysql-connection';

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
    (await begun(take, STATEMENTS[type])).release();
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
