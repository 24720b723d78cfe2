import { randomBytes } from 'node:crypto';

import { lockOwner } from '../../auth/api-token-store';
import { mayAct, type Viewer } from '../../auth/role';
import { generationOf } from '../../auth/user-store';
import type { Actor } from '../../changes/actor';
import type { Database } from '../../database/database';
import type { OwnTransaction } from '../../database/sql';
import { InvalidInputError, NotFoundError, LimitReachedError, NotSupportedError } from '../../errors';
import type { RevertService } from '../../history/revert-service';
import { inTransaction, type WriteOptions } from '../../resources/write/transactions';
import { ROLE_OF, type MoveGiven, type Task, type TaskType } from './task';
import {
  cancelTask,
  countUploads,
  deleteParts,
  deleteTask,
  insertTask,
  openTask,
  partLength,
  putPart,
  taskOf,
} from './task-store';

/** Characters of an upload in base64, the parts that it may have, and the users who may have one at a time. */
export const MOST_UPLOADED = 8 * 1024 * 1024;
/** In base64. */
const BYTES_PER_CHARACTER = 3 / 4;
const MOST_PARTS = 1000;
const MOST_UPLOADS = 10;

/** A part of a file that a user uploads. */
export interface UploadedPart {
  /** The task of the upload; undefined for the first part. */
  readonly ref: string | undefined;
  /** From 0. */
  readonly number: number;
  /** In base64. */
  readonly content: string;
}

/** What the service depends on. */
export interface TaskServiceOptions {
  readonly database: Pick<Database, 'rows' | 'transaction'>;
  readonly reverts: Pick<RevertService, 'countOf'>;
  /** Returns an id for what a task writes. */
  readonly newId: () => string;
  /** Called when there is something to do. */
  readonly wake: () => void;
}

/** The task of a user, who has one at a time. */
export class TaskService {
  constructor(
    private readonly options: TaskServiceOptions,
    private readonly viewer: Viewer,
    private readonly actor: Actor,
  ) {}

  /** The task of the user that the role of the request may see. */
  async own(): Promise<Task | undefined> {
    const task = await taskOf(this.options.database, this.viewer.ref);
    return task && this.maySee(task) ? task : undefined;
  }

  /**
   * Stores a part of a dump. The first one begins a task, in the place of an earlier one. Throws InvalidInputError, NotFoundError, and
   * NotSupportedError if a task runs, and LimitReachedError if there are too many uploads.
   */
  async upload({ ref, number, content }: UploadedPart, { dryRun = false }: WriteOptions = {}): Promise<Task> {
    if (number < 0 || number >= MOST_PARTS || (ref === undefined && number !== 0))
      throw InvalidInputError.of(
        'number',
        ref === undefined
          ? `${String(number)} is not 0, and the first part has no task`
          : `${String(number)} is not between 0 and ${String(MOST_PARTS - 1)}`,
      );
    if (!/^[A-Za-z0-9+/]+={0,2}$/.test(content)) throw InvalidInputError.of('part', 'is not base64');
    return this.change(dryRun, async (transaction) => {
      const task = ref === undefined ? await this.begin(transaction, 'MOVE') : await this.existing(transaction, ref);
      if (task.type !== 'MOVE' || task.state !== 'UPLOADING')
        throw new NotSupportedError(`The task is ${task.state}: parts are accepted before it is started`);
      const replaced = await partLength(transaction, task, number);
      if (task.stored - replaced + content.length > MOST_UPLOADED)
        throw InvalidInputError.of(
          'part',
          `makes the compressed dump larger than ${String((MOST_UPLOADED * BYTES_PER_CHARACTER) / 2 ** 20)} MiB: use sipgraph import-from`,
        );
      await putPart(transaction, task, { number, content, replaced });
    });
  }

  /** Starts to move in what was uploaded, or to check what that would do. Throws the errors of `upload`. */
  async startMove(ref: string, given: MoveGiven): Promise<Task> {
    const task = await this.change(false, async (transaction) => {
      const known = await this.existing(transaction, ref);
      if (known.isOpen) throw running(known);
      if (known.type !== 'MOVE' || known.stored === 0)
        throw new NotSupportedError('The task has no dump any more: upload it again');
      // What a move has written before it was stopped is taken back with the rest.
      const requestId = known.requestId ?? this.options.newId();
      const generation = await this.generation(transaction);
      const start = { state: 'CHECKING', given: { ...given, generation }, actor: this.storedActor, requestId } as const;
      await openTask(transaction, known, start);
    });
    this.options.wake();
    return task;
  }

  /** Starts to revert a request, a piece at a time. Throws the errors of `RevertService.countOf`, and NotSupportedError. */
  async startRevert(request: string, { dryRun = false }: WriteOptions = {}): Promise<Task> {
    await this.options.reverts.countOf(request);
    const task = await this.change(dryRun, async (transaction) => {
      const begun = await this.begin(transaction, 'REVERT');
      const requestId = this.options.newId();
      const generation = await this.generation(transaction);
      const start = { state: 'WRITING', given: { request, generation }, actor: this.storedActor, requestId } as const;
      await openTask(transaction, begun, start);
    });
    if (!dryRun) this.options.wake();
    return task;
  }

  /** Stops a task, and deletes what was uploaded for it. What it has written stays. Throws NotFoundError. */
  async cancel(ref: string, { dryRun = false }: WriteOptions = {}): Promise<Task> {
    return this.change(dryRun, async (transaction) => {
      const task = await this.existing(transaction, ref);
      await cancelTask(transaction, task);
      await deleteParts(transaction, task);
    });
  }

  private async generation(transaction: OwnTransaction): Promise<number | undefined> {
    const { ref, apiToken } = this.viewer;
    return apiToken ? undefined : generationOf(transaction, ref);
  }

  private get storedActor(): Omit<Actor, 'owe'> {
    const { owe: _, ...stored } = this.actor;
    return stored;
  }

  /** Runs `work` in a transaction, and returns the task of the user at its end. */
  private change(dryRun: boolean, work: (transaction: OwnTransaction) => Promise<void>): Promise<Task> {
    const { ref } = this.viewer;
    return inTransaction(
      this.options.database,
      async (transaction) => {
        // First, because the first read determines what later reads see: two requests of a user must not both begin a task.
        await lockOwner(transaction, ref);
        await work(transaction);
        const task = await taskOf(transaction, ref);
        if (!task) throw new Error('The task was not stored');
        return task;
      },
      { isKept: () => !dryRun },
    );
  }

  /** Creates a task in the place of an earlier one, which must not run. */
  private async begin(transaction: OwnTransaction, type: TaskType): Promise<Task> {
    const { ref: userRef } = this.viewer;
    const earlier = await taskOf(transaction, userRef);
    if (earlier?.isOpen === true) throw running(earlier);
    if (earlier) await deleteTask(transaction, earlier);
    if (type === 'MOVE' && (await countUploads(transaction)) >= MOST_UPLOADS)
      throw new LimitReachedError(`${String(MOST_UPLOADS)} users have uploaded something: try again in an hour`);
    const ref = `tk${randomBytes(8).toString('hex')}`;
    await insertTask(transaction, { ref, userRef, type, state: 'UPLOADING' });
    return this.existing(transaction, ref);
  }

  private async existing(transaction: OwnTransaction, ref: string): Promise<Task> {
    const task = await taskOf(transaction, this.viewer.ref);
    if (task?.ref !== ref || !this.maySee(task)) throw new NotFoundError('Task', ref);
    return task;
  }

  private maySee({ type }: Task): boolean {
    return mayAct(this.viewer.role, ROLE_OF[type]);
  }
}

function running({ ref }: Task): NotSupportedError {
  return new NotSupportedError(`Your task ${ref} is running: wait until it has ended, or cancel it`);
}
