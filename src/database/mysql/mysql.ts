import type { Pool } from 'mysql2';
import type { DataSource } from 'typeorm';

import { READ_TIMEOUT, type Driver, type TransactionOptions } from '../driver';
import type { Hosts } from '../servers/hosts';
import type { Transaction } from '../sql';
import { isOff } from '../write-state';
import { catchUpOn, cachedCluster } from './cluster';
import { LockWatch } from './lock-watch';
import { begin, connectionOf, pooledReads, transact, type PooledRead } from './mysql-connection';
import { poolBeside, poolOf, poolUse, poolWith } from './pools';

// Connections for transactions that several writes share. There is rarely more than one at a time.
const SHARED_TRANSACTIONS = 4;
// Settings of the connection for maintenance. With READ COMMITTED, each statement sees all committed rows and locks no
// gaps. After two seconds without a statement, the server closes the connection, so that a paused process holds no
// locks. A running statement may wait longer than that for a lock.
const MAINTENANCE = [
  'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
  'SET SESSION wait_timeout = 2',
  'SET SESSION innodb_lock_wait_timeout = 5',
];

// Within this time, in seconds, the server rolls back the transaction of a process that is paused, so that it holds no
// locks. MySQL can only close an idle connection, so the pool closes it earlier (milliseconds).
const IDLE = {
  mariadb: 'SET SESSION idle_transaction_timeout = 5',
  mysql: 'SET SESSION wait_timeout = 5',
};
const IDLE_MILLISECONDS = 2000;
const BEGIN = 'START TRANSACTION';
// Holds for the next transaction of the connection only.
const SEES_COMMITS = 'SET TRANSACTION ISOLATION LEVEL READ COMMITTED';
// Not in a writing connection, whose transactions end when they are idle.
const SNAPSHOT = ['SET TRANSACTION ISOLATION LEVEL REPEATABLE READ', 'START TRANSACTION READ ONLY'];
// How a writing connection waits for a lock, in seconds. Shared transactions give up early and are then split. They
// begin with their first statement (`autocommit = 0`), which saves a request to the server.
const SEPARATE = 'SET SESSION innodb_lock_wait_timeout = 5';
const SHARED = 'SET SESSION innodb_lock_wait_timeout = 1, autocommit = 0';

// In group replication, MySQL aborts a transaction whose rows another node changes. The next SAVEPOINT begins a new one
// without an error: a commit would then keep the rest on this node, and everything on the others. A savepoint from the
// beginning, after a table was used, is gone then, so that its release fails. The table is used with a lock that
// nothing else waits for, because a plain read would fix what the transaction sees before it waits for a lock.
const WHOLE = {
  beginning: ['SELECT id FROM migrations WHERE id = 0 FOR SHARE', 'SAVEPOINT whole'],
  ending: ['RELEASE SAVEPOINT whole'],
};

/**
 * The driver for MySQL and MariaDB, which runs prepared statements. Migrations use TypeORM's pool. Transactions, reads,
 * heavy reads, shared transactions and maintenance have pools of their own, because their connections have other settings; catching
 * up and the watch over locks, because they must not wait for the others.
 */
export function createMysqlDriver(
  dataSource: DataSource,
  product: 'mysql' | 'mariadb',
  heavyReads: number,
  /** Undefined if there is one server. */
  hosts?: Hosts,
): Driver {
  const take = hosts ? hosts.take : connectionOf;
  const run = <T>(work: () => Promise<T>): Promise<T> => (hosts ? hosts.run(work) : work());
  const pool = poolOf(dataSource);
  const readPool = poolBeside(pool);
  const heavyPool = poolBeside(pool, heavyReads);
  const maintenancePool = poolWith(pool, MAINTENANCE, { connectionLimit: 1 });
  const catchUpPool = poolBeside(pool, 1);
  const watchPool = poolBeside(pool, 1);
  const idleTimeout = product === 'mysql' ? IDLE_MILLISECONDS : undefined;
  const writePool = poolWith(pool, [SEPARATE, IDLE[product]], { idleTimeout });
  const impatientPool = poolWith(pool, [SHARED, IDLE[product]], {
    connectionLimit: SHARED_TRANSACTIONS,
    idleTimeout,
  });
  const readOnce = pooledReads(product, take);
  const read: PooledRead = hosts ? (...args) => hosts.run(() => readOnce(...args)) : readOnce;
  const lockWatch = new LockWatch((text) => read(watchPool, text, [], READ_TIMEOUT));
  const cluster = cachedCluster((text) => read(catchUpPool, text, [], READ_TIMEOUT));
  const transactOn = async <T>(
    from: Pool,
    work: (transaction: Transaction) => Promise<T>,
    /** If empty, the first statement of `work` begins the transaction. */
    beginning: readonly string[] = [BEGIN],
    options?: Parameters<typeof transact>[2],
  ): Promise<T> => {
    // If another node needs the locks of a transaction while a statement is prepared, MariaDB has responded before it rolls the
    // transaction back, and does not report the error later either.
    const isUndoneSilently = (await cluster()) === 'galera';
    return run(async () => transact(await begin(() => take(from), beginning), work, { ...options, isUndoneSilently }));
  };
  /** Runs a transaction that may have savepoints. */
  const transactWholly = async <T>(
    from: Pool,
    work: (transaction: Transaction) => Promise<T>,
    beginning: readonly string[],
    { scope, isRehearsal }: TransactionOptions = {},
  ): Promise<T> => {
    const watch = isRehearsal ? lockWatch : undefined;
    return product === 'mysql' && (await cluster()) === 'group-replication'
      ? transactOn(from, work, [...beginning, ...WHOLE.beginning], { scope, watch, ending: WHOLE.ending })
      : transactOn(from, work, beginning, { scope, watch });
  };
  return {
    product,
    rows: (text, values, scope) => read(readPool, text, values, READ_TIMEOUT, scope),
    heavy: (text, values, milliseconds, request) => read(heavyPool, text, values, milliseconds, request),
    transaction: (work, options = {}) =>
      transactWholly(writePool, work, options.seesCommits ? [SEES_COMMITS, BEGIN] : [BEGIN], options),
    snapshot: (work) => transactOn(readPool, work, SNAPSHOT),
    maintenance: {
      rows: (text, values) => read(maintenancePool, text, values, READ_TIMEOUT),
      transaction: (work) => transactOn(maintenancePool, work),
    },
    impatientTransaction: (work) => transactWholly(impatientPool, work, []),
    isReadOnly: async () => !isOff((await read(maintenancePool, 'SELECT @@read_only', [], READ_TIMEOUT))[0]?.[0]),
    hasNodes: async () => (await cluster()) !== undefined,
    catchUp: catchUpOn(cluster, () => take(catchUpPool)),
    poolUse: () => [
      poolUse('read', readPool),
      poolUse('write', writePool),
      poolUse('shared-write', impatientPool),
      poolUse('upkeep', maintenancePool),
    ],
    close: async () => {
      await Promise.all(
        [readPool, heavyPool, maintenancePool, catchUpPool, watchPool, writePool, impatientPool].map((each) =>
          each.promise().end(),
        ),
      );
      hosts?.close();
    },
  };
}
