import type { Pool, PoolConnection, QueryResult, ResultSetHeader } from 'mysql2';

import { LongWork } from '../../limits/event-loop';
import { failureOf, isHostFailure, isSilent, throwUndecided, throwUndone } from '../errors';
import { withRehearsal, withSavepoint, type RequestScope, type Row, type SqlValue, type Transaction } from '../sql';
import type { LockWatch } from './lock-watch';
import { disconnect, responseWithin } from './mysql-socket';
import { execute, isPrepared } from './mysql-statements';
import { giveBack, isKilled, kill, TIMEOUT, unlessCancelled } from './sessions';

// Holds for the next transaction of the connection only.
const SEES_ONE_STATE = 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ';

const taken = new WeakSet<PoolConnection>();
// Milliseconds within which a statement fails on a connection that the server has closed before.
const CLOSED = 500;
// Milliseconds that the server has, after the time limit of a read, to report that it stopped the read. Then, the
// connection is closed.
const GRACE = 2000;

/**
 * Runs a read on a connection of a pool. The server stops the read after `milliseconds`, or soon after `scope` is over;
 * then this rejects with its error.
 */
export type PooledRead = (
  from: Pool,
  text: string,
  values: readonly SqlValue[],
  milliseconds: number,
  scope?: RequestScope,
) => Promise<readonly Row[]>;

/** Returns a function that reads from servers of a product. `take` takes a connection from a pool. */
export function pooledReads(product: 'mysql' | 'mariadb', take = connectionOf): PooledRead {
  const limit = limiter(product);
  return (from, text, values, milliseconds, scope) =>
    onLive(
      () => take(from),
      async (connection) => {
        try {
          const found = await unlessCancelled(connection, scope, async () => {
            const limiting = limit(connection, milliseconds);
            if (limiting) await limiting;
            return rows(connection, text, values, milliseconds + GRACE);
          });
          connection.release();
          return found;
        } catch (error) {
          if (isSilent(error)) kill(connection);
          // `onLive` destroys a connection that is lost.
          if (failureOf(error).type !== 'unavailable') giveBack(connection);
          throw error;
        }
      },
    );
}

/**
 * Returns a function that sets a connection's server-side time limit, rounded up to seconds so that it rarely changes.
 * The function returns undefined if the connection already has that limit.
 */
function limiter(
  product: 'mysql' | 'mariadb',
): (connection: PoolConnection, milliseconds: number) => Promise<void> | undefined {
  const limits = new WeakMap<PoolConnection, number>();
  return (connection, milliseconds) => {
    const seconds = Math.ceil(milliseconds / 1000);
    if (limits.get(connection) === seconds) return undefined;
    const text =
      product === 'mysql'
        ? `SET SESSION max_execution_time = ${String(seconds * 1000)}`
        : `SET SESSION max_statement_time = ${String(seconds)}`;
    return command(connection, text).then(() => void limits.set(connection, seconds));
  };
}

/** How `transact` runs. */
interface TransactOptions {
  readonly scope?: RequestScope | undefined;
  readonly ending?: readonly string[] | undefined;
  /** Ends the transaction, which is rolled back in any case (see `TransactionOptions`), if others wait for its locks. */
  readonly watch?: LockWatch | undefined;
  /** Whether the server may roll the transaction back, and report no error, while it prepares a statement. */
  readonly isUndoneSilently?: boolean | undefined;
}

/**
 * Runs `work` in the transaction of a connection, runs the statements of `ending`, commits, and returns the connection
 * to its pool. If `scope` is over before the commit begins, rolls back and throws its error.
 */
export async function transact<T>(
  connection: PoolConnection,
  work: (transaction: Transaction) => Promise<T>,
  { scope, ending = [], watch, isUndoneSilently = false }: TransactOptions = {},
): Promise<T> {
  try {
    const own = isUndoneSilently ? withPreparations(connection, transactionOn(connection)) : transactionOn(connection);
    const run = (): Promise<T> =>
      watch
        ? watch.during(connection.threadId, rehearsalOn(connection, own), (within) => work(withPauses(within, scope)))
        : work(own);
    const result = await unlessCancelled(connection, scope, run);
    for (const text of ending) await command(connection, text);
    await command(connection, 'COMMIT').catch(throwUndecided);
    connection.release();
    return result;
  } catch (error) {
    if (isSilent(error)) kill(connection);
    // A session that began while its node was outside the group generates row ids that other nodes generate, too.
    else if (isHostFailure(error)) disconnect(connection);
    // A connection that fails to roll back is not reused. The original error is the one to report.
    else if (!isKilled(connection)) await command(connection, 'ROLLBACK').catch(() => disconnect(connection));
    giveBack(connection);
    throw error;
  }
}

/**
 * Takes a connection and begins a transaction with these statements. Without statements, the connection is not checked,
 * and may be dead.
 */
export function begin(take: () => Promise<PoolConnection>, beginning: readonly string[]): Promise<PoolConnection> {
  return onLive(take, async (connection) => {
    try {
      for (const text of beginning) await command(connection, text);
      return connection;
    } catch (error) {
      // A connection that is not given back would occupy its pool forever.
      disconnect(connection);
      throw error;
    }
  });
}

/**
 * Takes a connection, and runs `work` on it, which must change nothing. The server may have closed a connection that
 * was idle: then, `work` runs again on another one. A connection that is lost is destroyed.
 */
async function onLive<T>(
  take: () => Promise<PoolConnection>,
  work: (connection: PoolConnection) => Promise<T>,
): Promise<T> {
  for (;;) {
    const connection = await take();
    const isNew = !taken.has(connection);
    taken.add(connection);
    const start = performance.now();
    try {
      return await work(connection);
    } catch (error) {
      if (failureOf(error).type !== 'unavailable') throw error;
      disconnect(connection);
      if (isNew || isSilent(error) || performance.now() - start > CLOSED) throw error;
    }
  }
}

/** Takes a connection from a pool. The caller must release or destroy the connection. */
export function connectionOf(pool: Pool): Promise<PoolConnection> {
  return new Promise((resolve, reject) => {
    pool.getConnection((error, connection) => {
      if (error) reject(error);
      else resolve(connection);
    });
  });
}

/** Runs a statement without values. */
async function command(connection: PoolConnection, text: string): Promise<void> {
  await responseWithin(TIMEOUT, (done) => connection.query(text, done));
}

function transactionOn(connection: PoolConnection): Transaction {
  return {
    rows: (text, values) => rows(connection, text, values),
    run: async (text, values) => {
      const result = await responseWithin<QueryResult>(TIMEOUT, (done) => execute(connection, text, values, done));
      const { affectedRows, insertId } = result as ResultSetHeader; // because the statement returns no rows
      return { rows: affectedRows, insertId };
    },
    undoable: (work) => withSavepoint((text) => command(connection, text), work),
    undone: (work) => withRehearsal((text) => command(connection, text), work),
  };
}

/** Undoes all changes with their locks, for which others wait. What is read after that is as it was at one time. */
function rehearsalOn(connection: PoolConnection, transaction: Transaction): Transaction {
  return {
    ...transaction,
    undone: async (work) => {
      const result = await work();
      for (const text of ['ROLLBACK', SEES_ONE_STATE, 'START TRANSACTION WITH CONSISTENT SNAPSHOT'])
        await command(connection, text);
      return result;
    },
  };
}

/**
 * Has a savepoint while a statement is prepared. If it is gone after that, the server has rolled the transaction back in between, and
 * what follows would be committed without what was before.
 */
function withPreparations(connection: PoolConnection, transaction: Transaction): Transaction {
  const prepareOne = async (text: string): Promise<void> => {
    if (isPrepared(connection, text)) return;
    await command(connection, 'SAVEPOINT prepared');
    await responseWithin(TIMEOUT, (done) => connection.prepare(text, done));
    await command(connection, 'RELEASE SAVEPOINT prepared').catch(throwUndone);
  };
  let last: Promise<unknown> = Promise.resolve();
  // One after the other, because a second savepoint of this name would replace the first one.
  const prepare = (text: string): Promise<void> => {
    if (isPrepared(connection, text)) return Promise.resolve();
    const own = last.then(() => prepareOne(text));
    last = own.catch(() => undefined);
    return own;
  };
  return {
    ...transaction,
    rows: async (text, values) => {
      await prepare(text);
      return transaction.rows(text, values);
    },
    run: async (text, ...given) => {
      await prepare(text);
      return transaction.run(text, ...given);
    },
  };
}

/** Lets other requests of the process go first before each statement. */
function withPauses(transaction: Transaction, scope: RequestScope | undefined): Transaction {
  const long = new LongWork(scope);
  return {
    ...transaction,
    rows: async (...given) => {
      await long.pause();
      return transaction.rows(...given);
    },
    run: async (...given) => {
      await long.pause();
      return transaction.run(...given);
    },
  };
}

/** Runs a prepared SELECT. Rejects if there is no response within `timeout` milliseconds. */
async function rows(
  connection: PoolConnection,
  text: string,
  values: readonly SqlValue[],
  timeout = TIMEOUT,
): Promise<readonly Row[]> {
  const result: unknown = await responseWithin<QueryResult>(timeout, (done) => execute(connection, text, values, done));
  return result as readonly Row[]; // because of `rowsAsArray` of the pools
}
