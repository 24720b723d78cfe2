import type { Logger } from 'pino';

import { Delivery, groupsOf, type Subscriber } from '../../changes/delivery';
import { RepeatedTask } from '../../changes/repeated-task';
import type { Database } from '../../database/database';
import { useIndex } from '../../database/fragment';
import { batchesOf } from '../../database/batches';
import { places, type Row } from '../../database/sql';
import { endOfTurn } from '../../limits/event-loop';
import { logFailure } from '../../log';
import { CALL_COLUMNS, CALL_STATES, LIVE_STATES, toCall, type Call, type CallState } from './call';
import { matcherOf, searchedTexts, type CallMatcher, type CallQuery } from './call-query';

/** What happened to a call. MISSED stands for events that are not delivered one by one, because there are too many. */
export type CallEvent = 'BEGUN' | 'RINGING' | 'ANSWERED' | 'ENDED' | 'MISSED';

/** An event of a call. */
export interface CallChange {
  /** Identifies the event in this process, so that subscribers share its result: a number and milliseconds since the epoch. */
  readonly id: number;
  readonly at: number;
  readonly event: CallEvent;
  /** The call as it is now; null for MISSED. */
  readonly call: Call | null;
}

/** What a subscriber asks for. */
interface CallListening extends Subscriber {
  readonly query: CallQuery;
  /** Whether the subscriber sees shortened numbers, and no addresses. */
  readonly isShortened: boolean;
}

interface Listener extends Pick<CallListening, 'isShortened'> {
  readonly matches: CallMatcher;
}

// Milliseconds.
const INTERVAL = 1000;
/** Calls in progress that are watched, and events of a look, at most. With more, subscribers get MISSED. */
const MOST_LIVE = 5000;
const MOST_EVENTS = 1000;
// The events that are held in memory for a subscriber. The events of all subscribers share the calls.
const MOST_QUEUED = 1000;

const MISSED: CallChange = { id: 0, at: 0, event: 'MISSED', call: null };
const LIVE = LIVE_STATES.map((state) => CALL_STATES.indexOf(state) + 1);

const EVENTS: Readonly<Record<CallState, CallEvent>> = {
  CALLING: 'BEGUN',
  RINGING: 'RINGING',
  ANSWERED: 'ANSWERED',
  LOST: 'ENDED',
  FAILED: 'ENDED',
  ENDED: 'ENDED',
};

/**
 * Delivers the events of calls to all subscribers of this process. One reader looks at the calls once a second, while
 * there are subscribers: at those in progress, and at those that have begun or ended since. It writes nothing, because
 * calls are too many for the history.
 */
export class CallFeed {
  private readonly listeners = new Map<Delivery<CallChange>, Listener>();
  private readonly task: RepeatedTask;
  /** The states of the calls in progress, by row id; undefined if they are unknown. */
  private known: Map<number, number> | undefined;
  private last = 0;
  /** The id of the last event. */
  private told = 0;
  private starting: Promise<void> | undefined;
  private isClosed = false;

  constructor(
    private readonly database: Database,
    private readonly logger: Logger,
    /** Milliseconds between two looks at the calls. */
    interval = INTERVAL,
  ) {
    // No event is lost: the next look compares with the last one.
    const onFailure = (error: unknown): void => logFailure(this.logger, error, 'cannot read changes of calls');
    this.task = new RepeatedTask(() => this.look(), interval, onFailure);
  }

  /** The number of subscribers. */
  get size(): number {
    return this.listeners.size;
  }

  /** Starts a subscription to the events of calls that meet a query. */
  async listen(listening: CallListening): Promise<Delivery<CallChange>> {
    // Without subscribers, what is known may be of earlier ones.
    if (!this.known || this.listeners.size === 0) await this.begin();
    const leave = (left: Delivery<CallChange>): void => this.leave(left);
    // A subscriber that is too slow for the events gets MISSED instead.
    const delivery = new Delivery({ ...listening, most: MOST_QUEUED, overflow: () => [MISSED], leave });
    if (this.isClosed) await delivery.return();
    else if (!delivery.isOver) {
      this.listeners.set(delivery, { matches: matcherOf(listening.query), isShortened: listening.isShortened });
      if (this.listeners.size === 1) this.task.start();
    }
    return delivery;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    for (const listener of [...this.listeners.keys()]) await listener.return();
    await this.task.close();
  }

  private leave(delivery: Delivery<CallChange>): void {
    this.listeners.delete(delivery);
    if (this.listeners.size > 0) return;
    this.task.stop();
    this.known = undefined;
  }

  /** Remembers which calls are in progress. Subscribers that are there already have missed events. */
  private begin(): Promise<void> {
    return (this.starting ??= this.remember().finally(() => (this.starting = undefined)));
  }

  private async remember(): Promise<void> {
    const [row] = await this.rows('SELECT MAX(id) FROM calls', []);
    this.last = Number(row?.[0] ?? 0);
    const live = await this.live();
    this.known = live.size > MOST_LIVE ? undefined : live;
    for (const listener of [...this.listeners.keys()]) listener.push(MISSED);
  }

  private async look(): Promise<void> {
    const now = Date.now();
    for (const listener of [...this.listeners.keys()]) listener.endIfStalled(now);
    const { known } = this;
    if (!known) {
      await this.begin();
      return;
    }
    // The last subscriber may leave during a read, and others may begin anew.
    const isOutdated = (): boolean => this.known !== known;
    const fresh = await this.states('id > ? ORDER BY id LIMIT ?', [this.last, MOST_EVENTS + 1]);
    if (isOutdated()) return;
    const live = await this.live();
    if (isOutdated()) return;
    // The next look finds those that have begun since `fresh` was read. With them, an end would be told twice or never.
    const last = Math.max(this.last, ...fresh.keys());
    for (const id of live.keys()) if (id > last) live.delete(id);
    const gone = [...known.keys()].filter((id) => !live.has(id) && !fresh.has(id));
    const found = new Map([...fresh, ...live]);
    const changed = [...gone, ...[...found].filter(([id, state]) => known.get(id) !== state).map(([id]) => id)];
    if (live.size > MOST_LIVE || changed.length > MOST_EVENTS) {
      this.known = undefined;
      await this.begin();
      return;
    }
    const rows = await this.calls(changed);
    if (isOutdated()) return;
    this.last = last;
    this.known = live;
    const ordered = rows.toSorted(([one], [other]) => Number(one) - Number(other));
    for (const group of groupsOf(ordered, this.listeners.size)) {
      for (const row of group) this.deliver(row, known, live);
      await endOfTurn();
      if (this.known !== live) return;
    }
  }

  /** Delivers the event of a call whose state is not the `known` one, and notes its state in `live`. */
  private deliver(row: Row, known: ReadonlyMap<number, number>, live: Map<number, number>): void {
    const call = toCall(row, false);
    const state = CALL_STATES.indexOf(call.state) + 1;
    // It may have gone on since it was found.
    if (LIVE.includes(state)) live.set(call.rowId, state);
    else live.delete(call.rowId);
    if (known.get(call.rowId) === state) return;
    const [full, shortened] = [this.change(call), this.change(toCall(row, true))];
    const texts = searchedTexts(call);
    for (const [delivery, { matches, isShortened }] of this.listeners)
      if (matches(call, texts)) delivery.push(isShortened ? shortened : full);
  }

  private change(call: Call): CallChange {
    return { id: ++this.told, at: Date.now(), event: EVENTS[call.state], call };
  }

  /** The states of the calls in progress, at most one more than are watched. */
  private live(): Promise<Map<number, number>> {
    return this.states(`state IN (${places(LIVE.length)}) LIMIT ?`, [...LIVE, MOST_LIVE + 1], 'calls_state');
  }

  private async states(condition: string, values: readonly number[], index?: string): Promise<Map<number, number>> {
    const using = index === undefined ? '' : useIndex(this.database.product, index).text;
    const rows = await this.rows(`SELECT id, state FROM calls ${using} WHERE ${condition}`, values);
    return new Map(rows.map(([id, state]) => [Number(id), Number(state)]));
  }

  private async calls(ids: readonly number[]): Promise<readonly Row[]> {
    const rows: Row[] = [];
    for (const some of batchesOf(ids))
      rows.push(...(await this.rows(`SELECT ${CALL_COLUMNS} FROM calls WHERE id IN (${places(some.length)})`, some)));
    return rows;
  }

  /** Reads what no user pays for. */
  private rows(text: string, values: readonly number[]): Promise<readonly Row[]> {
    return this.database.maintenance.rows(text, values);
  }
}
