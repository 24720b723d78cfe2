import type { Logger } from 'pino';

import type { Database } from '../database/database';
import { CursorGoneError } from '../errors';
import type { Change, ChangeCursor, LiveTables } from './change';
import type { ChangeLog } from './change-log';
import { ChangeMaintenance } from './change-maintenance';
import { Listener, type Listening } from './listener';
import { RepeatedTask } from './repeated-task';

// Milliseconds between reads of the outbox. A commit of this process wakes the reader immediately.
const INTERVAL = 300;
const BATCH = 1000;

/** Delivers changes to all subscribers of this process, with one reader of the outbox for all of them. */
export class ChangeFeed {
  private readonly listeners = new Map<Listener, Listening>();
  private readonly task = new RepeatedTask(() => this.reportFailure('outbox', this.read()), INTERVAL);
  private readonly maintenance: ChangeMaintenance;
  /** The cursor of the last change that was delivered; undefined while there are no subscribers. */
  private cursor: ChangeCursor | undefined;
  private starting: Promise<ChangeCursor> | undefined;
  private looking: Promise<void> | undefined;
  /** The tasks that are failing. Each outage is logged once, not on every attempt. */
  private readonly failing = new Set<'outbox' | 'maintenance' | 'live tables'>();
  private closed = false;

  constructor(
    database: Database,
    private readonly log: ChangeLog,
    private readonly watch: LiveTables,
    private readonly logger: Logger,
  ) {
    database.onCommit(() => this.task.wake());
    this.maintenance = new ChangeMaintenance(log, watch, (work) => this.reportFailure('maintenance', work));
  }

  /** The number of subscribers. */
  get size(): number {
    return this.listeners.size;
  }

  /** Seconds since the oldest change that subscribers cannot receive yet, because it has no number. */
  lag(): Promise<number> {
    return this.log.lag();
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
  async listen(listening: Listening): Promise<Listener> {
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
    const listener = new Listener(this.log, { ...listening, wanted }, { after, upTo }, (left) => this.leave(left));
    if (this.closed) await listener.return();
    else if (!listener.over) {
      this.listeners.set(listener, listening);
      // The last subscriber may have left during the await, which stopped the reader.
      if (this.cursor === undefined) {
        this.cursor = last;
        this.task.start();
        this.task.wake();
      }
    }
    return listener;
  }

  async close(): Promise<void> {
    this.closed = true;
    for (const listener of [...this.listeners.keys()]) await listener.return();
    await Promise.all([this.task.settle(), this.looking, this.maintenance.close()]);
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

  private leave(listener: Listener): void {
    this.listeners.delete(listener);
    if (this.listeners.size > 0) return;
    this.cursor = undefined;
    this.task.stop();
  }

  /**
   * Polls the live tables without waiting for the result, because a lock on the SIP server's tables must not delay
   * changes to resources.
   */
  private look(): void {
    this.looking ??= this.reportFailure('live tables', this.watch.look()).finally(() => (this.looking = undefined));
  }

  private async reportFailure(what: 'outbox' | 'maintenance' | 'live tables', work: Promise<void>): Promise<void> {
    try {
      await work;
      this.failing.delete(what);
    } catch (error) {
      if (!this.failing.has(what)) this.logFailure(error);
      this.failing.add(what);
    }
  }

  private async read(): Promise<void> {
    const now = Date.now();
    for (const listener of [...this.listeners.keys()]) listener.endIfStalled(now);
    if ([...this.listeners.values()].some(({ live }) => live)) this.look();
    await this.log.number();
    for (;;) {
      const { cursor: cursor } = this;
      if (cursor === undefined) return;
      // With the last one, which tells whether the database still has the same history.
      const changes = await this.log.between(cursor.id - 1, Number.MAX_SAFE_INTEGER, BATCH);
      const [first] = changes;
      const isSame = (first?.id === cursor.id ? first.at : 0) === cursor.at;
      if (!isSame && !(await this.continues(cursor))) return;
      for (const change of changes) this.deliver(change);
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
    for (const listener of [...this.listeners.keys()]) listener.push(change);
  }

  /** No change is lost during an outage: the reader continues after the last change that it delivered. */
  private logFailure(error: unknown): void {
    if (!this.closed) this.logger.warn({ err: error }, 'cannot read changes');
  }
}
