import type { Pool } from 'mysql2';

import type { Send } from '../reads/alike-reads';
import { toDomainError } from '../errors';
import { HeavyReadQueue } from '../reads/heavy-read-queue';
import type { HostProbe } from './host-probe';
import type { HostSockets } from '../mysql/mysql-socket';
import type { PooledRead } from '../mysql/mysql-connection';
import { poolUse } from '../mysql/pools';
import type { PoolUse } from '../driver';
import { SharedReads } from '../reads/shared-reads';
import type { Reader, Reads } from '../sql';
import type { StatementCounts } from '../statement-counts';

/** The time of the primary's clock, and the latest mark that every replica should have, in milliseconds. */
export interface Beat {
  readonly now: number;
  readonly mark: number;
}

/** What a replica needs. */
export interface ReplicaOptions {
  readonly probe: HostProbe;
  readonly sockets: HostSockets;
  readonly pool: Pool;
  readonly heavyPool: Pool;
  readonly read: PooledRead;
  readonly product: 'mysql' | 'mariadb';
  readonly heavyReads: number;
  readonly atMost: Reads['atMost'];
  readonly statements: StatementCounts;
}

// The time limit of a read in milliseconds.
const LONGEST = 8000;
// The maximum number of heavy reads in the queue.
const WAITING = 256;
/** Seconds that a replica may be behind. */
export const MAX_LAG = 10;
// Seconds for which a read waits until a replica has what its caller wrote.
const PATIENCE = 0.25;
// Milliseconds for which no read waits after a replica was too slow.
const REST = 1000;

const HEARTBEAT = "SELECT marked_on FROM replica_marks WHERE name = ''";
const WAIT = {
  mariadb: `SELECT MASTER_GTID_WAIT(?, ${String(PATIENCE)})`,
  mysql: `SELECT WAIT_FOR_EXECUTED_GTID_SET(?, ${String(PATIENCE)})`,
} as const;

/** A replica of the database that serves reads. */
export class Replica {
  /** Replaced after an outage, because the server may have been restored meanwhile. */
  history: object = {};
  /** In seconds; undefined if the replica cannot be used. */
  lag: number | undefined;
  private readonly shared: SharedReads;
  readonly queue: HeavyReadQueue;
  private readonly waits = new Map<string, Promise<boolean>>();
  private tiredUntil = 0;

  constructor(private readonly options: ReplicaOptions) {
    const { read, pool, heavyReads, statements } = options;
    const send: Send = (text, values, need) => statements.counting(() => read(pool, text, values, LONGEST, need), need);
    this.shared = new SharedReads(send, true);
    this.queue = new HeavyReadQueue({ capacity: heavyReads, waiting: WAITING }, LONGEST);
  }

  get name(): string {
    return this.options.probe.name;
  }

  get poolUse(): PoolUse {
    return poolUse(`replica ${this.name}`, this.options.pool);
  }

  readsFor({ id, charge, request }: Reader): Reads {
    const { shared, queue, options } = this;
    const refused = (): Promise<never> | undefined => (request?.over ? Promise.reject(request.over) : undefined);
    return {
      history: this.history,
      rows: (text, values) => refused() ?? shared.rows(text, values, request),
      unorderedRows: (text, values) => refused() ?? shared.unorderedRows(text, values, request),
      rowByKey: (read, key) => refused() ?? shared.rowByKey(read, key, request),
      heavy: async (text, values) => {
        charge?.();
        const run = (milliseconds: number) =>
          options.statements.counting(
            () => options.read(options.heavyPool, text, values, milliseconds, request),
            request,
          );
        try {
          return await queue.run(id, run, request?.signal);
        } catch (error) {
          throw toDomainError(error);
        }
      },
      atMost: options.atMost,
    };
  }

  /** Checks whether the replica responds and how far it is behind. Never rejects. */
  async check(beat: Beat | undefined): Promise<void> {
    const { probe, sockets } = this.options;
    const { isUp, problem } = await probe.check();
    const isWell = isUp && (problem === undefined || problem === 'read-only');
    const lag = isWell && beat ? await this.lagBehind(beat).catch(() => Infinity) : Infinity;
    if (lag <= MAX_LAG && this.lag === undefined) this.history = {};
    this.lag = lag <= MAX_LAG ? lag : undefined;
    // Statements in progress fail, and their reads go to the primary.
    if (!isUp) sockets.cut(probe.address);
  }

  /**
   * Waits until the replica has everything up to a position of the primary. Returns false if that takes too long. Reads
   * that need the same position share the wait.
   */
  hasReached(position: string): Promise<boolean> {
    if (performance.now() < this.tiredUntil) return Promise.resolve(false);
    const known = this.waits.get(position);
    if (known) return known;
    const wait = this.waitFor(position).finally(() => this.waits.delete(position));
    this.waits.set(position, wait);
    return wait;
  }

  async close(): Promise<void> {
    const { probe, pool, heavyPool } = this.options;
    probe.close();
    await Promise.all([pool, heavyPool].map((each) => each.promise().end()));
  }

  private async lagBehind({ now, mark }: Beat): Promise<number> {
    const [row] = await this.options.probe.rows(HEARTBEAT);
    const own = Number(row?.[0] ?? 0);
    return own >= mark ? 0 : Math.max(now - own, 0) / 1000;
  }

  private async waitFor(position: string): Promise<boolean> {
    const { read, pool, product } = this.options;
    const [row] = await read(pool, WAIT[product], [position], LONGEST).catch(() => []);
    const isReached = row?.[0] !== null && row !== undefined && Number(row[0]) === 0;
    if (!isReached) this.tiredUntil = performance.now() + REST;
    return isReached;
  }
}
