import { BusyError, TooSlowError } from '../../errors';
import { failureOf } from '../errors';
import type { Replicas } from '../servers/replicas';
import type { Reader, Reads } from '../sql';

/** How the reads of a request use replicas. */
export interface Consistency {
  /**
   * Lets a request that only reads use a replica that has everything that its user wrote, and what was written before
   * `position`, if the request has one.
   */
  beforeReads(position?: string): Promise<void>;
  /** Must be called before a request writes, subscribes, or returns a position in the changes. */
  beforeWrites(): Promise<void>;
  /** The position of everything that was written until now; undefined if the request has not called `beforeWrites`. */
  readonly position: string | undefined;
}

/** The reads of one request: from the primary, unless the request may use a replica. */
export class CallerReads implements Reads, Consistency {
  private current: Reads;
  private writes = false;

  constructor(
    readonly primary: Reads,
    private readonly replicas: Replicas,
    private readonly reader: Reader,
  ) {
    this.current = primary;
  }

  async beforeReads(position?: string): Promise<void> {
    const replica = await this.replicas.replicaFor(this.reader.id, position);
    this.current = replica?.readsFor(this.reader) ?? this.primary;
  }

  beforeWrites(): Promise<void> {
    this.current = this.primary;
    this.writes = true;
    return this.replicas.mark(this.reader.id);
  }

  get position(): string | undefined {
    return this.writes ? this.replicas.position : undefined;
  }

  get history(): object {
    return this.current.history;
  }

  readonly rows: Reads['rows'] = (text, values) => this.read((reads) => reads.rows(text, values));
  readonly unorderedRows: Reads['rows'] = (text, values) => this.read((reads) => reads.unorderedRows(text, values));
  readonly rowByKey: Reads['rowByKey'] = (read, key) => this.read((reads) => reads.rowByKey(read, key));
  readonly heavy: Reads['heavy'] = (text, values) => this.read((reads) => reads.heavy(text, values));
  readonly atMost: Reads['atMost'] = (table) => this.primary.atMost(table);

  /** Reads from the primary if the replica fails, and from then on in this request. */
  private async read<T>(work: (reads: Reads) => Promise<T>): Promise<T> {
    const { current, primary } = this;
    if (current === primary) return work(primary);
    try {
      return await work(current);
    } catch (error) {
      if (this.reader.request?.over || isOwnFault(error)) throw error;
      this.current = primary;
      return work(primary);
    }
  }
}

/** Whether a read would fail on the primary, too, or would burden it. */
function isOwnFault(error: unknown): boolean {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const isOfQueue = error instanceof BusyError || error instanceof TooSlowError;
  return isOfQueue || ['slow', 'refused-pattern'].includes(failureOf(cause).type);
}
