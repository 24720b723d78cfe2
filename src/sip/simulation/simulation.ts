import { watchNoted, type NewChange } from '../../changes/outbox';
import { readsWithin, type OwnTransaction, type Sql } from '../../database/sql';
import type { Facts } from '../diagnosis/facts';
import { NumberDiagnosis } from '../diagnosis/number-diagnosis';
import { affectedNumbers, type AffectedNumbers } from './affected-numbers';
import { affectedCallers, callerEffects, type Callers } from './callers-out';
import { holdersOf, type Holders } from './holders';
import { acceptingOf, lostSources, type Accepting } from './lost-sources';
import { affectedEnds, lostWays, type LostWay } from './lost-ways';
import { EFFECTS, numberEffects, type Effect, type NumberEffect } from './number-effects';
import { plannedOf, plannedRefs, type PlannedChange } from './planned-change';
import { newShadows, shadowsOf, type Shadow } from './shadowed-rules';
import { affectedWays, wayOutEffects, type WayOut, type WayOutEffect } from './ways-out';

/** What calls would do differently. */
export interface Simulated {
  /** In the order of creation. */
  readonly numbers: readonly NumberEffect[];
  /** Emergency numbers first, each first those of all calls of a domain, then those of the first changed agents and peers. */
  readonly waysOut: readonly WayOutEffect[];
  /** How many ways out differ, and how many of them are emergency numbers. Also counts those that are not listed. */
  readonly waysOutCount: number;
  readonly emergencyCount: number;
  /** Gateways and domains that lose their last number or way out, and those, and peers, whose calls may come from fewer networks. */
  readonly lost: readonly LostWay[];
  /** Rules that lose calls to others. */
  readonly shadowed: readonly Shadow[];
  readonly counts: Readonly<Record<Effect, number>>;
  /** How many numbers were compared. */
  readonly examined: number;
  /** The row id of the last number that was compared. */
  readonly end: number;
  /** Whether further numbers may be affected. */
  readonly more: boolean;
}

/** What becomes of calls, before or after the changes. */
interface State {
  readonly affected: AffectedNumbers;
  readonly numbers: ReadonlyMap<number, Facts>;
  readonly holders: Holders;
  readonly ways: ReadonlyMap<string, WayOut>;
  readonly callers: Callers;
  readonly ends: Awaited<ReturnType<typeof affectedEnds>>;
  readonly accepting: readonly Accepting[];
  readonly shadows: readonly Shadow[];
}

/** What changes did within a rehearsal. */
export interface Rehearsal {
  readonly simulated: Simulated;
  /** As they were noted for the history. */
  readonly changes: readonly PlannedChange[];
  /** What became of the numbers before the changes that they may affect, by row id. */
  readonly before: ReadonlyMap<number, Facts>;
}

/**
 * Runs the writes of a service in its transaction in a way of its own: undoes them, and perhaps makes them after that. It is called
 * in each attempt of the transaction. `write` returns `FAILED` if what it wrote must be rolled back, and the caller does so. `pace` is
 * awaited between statements.
 */
export interface Rehearser {
  rehearse<T>(transaction: OwnTransaction, write: () => Promise<T>, pace: () => Promise<void>): Promise<T>;
}

/** What writes return that report what is wrong instead of throwing it. */
export const FAILED = Symbol('failed');

/** The most numbers that a simulation compares: about 40 ms before the changes, and as many after them. */
export const MAX_COMPARED = 2000;

/**
 * Compares what becomes of calls before and after changes that are undone. Reads at most MAX_COMPARED numbers, whose paths take a
 * fixed number of statements. Those of `affectedNumbers` come before them.
 */
export class Simulation implements Rehearser {
  private rehearsal: Rehearsal | undefined;

  constructor(
    /** Only numbers after this row id are compared. */
    private readonly start: number,
    /** The node of the SIP server where calls arrive, if configured. */
    private readonly node: string | undefined,
  ) {}

  /**
   * Runs `write`, undoes what it has written, and returns its result. Reads what becomes of calls after the changes that `write`
   * notes for the history, and, once they are undone, before them. The caller then rolls the transaction back, or
   * makes the changes again. `pace` is awaited between statements, and throws an error if the simulation takes too long.
   */
  async rehearse<T>(transaction: OwnTransaction, write: () => Promise<T>, pace: () => Promise<void>): Promise<T> {
    this.rehearsal = undefined; // the transaction is retried after a conflict
    const now = Date.now();
    const changes: PlannedChange[] = [];
    const { written, after } = await transaction.undone(async () => {
      const watch = (noted: NewChange): void => {
        const change = plannedOf(noted);
        if (change) changes.push(change);
      };
      const result = await watchNoted(transaction, watch, write);
      return { written: result, after: await this.read(transaction, changes, { now, pace }) };
    });
    const before = await this.read(transaction, changes, { now, pace, also: after.affected });
    this.rehearsal = { simulated: await this.compare(changes, before, after, pace), changes, before: before.numbers };
    return written;
  }

  /** What the last rehearsal found. */
  get found(): Simulated {
    return this.last.simulated;
  }

  /** The last rehearsal. */
  get last(): Rehearsal {
    if (!this.rehearsal) throw new Error('Nothing was rehearsed');
    return this.rehearsal;
  }

  /** `also` are numbers that are read, too, if they exist. */
  private async read(
    transaction: Sql,
    changes: readonly PlannedChange[],
    given: { readonly now: number; readonly pace: () => Promise<void>; readonly also?: AffectedNumbers },
  ): Promise<State> {
    const { now, pace, also } = given;
    const affected = await affectedNumbers(transaction, changes, { after: this.start, most: MAX_COMPARED, pace });
    const holders = await holdersOf(transaction, changes, pace);
    const rowIds = [...new Set([...affected.rowIds, ...(also?.rowIds ?? []), ...holders.values()])];
    const diagnosis = new NumberDiagnosis(readsWithin(transaction), this.node, undefined, free, () => now);
    const numbers = await diagnosis.verdicts(rowIds);
    await pace();
    const ways = await affectedWays(transaction, changes, now, pace);
    const callers = await affectedCallers(transaction, changes, pace);
    const ends = await affectedEnds(transaction, changes, pace);
    const accepting = await acceptingOf(transaction, changes, pace);
    const shadows = [...(await shadowsOf(transaction, changes, pace)), ...callers.shadows];
    return { affected, numbers, holders, ways, callers, ends, accepting, shadows };
  }

  private async compare(
    changes: readonly PlannedChange[],
    before: State,
    after: State,
    pace: () => Promise<void>,
  ): Promise<Simulated> {
    const states = [before, after];
    const ends = states.flatMap(({ affected: { more, rowIds } }) => (more ? (rowIds.at(-1) ?? []) : []));
    const isWithin = (id: number): boolean => ends.every((end) => id <= end);
    const rowIds = [...new Set(states.flatMap(({ affected }) => affected.rowIds))]
      .filter(isWithin)
      .toSorted((a, b) => a - b);
    const numbersThat = (type: PlannedChange['type']): ReadonlySet<string> => {
      const own = changes.filter((each) => each.type === type);
      return new Set(plannedRefs(own, 'DID', 'Number'));
    };
    const [created, deleted] = [numbersThat('create'), numbersThat('delete')];
    // Of a number that was read once, nothing is known otherwise, unless the changes create or delete it.
    const compared = rowIds.filter((id) => {
      const [was, becomes] = [before.numbers.get(id), after.numbers.get(id)];
      return was ? becomes !== undefined || deleted.has(was.ref) : becomes !== undefined && created.has(becomes.ref);
    });
    const effects = numberEffects(compared, before, after);
    const count = (of: Effect): number => effects.filter(({ effect }) => effect === of).length;
    const ways = wayOutEffects(before.ways, after.ways);
    const ofCallers = await callerEffects(before.callers, after.callers, pace);
    return {
      numbers: effects,
      waysOut: [...ways, ...ofCallers.effects].toSorted(
        (a, b) => Number(b.way.isEmergency) - Number(a.way.isEmergency),
      ),
      waysOutCount: ways.length + ofCallers.count,
      emergencyCount: ways.filter(({ way }) => way.isEmergency).length + ofCallers.emergencyCount,
      lost: [...lostWays(before.ends, after.ends), ...(await lostSources(before.accepting, after.accepting, pace))],
      shadowed: newShadows(before.shadows, after.shadows, changes),
      counts: Object.fromEntries(EFFECTS.map((effect) => [effect, count(effect)])) as Simulated['counts'], // all effects
      examined: compared.length,
      end: rowIds.at(-1) ?? this.start,
      more: ends.length > 0,
    };
  }
}

function free(): void {
  // Whoever simulates has paid.
}
