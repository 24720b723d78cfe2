import type { Logger } from 'pino';

import type { Database } from '../database/database';
import { CursorGoneError } from '../errors';
import { endOfTurn } from '../limits/event-loop';
import { FairQueue } from '../limits/fair-queue';
import { logFailure } from '../log';
import type { Change, ChangeCursor, LiveTables } from './change';
import type { ChangeLog } from './change-log';
import { Delivery, groupsOf } from './delivery';
import { Backlog, type Listening } from './backlog';
import { RepeatedTask } from './repeated-task';

// Milliseconds between reads of the outbox. A commit of this process wakes the reader immediately.
const INTERVAL = 300;
// Milliseconds between attempts to number and chain new changes, and between deletions of old ones, also without subscribers.
const CHAIN_INTERVAL = 1000;
const TRIM_INTERVAL = 10 * 60_000;
const BATCH = 1000;
// The maximum number of changes that are held in memory while a subscriber processes another one.
const MOST_QUEUED = 100;
// Pages of backlogs that are read at a time. More would fill the database's queue, in which requests wait, too.
const PAGES_AT_ONCE = 2;

/**
 * Delivers changes to all subscribers of this process, with one reader of the outbox for all of them. Maintains the outbox, too, even
 * while there are no subscribers.
 */
export class ChangeFeed {
  private readonly listeners = new Map<Delivery<Change>, Listening>();
  private readonly task = new RepeatedTask(
    () => this.read(),
    INTERVAL,
    (error) => this.logFailure(error),
  );
  private readonly chaining: RepeatedTask;
  private readonly trimming: RepeatedTask;
  private readonly reads = new FairQueue(PAGES_AT_ONCE, Infinity);
  /** The cursor of the last change that was delivered; undefined while there are no subscribers. */
  private cursor: ChangeCursor | undefined;
  private starting: Promise<ChangeCursor> | undefined;
  private looking: Promise<void> | undefined;
  /** Whether the live tables cannot be read. Each outage is logged once, not on every attempt. */
  private isBlind = false;
  private closed = false;

  constructor(
    database: Database,
    private readonly log: ChangeLog,
    private readonly watch: LiveTables,
    private readonly logger: Logger,
  ) {
    database.onCommit(() => this.task.wake());
    const onFailure = (error: unknown): void => this.logFailure(error);
    this.chaining = new RepeatedTask(() => log.chain(), CHAIN_INTERVAL, onFailure).start();
    this.trimming = new RepeatedTask(() => this.trim(), TRIM_INTERVAL, onFailure).start(0);
  }

  get size(): number {
    return this.listeners.size;
  }

  /**
   * Polls the live tables and returns the cursor of the last change. A subscriber that starts after that cursor misses
   * no later change.
   */
  async now(): Promise<ChangeCursor> {
    await this.watch.look();
    return this.log.last();
  }

  /** Starts a subscription. Throws the errors of `ChangeLog.assertComplete`. */
  async listen(listening: Listening): Promise<Delivery<Change>> {
    if (listening.since !== undefined) await this.log.assertComplete('since', listening.since);
    if (listening.live) {
      await this.watch.look();
      if (listening.since !== undefined) await this.watch.assertComplete('since', listening.since.id);
    }
    const cursor = this.cursor ?? (await (this.starting ??= this.start()));
    // No await from here on: changes after this cursor are pushed, earlier ones are read from the outbox.
    const last = this.cursor ?? cursor;
    const upTo = last.id;
    const after = listening.since?.id ?? upTo;
    // The cursor may come from another replica that has read further than this one.
    const wanted = (change: Change): boolean => change.id > after && listening.wanted(change);
    const source = new Backlog(this.log, this.reads, { ...listening, wanted }, { after, upTo });
    const leave = (left: Delivery<Change>): void => this.leave(left);
    const delivery = new Delivery({ ...listening, most: MOST_QUEUED, overflow: source.refill, leave, source });
    if (this.closed) await delivery.return();
    else if (!delivery.isOver) {
      this.listeners.set(delivery, { ...listening, wanted });
      // The last subscriber may have left during the await, which stopped the reader.
      if (this.cursor === undefined) {
        this.cursor = last;
        this.task.start();
        this.task.wake();
      }
    }
    return delivery;
  }

  async close(): Promise<void> {
    this.closed = true;
    for (const listener of [...this.listeners.keys()]) await listener.return();
    await Promise.all([this.task.close(), this.looking, this.chaining.close(), this.trimming.close()]);
  }

  private async start(): Promise<ChangeCursor> {
    try {
      this.cursor = await this.log.last();
      this.task.start();
      return this.cursor;
    } finally {
      this.starting = undefined;
    }
  }

  private leave(delivery: Delivery<Change>): void {
    this.listeners.delete(delivery);
    if (this.listeners.size > 0) return;
    this.cursor = undefined;
    this.task.stop();
  }

  private async look(): Promise<void> {
    try {
      await this.watch.look();
      this.isBlind = false;
    } catch (error) {
      if (!this.isBlind) this.logFailure(error);
      this.isBlind = true;
    }
  }

  /** Also polls the live tables, so that a cursor from a time without subscribers stays valid. */
  private async trim(): Promise<void> {
    await this.watch.look();
    await this.log.trim();
  }

  private async read(): Promise<void> {
    const now = Date.now();
    for (const listener of [...this.listeners.keys()]) listener.endIfStalled(now);
    // Nobody waits for the result, because a lock on the SIP server's tables must not delay changes to resources.
    if ([...this.listeners.values()].some(({ live }) => live))
      this.looking ??= this.look().finally(() => (this.looking = undefined));
    await this.log.sequencer.number();
    for (;;) {
      const { cursor } = this;
      if (cursor === undefined) return;
      // With the last one, which tells whether the database still has the same history.
      const changes = await this.log.between(cursor.id - 1, Number.MAX_SAFE_INTEGER, BATCH);
      const [first] = changes;
      const isSame = (first?.id === cursor.id ? first.at : 0) === cursor.at;
      if (!isSame && !(await this.continues(cursor))) return;
      for (const group of groupsOf(changes, this.listeners.size)) {
        for (const change of group) this.deliver(change);
        await endOfTurn();
      }
      if (changes.length < BATCH) return;
    }
  }

  /**
   * Whether the database has the change at the cursor, or has deleted it because of its age. Otherwise, a backup was
   * restored, or a replica promoted: ends all subscriptions with an error, because their cursors are void.
   */
  private async continues(cursor: ChangeCursor): Promise<boolean> {
    try {
      await this.log.assertComplete('since', cursor);
      return true;
    } catch (error) {
      if (!(error instanceof CursorGoneError)) throw error;
      for (const listener of [...this.listeners.keys()]) listener.fail(error);
      return false;
    }
  }

  private deliver(change: Change): void {
    // All subscribers have left, or others have subscribed after this change.
    if (this.cursor === undefined || change.id <= this.cursor.id) return;
    this.cursor = { id: change.id, at: change.at };
    for (const [delivery, { wanted }] of this.listeners) if (wanted(change)) delivery.push(change);
  }

  /** No change is lost during an outage: the reader continues after the last change that it delivered. */
  private logFailure(error: unknown): void {
    if (!this.closed) logFailure(this.logger, error, 'cannot read changes');
  }
}
