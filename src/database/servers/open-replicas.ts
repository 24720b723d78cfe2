import type { Pool } from 'mysql2';

import type { DatabaseConfig } from '../../config/config';
import type { ServerTarget } from '../../config/database-url';
import { connectionOptions, poolElsewhere } from '../mysql/pools';
import type { Database } from '../database';
import { HostProbe } from './host-probe';
import { HostSockets } from '../mysql/mysql-socket';
import type { Hosts } from './hosts';
import { pooledReads } from '../mysql/mysql-connection';
import { Replica } from './replica';
import { Replicas } from './replicas';

/** Connects a database to its replicas. Pools have the options of `pool`, which connects to the primary. */
export function openReplicas(
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
