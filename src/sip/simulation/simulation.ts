import { readsWithin, type Sql } from '../../database/sql';
import type { Facts } from '../diagnosis/facts';
import { NumberDiagnosis } from '../diagnosis/number-diagnosis';
import { affectedNumbers, type AffectedNumbers } from './affected-numbers';
import { EFFECTS, numberEffects, type Effect, type NumberEffect } from './number-effects';
import { effective, refsOf, type PlannedChange } from './planned-change';
import { affectedWays, wayOutEffects, type WayOut, type WayOutEffect } from './ways-out';

/** What calls would do differently. */
export interface Simulated {
  /** In the order of creation. */
  readonly numbers: readonly NumberEffect[];
  readonly waysOut: readonly WayOutEffect[];
  readonly counts: Readonly<Record<Effect, number>>;
  /** How many numbers were compared. */
  readonly examined: number;
  /** The row id of the last number that was compared. */
  readonly end: number;
  /** Whether further numbers may be affected. */
  readonly more: boolean;
}

/** What was, as `before` has read it. */
export interface Before {
  readonly now: number;
  readonly affected: AffectedNumbers;
  readonly numbers: ReadonlyMap<number, Facts>;
  readonly ways: ReadonlyMap<string, WayOut>;
}

/** The most numbers that a simulation compares: about 40 ms before the changes, and as many after them. */
export const MAX_COMPARED = 2000;

/**
 * Compares what becomes of calls before and after changes, which a transaction makes between `before` and `after`. Both read
 * within the transaction, for at most MAX_COMPARED numbers, whose paths take a fixed number of statements. Those of `affectedNumbers`
 * come before them.
 */
export class Simulation {
  private readonly changes: readonly PlannedChange[];

  constructor(
    changes: readonly PlannedChange[],
    /** Only numbers after this row id are compared. */
    private readonly start: number,
    /** The node of the SIP server where calls arrive, if configured. */
    private readonly node: string | undefined,
    /** Awaited between statements. Throws an error if the simulation takes too long. */
    private readonly pace: () => Promise<void>,
  ) {
    this.changes = effective(changes);
  }

  async before(transaction: Sql): Promise<Before> {
    const now = Date.now();
    const affected = await this.affected(transaction);
    const numbers = await this.verdicts(transaction, affected.rowIds, now);
    return { now, affected, numbers, ways: await affectedWays(transaction, this.changes, now) };
  }

  async after(transaction: Sql, { now, affected, numbers, ways }: Before): Promise<Simulated> {
    const then = await this.affected(transaction);
    const ends = [affected, then].flatMap(({ more, rowIds }) => (more ? (rowIds.at(-1) ?? []) : []));
    const isWithin = (id: number): boolean => ends.every((end) => id <= end);
    const rowIds = [...new Set([...affected.rowIds, ...then.rowIds])].filter(isWithin).toSorted((a, b) => a - b);
    const found = await this.verdicts(transaction, rowIds, now);
    const created = new Set(
      refsOf(
        this.changes.filter(({ type }) => type === 'create'),
        'DID',
        'Number',
      ),
    );
    // A number that was not read before is new, or else nothing is known of what it was.
    const compared = rowIds.filter((id) => numbers.has(id) || created.has(found.get(id)?.ref ?? ''));
    const effects = numberEffects(compared, numbers, found);
    const count = (of: Effect): number => effects.filter(({ effect }) => effect === of).length;
    return {
      numbers: effects,
      waysOut: wayOutEffects(ways, await affectedWays(transaction, this.changes, now)),
      counts: Object.fromEntries(EFFECTS.map((effect) => [effect, count(effect)])) as Simulated['counts'], // all effects
      examined: compared.length,
      end: rowIds.at(-1) ?? this.start,
      more: ends.length > 0,
    };
  }

  private affected(transaction: Sql): Promise<AffectedNumbers> {
    return affectedNumbers(transaction, this.changes, { after: this.start, most: MAX_COMPARED, pace: this.pace });
  }

  private verdicts(transaction: Sql, rowIds: readonly number[], now: number): Promise<ReadonlyMap<number, Facts>> {
    const free = (): void => undefined;
    const diagnosis = new NumberDiagnosis(readsWithin(transaction), this.node, undefined, free, () => now);
    return diagnosis.verdicts(rowIds);
  }
}
