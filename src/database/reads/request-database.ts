import type { Database } from '../database';
import type { TransactionOptions } from '../driver';
import { ReaderReads } from './reader-reads';
import type { Cancellable, OwnTransaction, Reads } from '../sql';

/** Reads and transactions, of one request or of the service itself. */
export type ReadsAndWrites = Reads & Pick<Database, 'clock' | 'transaction'>;

/**
 * The database for one request. When the request is over, its reads are cancelled, unless other requests share them, and
 * its transactions are rolled back, unless their commit has begun or they are shared with requests that go on.
 * Not for heavy reads, which belong to a user (`Database.readsFor`).
 */
export class RequestDatabase extends ReaderReads implements ReadsAndWrites {
  constructor(
    database: Database,
    private readonly request: Cancellable,
  ) {
    super(database, { id: '', request });
  }

  get clock(): string {
    return this.database.clock;
  }

  transaction<T>(work: (transaction: OwnTransaction) => Promise<T>, options?: TransactionOptions): Promise<T> {
    return this.database.transaction(work, { ...options, need: this.request });
  }
}
