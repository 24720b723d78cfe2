// Longer than 150 lines, because every way to run a statement or a transaction begins here.
import type { DataSource } from 'typeorm';

import type { Send } from './reads/alike-reads';
import { CallerReads } from './reads/caller-reads';
import type { Driver, Product, SharedOptions, TransactionOptions } from './driver';
import { failureOf, toDomainError } from './errors';
import { FailureCounts } from './failure-counts';
import { HeavyReadQueue } from './reads/heavy-read-queue';
import type { Hosts, HostStatus } from './servers/hosts';
import type { FairGate } from '../limits/fair-gate';
import type { PoolUse } from './driver';
import type { Replicas } from './servers/replicas';
import { ReaderReads } from './reads/reader-reads';
import { RequestDatabase, type ReadsAndWrites } from './reads/request-database';
import { retried } from './retried';
import { SharedReads } from './reads/shared-reads';
import { StatementCounts } from './statement-counts';
import type {
  Cancellable,
  KeyedRead,
  Need,
  OwnTransaction,
  Reader,
  Reads,
  Row,
  SqlValue,
  Transaction,
  Upkeep,
} from './sql';
import { TableSizes } from './table-sizes';

/** Milliseconds that a heavy read may take, including the wait in the queue. */
const LONGEST = 8000;
/** The maximum number of heavy reads in the queue. */
const WAITING = 256;

/**
 * Access to the database. Reads outside a transaction see committed data only. Writes run in `transaction` or
 * `sharedTransaction`.
 */
export class Database implements Reads {
  /** Statements that begin or end transactions, and those of `upkeep`, are not counted. */
  readonly statements = new StatementCounts();
  readonly upkeep: Upkeep;
  readonly failures = new FailureCounts();
  private readonly listeners: (() => void)[] = [];
  private readonly sizes: TableSizes;
  private readonly queue: HeavyReadQueue;
  private readonly shared: SharedReads;
  private replicas: Replicas | undefined;

  constructor(
    readonly dataSource: DataSource,
    private readonly driver: Driver,
    heavyReads = 2,
    /** Undefined if there is one server. */
    private readonly hosts?: Hosts,
  ) {
    this.sizes = new TableSizes((text) => this.failures.counting(() => this.driver.rows(text, [])));
    const send: Send = (text, values, need) => this.counting(() => this.driver.rows(text, values, need), need);
    // SQLite runs in this process: a statement costs no network request.
    this.shared = new SharedReads(send, driver.product !== 'sqlite');
    this.queue = new HeavyReadQueue({ capacity: heavyReads, waiting: WAITING }, LONGEST);
    this.upkeep = {
      rows: async (text, values) => {
        try {
          return await this.failures.counting(() => this.driver.upkeep.rows(text, values));
        } catch (error) {
          throw toDomainError(error);
        }
      },
      transaction: (work) => retried(() => this.failures.counting(() => this.driver.upkeep.transaction(work))),
      attempt: async (work) => {
        try {
          await this.failures.counting(() => this.driver.upkeep.transaction(work));
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

  /** The replicas that serve reads, if any, with their lags in seconds. The lag of one that is not used is undefined. */
  get replicaLags(): readonly { readonly name: string; readonly lag: number | undefined }[] | undefined {
    return this.replicas?.all;
  }

  /** Lets `readsFor` read from replicas. */
  useReplicas(replicas: Replicas): void {
    this.replicas = replicas;
  }

  get history(): object {
    return this.hosts?.history ?? this;
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
    const gates = [this.queue.gate, ...(this.replicas?.all ?? []).map(({ queue }) => queue.gate)];
    const sum = (of: 'weight' | 'waiting'): number => gates.reduce((total, gate) => total + gate[of], 0);
    return { weight: sum('weight'), waiting: sum('waiting') };
  }

  rows(text: string, values: readonly SqlValue[], need?: Need): Promise<readonly Row[]> {
    return this.shared.rows(text, values, need);
  }

  unorderedRows(text: string, values: readonly SqlValue[], need?: Need): Promise<readonly Row[]> {
    return this.shared.unorderedRows(text, values, need);
  }

  rowByKey(read: KeyedRead, key: SqlValue, need?: Need): Promise<Row | undefined> {
    return this.shared.rowByKey(read, key, need);
  }

  /** Runs a heavy read for the service itself. Heavy reads on behalf of a caller use `readsFor`. */
  heavy(text: string, values: readonly SqlValue[]): Promise<readonly Row[]> {
    return this.heavyFor({ id: '' }, text, values);
  }

  async atMost(table: string): Promise<number> {
    return this.sizes.atMost(table);
  }

  /**
   * Returns the same reads on behalf of `reader`. Heavy reads charge the reader and wait in the queue under the
   * reader's id. When the reader's request is over, its reads are cancelled, unless other requests share them. With
   * replicas, returns CallerReads.
   */
  readsFor(reader: Reader): Reads {
    const reads = new ReaderReads(this, reader);
    return this.replicas ? new CallerReads(reads, this.replicas, reader) : reads;
  }

  /** Returns the primary's reads and transactions on behalf of a request, for reads that are not heavy. */
  forRequest(request: Cancellable): ReadsAndWrites {
    return new RequestDatabase(this, request);
  }

  /**
   * Runs `work` in a transaction. After a deadlock, a lock timeout or another conflict, rolls back and runs `work`
   * again, for up to 10 seconds. Rolls back and throws the error of `need` if it is over before the commit begins.
   */
  async transaction<T>(
    work: (transaction: OwnTransaction) => Promise<T>,
    options: TransactionOptions = {},
  ): Promise<T> {
    const attempt = (): Promise<T> =>
      this.driver.transaction((transaction) => this.completed(transaction, work, options.need), options);
    return this.committed(retried(() => this.failures.counting(attempt)));
  }

  /**
   * Runs `work` in a transaction that several requests share. Rolls back if `need` is over before the commit begins. The
   * transaction is attempted only once. On MySQL and MariaDB, it fails if a statement waits for a lock for more than about
   * a second, so that the callers can use separate transactions. Throws the driver's errors without converting them.
   */
  sharedTransaction<T>(work: (transaction: OwnTransaction) => Promise<T>, options: SharedOptions): Promise<T> {
    const attempt = (): Promise<T> =>
      this.driver.impatientTransaction((transaction) => this.completed(transaction, work, options.need), options);
    return this.committed(this.failures.counting(attempt));
  }

  /** The use of the connections, also of those to replicas. */
  poolUse(): readonly PoolUse[] {
    return [...this.driver.poolUse(), ...(this.replicas?.all ?? []).map((replica) => replica.poolUse)];
  }

  /**
   * On a node of a cluster, waits until the node has everything that was committed on the others before the call, and
   * returns true. Returns false on any other server. Throws DatabaseRefusedError if the node lags too far.
   */
  async catchUp(): Promise<boolean> {
    try {
      return await this.driver.catchUp();
    } catch (error) {
      throw toDomainError(error);
    }
  }

  /** Whether the server accepts no writes. A server that does may not have received everything from its primary. */
  async isReadOnly(): Promise<boolean> {
    try {
      return await this.driver.isReadOnly();
    } catch (error) {
      throw toDomainError(error);
    }
  }

  async close(): Promise<void> {
    await this.replicas?.close();
    await this.driver.close();
    await this.dataSource.destroy();
  }

  /** Calls the listener after each commit of this process. */
  onCommit(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Runs a heavy read on behalf of `reader`. See `Reads.heavy`. */
  async heavyFor({ id, charge, request }: Reader, text: string, values: readonly SqlValue[]): Promise<readonly Row[]> {
    charge?.();
    try {
      const work = (milliseconds: number): Promise<readonly Row[]> =>
        this.counting(() => this.driver.heavy(text, values, milliseconds, request), request);
      return await this.queue.run(id, work, request?.signal);
    } catch (error) {
      throw toDomainError(error);
    }
  }

  private async committed<T>(transaction: Promise<T>): Promise<T> {
    const result = await transaction;
    for (const listener of this.listeners) listener();
    return result;
  }

  private async completed<T>(
    transaction: Transaction,
    work: (transaction: OwnTransaction) => Promise<T>,
    need?: Need,
  ): Promise<T> {
    const last: (() => Promise<void>)[] = [];
    const assertNeeded = (): void => {
      const over = need?.over;
      if (over) throw over;
    };
    const result = await work({
      ...this.counted(transaction, assertNeeded, need),
      isSerial: this.isSerial,
      clock: this.clock,
      beforeCommit: (task) => void last.push(task),
    });
    for (const task of last) await task();
    assertNeeded();
    return result;
  }

  /** Counts a statement outside of transactions. */
  private counting<T>(statement: () => Promise<T> | T, need?: Need): Promise<T> {
    return this.statements.counting(() => this.failures.counting(statement), need);
  }

  private counted(transaction: Transaction, assertNeeded: () => void, need?: Need): Transaction {
    return {
      rows: async (text, values) => {
        assertNeeded();
        return this.statements.counting(() => transaction.rows(text, values), need);
      },
      run: async (text, values, named) => {
        assertNeeded();
        return this.statements.counting(() => transaction.run(text, values, named), need);
      },
      undoable: (work) => transaction.undoable(work),
    };
  }
}
