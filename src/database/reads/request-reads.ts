import { BusyError, TooSlowError } from '../../errors';
import { failureOf } from '../errors';
import type { Replicas } from '../servers/replicas';
import type { Cancellable, KeyedRead, Reader, Reads, Row, SeekRead, SqlValue } from '../sql';
import type { ReadServer } from './read-server';

/** How the reads of a request use replicas. */
export interface Consistency {
  /**
   * Lets a request that only reads use a replica that has everything that its user wrote, and what was written before
   * `consistencyToken`, if the request has one.
   */
  beforeReads(consistencyToken?: string): Promise<void>;
  /** Must be called before a request writes, subscribes, or returns a cursor of the changes. */
  beforeWrites(): Promise<void>;
  /** That of everything that was written until now; undefined if the request has not called `beforeWrites`. */
  readonly consistencyToken: string | undefined;
}

/** The servers of a database that serve reads. */
export interface ReadServers {
  readonly primary: ReadServer;
  readonly replicas?: Replicas | undefined;
  readonly atMost: Reads['atMost'];
}

/**
 * The reads of one request. They do not start once the request is over. They are sent to the primary, until
 * `beforeReads` finds a replica for them.
 */
export class RequestReads implements Reads, Consistency {
  private server: ReadServer;
  private hasWrites = false;

  constructor(
    private readonly servers: ReadServers,
    private readonly reader: Reader,
  ) {
    this.server = servers.primary;
  }

  /** These reads, if they may use replicas; undefined if there are none. */
  get consistency(): Consistency | undefined {
    return this.servers.replicas && this;
  }

  /** The same reads, always from the primary. */
  get onPrimary(): Reads {
    const { servers, reader } = this;
    return servers.replicas ? new RequestReads({ ...servers, replicas: undefined }, reader) : this;
  }

  async beforeReads(consistencyToken?: string): Promise<void> {
    const replica = await this.servers.replicas?.replicaFor(this.reader.id, consistencyToken);
    this.server = replica?.server ?? this.servers.primary;
  }

  async beforeWrites(): Promise<void> {
    this.server = this.servers.primary;
    this.hasWrites = true;
    await this.servers.replicas?.mark(this.reader.id);
  }

  get consistencyToken(): string | undefined {
    return this.hasWrites ? this.servers.replicas?.consistencyToken : undefined;
  }

  get dataEpoch(): object {
    return this.server.dataEpoch;
  }

  rows(text: string, values: readonly SqlValue[]): Promise<readonly Row[]> {
    return this.read(({ shared }, request) => shared.rows(text, values, request));
  }

  unorderedRows(text: string, values: readonly SqlValue[]): Promise<readonly Row[]> {
    return this.read(({ shared }, request) => shared.unorderedRows(text, values, request));
  }

  rowByKey(read: KeyedRead, key: SqlValue): Promise<Row | undefined> {
    return this.read(({ shared }, request) => shared.rowByKey(read, key, request));
  }

  rowsByKey(read: SeekRead, keys: readonly SqlValue[]): Promise<ReadonlyMap<SqlValue, readonly Row[]>> {
    return this.read(({ shared }, request) => shared.rowsByKey(read, keys, request));
  }

  heavy(text: string, values: readonly SqlValue[]): Promise<readonly Row[]> {
    return this.read((server) => server.heavy(this.reader, text, values));
  }

  atMost(table: string): Promise<number> {
    return this.servers.atMost(table);
  }

  private read<T>(send: (server: ReadServer, request?: Cancellable) => Promise<T>): Promise<T> {
    const { server, servers, reader } = this;
    const { request } = reader;
    const cancelledBy = request?.cancelledBy;
    if (cancelledBy) return Promise.reject(cancelledBy);
    const result = send(server, request);
    return server === servers.primary ? result : result.catch((error: unknown) => this.retry(error, send));
  }

  /** Reads from the primary after the replica failed, and from then on in this request. */
  private retry<T>(error: unknown, send: (server: ReadServer, request?: Cancellable) => Promise<T>): Promise<T> {
    const { primary } = this.servers;
    const { request } = this.reader;
    if (request?.cancelledBy || isOwnFault(error)) throw error;
    this.server = primary;
    return send(primary, request);
  }
}

/** Whether a read would fail on the primary, too, or would burden it. */
function isOwnFault(error: unknown): boolean {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const isOfQueue = error instanceof BusyError || error instanceof TooSlowError;
  return isOfQueue || ['slow', 'refused-pattern'].includes(failureOf(cause).type);
}
