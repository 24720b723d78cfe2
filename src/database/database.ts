import { setTimeout } from 'node:timers/promises';

import type { DataSource } from 'typeorm';

import type { FairGate } from '../limits/fair-gate';
import type { Driver, PoolUse, Product, ReadDriver, SharedOptions, TransactionOptions } from './driver';
import { failureOf, throwDomainError, toDomainError } from './errors';
import { Observer } from './observer';
import { ReadServer } from './reads/read-server';
import { RequestReads, type ReadServers } from './reads/request-reads';
import type { Hosts, HostStatus } from './servers/hosts';
import type { Replicas } from './servers/replicas';
import {
  readsWithin,
  type Cancellable,
  type KeyedRead,
  type RequestScope,
  type OwnTransaction,
  type Reader,
  type Reads,
  type Row,
  type SeekRead,
  type SqlValue,
  type Transaction,
  type Maintenance,
} from './sql';

/** Reads and transactions, of one request or of the service itself. */
export type ReadsAndWrites = Reads & Pick<Database, 'clock' | 'transaction'>;

/**
 * Access to the database. Reads outside a transaction see committed data only. Writes run in `transaction` or
 * `sharedTransaction`.
 */
export class Database implements Reads {
  readonly observer = new Observer();
  readonly maintenance: Maintenance;
  private readonly listeners: (() => void)[] = [];
  private readonly driver: Driver & ReadDriver;
  private readonly primary: ReadServer;
  private servers: ReadServers;

  constructor(
    readonly dataSource: DataSource,
    driver: Driver,
    heavyReads = 2,
    /** Undefined if there is one server. */
    private readonly hosts?: Hosts,
  ) {
    this.driver = this.observer.observe(driver);
    this.primary = new ReadServer({
      driver: this.driver,
      heavyReads,
      // SQLite runs in this process: a statement costs no network request.
      combines: driver.product !== 'sqlite',
      source: hosts ?? { dataEpoch: this },
    });
    const sizes = new TableSizes((text) => this.observer.attempt(() => driver.rows(text, [])));
    this.servers = { primary: this.primary, atMost: (table) => sizes.atMost(table) };
    const { maintenance } = this.driver;
    this.maintenance = {
      rows: (text, values) => Promise.resolve(maintenance.rows(text, values)).catch(throwDomainError),
      transaction: (work) => retry(() => maintenance.transaction(work)),
      attempt: async (work) => {
        try {
          await maintenance.transaction(work);
          return true;
        } catch (error) {
          if (failureOf(error).type === 'retryable') return false;
          throw toDomainError(error);
        }
      },
    };
  }

  /** The server in use, if there are several. */
  get host(): HostStatus | undefined {
    return this.hosts?.status;
  }

  /**
   * The replicas that serve reads, if any, with their lags in seconds. The lag of one that is not used is undefined.
   */
  get replicaLags(): readonly { readonly name: string; readonly lag: number | undefined }[] | undefined {
    return this.servers.replicas?.all;
  }

  /** Lets `readsFor` read from replicas. */
  useReplicas(replicas: Replicas): void {
    this.servers = { ...this.servers, replicas };
  }

  get dataEpoch(): object {
    return this.primary.dataEpoch;
  }

  get product(): Product {
    return this.driver.product;
  }

  /** Whether the database runs one writing transaction at a time. */
  get isSerial(): boolean {
    return this.product === 'sqlite';
  }

  /** The SQL expression for the database's clock, in whole seconds since the epoch. */
  get clock(): string {
    return this.product === 'sqlite' ? 'unixepoch()' : 'UNIX_TIMESTAMP()';
  }

  /** The heavy reads that run and wait, also on replicas, for metrics. */
  get heavyReads(): Pick<FairGate, 'weight' | 'waiting'> {
    const gates = [this.primary, ...this.replicas.map(({ server }) => server)].map(({ gate }) => gate);
    const sum = (of: 'weight' | 'waiting'): number => gates.reduce((total, gate) => total + gate[of], 0);
    return { weight: sum('weight'), waiting: sum('waiting') };
  }

  rows(text: string, values: readonly SqlValue[]): Promise<readonly Row[]> {
    return this.primary.shared.rows(text, values);
  }

  unorderedRows(text: string, values: readonly SqlValue[]): Promise<readonly Row[]> {
    return this.primary.shared.unorderedRows(text, values);
  }

  rowByKey(read: KeyedRead, key: SqlValue): Promise<Row | undefined> {
    return this.primary.shared.rowByKey(read, key);
  }

  rowsByKey(read: SeekRead, keys: readonly SqlValue[]): Promise<ReadonlyMap<SqlValue, readonly Row[]>> {
    return this.primary.shared.rowsByKey(read, keys);
  }

  /** Runs a heavy read for the service itself. Heavy reads on behalf of a caller use `readsFor`. */
  heavy(text: string, values: readonly SqlValue[]): Promise<readonly Row[]> {
    return this.primary.heavy({ id: '' }, text, values);
  }

  /**
   * Runs a heavy read for the service itself, unless that could delay one of a caller. In that case, returns undefined.
   */
  spare(text: string, values: readonly SqlValue[]): Promise<readonly Row[] | undefined> {
    return this.primary.spare(text, values);
  }

  atMost(table: string): Promise<number> {
    return this.servers.atMost(table);
  }

  /**
   * Returns the same reads on behalf of `reader`. Heavy reads charge the reader and wait in the queue under the
   * reader's id. When the reader's request is over, its reads are cancelled, unless other requests share them. The
   * reads may use replicas, if there are any (`consistency`).
   */
  readsFor(reader: Reader): RequestReads {
    return new RequestReads(this.servers, reader);
  }

  /**
   * Returns the primary's reads and transactions on behalf of a request. When the request is over, its reads are
   * cancelled, unless other requests share them, and its transactions are rolled back, unless their commit has begun or
   * they are shared with requests that go on. Not for heavy reads, which belong to a user (`readsFor`).
   */
  forRequest(request: Cancellable): ReadsAndWrites {
    const writes: Pick<ReadsAndWrites, 'clock' | 'transaction'> = {
      clock: this.clock,
      transaction: (work, options) => this.transaction(work, { ...options, scope: request }),
    };
    return Object.assign(this.readsFor({ id: '', request }), writes);
  }

  /**
   * Runs `work` in a transaction. After a deadlock, a lock timeout or another conflict, rolls back and runs `work`
   * again, for up to 10 seconds. Rolls back and throws the error of `scope` if it is over before the commit begins.
   */
  async transaction<T>(
    work: (transaction: OwnTransaction) => Promise<T>,
    options: TransactionOptions = {},
  ): Promise<T> {
    const attempt = (): Promise<T> =>
      this.driver.transaction((transaction) => this.complete(transaction, work, options.scope), options);
    return this.commit(retry(attempt));
  }

  /**
   * Runs `work` in a transaction that several requests share. Rolls back if `scope` is over before the commit begins.
   * The transaction is attempted only once. On MySQL and MariaDB, it fails if a statement waits for a lock for more
   * than about a second, so that the callers can use separate transactions. Throws the driver's errors without
   * converting them.
   */
  sharedTransaction<T>(work: (transaction: OwnTransaction) => Promise<T>, options: SharedOptions): Promise<T> {
    return this.commit(
      this.driver.impatientTransaction((transaction) => this.complete(transaction, work, options.scope), options),
    );
  }

  /** Runs reads that all see one state of the database. Others write meanwhile. `work` may run again, after a failover. */
  snapshot<T>(work: (reads: Reads) => Promise<T>): Promise<T> {
    return this.observer.attempt(() => this.driver.snapshot((sql) => work(readsWithin(sql)))).catch(throwDomainError);
  }

  /** The use of the connections, also of those to replicas. */
  poolUse(): readonly PoolUse[] {
    return [...this.driver.poolUse(), ...this.replicas.map(({ poolUse }) => poolUse)];
  }

  /**
   * On a node of a cluster, waits until the node has everything that was committed on the others before the call, and
   * returns true. Returns false on any other server. Throws DatabaseRefusedError if the node lags too far.
   */
  catchUp(): Promise<boolean> {
    return this.driver.catchUp().catch(throwDomainError);
  }

  /** Whether the server accepts no writes. A server that does may not have received everything from its primary. */
  isReadOnly(): Promise<boolean> {
    return this.driver.isReadOnly().catch(throwDomainError);
  }

  async close(): Promise<void> {
    await this.servers.replicas?.close();
    await this.driver.close();
    await this.dataSource.destroy();
  }

  /** Calls the listener after each commit of this process. */
  onCommit(listener: () => void): void {
    this.listeners.push(listener);
  }

  private get replicas(): Replicas['all'] {
    return this.servers.replicas?.all ?? [];
  }

  private async commit<T>(transaction: Promise<T>): Promise<T> {
    const result = await transaction;
    for (const listener of this.listeners) listener();
    return result;
  }

  private async complete<T>(
    transaction: Transaction,
    work: (transaction: OwnTransaction) => Promise<T>,
    scope?: RequestScope,
  ): Promise<T> {
    const last: (() => Promise<void>)[] = [];
    const assertNeeded = (): void => {
      const cancelledBy = scope?.cancelledBy;
      if (cancelledBy) throw cancelledBy;
    };
    const result = await work({
      rows: async (text, values) => {
        assertNeeded();
        return transaction.rows(text, values);
      },
      run: async (text, values, named) => {
        assertNeeded();
        return transaction.run(text, values, named);
      },
      undoable: (step) => transaction.undoable(step),
      undone: (step) => transaction.undone(step),
      isSerial: this.isSerial,
      isAside: transaction.isAside === true,
      hasNodes: () => this.driver.hasNodes(),
      clock: this.clock,
      beforeCommit: (task) => void last.push(task),
    });
    for (const task of last) await task();
    assertNeeded();
    return result;
  }
}

// The number of attempts of a transaction, the milliseconds after which it is not tried again, and the longest pause
// between attempts.
const ATTEMPTS = 20;
const RETRYING = 10_000;
const MAX_PAUSE = 500;

/**
 * Runs a transaction, and runs it again after a deadlock, a lock timeout or another conflict. Throws the last error,
 * converted by `toDomainError`.
 */
async function retry<T>(run: () => Promise<T>): Promise<T> {
  const end = Date.now() + RETRYING;
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      const isLast = attempt === ATTEMPTS || Date.now() > end;
      if (isLast || failureOf(error).type !== 'retryable') throw toDomainError(error);
      // Random, so that writers which collided do not collide again.
      await setTimeout(Math.random() * Math.min(MAX_PAUSE, 20 * 2 ** attempt));
    }
  }
}

// Milliseconds for which the size of a table is cached.
const SIZE_TTL = 5000;

/** Upper bounds for the number of rows of tables, cached for a few seconds. */
class TableSizes {
  private readonly sizes = new Map<string, { readonly rows: Promise<number>; readonly until: number }>();

  constructor(private readonly read: (text: string) => Promise<readonly Row[]>) {}

  /**
   * Returns the highest id of the table. There are at most that many rows, because ids start at 1, ascend, and are not
   * reused.
   */
  atMost(table: string): Promise<number> {
    const now = performance.now();
    const cached = this.sizes.get(table);
    if (cached && cached.until > now) return cached.rows;
    const rows = this.read(`SELECT MAX(id) FROM ${table}`).then(([row]) => Number(row?.[0] ?? 0), throwDomainError);
    this.sizes.set(table, { rows, until: now + SIZE_TTL });
    rows.catch(() => this.sizes.delete(table));
    return rows;
  }
}
