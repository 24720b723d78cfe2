import { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

import type { ConnectionOptions, Pool, PoolConnection } from 'mysql2';
import type { Logger } from 'pino';

import type { Address } from '../../config/database-url';
import { isHostFailure, isUndecided } from '../errors';
import { connectionOf } from '../mysql/mysql-connection';
import { disconnect, HostSockets } from '../mysql/mysql-socket';
import { HostProbe, type Change, type HostReport } from './host-probe';

// Milliseconds between checks of a server. A server that stops responding is noticed within two seconds.
const INTERVAL = 500;
// Milliseconds for which requests wait for a server that can be used, and for which one may lack a change.
const PATIENCE = 2000;
// Milliseconds between the attempts of a statement.
const RETRY = 50;
// Milliseconds for which a preferred server must be well before it is used again, and a random time up to SPREAD, so
// that not all processes move at once.
const WELL = 10_000;
const SPREAD = 5000;
// Milliseconds after which connections to a server are closed that is no longer used, but responds.
const DRAIN = 10_000;
// The maximum number of moments that are remembered: at most one for each probe of a server.
const MOMENTS = 1200;

interface Host {
  readonly probe: HostProbe;
  report: HostReport | undefined;
  /** Since when all checks have succeeded (performance.now). */
  wellSince: number | undefined;
}

/** The server in use; `name` is undefined while there is none. Its lag is in seconds. */
export interface HostStatus {
  readonly name: string | undefined;
  readonly lag: number | undefined;
  /** Whether no server accepts writes, although one responds. */
  readonly isReadOnly: boolean;
}

/** None of the servers can be used. The message says why. */
class NoHostError extends Error {
  readonly code = 'NO_HOST';
}

/**
 * Chooses among several servers of one database: the first, in the order of preference, that responds and accepts
 * writes. If it fails, the next one is used. A preferred server that works again is used after a while, if it has all
 * changes.
 */
export class Hosts {
  /** Replaced when another server is used. The data of one server only moves forward. */
  dataEpoch: object = {};
  private readonly hosts: readonly Host[];
  private readonly sockets = new HostSockets();
  private readonly lag = new Lag();
  private readonly waiting = new Set<() => void>();
  private readonly spread = Math.random() * SPREAD;
  private current: Host | undefined;
  private returning: Promise<void> | undefined;
  private isClosed = false;

  constructor(
    addresses: readonly Address[],
    options: ConnectionOptions,
    private readonly log: Pick<Logger, 'warn'>,
  ) {
    this.hosts = addresses.map((address) => ({
      probe: new HostProbe(address, options),
      report: undefined,
      wellSince: undefined,
    }));
  }

  /** Finds a server, and watches all of them from then on. Throws if no server can be used. */
  async start(): Promise<void> {
    await Promise.all(this.hosts.map((host) => this.check(host)));
    if (!this.current) {
      this.close();
      // A wrong password is not a problem of a server.
      const errors = this.hosts.flatMap(({ report }) => (report?.error instanceof Error ? [report.error] : []));
      throw errors.find((error) => !isHostFailure(error)) ?? this.none();
    }
    for (const host of this.hosts) void this.watch(host);
  }

  get status(): HostStatus {
    const { current } = this;
    return {
      name: current?.probe.name,
      lag: current?.report && this.lag.of(current.report.last),
      isReadOnly: !current && this.hosts.some(({ report }) => report?.isUp),
    };
  }

  /** Opens the socket of a new connection to the server in use, as the option `stream` of mysql2. */
  readonly stream = ({ config }: { readonly config: { host?: string; port?: number } }): Socket => {
    if (!this.current) return failedSocket(this.none());
    const { address } = this.current.probe;
    // The configuration belongs to this connection. TLS verifies the certificate for its host name.
    Object.assign(config, address);
    return this.sockets.open(address);
  };

  /** Takes a connection to the server in use from a pool. */
  readonly take = async (pool: Pool): Promise<PoolConnection> => {
    for (;;) {
      const connection = await connectionOf(pool);
      const { host, port } = connection.config;
      const used = this.current?.probe.address;
      if (host === used?.host && port === used?.port) return connection;
      disconnect(connection);
      if (!used) throw this.none();
    }
  };

  /**
   * Runs statements on the server in use. If the server fails, waits for the next one and runs them again, for up to
   * two seconds, unless they may have been committed.
   */
  async run<T>(work: () => Promise<T>): Promise<T> {
    for (const end = performance.now() + PATIENCE; ;) {
      if (!this.current) await this.awaitHost(end);
      try {
        return await work();
      } catch (error) {
        if (!isHostFailure(error) || isUndecided(error) || performance.now() > end) throw error;
        const { current } = this;
        if (current) await Promise.all([this.check(current), pause(RETRY)]);
      }
    }
  }

  close(): void {
    this.isClosed = true;
    for (const { probe } of this.hosts) {
      probe.close();
      this.sockets.cut(probe.address);
    }
  }

  /** Resolves when a server is in use. Throws NoHostError if there is none at the time `end`. */
  private awaitHost(end: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const done = (): void => {
        clearTimeout(timer);
        this.waiting.delete(done);
        if (this.current) resolve();
        else reject(this.none());
      };
      const timer = setTimeout(done, end - performance.now());
      this.waiting.add(done);
    });
  }

  private async watch(host: Host): Promise<void> {
    for (;;) {
      await pause(INTERVAL, undefined, { ref: false });
      if (this.isClosed) return;
      await this.check(host);
    }
  }

  private async check(host: Host): Promise<void> {
    const report = await host.probe.check();
    if (this.isClosed) return;
    host.report = report;
    host.wellSince = report.problem === undefined ? (host.wellSince ?? performance.now()) : undefined;
    if (report.isUp) this.lag.note(report.last);
    if (host === this.current && report.problem !== undefined) this.leave(host, report.problem);
    if (!this.current) this.choose();
    else this.considerReturn(this.current);
  }

  private leave({ probe }: Host, problem: string): void {
    this.log.warn(`the database server ${probe.name} cannot be used: ${problem}`);
    this.current = undefined;
    this.sockets.cut(probe.address);
  }

  private choose(): void {
    // At first, the order of the responses does not matter.
    if (this.hosts.some(({ report }) => report === undefined)) return;
    const found = this.hosts.find(({ report }) => report?.problem === undefined);
    if (!found) return;
    for (const { probe, report } of this.hosts.slice(0, this.hosts.indexOf(found)))
      this.log.warn(`the database server ${probe.name} is not used: ${String(report?.problem)}`);
    this.use(found);
  }

  private use(host: Host): void {
    if (this.hosts.length > 1) this.log.warn(`using the database server ${host.probe.name}`);
    this.current = host;
    this.dataEpoch = {};
    this.lag.forget();
    for (const done of [...this.waiting]) done();
  }

  private considerReturn(current: Host): void {
    const since = performance.now() - WELL - this.spread;
    const better = this.hosts
      .slice(0, this.hosts.indexOf(current))
      .find(({ wellSince = Infinity }) => wellSince < since);
    if (!better) return;
    this.returning ??= this.returnTo(better, current)
      // One of the servers has failed, which its next check will find.
      .catch(() => undefined)
      .finally(() => (this.returning = undefined));
  }

  /**
   * Uses a preferred server again. A server that lacks a change was not a part of the cluster meanwhile: changes would
   * be lost, so it is not used.
   */
  private async returnTo(better: Host, current: Host): Promise<void> {
    const change = await current.probe.lastChange();
    if (change && !(await receives(better.probe, change))) {
      this.log.warn(
        `the database server ${better.probe.name} is not used, because it lacks changes of ${current.probe.name}`,
      );
      better.wellSince = performance.now();
      return;
    }
    if (this.current !== current || better.wellSince === undefined || this.isClosed) return;
    this.use(better);
    // Statements in progress end on the previous server. New ones take no connection to it.
    await pause(DRAIN, undefined, { ref: false });
    if (this.current !== current) this.sockets.cut(current.probe.address);
  }

  private none(): NoHostError {
    const reasons = this.hosts.map(({ probe, report }) => `${probe.name}: ${report?.problem ?? 'not checked yet'}`);
    return new NoHostError(`no server can be used: ${reasons.join('; ')}`);
  }
}

/** Whether a server has a change, or receives it soon: the members of a healthy cluster lag a little. */
async function receives(probe: HostProbe, change: Change): Promise<boolean> {
  for (const end = performance.now() + PATIENCE; ;) {
    if (await probe.contains(change)) return true;
    if (performance.now() > end) return false;
    await pause(RETRY);
  }
}

function failedSocket(error: Error): Socket {
  const socket = new Socket();
  process.nextTick(() => socket.destroy(error));
  return socket;
}

/**
 * Measures how far servers are behind, in any kind of replication: a server's lag is the age of the oldest change that
 * another server had and that it does not have.
 */
class Lag {
  private readonly moments: { readonly last: number; readonly at: number }[] = [];

  /** Notes the number of the last change that a server has. */
  note(last: number): void {
    if (last <= (this.moments.at(-1)?.last ?? 0)) return;
    this.moments.push({ last, at: performance.now() });
    if (this.moments.length > MOMENTS) this.moments.shift();
  }

  /** The lag in seconds of a server whose last change is `last`. */
  of(last: number): number {
    const missed = this.moments.find((moment) => moment.last > last);
    return missed ? Math.round(performance.now() - missed.at) / 1000 : 0;
  }

  /** Forgets everything: the numbers of the changes may have started again. */
  forget(): void {
    this.moments.length = 0;
  }
}
