import { randomBytes } from 'node:crypto';

import type { Logger } from 'pino';

import { mayAct } from '../../auth/role';
import { userByRef } from '../../auth/user-store';
import { SYSTEM, type Actor } from '../../changes/actor';
import { storeChanges } from '../../changes/outbox';
import { RepeatedTask } from '../../changes/repeated-task';
import type { Database } from '../../database/database';
import { failureOf } from '../../database/errors';
import { readsWithin, type Reads } from '../../database/sql';
import { trimRows } from '../../database/trim-rows';
import { DomainError } from '../../errors';
import { logFailure } from '../../log';
import { crossedLimit, measure, saidTime } from './figures';
import { endingOf, type Ending, type OwnEnding, type Pending } from './pending';
import { NoLongerError, PendingService, type PendingOptions } from './pending-service';
import {
  claim,
  clockOf,
  endPending,
  leaveClaims,
  openPendings,
  PendingReader,
  storeFigures,
  type OpenPending,
} from './pending-store';
import { fromPlanned, type Foreseen } from './schedule';

// Milliseconds between looks at what is due. The same changes are measured at every second look.
const TICK = 1000;
// Seconds after which another process takes over from one that was killed. The clock of the database has whole seconds.
const CLAIM = 5;
// Milliseconds after which scheduled changes are not made any more: perhaps nobody expects them.
const MOST_LATE = 15 * 60_000;
// Sets of changes that are reverted or made at a time: each may wait for locks, with a connection, of which there may be three.
const MOST_ENDING = 2;
// Attempts at changes that fail unexpectedly. While the database is unavailable, there is no limit.
const ATTEMPTS = 3;
// Milliseconds for which sets of changes that are finished are listed, and between deletions of old ones.
const KEPT = 30 * 86_400_000;
const TRIM_INTERVAL = 3600_000;

/** What the guard depends on. */
export interface GuardOptions extends Omit<PendingOptions, 'database'> {
  readonly database: Database;
  /** The node of the SIP server where calls arrive, if configured. */
  readonly node: string | undefined;
  readonly logger: Logger;
  /** Milliseconds between looks at what is due, by default a second. */
  readonly interval?: number | undefined;
}

/**
 * Reverts changes that nobody has confirmed in time, or after which a limit is reached, and makes scheduled changes. Everything it
 * has to know is in the database. One process at a time works on a set of changes: it claims the row for some seconds.
 */
export class PendingGuard {
  private readonly holder = randomBytes(15).toString('base64url');
  private readonly task: RepeatedTask;
  private readonly reads: Reads;
  /** When changes are measured again, in milliseconds of the monotonic clock, by row id. */
  private measureAt = new Map<number, number>();
  /** The sets that are being reverted or made, by row id. */
  private readonly ending = new Map<number, { readonly isScheduled: boolean; readonly done: Promise<void> }>();
  /** The sets whose revert, or whose changes, failed last time, by row id. */
  private failing = new Set<number>();
  /** Attempts that failed unexpectedly, by row id. */
  private failures = new Map<number, number>();
  private readonly interval: number;
  private trimAt: number;

  constructor(private readonly options: GuardOptions) {
    const { database, logger, interval = TICK } = options;
    this.interval = interval;
    this.trimAt = performance.now() + interval;
    // Statements of the service are not counted, and large tables are heavy reads.
    this.reads = {
      ...readsWithin(database.maintenance),
      heavy: (text, values) => database.heavy(text, values),
      atMost: (table) => database.atMost(table),
    };
    const onFailure = (error: unknown): void => logFailure(logger, error, 'cannot look after pending changes');
    this.task = new RepeatedTask(() => this.work(), interval, onFailure).start();
  }

  /** Looks at what is due now. */
  wake(): void {
    this.task.wake();
  }

  async close(): Promise<void> {
    await this.task.close();
    await Promise.all([...this.ending.values()].map(({ done }) => done));
    // If the database is unavailable, the claims end by themselves.
    const { maintenance } = this.options.database;
    if (this.measureAt.size > 0)
      await maintenance.transaction((transaction) => leaveClaims(transaction, this.holder)).catch(() => undefined);
  }

  private async work(): Promise<void> {
    const { database, logger } = this.options;
    const { maintenance, clock, product } = database;
    const mine = { holder: this.holder, clock };
    const open = await openPendings(maintenance, product, mine);
    const known = this.measureAt;
    this.measureAt = new Map(open.map(({ rowId }) => [rowId, known.get(rowId) ?? -Infinity]));
    this.failures = new Map([...this.failures].filter(([rowId]) => this.measureAt.has(rowId)));
    this.failing = new Set([...this.failing].filter((rowId) => this.measureAt.has(rowId)));
    const problems: unknown[] = [];
    for (const pending of open) {
      if (this.ending.has(pending.rowId) || (pending.late >= 0 && !this.mayEnd(pending))) continue;
      if (pending.late < 0 && performance.now() < (this.measureAt.get(pending.rowId) ?? 0)) continue;
      this.measureAt.set(pending.rowId, performance.now() + 2 * this.interval);
      if (!(await maintenance.transaction((transaction) => claim(transaction, pending, mine, CLAIM)))) continue;
      try {
        if (pending.state === 'SCHEDULED') this.end(pending, () => this.run(pending));
        else await this.check(pending);
      } catch (error) {
        // What fails for one set of changes must not stop the others.
        problems.push(error);
      }
    }
    if (performance.now() >= this.trimAt) await this.trim();
    if (problems.length > 1) logger.warn({ count: problems.length }, 'several sets of pending changes have problems');
    if (problems.length > 0) throw problems[0];
  }

  private async check(pending: OpenPending): Promise<void> {
    const { database, node } = this.options;
    if (pending.late >= 0) {
      this.end(pending, () => this.revert(pending, `not confirmed within ${saidTime(pending.seconds ?? 0)}`));
      return;
    }
    const figures = await measure(database, this.reads, node, pending.watched, pending.appliedOn ?? pending.createdOn);
    const reason = crossedLimit(pending.limits, figures);
    if (reason !== undefined) this.end(pending, () => this.revert({ ...pending, figures }, reason));
    else if (JSON.stringify(figures) !== JSON.stringify(pending.figures))
      await database.maintenance.transaction((transaction) => storeFigures(transaction, pending, figures));
  }

  /** Whether a set can be reverted or made now. Scheduled ones are made in the order of their times. */
  private mayEnd({ state }: Pick<Pending, 'state'>): boolean {
    if (this.ending.size >= MOST_ENDING) return false;
    return state !== 'SCHEDULED' || ![...this.ending.values()].some(({ isScheduled }) => isScheduled);
  }

  /** Reverts or makes a set, which may wait for locks: the others are measured meanwhile. */
  private end(pending: OpenPending, work: () => Promise<void>): void {
    // It is looked at again.
    if (!this.mayEnd(pending)) return;
    const { rowId, id, state } = pending;
    const whole = async (): Promise<void> => {
      try {
        await work();
        this.failing.delete(rowId);
        this.task.wake();
      } catch (error) {
        if (!this.failing.has(rowId))
          logFailure(this.options.logger, error, 'cannot look after pending changes', { changes: id });
        this.failing.add(rowId);
      } finally {
        this.ending.delete(rowId);
      }
    };
    this.ending.set(rowId, { isScheduled: state === 'SCHEDULED', done: whole() });
  }

  private async revert(pending: OpenPending, reason: string): Promise<void> {
    const { logger } = this.options;
    try {
      await this.serviceFor(SYSTEM).revert(pending, reason);
      logger.warn({ changes: pending.id, reason }, 'changes were reverted');
    } catch (error) {
      if (error instanceof NoLongerError) return;
      const problem = this.finalProblemOf(pending, error);
      const { figures } = pending;
      const ending = { state: 'NOT_REVERTED', reason: `${reason}, but not reverted: ${problem}`, figures } as const;
      if (await this.finish(pending, ending))
        logger.error({ changes: pending.id, reason, problem }, 'changes could not be reverted');
    }
  }

  private async run(pending: OpenPending): Promise<void> {
    const { database, model, logger } = this.options;
    const { planned, foreseen } = await new PendingReader(database.maintenance).schedule(pending.rowId);
    try {
      const user = pending.userRef === null ? undefined : await userByRef(database.maintenance, pending.userRef);
      if (pending.userRef !== null && (!user || !mayAct(user.role, 'operator')))
        throw new DomainError(
          'FORBIDDEN',
          403,
          `${pending.username}, who scheduled it, may no longer change resources`,
        );
      if (pending.late > MOST_LATE)
        throw new DomainError(
          'UNAVAILABLE',
          503,
          'sipgraph was not running at that time, nor within 15 minutes after it',
        );
      const set = fromPlanned(model, planned ?? '');
      const lines = JSON.parse(foreseen ?? '[]') as Foreseen; // as the service stored it
      const { username, userRef } = pending;
      const reason = `scheduled at ${new Date(pending.createdOn).toISOString()}`;
      const actor = { channel: 'SYSTEM', username, ...(userRef !== null && { userRef }), reason } as const;
      await this.serviceFor(actor).applyScheduled(pending, { ...set, foreseen: lines });
    } catch (error) {
      if (error instanceof NoLongerError) return;
      const problem = this.finalProblemOf(pending, error);
      if (await this.finish(pending, { state: 'NOT_APPLIED', reason: problem }))
        logger.warn({ changes: pending.id, problem }, 'scheduled changes were not made');
    }
  }

  /** Returns false if another process or a user has ended them meanwhile. */
  private finish(pending: Pending, ending: Ending & { readonly state: OwnEnding }): Promise<boolean> {
    const { maintenance, product, isSerial } = this.options.database;
    return maintenance.transaction(async (transaction) => {
      const isEnded = await endPending(transaction, pending, product, ending);
      if (isEnded) await storeChanges({ ...transaction, isSerial }, [endingOf(pending, ending.state, SYSTEM, ending)]);
      return isEnded;
    });
  }

  /** The reason to give up. Throws an error that may pass. */
  private finalProblemOf({ id, rowId }: Pending, error: unknown): string {
    if (error instanceof DomainError) {
      if (!error.mayPass) return error.message;
      throw error;
    }
    if (PASSING.has(failureOf(error).type)) throw error;
    const failures = (this.failures.get(rowId) ?? 0) + 1;
    this.failures.set(rowId, failures);
    if (failures < ATTEMPTS) throw error;
    this.options.logger.error({ err: error, changes: id }, 'pending changes failed unexpectedly');
    return 'an unexpected error, which is in the log of sipgraph';
  }

  private serviceFor(actor: Actor): PendingService {
    return new PendingService(this.options, actor, () => undefined);
  }

  private async trim(): Promise<void> {
    this.trimAt = performance.now() + TRIM_INTERVAL;
    const { maintenance, product } = this.options.database;
    await trimRows(
      maintenance,
      'pending_changes',
      `is_open = 0 AND finished_on < ${clockOf(product)} - ${String(KEPT)}`,
      'finished_on',
    );
  }
}

/** The errors of a database that is busy or unavailable. */
const PASSING: ReadonlySet<string> = new Set(['retryable', 'slow', 'locked', 'refused', 'denied', 'unavailable']);
