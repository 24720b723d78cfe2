import type { Logger } from 'pino';

import { Lease } from '../../changes/lease';
import { RepeatedTask } from '../../changes/repeated-task';
import type { Database } from '../../database/database';
import { list, sql, useIndex } from '../../database/fragment';
import { trimRows } from '../../database/trim-rows';
import { places, readsWithin, type Reads, type Transaction } from '../../database/sql';
import { ContactReader } from '../live/contact-reader';
import { TrunkReader } from '../live/trunk-reader';
import { logFailure } from '../../log';
import { outcomesIn } from './call-outcomes';
import { healthTransitionsOf, storeHealthTransitions } from './health-periods';
import { NumberRounds } from './number-rounds';
import { columnOf, KEPT, mergedColumn, SERIES, STEPS, valuesOf, type Counts } from './series';
import { endPeriods, storeTransitions, transitionsOf, trimPeriods } from './trunk-periods';

// Milliseconds between looks at whether something is due.
const TICK = 1000;
// Milliseconds between attempts to take over from the process that samples.
const STANDBY = 30_000;
// Seconds. If the process that samples dies, another one continues after this time.
const LEASE = 150;
const TRIM_INTERVAL = 3600_000;
// After a longer time without a sample, in milliseconds, the states of trunks in the meantime are unknown.
const LONGEST_GAP = 3 * STEPS.MINUTE;
// The changes of a minute that are counted.
const MOST_CHANGES = 100_000;

const COLUMNS = SERIES.map(columnOf);

/** What the sampler depends on. */
export interface SamplerOptions {
  readonly database: Database;
  /** The node of the SIP server where calls arrive. */
  readonly node: string | undefined;
  /** For how long the health of gateways is kept, in milliseconds; 0 if it is not recorded. */
  readonly liveKept: number;
  /** The kinds of resources, whose changes are counted. */
  readonly kinds: readonly string[];
  readonly logger: Logger;
  /** Milliseconds between samples. Samples of the same minute replace each other. */
  readonly interval: number;
}

/** Samples the state of the installation every minute, in one process at a time. */
export class Sampler {
  private readonly lease: Lease;
  private readonly rounds: NumberRounds;
  private readonly reads: Reads;
  private readonly task: RepeatedTask;
  /** When the next sample is due, and when old ones are deleted, in milliseconds of the monotonic clock. */
  private dueAt = -Infinity;
  private trimAt = -Infinity;

  constructor(private readonly options: SamplerOptions) {
    const { database, node, interval, logger } = options;
    this.lease = new Lease(database, { table: 'sample_lease', duration: LEASE });
    // Statements of the service are not counted, and large tables are heavy reads.
    this.reads = {
      ...readsWithin(database.maintenance),
      heavy: (text, values) => database.heavy(text, values),
      atMost: async (table) => {
        const [row] = await database.maintenance.rows(`SELECT MAX(id) FROM ${table}`, []);
        return Number(row?.[0] ?? 0);
      },
    };
    this.rounds = new NumberRounds(database, this.reads, node);
    const onFailure = (error: unknown): void => logFailure(logger, error, 'cannot take samples');
    this.task = new RepeatedTask(() => this.work(), Math.min(TICK, interval), onFailure).start();
  }

  async close(): Promise<void> {
    await this.task.close();
    // If the database is unavailable, the lease ends by itself.
    await this.lease.release().catch(() => undefined);
  }

  private async work(): Promise<void> {
    const isDue = performance.now() >= this.dueAt;
    if (isDue && !(await this.lease.take())) {
      this.rounds.stop();
      this.dueAt = performance.now() + Math.min(STANDBY, this.options.interval);
      return;
    }
    if (!this.lease.isHeld) return;
    if (isDue) this.rounds.begin();
    const isFirstCount = await this.rounds.advance();
    // The first count is shown soon after the start.
    if (isDue || isFirstCount) await this.sample();
    if (performance.now() >= this.trimAt) await this.trim();
  }

  private async sample(): Promise<void> {
    const { database, interval, liveKept } = this.options;
    this.dueAt = performance.now() + interval;
    const minute = STEPS.MINUTE;
    const [row] = await database.maintenance.rows(
      `SELECT ${database.clock}, (SELECT MAX(at) FROM samples WHERE step = ?)`,
      [minute],
    );
    const [now, last] = [Number(row?.[0]) * 1000, row?.[1] === null ? undefined : Number(row?.[1])];
    const at = now - (now % minute);
    // The next sample is taken soon after the next minute begins.
    this.dueAt = Math.min(this.dueAt, performance.now() + at + minute - now);
    const hadGap = last !== undefined && now - last > LONGEST_GAP;
    if (hadGap)
      await database.maintenance.transaction(async (transaction) => {
        for (const table of ['trunk_states', 'health_states'] as const)
          await endPeriods(transaction, table, last + minute);
      });
    const { last: numbers } = this.rounds;
    const [devices, trunks, changes, calls, outcomes, transitions, health] = [
      await new ContactReader(this.reads).count(),
      new Map((await new TrunkReader(this.reads).counts()).map(({ state, count }) => [state, count])),
      await this.changesIn(at - minute, at),
      await this.calls(),
      await outcomesIn(this.reads, database.product, at - minute, at),
      await transitionsOf(database),
      liveKept > 0 ? await healthTransitionsOf(database, now) : [],
    ];
    await database.maintenance.transaction(async (transaction) => {
      const counts = { devices, trunks, numbers: numbers?.counts, changes, calls, outcomes };
      await storeSample(transaction, at, counts, numbers?.on);
      await storeTransitions(transaction, transitions, now);
      await storeHealthTransitions(transaction, health);
      await forgetSamples(transaction, now);
    });
  }

  /** How often resources were changed, at most `MOST_CHANGES`. */
  private async changesIn(from: number, to: number): Promise<number> {
    const { database, kinds } = this.options;
    const { text, values } = sql`SELECT COUNT(*) FROM (
      SELECT 1 FROM changes ${useIndex(database.product, 'changes_at')}
      WHERE at >= ${from} AND at < ${to} AND kind IN (${list(kinds)}) LIMIT ${MOST_CHANGES}) c`;
    const [row] = await database.maintenance.rows(text, values);
    return Number(row?.[0]);
  }

  /** The calls in progress. */
  private async calls(): Promise<number> {
    const [row] = await this.reads.rows('SELECT COUNT(*) FROM calls WHERE state IN (1, 2, 3)', []);
    return Number(row?.[0]);
  }

  private async trim(): Promise<void> {
    this.trimAt = performance.now() + Math.min(TRIM_INTERVAL, 60 * this.options.interval);
    const { database, liveKept } = this.options;
    await trimPeriods(database, 'trunk_states', KEPT.QUARTER_HOUR);
    if (liveKept > 0) await trimPeriods(database, 'health_states', liveKept);
    else await trimRows(database.maintenance, 'health_states', 'until_on > 0', 'until_on');
  }
}

/** Stores the sample of a minute, and computes its quarter of an hour again. */
async function storeSample(
  transaction: Transaction,
  at: number,
  counts: Counts,
  numbersOn: number | undefined,
): Promise<void> {
  const { MINUTE, QUARTER_HOUR } = STEPS;
  const quarter = at - (at % QUARTER_HOUR);
  await transaction.run('DELETE FROM samples WHERE (step = ? AND at = ?) OR (step = ? AND at = ?)', [
    MINUTE,
    at,
    QUARTER_HOUR,
    quarter,
  ]);
  const columns = `step, at, ${COLUMNS.join(', ')}, numbers_on`;
  await transaction.run(`INSERT INTO samples (${columns}) VALUES (${places(COLUMNS.length + 3)})`, [
    MINUTE,
    at,
    ...valuesOf(counts),
    numbersOn ?? null,
  ]);
  await transaction.run(
    `INSERT INTO samples (${columns})
     SELECT ${String(QUARTER_HOUR)}, ${String(quarter)}, ${SERIES.map(mergedColumn).join(', ')}, MAX(numbers_on)
     FROM samples WHERE step = ? AND at >= ? AND at < ?`,
    [MINUTE, quarter, quarter + QUARTER_HOUR],
  );
}

/** Deletes the samples that are older than they are kept. There are few, because each sample deletes some. */
async function forgetSamples(transaction: Transaction, now: number): Promise<void> {
  for (const stored of ['MINUTE', 'QUARTER_HOUR'] as const)
    await transaction.run('DELETE FROM samples WHERE step = ? AND at < ?', [STEPS[stored], now - KEPT[stored]]);
}
