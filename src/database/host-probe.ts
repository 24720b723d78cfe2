// Longer than 150 lines, because the statements of each kind of cluster are here.
import { createConnection, type Connection, type ConnectionOptions, type RowDataPacket } from 'mysql2';

import { addressText, type Address } from '../config/database-url';
import { driverError, failureOf } from './errors';
import type { Row, SqlValue } from './sql';

/** What a probe found out about a server. */
export interface HostReport {
  /** Whether the server responds. */
  readonly isUp: boolean;
  /** Why the server cannot be written to; undefined if it can. */
  readonly problem: string | undefined;
  /** The number of the last change in its database. */
  readonly last: number;
  /** The error of a server that does not respond. */
  readonly error?: unknown;
}

// A probe fails after this many ticks without a response. Ticks pass only while the event loop turns, so a process that
// was busy or suspended does not mistake its own delay for a failure of the server.
const TICK = 200;
const MAX_TICKS = 7;

const STATE = 'SELECT @@global.read_only, VERSION()';
const GALERA = `SHOW GLOBAL STATUS WHERE Variable_name IN
  ('wsrep_provider_name', 'wsrep_cluster_status', 'wsrep_local_state_comment', 'wsrep_ready')`;
// A member without a majority accepts statements, but its commits wait.
const GROUP = `SELECT COUNT(*), SUM(member_state = 'ONLINE'),
  MAX(IF(member_id = @@server_uuid, member_state, '')) FROM performance_schema.replication_group_members
  WHERE member_id <> ''`;
const LAST = 'SELECT last FROM change_head WHERE id = 1';
const IDENTITY = "CONCAT_WS(' ', id, at, kind, ref)";

const NO_SUCH_TABLE = 1146;
const DENIED = [1142, 1227];

/** Checks one server, on a connection of its own. */
export class HostProbe {
  readonly name: string;
  private connection: Connection | undefined;
  private checking: Promise<HostReport> | undefined;
  private isClosed = false;

  constructor(
    readonly address: Address,
    private readonly options: ConnectionOptions,
  ) {
    this.name = addressText(address);
  }

  /** Checks the server, within about one and a half seconds. Never rejects. Concurrent calls share a check. */
  check(): Promise<HostReport> {
    const isKnown = this.connection !== undefined;
    return (this.checking ??= this.report()
      .catch((error: unknown) => {
        // The server may have closed only this connection.
        if (!isKnown || driverError(error).code !== 'PROTOCOL_CONNECTION_LOST') throw error;
        this.disconnect();
        return this.report();
      })
      .catch((error: unknown): HostReport => {
        this.disconnect();
        const failure = failureOf(error);
        const reason = failure.type === 'unavailable' ? failure.reason : driverError(error).message;
        return { isUp: false, problem: reason, last: 0, error };
      })
      .finally(() => (this.checking = undefined)));
  }

  /** The number of the last change, and what identifies it; undefined if there is none. */
  async lastChange(): Promise<{ readonly id: number; readonly identity: string } | undefined> {
    const [row] = await this.rows(`SELECT id, ${IDENTITY} FROM changes ORDER BY id DESC LIMIT 1`);
    return row && { id: Number(row[0]), identity: String(row[1]) };
  }

  /** Whether the database contains a change of `lastChange` of another server. */
  async contains({ id, identity }: { readonly id: number; readonly identity: string }): Promise<boolean> {
    const [row] = await this.rows(`SELECT ${IDENTITY} FROM changes WHERE id = ?`, [id]);
    return row?.[0] === identity;
  }

  close(): void {
    this.isClosed = true;
    this.disconnect();
  }

  private disconnect(): void {
    this.connection?.destroy();
    this.connection = undefined;
  }

  private async report(): Promise<HostReport> {
    const [state] = await this.rows(STATE);
    const isMariaDb = /mariadb/i.test(String(state?.[1]));
    const problem =
      (Number(state?.[0]) === 0 ? undefined : 'read-only') ??
      (await this.galeraProblem()) ??
      (isMariaDb ? undefined : await this.groupProblem());
    return { isUp: true, problem, last: await this.last() };
  }

  private async galeraProblem(): Promise<string | undefined> {
    const status = new Map((await this.rows(GALERA)).map(([name, value]) => [name, value]));
    if ((status.get('wsrep_provider_name') ?? '') === '') return undefined;
    if (status.get('wsrep_cluster_status') !== 'Primary') return 'not in the primary component of its cluster';
    const comment = status.get('wsrep_local_state_comment');
    return comment === 'Synced' && status.get('wsrep_ready') === 'ON' ? undefined : `in the state ${String(comment)}`;
  }

  private async groupProblem(): Promise<string | undefined> {
    const [row] = await this.rows(GROUP).catch(unless(DENIED, [[0, 0, '']]));
    const [members, online, own] = [Number(row?.[0]), Number(row?.[1]), row?.[2]];
    if (members === 0) return undefined;
    if (own !== 'ONLINE') return `in the state ${String(own)}`;
    return online * 2 > members ? undefined : 'without a majority of its group';
  }

  /** Before the first start, there is no table. */
  private async last(): Promise<number> {
    const [row] = await this.rows(LAST).catch(unless([NO_SUCH_TABLE], [[0]]));
    return Number(row?.[0] ?? 0);
  }

  /** Runs a statement. Rejects if the server does not respond within about one and a half seconds. */
  rows(text: string, values: readonly SqlValue[] = []): Promise<readonly Row[]> {
    if (this.isClosed) return Promise.reject(new Error('The probe is closed'));
    return new Promise((resolve, reject) => {
      const connection = (this.connection ??= this.connect());
      let ticks = 0;
      const timer = setInterval(() => {
        if (++ticks <= MAX_TICKS) return;
        clearInterval(timer);
        reject(Object.assign(new Error('The server does not respond'), { code: 'ETIMEDOUT' }));
      }, TICK).unref();
      connection.query<RowDataPacket[][]>(
        { sql: text, rowsAsArray: true, values: [...values] },
        (error, rows: unknown) => {
          clearInterval(timer);
          if (error) reject(error);
          else resolve(rows as readonly Row[]); // because of `rowsAsArray`
        },
      );
    });
  }

  private connect(): Connection {
    const connection = createConnection({ ...this.options, ...this.address });
    // Errors reach the callbacks of the statements, too.
    connection.on('error', () => {
      if (this.connection === connection) this.connection = undefined;
    });
    return connection;
  }
}

/** Returns a function that replaces an error with one of these numbers by `rows`, and throws other errors. */
function unless(numbers: readonly number[], rows: readonly Row[]): (error: unknown) => readonly Row[] {
  return (error) => {
    if (numbers.includes(driverError(error).errno)) return rows;
    throw error;
  };
}
