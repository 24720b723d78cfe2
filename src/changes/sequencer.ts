import { setTimeout } from 'node:timers/promises';

import type { Database } from '../database/database';
import { CLOCK_MS, type Transaction } from '../database/sql';
import { TooSlowError } from '../errors';
import { CHANGE_COLUMNS, CLOCK_TOLERANCE } from './outbox';

const BATCH = 1000;
// After a statement that took too long, the next batch is this many times smaller.
const SMALLER = 8;
// Milliseconds for which a sequencer yields after a conflict; half as long again at most.
const YIELD = 1000;
// Milliseconds between looks at the changes that another sequencer is to number.
const LOOK = 50;

/**
 * Numbers the committed changes, without gaps. Every process has a sequencer, and the row in `change_head` lets one
 * sequencer at a time assign numbers. The lock of the row is held for a few statements, on a connection that the server
 * closes after two seconds without a statement, so a sequencer that dies or pauses blocks the others for two seconds at
 * most.
 *
 * A row lock holds on one node of a cluster. Sequencers on several nodes may number at the same time, and all but one
 * of them fail at the commit. Those yield to the other one for as long as it numbers changes, and take over within two
 * seconds when it stops.
 *
 * Numbering does not wait for open transactions, because it reads and locks only committed changes. Changes that depend
 * on each other keep their order, because the later one has the higher id and is not committed before the earlier one.
 */
export class Sequencer {
  private last: Promise<unknown> = Promise.resolve();
  private next: Promise<boolean> | undefined;
  /** Until when another sequencer numbers the changes, in milliseconds of the monotonic clock, and the number it was at. */
  private yielded: { readonly until: number; readonly at: number } | undefined;
  /** The number of changes in the next batch. */
  private batch = BATCH;

  constructor(private readonly database: Database) {}

  /** Numbers every change that was committed before the call, unless another sequencer is doing so. */
  async number(): Promise<void> {
    await this.attempt();
  }

  /** Waits until every change that was committed before the call has a number. */
  async settle(): Promise<void> {
    if (await this.attempt()) return;
    const first = new Set((await this.waiting()).map(keyOf));
    while ((await this.waiting()).some((each) => first.has(keyOf(each)))) {
      await setTimeout(LOOK);
      if (await this.attempt()) return;
    }
  }

  /** Returns whether every change that was committed before the call has a number for certain. */
  private attempt(): Promise<boolean> {
    // A database with one writing transaction at a time numbers changes within it.
    if (this.database.isSerial) return Promise.resolve(true);
    // A run that has begun may have missed the caller's change, so the caller waits for the next run.
    return (this.next ??= this.last
      .catch(() => undefined)
      .then(() => {
        this.next = undefined;
        const run = this.numberAll();
        this.last = run;
        return run;
      }));
  }

  /** Seconds since the oldest change that has no number yet; 0 if all have one. */
  async lag(): Promise<number> {
    if (this.database.isSerial) return 0;
    const oldest = await this.database.maintenance.rows(OLDEST, []);
    return Math.max(0, ...oldest.map(([at]) => Date.now() - Number(at))) / 1000;
  }

  private async numberAll(): Promise<boolean> {
    if (this.yielded && !(await this.takesOver(this.yielded))) return false;
    for (let isDone = false; !isDone;) {
      const waiting = await this.waiting();
      isDone = true;
      for (const source of SOURCES) {
        const ids = waiting.filter(({ table }) => table === source.table).map(({ id }) => id);
        if (ids.length > 0 && !(await this.tryNumber(source, ids))) {
          await this.yield();
          return false;
        }
        if (ids.length === BATCH) isDone = false;
      }
    }
    return true;
  }

  /**
   * Numbers changes. Returns false after a conflict with another sequencer. If a statement takes too long, the batches
   * are smaller from then on.
   */
  private async tryNumber(source: Source, ids: readonly number[]): Promise<boolean> {
    for (let rest = ids; rest.length > 0;) {
      const batch = rest.slice(0, this.batch);
      try {
        if (!(await this.database.maintenance.attempt((sql) => number(sql, source, batch)))) return false;
        rest = rest.slice(batch.length);
        this.batch = Math.min(BATCH, this.batch * 2);
      } catch (error) {
        if (!(error instanceof TooSlowError) || batch.length === 1) throw error;
        this.batch = Math.ceil(batch.length / SMALLER);
      }
    }
    return true;
  }

  /** Whether the sequencer to which this one yielded has stopped. */
  private async takesOver({ until, at }: { readonly until: number; readonly at: number }): Promise<boolean> {
    if (performance.now() < until) return false;
    if ((await this.head()) !== at) {
      await this.yield();
      return false;
    }
    this.yielded = undefined;
    return true;
  }

  private async yield(): Promise<void> {
    const at = await this.head();
    this.yielded = { until: performance.now() + YIELD * (1 + Math.random() / 2), at };
  }

  private async head(): Promise<number> {
    const [row] = await this.database.maintenance.rows('SELECT last FROM change_head WHERE id = 1', []);
    return Number(row?.[0]);
  }

  /** The oldest changes without a number. */
  private async waiting(): Promise<readonly Waiting[]> {
    const rows = await this.database.maintenance.rows(UNNUMBERED, [BATCH, BATCH]);
    return rows.map(([table, id]) => ({ table: String(table), id: Number(id) }));
  }
}

/** A change without a number. */
interface Waiting {
  readonly table: string;
  readonly id: number;
}

function keyOf({ table, id }: Waiting): string {
  return `${table} ${String(id)}`;
}

/** A table of changes without a number, and the columns that it shares with `changes`. */
interface Source {
  readonly table: string;
  readonly columns: string;
}

const SOURCES: readonly Source[] = [
  // Written by processes of a version without a history, which may run beside this one.
  { table: 'unnumbered_changes', columns: 'kind, ref, did' },
  { table: 'unnumbered_entries', columns: CHANGE_COLUMNS },
];

const UNNUMBERED = SOURCES.map(
  ({ table }) => `SELECT '${table}', id FROM (SELECT id FROM ${table} ORDER BY id LIMIT ?) ${table}`,
).join(' UNION ALL ');

/** The times of the oldest changes without a number, one of each table. */
const OLDEST = SOURCES.map(({ table }) => `(SELECT at FROM ${table} ORDER BY id LIMIT 1)`).join(' UNION ALL ');

// The join reads the rows by their ids. For `id IN (…)`, a server may prefer a scan, which waits for the rows of open
// transactions.
const joinListed = (table: string): string => `JSON_TABLE(?, '$[*]' COLUMNS (id bigint PATH '$')) listed
  STRAIGHT_JOIN ${table} u FORCE INDEX (PRIMARY) ON u.id = listed.id`;

// A time never precedes that of an earlier number, so that the numbers of a span of time are consecutive. A time far
// ahead of the clock, before it was set back, does not count.
const PREVIOUS = 'COALESCE(previous.at, 0)';
const LEAST = `IF(${PREVIOUS} > ${CLOCK_MS} + ${String(CLOCK_TOLERANCE)}, ${CLOCK_MS}, ${PREVIOUS})`;
const AT = `GREATEST(MAX(u.at) OVER (ORDER BY u.id), ${LEAST})`;

/**
 * Numbers those of the changes that have no number yet. The details are read after the numbers were given, because a
 * server sorts all columns that a window function stands beside.
 */
async function number(transaction: Transaction, { table, columns }: Source, changes: readonly number[]): Promise<void> {
  const [count, ids] = [changes.length, JSON.stringify(changes)];
  // From here to the commit, no other process numbers changes.
  await transaction.run('UPDATE change_head SET last = last + ? WHERE id = 1', [count]);
  const { rows: found } = await transaction.run(
    `INSERT INTO changes (id, at, ${columns})
     SELECT n.number, n.at, ${columns.replace(/\w+/g, 'w.$&')}
     FROM (
       SELECT u.id, head.last - ? + ROW_NUMBER() OVER (ORDER BY u.id) AS number, ${AT} AS at
       FROM ${joinListed(table)} STRAIGHT_JOIN change_head head ON head.id = 1
         LEFT JOIN changes previous ON previous.id = head.last - ?
     ) n STRAIGHT_JOIN ${table} w FORCE INDEX (PRIMARY) ON w.id = n.id`,
    [count, ids, count],
  );
  // Another process has numbered the others.
  if (found < count) await transaction.run('UPDATE change_head SET last = last - ? WHERE id = 1', [count - found]);
  if (found > 0) await transaction.run(`DELETE u FROM ${joinListed(table)}`, [ids]);
}
