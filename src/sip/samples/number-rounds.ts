import type { Database } from '../../database/database';
import { sql } from '../../database/fragment';
import type { Reads, Row } from '../../database/sql';
import type { NumberState } from '../diagnosis/facts';
import { countsOf } from '../diagnosis/facts-query';

// Numbers per statement: some 100 ms.
const SLICE = 5000;
// As many take a few milliseconds, and are no heavy read.
const FEW = 250;
// After a statement, as many times its duration passes without one: counting takes 5 % of a processor at most.
const REST = 19;
// Milliseconds. A slow statement, such as the first one, which starts a process on SQLite, does not stop the count.
const LONGEST_REST = 10_000;

/** The numbers by state, and when they were counted, in milliseconds since the epoch. */
interface CountedNumbers {
  /** States without numbers are missing. */
  readonly counts: ReadonlyMap<NumberState, number>;
  readonly on: number;
}

/**
 * Counts all numbers by state again and again, in slices with rests between them. A slice is a heavy read that no
 * caller waits for. With many numbers, a round takes longer than a minute.
 */
export class NumberRounds {
  private counted: CountedNumbers | undefined;
  private round: { readonly counts: ReadonlyMap<NumberState, number>; readonly after: number } | undefined;
  private restsUntil = -Infinity;

  /** `reads` runs what is no heavy read. `node` is the node of the SIP server where calls arrive. */
  constructor(
    private readonly database: Database,
    private readonly reads: Reads,
    private readonly node: string | undefined,
  ) {}

  /** The result of the last complete round. */
  get last(): CountedNumbers | undefined {
    return this.counted;
  }

  /** Begins a round, unless one is in progress. */
  begin(): void {
    this.round ??= { counts: new Map(), after: 0 };
  }

  /** Forgets everything, because another process counts from now on. */
  stop(): void {
    this.round = undefined;
    this.counted = undefined;
  }

  /** Counts the next slice of the round, if it is time. Returns whether the first round is complete with it. */
  async advance(): Promise<boolean> {
    const { round } = this;
    const start = performance.now();
    if (!round || start < this.restsUntil) return false;
    const rows = await this.slice(round.after);
    if (!rows) return false;
    const end = performance.now();
    this.restsUntil = end + Math.min(REST * (end - start), LONGEST_REST);
    const counts = new Map(round.counts);
    // stateOfNumber returns no others.
    for (const [state, many] of rows)
      counts.set(state as NumberState, (counts.get(state as NumberState) ?? 0) + Number(many));
    const isComplete = rows.reduce((sum, [, many]) => sum + Number(many), 0) < SLICE;
    this.round = isComplete ? undefined : { counts, after: Math.max(...rows.map(([, , id]) => Number(id))) };
    if (!isComplete) return false;
    const isFirst = this.counted === undefined;
    this.counted = { counts, on: Date.now() };
    return isFirst;
  }

  /** Undefined if a caller may need the turn. */
  private async slice(after: number): Promise<readonly Row[] | undefined> {
    const { database, reads, node } = this;
    const window = sql`SELECT n.id FROM numbers n WHERE n.id > ${after} ORDER BY n.id LIMIT ${SLICE}`;
    const { text, values } = countsOf(window, 0, { now: Date.now(), node });
    const areFew = (await reads.atMost('numbers')) <= FEW;
    return areFew ? reads.rows(text, values) : database.spare(text, values);
  }
}
