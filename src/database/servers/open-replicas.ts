import type { Pool } from 'mysql2';

import type { DatabaseConfig } from '../../config/config';
import type { ServerTarget } from '../../config/database-url';
import { connectionOptions, poolElsewhere } from '../mysql/pools';
import type { Database } from '../database';
import { HostProbe } from './host-probe';
import { HostSockets } from '../mysql/mysql-socket';
import type { Hosts } from './hosts';
import { pooledReads, type PooledRead } from '../mysql/mysql-connection';
import { Replica } from './replica';
import { Replicas } from './replicas';
import { statement } from '../traced-driver';

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
  const readOnce = pooledReads(product);
  const read: PooledRead = (from, text, values, milliseconds, need) =>
    statement(need?.span, text, () =>
      database.failures.counting(() => readOnce(from, text, values, milliseconds, need)),
    );
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
      statements: database.statements,
    });
  });
  return new Replicas(replicas, product, database, admission.timeout);
}
