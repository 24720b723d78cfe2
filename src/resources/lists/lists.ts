import { LAST_CHANGE, changesSince, toChangesSince } from '../../changes/changes-since';
import { raw, sql, type Fragment } from '../../database/fragment';
import { where } from '../../database/page';
import type { Reads, Row } from '../../database/sql';
import type { Selection } from '../read/selection';
import {
  BEGINNING,
  isCorrectable,
  type CachedList,
  type CachedLists,
  type ListMemory,
  type Start,
  type State,
} from './cached-lists';
import { isHeavy, isHeavyPage } from './heavy';
import { ofKind, type List } from './list-query';
import { readSlice, startsIn, type Found, type Slice } from './list-slices';
import { ANY_ORDER, readRows } from './sorted-rows';

/** A page of a list by its number, and the length of the list. */
export interface NumberedPage {
  readonly found: Found;
  readonly total: number;
}

// Shorter lists are counted each time, which costs no more than reading the changes.
const SHORT = 500;
const ATTEMPTS = 3;

/**
 * Reads lengths of lists, and pages by their number. A long list is counted once. Later reads correct the length by the
 * changes since then, and a page starts at the nearest known position. The statement that reads a page also reads the
 * changes, so both come from one snapshot, and the result is the same as with counting and skipping all rows.
 */
export class Lists {
  constructor(
    private readonly reads: Reads,
    private readonly memories: ListMemory | undefined,
  ) {}

  private get memory(): CachedLists | undefined {
    return this.memories?.of(this.reads.dataEpoch);
  }

  async count(list: List): Promise<number> {
    return (
      (await this.cachedTotal(list)) ??
      (await this.countUnlessCounted(list)) ??
      (await this.cachedTotal(list)) ??
      this.countAnew(list)
    );
  }

  async page(list: List, selection: Selection, slice: Slice): Promise<NumberedPage> {
    let total: number | undefined;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const cached = this.memory?.find(list);
      if (cached?.isRecent) {
        const page = await this.cachedPage(list, selection, slice, cached);
        if (page) return page;
      } else if (total === undefined) {
        if (!(await isHeavy(this.reads, list.kind, list)))
          return (await this.lastPage(list, selection, slice)) ?? this.countedPage(list, selection, slice);
        total = await this.countUnlessCounted(list, cached?.nearest(slice.skip));
      }
    }
    total ??= await this.countAnew(list);
    if (slice.skip >= total) return { found: [], total };
    const heavy = await isHeavyPage(this.reads, list, slice.skip + slice.size);
    return { ...(await readSlice(this.reads, list, selection, slice, BEGINNING, heavy)), total };
  }

  /**
   * Counts a list. If counting takes long and another request is already counting the list, waits for that count
   * instead and returns undefined.
   */
  private async countUnlessCounted(list: List, start?: Start): Promise<number | undefined> {
    const isLong = isCorrectable(list) && (await isHeavy(this.reads, list.kind, list));
    const other = isLong ? this.memory?.countOf(list) : undefined;
    if (!other) return this.countAnew(list, start);
    await other;
    return undefined;
  }

  private async cachedTotal(list: List): Promise<number | undefined> {
    const cached = this.memory?.find(list);
    return cached?.isRecent ? this.correctedTotal(list, cached) : undefined;
  }

  /**
   * Returns the length of a cached list, corrected by the changes since, or undefined if the list must be counted
   * again.
   */
  private async correctedTotal(list: List, cached: CachedList): Promise<number | undefined> {
    const { state: then, isQuiet } = cached;
    const [row = []] = await readRows(this.reads, sinceThen(list, then, isQuiet), false, ANY_ORDER);
    const now = this.movedOn(list, cached, then, isQuiet, row);
    if (now) return now.total;
    // A quiet list has changed. Unless it was forgotten meanwhile, its changes are read.
    return isQuiet && !cached.isQuiet ? this.correctedTotal(list, cached) : undefined;
  }

  /**
   * Applies the changes since an earlier state, which are the columns of `sinceThen`. Returns the new state; undefined
   * if the list must be counted again, its changes must be read, or another server was read from meanwhile.
   */
  private movedOn(
    list: List,
    cached: CachedList,
    then: State,
    isQuiet: boolean,
    row: Row,
    start?: Start,
  ): State | undefined {
    if (this.memory?.find(list) !== cached) return undefined;
    const since = toChangesSince(row, then.last);
    if (since || !isQuiet) return cached.moveOn(then, since, start);
    cached.isQuiet = false;
    return undefined;
  }

  /**
   * Reads a page from the nearest known position. Returns undefined if a change since then may have moved that position
   * or requires counting the list again.
   */
  private async cachedPage(
    list: List,
    selection: Selection,
    slice: Slice,
    cached: CachedList,
  ): Promise<NumberedPage | undefined> {
    const { state: then, isQuiet } = cached;
    if (slice.skip >= then.total) {
      const total = await this.correctedTotal(list, cached);
      return total !== undefined && slice.skip >= total ? { found: [], total } : undefined;
    }
    const start = cached.nearest(slice.skip);
    const heavy = await isHeavyPage(this.reads, list, slice.skip - start.rank + slice.size);
    const { found, beside } = await readSlice(
      this.reads,
      list,
      selection,
      slice,
      start,
      heavy,
      sinceThen(list, then, isQuiet),
    );
    const now = this.movedOn(list, cached, then, isQuiet, beside, start);
    if (!now) return undefined;
    cached.add(now, startsIn(slice, found));
    return { found, total: now.total };
  }

  /**
   * Reads the last page of a list, from which its length follows, without counting. Returns undefined for any other page, and at
   * once where the last list with such a condition was not short.
   */
  private async lastPage(list: List, selection: Selection, slice: Slice): Promise<NumberedPage | undefined> {
    if (!this.memory?.isShort(list)) return undefined;
    const { found } = await readSlice(this.reads, list, selection, slice, BEGINNING, false);
    const isLast = found.length < slice.size && (found.length > 0 || slice.skip === 0);
    if (isLast) return { found, total: slice.skip + found.length };
    this.memory.learn(list, false);
    return undefined;
  }

  /** Reads a page, and counts the list, in one statement. */
  private async countedPage(list: List, selection: Selection, slice: Slice): Promise<NumberedPage> {
    const { memory } = this;
    const counting = await this.counting(list, false);
    const { found, beside } = await readSlice(this.reads, list, selection, slice, BEGINNING, false, counting);
    const total = Number(beside[0]);
    memory?.learn(list, total < slice.size);
    this.remember(memory, list, beside, startsIn(slice, found));
    return { found, total };
  }

  /** Counts a list, and finds the rank of an earlier position. */
  private countAnew(list: List, start?: Start): Promise<number> {
    const counting = this.countNow(list, start);
    this.memory?.counts(list, counting);
    return counting;
  }

  private async countNow(list: List, start?: Start): Promise<number> {
    const { memory } = this;
    const heavy = await isHeavy(this.reads, list.kind, list);
    const counting = await this.counting(list, heavy, start);
    const [row = []] = await readRows(this.reads, counting, heavy, ANY_ORDER);
    this.remember(memory, list, row, start ? [{ rank: Number(row[1]), rowId: start.rowId }] : []);
    return Number(row[0]);
  }

  /**
   * A SELECT of one row: the length of a list, and, if it can be remembered, the rows up to a position and the last
   * change.
   */
  private async counting(list: List, heavy: boolean, { rowId }: Start = BEGINNING): Promise<Fragment> {
    const { kind, condition } = list;
    const rows = sql`FROM ${raw(`${kind.table} t`)} ${where([ofKind(kind), condition])}`;
    const isLong = (await this.reads.atMost(kind.table)) > SHORT;
    if (!this.memory || !isLong || !isCorrectable(list)) return sql`SELECT COUNT(*) AS total ${rows}`;
    const ranked = rowId > 0 ? sql`COUNT(CASE WHEN t.id <= ${rowId} THEN 1 END)` : raw('0');
    // Most filters are used once. If they are fast to count, they are not remembered while there are changes.
    const changes = condition && !heavy ? LAST_CHANGE : changesSince(kind);
    return sql`SELECT n.*, s.* FROM (SELECT COUNT(*) AS total, ${ranked} AS ranked ${rows}) n
      JOIN (${changes}) s ON 1 = 1`;
  }

  /** `memory`: that of the server that the rows were read from. Another one may be used now. */
  private remember(memory: CachedLists | undefined, list: List, counted: Row, starts: readonly Start[]): void {
    const total = Number(counted[0]);
    const since = counted.length > 2 ? toChangesSince(counted.slice(2)) : undefined;
    if (!since || total <= SHORT || memory !== this.memory) return;
    const state = { total, last: since.last, unnumbered: since.unnumbered };
    memory?.set(list, state).add(state, starts);
  }
}

/** A SELECT of one row: what changed since the state `then` of a list. */
function sinceThen({ kind }: List, then: State, isQuiet: boolean): Fragment {
  return isQuiet ? LAST_CHANGE : changesSince(kind, then.last);
}
