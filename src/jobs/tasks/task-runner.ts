import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';

import type { Logger } from 'pino';

import { mayAct } from '../../auth/role';
import { generationOf, userByRef } from '../../auth/user-store';
import type { Actor } from '../../changes/actor';
import { RepeatedTask } from '../../changes/repeated-task';
import type { Database } from '../../database/database';
import type { Transaction } from '../../database/sql';
import { DomainError, ForbiddenError } from '../../errors';
import type { RevertService } from '../../history/revert-service';
import type { Model } from '../../model/model';
import type { Moved } from '../../resources/moving/move';
import { moveInPieces } from '../../resources/moving/move-pieces';
import { mappingOptions, moveValid, type MovedValid } from '../../resources/moving/moving-sources';
import { mapSent, unpack } from '../../resources/moving/sent-source';
import type { Country } from '../../spelling/telephone';
import { logFailure } from '../../log';
import { ROLE_OF, TASK_KEPT, type MoveGiven, type RevertGiven } from './task';
import {
  abandonedTasks,
  deleteParts,
  deleteTask,
  endTask,
  nextTask,
  oldTasks,
  partsOf,
  storeStep,
  takeTask,
  type Holding,
  type OpenTask,
  type TaskEnd,
  type TaskStep,
} from './task-store';

// Milliseconds between looks for tasks that other processes were asked for, and for old ones.
const INTERVAL = 2000;
// Seconds after which a task counts as abandoned. A piece takes less, and so does reading the longest dump.
const LEASE = 60;
/** The longest dump once it is decompressed, in bytes, the most records that are moved, and the most rows of a table. */
const MAX_SOURCE = 64 * 1024 * 1024;
const MAX_RECORDS = 100_000;
const MAX_ROWS = 500_000;
// Attempts at a statement or a piece while the database is away or busy, and milliseconds between them.
const ATTEMPTS = 15;
const PAUSE = 2000;

const INTERRUPTED =
  'The server that ran it has ended, or lost its database for too long: start it again, which leaves alone what is done already';

/** What the runner depends on. */
export interface TaskRunnerOptions {
  readonly database: Database;
  readonly model: Model;
  /** Where numbers without a country code are from. */
  readonly home: Country | undefined;
  readonly revertsOf: (actor: Actor) => Pick<RevertService, 'countOf' | 'piece'>;
  readonly logger: Logger;
  /** Milliseconds between looks for tasks. */
  readonly interval?: number | undefined;
}

/**
 * Runs tasks, one at a time in a process. Each piece is a transaction of its own, which also stores how far the task is, and is rolled
 * back if the task was cancelled. A task of a process that has ended is not continued: it has failed, and says what it has written.
 */
export class TaskRunner {
  private readonly holding: Holding;
  private readonly task: RepeatedTask;
  private readonly stopping = new AbortController();

  constructor(private readonly options: TaskRunnerOptions) {
    const { database, logger, interval = INTERVAL } = options;
    this.holding = { holder: randomBytes(15).toString('base64url'), clock: database.clock, seconds: LEASE };
    const onFailure = (error: unknown): void => logFailure(logger, error, 'cannot run tasks');
    this.task = new RepeatedTask(() => this.run(), interval, onFailure).start();
  }

  /** Looks for tasks now. */
  wake(): void {
    this.task.wake();
  }

  async close(): Promise<void> {
    this.stopping.abort();
    await this.task.close();
  }

  private async run(): Promise<void> {
    const { maintenance } = this.options.database;
    await this.forget();
    while (!this.stopping.signal.aborted) {
      const task = await nextTask(maintenance);
      if (!task) return;
      if (!(await maintenance.transaction((transaction) => takeTask(transaction, task, this.holding)))) continue;
      await new TaskRun(this.options, this.holding, task, this.stopping.signal).run();
    }
  }

  /** Ends the tasks of processes that have ended, and deletes old ones with what was uploaded for them. */
  private async forget(): Promise<void> {
    const { maintenance } = this.options.database;
    for (const task of await abandonedTasks(maintenance, this.holding))
      await maintenance.transaction((transaction) =>
        endTask(transaction, task, task.holder, { state: 'FAILED', problem: INTERRUPTED, result: null }),
      );
    for (const task of await oldTasks(maintenance, Date.now() - TASK_KEPT))
      await maintenance.transaction((transaction) => deleteTask(transaction, task));
  }
}

/** The task was cancelled, or another process has ended it, or its API token has ended. */
class EndedError extends Error {
  constructor() {
    super('The task has ended');
  }
}

/** One run of a task. */
class TaskRun {
  private step: TaskStep;
  private pieceBegun = performance.now();

  constructor(
    private readonly options: TaskRunnerOptions,
    private readonly holding: Holding,
    private readonly task: OpenTask,
    private readonly stopping: AbortSignal,
  ) {
    this.step = { state: task.state, done: 0, total: null, written: task.written };
  }

  async run(): Promise<void> {
    const { task, options } = this;
    try {
      await this.end(await (task.type === 'MOVE' ? this.move() : this.revert()));
    } catch (error) {
      if (!(error instanceof DomainError) && !(error instanceof EndedError))
        options.logger.error({ err: error, task: task.ref }, 'a task failed unexpectedly');
      const problem = error instanceof DomainError ? error.message : 'An unexpected failure: see the log';
      // Not one that was cancelled, because that has ended.
      await this.end({
        state: 'FAILED',
        problem: error instanceof EndedError ? 'The API token that started it has ended' : problem,
        result: null,
      });
    }
  }

  private async end(end: TaskEnd): Promise<void> {
    const { holder } = this.holding;
    const { maintenance } = this.options.database;
    await this.patiently(() =>
      maintenance.transaction(async (transaction) => {
        const isEnded = await endTask(transaction, this.task, holder, end);
        if (isEnded && end.state === 'DONE') await deleteParts(transaction, this.task);
      }),
    );
  }

  /** Checks all records, and then, unless it is a dry run or one of them is wrong, moves them. */
  private async move(): Promise<TaskEnd> {
    const { database, model, home } = this.options;
    const given = JSON.parse(this.task.given) as MoveGiven; // as `openTask` stored it
    const parts = await this.patiently(() => partsOf(database.maintenance, this.task));
    const source = await unpack(Buffer.concat(parts), MAX_SOURCE);
    const map = await mapSent(given.system, source, MAX_ROWS, () => this.assertRunning());
    const actor: Actor = { ...this.task.actor, channel: 'IMPORT', requestId: this.task.requestId };
    const { written } = this.task;
    const pass = (skip: ReadonlySet<string>, apply: boolean): Promise<Moved> => {
      const mapping = mappingOptions(given, home, skip);
      return moveInPieces(database, model, (report) => map(report, mapping), {
        ...{ actor, home, apply, skip, most: MAX_RECORDS },
        patiently: (work) => this.piece(work),
        keep: (transaction, records, changed) =>
          this.store(transaction, { ...this.step, done: records, written: written + changed }),
        next: async (records) => {
          if (!apply) await this.storeAside({ ...this.step, done: records });
          await this.rest();
        },
      });
    };
    let skipped: ReadonlySet<string> = new Set();
    const checked = await moveValid((skip) => {
      skipped = skip;
      return pass(skip, false);
    }, given.skipInvalid);
    const result = (of: Moved): TaskEnd['result'] => resultOf({ ...checked, ...of });
    if (given.dryRun || checked.failed.size > 0) return { state: 'CHECKED', problem: null, result: result(checked) };
    const total = checked.kinds.reduce(
      (sum, { created, updated, unchanged }) => sum + created + updated + unchanged,
      0,
    );
    await this.storeAside({ state: 'WRITING', done: 0, total, written });
    const moved = await pass(skipped, true);
    const [failure] = moved.failures;
    if (!failure) return { state: 'DONE', problem: null, result: result(moved) };
    const { place, kind, message } = failure;
    return { state: 'FAILED', problem: `${place} (${kind}): ${message}`, result: result(moved) };
  }

  /** Reverts all entries of a request, newest first. */
  private async revert(): Promise<TaskEnd> {
    const { request } = JSON.parse(this.task.given) as RevertGiven; // as `openTask` stored it
    const reverts = this.options.revertsOf({ ...this.task.actor, requestId: this.task.requestId });
    const total = await this.patiently(() => reverts.countOf(request));
    await this.storeAside({ ...this.step, total });
    for (let after: number | undefined; ;) {
      const { written } = this.step;
      const piece = await this.piece(() =>
        reverts.piece(request, after, {
          ...{ secrets: [], dryRun: false },
          after: (transaction, reverted) =>
            this.store(transaction, { ...this.step, written: written + reverted.length }),
        }),
      );
      if (!piece) return { state: 'DONE', problem: null, result: null };
      after = piece.last;
      await this.storeAside({ ...this.step, done: this.step.done + piece.entries });
      await this.rest();
    }
  }

  /** Between two pieces: rests for half as long as the last one took, so that others have their turn. */
  private async rest(): Promise<void> {
    await this.pause((performance.now() - this.pieceBegun) / 2);
  }

  private isStopping(): boolean {
    return this.stopping.aborted;
  }

  /** Throws DomainError if the process ends. */
  private assertRunning(): void {
    if (this.isStopping()) throw new DomainError('UNAVAILABLE', 503, INTERRUPTED);
  }

  private async pause(milliseconds: number): Promise<void> {
    await setTimeout(milliseconds, undefined, { signal: this.stopping, ref: false }).catch(() => undefined);
  }

  /** Throws ForbiddenError if the user who started the task may no longer do that, or if that sign-in has ended. */
  private async assertAllowed(): Promise<void> {
    const { userRef, type, given } = this.task;
    const { maintenance } = this.options.database;
    const user = await userByRef(maintenance, userRef);
    if (!user || !mayAct(user.role, ROLE_OF[type]))
      throw new ForbiddenError(`The user who started it no longer has the role ${ROLE_OF[type]}`);
    const { generation } = JSON.parse(given) as MoveGiven | RevertGiven; // as `openTask` stored it
    if (generation !== undefined && generation !== (await generationOf(maintenance, userRef)))
      throw new ForbiddenError(
        'The sign-in that started it has ended: its user has a new secret, or has ended all sessions',
      );
  }

  private storeAside(step: TaskStep): Promise<void> {
    const { maintenance } = this.options.database;
    return this.patiently(() => maintenance.transaction((transaction) => this.store(transaction, step)));
  }

  /** Stores how far the task is. Throws EndedError, which rolls the transaction back, if it has ended. */
  private async store(transaction: Transaction, step: TaskStep): Promise<void> {
    if (!(await storeStep(transaction, this.task, this.holding, step))) throw new EndedError();
    this.step = step;
  }

  /** Runs a piece. Throws the errors of `assertAllowed`, and DomainError if the process ends. */
  private piece<T>(work: () => Promise<T>): Promise<T> {
    return this.patiently(async () => {
      this.assertRunning();
      await this.assertAllowed();
      this.pieceBegun = performance.now();
      return work();
    });
  }

  /** Runs what may run twice, again while the database is away or busy, until the process ends. */
  private async patiently<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++)
      try {
        return await work();
      } catch (error) {
        const mayPass = error instanceof DomainError && error.mayPass;
        if (!mayPass || attempt === ATTEMPTS || this.isStopping()) throw error;
        await this.pause(PAUSE);
      }
  }
}

function resultOf({ kinds, failures, failed, missing, checks, skipped, skippedPlaces }: MovedValid): TaskEnd['result'] {
  return { kinds, failures, failed: failed.size, missing, checks, skipped, skippedPlaces };
}
