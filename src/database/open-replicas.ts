import type { Pool } from 'mysql2';

import type { ServerTarget } from '../config/database-url';
import { connectionOptions, poolElsewhere } from './data-source';
import type { Database } from './database';
import { HostProbe } from './host-probe';
import { HostSockets } from './host-sockets';
import type { Hosts } from './hosts';
import { pooledReads, type PooledRead } from './mysql-reads';
import { Replica } from './replica';
import { Replicas } from './replicas';

/** Connects a database to its replicas. Pools have the options of `pool`, which connects to the primary. */
export function openReplicas(
  target: ServerTarget,
  database: Database,
  pool: Pool,
  { poolSize, heavyReads }: { readonly poolSize: number; readonly heavyReads: number },
): Replicas {
  const { product } = database;
  if (product === 'sqlite') throw new Error('SQLite has no replicas');
  const sockets = new HostSockets();
  const readOnce = pooledReads(product);
  const read: PooledRead = (...args) => database.failures.counting(() => readOnce(...args));
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
      atMost: (table) => database.atMost(table),
      count: () => database.statements++,
    });
  });
  return new Replicas(replicas, product, database);
}
