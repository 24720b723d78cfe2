import type { Pool } from 'mysql2';

import { READ_TIMEOUT, type PoolUse } from '../driver';
import type { PooledRead } from '../mysql/mysql-connection';
import type { HostSockets } from '../mysql/mysql-socket';
import { poolUse } from '../mysql/pools';
import type { Observer } from '../observer';
import { ReadServer } from '../reads/read-server';
import type { HostProbe } from './host-probe';

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
  readonly observer: Observer;
}

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
  dataEpoch: object = {};
  /** In seconds; undefined if the replica cannot be used. */
  lag: number | undefined;
  readonly server: ReadServer;
  private readonly waits = new Map<string, Promise<boolean>>();
  private tiredUntil = 0;

  constructor(private readonly options: ReplicaOptions) {
    const { read, pool, heavyPool, heavyReads, observer } = options;
    const driver = observer.observeReads({
      rows: (text, values, scope) => read(pool, text, values, READ_TIMEOUT, scope),
      heavy: (text, values, milliseconds, request) => read(heavyPool, text, values, milliseconds, request),
    });
    this.server = new ReadServer({ driver, heavyReads, combines: true, source: this });
  }

  get name(): string {
    return this.options.probe.name;
  }

  get poolUse(): PoolUse {
    return poolUse(`replica ${this.name}`, this.options.pool);
  }

  /** Checks whether the replica responds and how far it is behind. Never rejects. */
  async check(beat: Beat | undefined): Promise<void> {
    const { probe, sockets } = this.options;
    const { isUp, problem } = await probe.check();
    const isWell = isUp && (problem === undefined || problem === 'read-only');
    const lag = isWell && beat ? await this.lagBehind(beat).catch(() => Infinity) : Infinity;
    if (lag <= MAX_LAG && this.lag === undefined) this.dataEpoch = {};
    this.lag = lag <= MAX_LAG ? lag : undefined;
    // Statements in progress fail, and their reads go to the primary.
    if (!isUp) sockets.cut(probe.address);
  }

  /**
   * Waits until the replica has the transactions in a GTID set of the primary. Returns false if that takes too long.
   * Reads that need the same set share the wait.
   */
  hasReached(gtidSet: string): Promise<boolean> {
    if (performance.now() < this.tiredUntil) return Promise.resolve(false);
    const pending = this.waits.get(gtidSet);
    if (pending) return pending;
    const wait = this.waitFor(gtidSet).finally(() => this.waits.delete(gtidSet));
    this.waits.set(gtidSet, wait);
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

  private async waitFor(gtidSet: string): Promise<boolean> {
    const { read, pool, product, observer } = this.options;
    const wait = observer.attempt(() => read(pool, WAIT[product], [gtidSet], READ_TIMEOUT));
    const [row] = await wait.catch(() => []);
    const isReached = row?.[0] !== null && row !== undefined && Number(row[0]) === 0;
    if (!isReached) this.tiredUntil = performance.now() + REST;
    return isReached;
  }
}
