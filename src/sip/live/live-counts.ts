import type { Database } from '../../database/database';
import { raw, sql, type Fragment } from '../../database/fragment';
import type { Row, SqlValue } from '../../database/sql';
import type { HealthState } from '../../model/gateway-health';
import { countsOfHealth, toCounts } from './health-reader';
import { REGISTERS } from './registration-reader';
import { scanTable } from './scan';

/** What is registered now. A trunk is a gateway that registers at its provider; it is up while it is registered. */
export interface LiveState {
  readonly contacts: number;
  readonly trunksUp: number;
  readonly trunksDown: number;
  /** Calls in progress. */
  readonly calls: number;
  /** What all nodes of the SIP server have recorded. The counts only increase. */
  readonly recorded: {
    readonly begun: number;
    readonly answered: number;
    readonly failed: number;
    /** Events of calls that could not be written. */
    readonly lost: number;
    /** Failed calls by the class of the final status, as `sipgraph_calls_failed_total` has them. */
    readonly failures: Readonly<Record<'busy' | '4xx' | '5xx' | '6xx' | 'other', number>>;
  };
  /** Transitions of registrations that all nodes of the SIP server have recorded, by event. The counts only increase. */
  readonly transitions: Readonly<Record<(typeof TRANSITIONS)[number], number>>;
  /** All gateways, by health. States without gateways are missing. */
  readonly health: ReadonlyMap<HealthState, number>;
}

/** The counts in `registration_nodes`. `unrecorded` are those that could not be written. */
const TRANSITIONS = ['registered', 'moved', 'unregistered', 'expired', 'refused', 'lost', 'unrecorded'] as const;

// Milliseconds for which the counts are cached.
const TTL = 15_000;

/**
 * Counts what is registered. The counts are read at most every 15 s unless that failed, however many callers ask, because
 * each one scans an index or a table.
 */
export class LiveCounts {
  private cached: { readonly state: Promise<LiveState>; readonly until: number } | undefined;

  constructor(private readonly database: Database) {}

  read(): Promise<LiveState> {
    const now = performance.now();
    if (this.cached && now < this.cached.until) return this.cached.state;
    const state = this.count();
    this.cached = { state, until: now + TTL };
    state.catch(() => {
      if (this.cached?.state === state) this.cached = undefined;
    });
    return state;
  }

  private async count(): Promise<LiveState> {
    const now = Date.now();
    const [[contacts], [trunks], gateways, [calls], [transitions]] = await Promise.all([
      this.scan('location', sql`SELECT COUNT(*) FROM location WHERE expires > ${Math.floor(now / 1000)}`),
      this.scan(
        'gateways',
        sql`SELECT COUNT(*), COUNT(r.gw_ref) FROM gateways g
          LEFT JOIN gateway_registrations r ON r.gw_ref = g.ref AND r.expires_at > ${now} WHERE ${raw(REGISTERS)}`,
      ),
      this.scan('gateways', countsOfHealth(now)),
      this.database.maintenance.rows(
        `SELECT (SELECT COUNT(*) FROM calls WHERE state IN (1, 2, 3)), SUM(begun), SUM(answered), SUM(failed),
           SUM(unrecorded), SUM(busy), SUM(failed_4xx), SUM(failed_5xx), SUM(failed_6xx) FROM call_nodes`,
        [],
      ),
      this.database.maintenance.rows(
        `SELECT ${TRANSITIONS.map((event) => `SUM(${event})`).join(', ')} FROM registration_nodes`,
        [],
      ),
    ]);
    const [live = 0, begun = 0, answered = 0, failed = 0, lost = 0, busy = 0, ...classes] = (calls ?? []).map(Number);
    const [clientErrors = 0, serverErrors = 0, globalErrors = 0] = classes;
    const others = failed - busy - clientErrors - serverErrors - globalErrors;
    const trunksUp = Number(trunks?.[1]);
    return {
      contacts: Number(contacts?.[0]),
      trunksUp,
      trunksDown: Number(trunks?.[0]) - trunksUp,
      calls: live,
      recorded: {
        begun,
        answered,
        failed,
        lost,
        failures: { busy, '4xx': clientErrors, '5xx': serverErrors, '6xx': globalErrors, other: others },
      },
      transitions: Object.fromEntries(
        TRANSITIONS.map((event, n) => [event, Number(transitions?.[n] ?? 0)]),
      ) as LiveState['transitions'], // has all of TRANSITIONS
      health: toCounts(gateways),
    };
  }

  private scan(table: string, statement: Fragment): Promise<readonly Row[]> {
    const { database } = this;
    const reads = {
      atMost: (of: string) => database.atMost(of),
      rows: (text: string, values: readonly SqlValue[]) => database.maintenance.rows(text, values),
      heavy: (text: string, values: readonly SqlValue[]) => database.heavy(text, values),
    };
    return scanTable(reads, table, statement);
  }
}
