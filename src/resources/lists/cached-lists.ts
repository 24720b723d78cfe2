import { LRUCache } from 'lru-cache';

import type { ChangesSince, EventCounts } from '../../changes/changes-since';
import { memoized } from '../../limits/memoized';
import type { List } from './list-query';

/** A position in a list in creation order: `rank` rows of the list have row ids up to `rowId`. */
export interface Start {
  readonly rank: number;
  readonly rowId: number;
}

/** The beginning of every list. */
export const BEGINNING: Start = { rank: 0, rowId: 0 };

/** The length of a list in a snapshot of the database. */
export interface State {
  readonly total: number;
  /** The number of the last change in the snapshot. */
  readonly last: number;
  /** The changes of the list's kind in the snapshot that had no number yet. They get numbers above `last`. */
  readonly unnumbered: EventCounts;
}

// The maximum number of positions that are kept per list. Each client that reads a list page by page needs one.
const MAX_STARTS = 256;
const START_BYTES = 64;
/** The size of the cache in bytes: any caller can send any number of different filters. */
const MAX_KEPT = 8_000_000;

/** The size in bytes of the conditions whose lists are known to be short, which any caller can send, too. */
const MAX_CONDITIONS = 500_000;

/** The last known length of a list, and positions in the list. */
export class CachedList {
  /** By rank, the ones used last at the end. */
  private readonly starts = new Map<number, Start>();

  /** Whether no changes were found last, so that the next read will probably find none. */
  isQuiet: boolean;

  constructor(
    private readonly isFiltered: boolean,
    /** The latest state that was read. The positions hold in its snapshot. */
    public state: State,
    /** The time (performance.now) in milliseconds at which the list must be counted again. */
    private until: number,
  ) {
    this.isQuiet = isNone(state.unnumbered);
  }

  /** Whether the length can be corrected by the changes since, without counting the list again. */
  get isRecent(): boolean {
    return performance.now() < this.until;
  }

  /** The last known position among the first `skip` rows. */
  nearest(skip: number): Start {
    let nearest = BEGINNING;
    for (const start of this.starts.values()) if (start.rank <= skip && start.rank > nearest.rank) nearest = start;
    this.keep(nearest);
    return nearest;
  }

  /** Adds positions that hold in the snapshot of a state, unless a later state is known. */
  add(state: State, starts: readonly Start[]): void {
    if (isBefore(state, this.state)) return;
    for (const start of starts) this.keep(start);
  }

  /**
   * Applies the changes since an earlier state. Returns the new state, or undefined if the list must be counted again
   * or one of the changes may have moved `start`.
   */
  moveOn(then: State, since: ChangesSince | undefined, start = BEGINNING): State | undefined {
    const changes = since && laterThan(then, since);
    if (!since || !changes || (this.isFiltered && !isNone(changes))) {
      this.until = 0;
      return undefined;
    }
    const { last, unnumbered, firstCreated = Infinity } = since;
    const now = { total: then.total + changes.created - changes.deleted, last, unnumbered };
    // The outbox does not have the row ids of deleted resources. New resources can have lower row ids than resources
    // that were read before, because ids are assigned before the commit.
    const holds = ({ rank, rowId }: Start): boolean => rank === 0 || (changes.deleted === 0 && rowId < firstCreated);
    if (!isBefore(now, this.state)) {
      this.isQuiet = now.last === then.last && isNone(unnumbered);
      this.state = now;
      for (const each of this.starts.values()) if (!holds(each)) this.starts.delete(each.rank);
    }
    return holds(start) ? now : undefined;
  }

  private keep(start: Start): void {
    if (start.rank === 0) return;
    this.starts.delete(start.rank);
    this.starts.set(start.rank, start);
    const [oldest] = this.starts.keys();
    if (this.starts.size > MAX_STARTS && oldest !== undefined) this.starts.delete(oldest);
  }
}

function isNone({ created, updated, deleted }: EventCounts): boolean {
  return created + updated + deleted === 0;
}

/** The changes that are not in the snapshot of an earlier state. */
function laterThan({ unnumbered }: State, { all }: ChangesSince): EventCounts {
  return {
    created: all.created - unnumbered.created,
    updated: all.updated - unnumbered.updated,
    deleted: all.deleted - unnumbered.deleted,
  };
}

/** Whether the snapshot of one state was taken before that of another. */
function isBefore(one: State, other: State): boolean {
  const changes = ({ unnumbered: { created, updated, deleted } }: State): number => created + updated + deleted;
  return one.last < other.last || (one.last === other.last && changes(one) < changes(other));
}

/** The lengths of lists, and positions in them. */
export class CachedLists {
  private readonly lists = new LRUCache<string, CachedList>({
    maxSize: MAX_KEPT,
    sizeCalculation: (_list, key) => 2 * key.length + MAX_STARTS * START_BYTES,
  });

  private readonly counting = new Map<string, Promise<void>>();

  /** The kinds and conditions, without values, whose list was shorter than a page when it was counted last. */
  private readonly short = new LRUCache<string, true>({
    maxSize: MAX_CONDITIONS,
    sizeCalculation: (_short, key) => 2 * key.length,
  });

  constructor(
    /** Milliseconds after which a list is counted again, so that rows that other programs wrote are included. */
    private readonly maxAge: number,
  ) {}

  /** Stores a count that has begun, so that other requests can wait for it with `countOf`. */
  counts(list: List, count: Promise<unknown>): void {
    const key = keyOf(list);
    const ended = count
      .catch(() => undefined)
      .then(() => {
        if (this.counting.get(key) === ended) this.counting.delete(key);
      });
    this.counting.set(key, ended);
  }

  /** Returns a promise that resolves when a running count ends, or undefined if no count is running. */
  countOf(list: List): Promise<void> | undefined {
    return this.counting.get(keyOf(list));
  }

  /** Whether a list is probably shorter than a page, as the last one with such a condition was. */
  isShort(list: List): boolean {
    return this.short.get(shapeOf(list)) === true;
  }

  /** Stores whether a list is shorter than a page. */
  learn(list: List, isShort: boolean): void {
    if (isShort) this.short.set(shapeOf(list), true);
    else this.short.delete(shapeOf(list));
  }

  find(list: List): CachedList | undefined {
    return this.lists.get(keyOf(list));
  }

  /** Stores the state of a list that was counted, unless a later state is known. Returns the stored list. */
  set(list: List, state: State): CachedList {
    const cached = this.find(list);
    if (cached?.isRecent && !isBefore(cached.state, state)) return cached;
    const made = new CachedList(list.condition !== undefined, state, performance.now() + this.maxAge);
    this.lists.set(keyOf(list), made);
    return made;
  }
}

/** Remembers lists for each data epoch (`Reads.dataEpoch`): what is known of one server may not hold on another. */
export class ListMemory {
  readonly of = memoized((_dataEpoch: object) => new CachedLists(this.maxAge));

  /** `maxAge`: in milliseconds (see `CachedLists`). */
  constructor(private readonly maxAge = 60_000) {}
}

/** Whether only changes to resources of the list's kind can change the list, so that its length can be corrected. */
export function isCorrectable({ kind, condition }: List): boolean {
  if (!condition) return true;
  // A condition with a `searchCost` compares columns of the row, and refs, which never change.
  return (
    condition.searchCost !== undefined &&
    kind.references.every(({ refersTo: { through, by } }) => through !== undefined || by === 'ref')
  );
}

function shapeOf({ kind, condition }: List): string {
  return `${kind.name} ${condition?.text ?? ''}`;
}

function keyOf({ kind, condition }: List): string {
  return condition ? `${kind.name} ${condition.text} ${JSON.stringify(condition.values)}` : kind.name;
}
