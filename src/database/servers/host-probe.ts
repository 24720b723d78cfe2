import { createConnection, type Connection, type ConnectionOptions, type RowDataPacket } from 'mysql2';

import { addressText, type Address } from '../../config/database-url';
import { driverError, failureOf } from '../errors';
import { disconnect } from '../mysql/mysql-socket';
import type { Row, SqlValue } from '../sql';
import { writeProblem } from '../write-state';

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

/** The number of a change, and what identifies it. */
export interface Change {
  readonly id: number;
  readonly identity: string;
}

// A probe fails after this many ticks without a response. Ticks pass only while the event loop turns, so a process that
// was busy or suspended does not mistake its own delay for a failure of the server.
const TICK = 200;
const MAX_TICKS = 7;

const GALERA = `SHOW GLOBAL STATUS WHERE Variable_name IN
  ('wsrep_provider_name', 'wsrep_cluster_status', 'wsrep_local_state_comment', 'wsrep_ready')`;
const LAST = 'SELECT last FROM change_head WHERE id = 1';
const IDENTITY = "CONCAT_WS(' ', id, at, kind, ref)";

const NO_SUCH_TABLE = 1146;

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
        this.drop();
        return this.report();
      })
      .catch((error: unknown): HostReport => {
        this.drop();
        const failure = failureOf(error);
        const reason = failure.type === 'unavailable' ? failure.reason : driverError(error).message;
        return { isUp: false, problem: reason, last: 0, error };
      })
      .finally(() => (this.checking = undefined)));
  }

  /** The last change; undefined if there is none. */
  async lastChange(): Promise<Change | undefined> {
    const [row] = await this.rows(`SELECT id, ${IDENTITY} FROM changes ORDER BY id DESC LIMIT 1`);
    return row && { id: Number(row[0]), identity: String(row[1]) };
  }

  /** Whether the database contains a change of `lastChange` of another server. */
  async contains({ id, identity }: Change): Promise<boolean> {
    const [row] = await this.rows(`SELECT ${IDENTITY} FROM changes WHERE id = ?`, [id]);
    return row?.[0] === identity;
  }

  close(): void {
    this.isClosed = true;
    this.drop();
  }

  private drop(): void {
    if (this.connection) disconnect(this.connection);
    this.connection = undefined;
  }

  private async report(): Promise<HostReport> {
    const problem = (await writeProblem(this, (text) => this.rows(text))) ?? (await this.galeraProblem());
    return { isUp: true, problem, last: await this.last() };
  }

  private async galeraProblem(): Promise<string | undefined> {
    const status = new Map((await this.rows(GALERA)).map(([name, value]) => [name, value]));
    if ((status.get('wsrep_provider_name') ?? '') === '') return undefined;
    if (status.get('wsrep_cluster_status') !== 'Primary') return 'not in the primary component of its cluster';
    const comment = status.get('wsrep_local_state_comment');
    return comment === 'Synced' && status.get('wsrep_ready') === 'ON' ? undefined : `in the state ${String(comment)}`;
  }

  /** Before the first start, there is no table. */
  private async last(): Promise<number> {
    const [row] = await this.rows(LAST).catch((error: unknown): readonly Row[] => {
      if (driverError(error).errno === NO_SUCH_TABLE) return [];
      throw error;
    });
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
