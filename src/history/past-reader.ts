import type { State } from '../changes/details';
import type { Product } from '../database/driver';
import { pad, places, type Reads } from '../database/sql';
import { InvalidInputError, NotSupportedError } from '../errors';
import { endOfTurn } from '../limits/event-loop';
import type { Kind, Resource } from '../model/kind';
import { ResourceReader } from '../resources/read/resource-reader';
import { wholeOf, type Selection } from '../resources/read/selection';
import { stateOf, valuesIn, wholeStateOf } from '../resources/write/entry-details';
import { isRef } from '../resources/write/input';
import { fromWritten } from '../resources/write/written';
import { lastUntil, startOf } from './boundaries';
import { entryColumns, toEntries } from './entry-reads';

// Entries per statement.
const PAGE = 200;

/** A resource as it was. */
interface PastState {
  readonly state: State;
  /** The row id that it has now; undefined if it no longer exists, also if another resource has its reference. */
  readonly rowId: number | undefined;
}

/** Reads what resources were at an earlier time, from the current state and the entries since then. */
export class PastReader {
  constructor(
    private readonly reads: Reads,
    private readonly product: Product,
    /** Numbers the changes that are committed, which makes them entries. */
    readonly number: () => Promise<void>,
    /** Charges the user for each entry that is read, in objects. Throws RateLimitedError. */
    private readonly spend: (objects: number) => void,
  ) {}

  /**
   * Returns the fields of a resource at a time, in milliseconds since the epoch; undefined if it did not exist. Throws
   * InvalidInputError if the time is before the history that is kept, or if the selection contains links.
   */
  async read(kind: Kind, ref: string, asOf: number, selection: Selection): Promise<Resource | undefined> {
    if (!isRef(ref)) return undefined;
    const state = await this.stateAt(kind, ref, asOf);
    if (!state) return undefined;
    const found = resourceIn(kind, selection, ref, state);
    if (found) return found;
    throw InvalidInputError.of('asOf', 'returns the fields of a resource only: select no links');
  }

  /** When the history that is kept starts, in milliseconds since the epoch. */
  start(): Promise<number> {
    return startOf(this.reads);
  }

  /** The state of a resource after an entry; undefined if it did not exist. The caller checks that the history since is kept. */
  async stateBy(kind: Kind, ref: string, last: number): Promise<State | undefined> {
    return (await this.statesBy(kind, [ref], last)).get(ref)?.state;
  }

  /**
   * The states of resources of a kind after an entry, without those that did not exist. The number of statements depends on how
   * many entries there are since then. The caller checks that the history since is kept.
   */
  async statesBy(kind: Kind, refs: readonly string[], last: number): Promise<ReadonlyMap<string, PastState>> {
    // First, so that the entries include all changes that the current state has.
    const current = await this.current(kind, refs);
    await this.number();
    const states = new Map<string, PastState>();
    const earlier = new Map<string, Map<string, unknown>>();
    for (const ref of refs) earlier.set(ref, new Map());
    /** The entries that deleted resources. */
    const deletions = new Map<string, number>();
    const settle = (ref: string, state: State | undefined, rowId: number | undefined): void => {
      const changes = earlier.get(ref);
      if (state && changes) states.set(ref, { state: { ...state, ...Object.fromEntries(changes) }, rowId });
      earlier.delete(ref);
    };
    const keys = pad(refs, '');
    for (let beforeId = last; ;) {
      const rows = await this.reads.rows(
        `SELECT ${entryColumns('fields')} FROM changes WHERE kind = ? AND ref IN (${places(keys.length)}) AND id > ?
         ORDER BY id LIMIT ?`,
        [kind.name, ...keys, beforeId, PAGE],
      );
      this.spend(rows.length);
      for (const entry of await toEntries(this.reads, rows, 'fields', this.spend)) {
        beforeId = entry.rowId;
        const changes = earlier.get(entry.ref);
        const then = states.get(entry.ref);
        if (then) {
          // One that was created with the same reference is another, unless it reverts the deletion.
          const isBack = entry.event === 'CREATED' && entry.details?.undoes === deletions.get(entry.ref);
          if (isBack) states.set(entry.ref, { ...then, rowId: current.get(entry.ref)?.rowId });
          else if (entry.event === 'DELETED' && then.rowId !== undefined) {
            deletions.set(entry.ref, entry.rowId);
            states.set(entry.ref, { ...then, rowId: undefined });
          }
        }
        if (!changes) continue;
        if (entry.event === 'CREATED') {
          earlier.delete(entry.ref);
          continue;
        }
        const { before, after: later = {} } = entry.details ?? {};
        if (!before) throw new NotSupportedError(`Entry ${String(entry.rowId)} does not say what it changed`);
        // The values before the first change since then.
        for (const name of [...Object.keys(before), ...Object.keys(later)])
          if (!changes.has(name)) changes.set(name, before[name]);
        if (entry.event !== 'DELETED') continue;
        deletions.set(entry.ref, entry.rowId);
        settle(entry.ref, before, undefined);
      }
      if (rows.length < PAGE) break;
      await endOfTurn();
    }
    for (const ref of [...earlier.keys()]) settle(ref, current.get(ref)?.state, current.get(ref)?.rowId);
    return states;
  }

  private async stateAt(kind: Kind, ref: string, asOf: number): Promise<State | undefined> {
    await this.number();
    await this.assertKept(asOf);
    // The last change by then, because times increase with the numbers.
    const last = (await lastUntil(this.reads, this.product, asOf)) ?? 0;
    const state = await this.stateBy(kind, ref, last);
    // Entries may have been deleted meanwhile.
    await this.assertKept(asOf);
    return state;
  }

  private async current(
    kind: Kind,
    refs: readonly string[],
  ): Promise<ReadonlyMap<string, { readonly state: State; readonly rowId: number }>> {
    const stored = await new ResourceReader(this.reads).some(kind, refs, wholeOf(kind));
    return new Map(
      stored.map((each) => [each.ref, { state: stateOf(kind, wholeStateOf(kind, each)), rowId: each.rowId }]),
    );
  }

  /** Throws InvalidInputError if entries after this time have been deleted. */
  private async assertKept(asOf: number): Promise<void> {
    const start = await this.start();
    if (asOf >= start) return;
    const since = new Date(start).toISOString();
    throw InvalidInputError.of('asOf', `is before the history that is kept, which starts at ${since}`);
  }
}

/** The resource in a state of the history; undefined if the selection needs more than its fields. */
export function resourceIn(kind: Kind, selection: Selection, ref: string, state: State): Resource | undefined {
  const [createdOn, modifiedOn] = [Number(state['createdOn']), Number(state['modifiedOn'])];
  return fromWritten(kind, selection, { ref, values: valuesIn(kind, state), createdOn, modifiedOn });
}
