import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';

import type { Logger } from 'pino';

import { mayAct, type Role } from '../auth/role';
import { userByRef } from '../auth/user-store';
import { RepeatedTask } from '../changes/repeated-task';
import type { Database } from '../database/database';
import { DomainError, TooSlowError } from '../errors';
import type { Model } from '../model/model';
import { logFailure } from '../log';
import { EXPORT_KEPT, MOST_STORED, type ExportJob } from './export-job';
import { linesOf, type ConditionOf, type ExportReads, type Lines } from './export-lines';
import {
  cancelJobs,
  chunksOf,
  deleteChunks,
  deleteJob,
  emptyJob,
  failJob,
  jobsToEmpty,
  jobsToForget,
  jobsWithoutToken,
  jobTotals,
  leaveJobs,
  nextJob,
  storedSize,
  storeProgress,
  takeJob,
  type Progress,
} from './export-store';

// Milliseconds between looks for jobs of other processes, and for old ones.
const INTERVALS = { jobs: 2000, old: 5000 };
// Seconds after which another process continues the job of one that was killed. A step takes less.
const LEASE = 60;
/** A step ends after so many bytes, and so many milliseconds. */
const STEP_BYTES = 256 * 1024;
const STEP_TIME = 1000;
/** Bytes of the largest file. */
const MOST_BYTES = 2 * 1024 ** 3;
// Attempts at a step while the database is busy, and milliseconds between them.
const ATTEMPTS = 60;
const PAUSE = 2000;

/** What the exporter depends on. */
export interface ExporterOptions {
  readonly database: Database;
  readonly model: Model;
  /** Reads on behalf of a user, with the rights of a role. */
  readonly readsOf: (userRef: string, role: Role) => ExportReads;
  readonly conditionOf: ConditionOf;
  readonly logger: Logger;
  readonly intervals?: Readonly<typeof INTERVALS> | undefined;
}

/**
 * Writes exports, a page at a time and in turn, in every process. A job continues where it was after a restart: its pages
 * and its position are in the database, and committed together. It holds no transaction while it reads, and rests as long
 * as it works.
 */
export class Exporter {
  private readonly holder = randomBytes(15).toString('base64url');
  private readonly task: RepeatedTask;
  private readonly intervals: typeof INTERVALS;
  private readonly stopping = new AbortController();
  private readonly attempts = new Map<number, number>();
  private trimmedAt = -Infinity;

  constructor(private readonly options: ExporterOptions) {
    const { logger, intervals = INTERVALS } = options;
    this.intervals = intervals;
    const onFailure = (error: unknown): void => logFailure(logger, error, 'cannot write exports');
    this.task = new RepeatedTask(() => this.run(), intervals.jobs, onFailure).start();
  }

  /** Looks for jobs now. */
  wake(): void {
    this.task.wake();
  }

  async close(): Promise<void> {
    this.task.stop();
    this.stopping.abort();
    await this.task.close();
    // Another process continues the jobs at once. If the database is unavailable, it does when the lease ends.
    const { maintenance } = this.options.database;
    await maintenance.transaction((transaction) => leaveJobs(transaction, this.holder)).catch(() => undefined);
  }

  private async run(): Promise<void> {
    for (;;) {
      await this.forget();
      const startedAt = performance.now();
      const job = this.stopping.signal.aborted ? undefined : await this.take();
      if (!job) break;
      await this.work(job);
      await this.rest(performance.now() - startedAt);
    }
  }

  private async take(): Promise<ExportJob | undefined> {
    const { maintenance, clock } = this.options.database;
    const taking = { holder: this.holder, clock, seconds: LEASE };
    const job = await nextJob(maintenance, taking);
    if (!job) return undefined;
    return (await maintenance.transaction((transaction) => takeJob(transaction, job, taking))) ? job : undefined;
  }

  private async work(job: ExportJob): Promise<void> {
    const { logger } = this.options;
    try {
      await this.step(job);
      this.attempts.delete(job.rowId);
    } catch (error) {
      if (this.stopping.signal.aborted) return;
      const attempts = (this.attempts.get(job.rowId) ?? 0) + 1;
      this.attempts.set(job.rowId, attempts);
      // A query that is too slow once is too slow again.
      const mayPass = error instanceof DomainError && error.mayPass && !(error instanceof TooSlowError);
      if (mayPass && attempts < ATTEMPTS) {
        await this.rest(PAUSE);
        return;
      }
      if (!(error instanceof DomainError))
        logger.error({ err: error, export: job.ref }, 'an export failed unexpectedly');
      await this.end(job, error instanceof DomainError ? error.message : 'An unexpected failure: see the log');
    }
  }

  private async step(job: ExportJob): Promise<void> {
    const { database, model, readsOf, conditionOf } = this.options;
    const { maintenance } = database;
    const user = await userByRef(maintenance, job.userRef);
    if (!user || !mayAct(user.role, job.role)) {
      await this.end(job, `The user who started it no longer has the role ${job.role}`);
      return;
    }
    const lines = linesOf(job, readsOf(job.userRef, job.role), model, conditionOf);
    const counts = job.last === null && job.total === null && !this.attempts.has(job.rowId);
    const progress = await read(job, lines, counts);
    if (progress.size > MOST_BYTES) {
      await this.end(job, `The file is longer than ${String(MOST_BYTES)} bytes: export less`);
      return;
    }
    if ((await jobTotals(maintenance)).stored + storedSize(progress.chunks) > MOST_STORED) {
      await this.end(job, 'The exports of all users take too much room: try again in an hour');
      return;
    }
    await maintenance.transaction((transaction) => storeProgress(transaction, job, this.holder, progress));
  }

  private async end(job: ExportJob, problem: string): Promise<void> {
    this.attempts.delete(job.rowId);
    const { holder } = this;
    await this.options.database.maintenance.transaction((transaction) => failJob(transaction, job, holder, problem));
  }

  /** Deletes files that can no longer be downloaded, also because an API token has ended, and those of failed jobs. */
  private async forget(): Promise<void> {
    const now = performance.now();
    if (now - this.trimmedAt < this.intervals.old) return;
    this.trimmedAt = now;
    const { maintenance } = this.options.database;
    const empty = async (id: number): Promise<void> => {
      while (await maintenance.transaction((transaction) => deleteChunks(transaction, id)));
    };
    const ended = await jobsWithoutToken(maintenance);
    if (ended.length > 0) await maintenance.transaction((transaction) => cancelJobs(transaction, ended));
    for (const id of await jobsToForget(maintenance, Date.now() - EXPORT_KEPT)) {
      await empty(id);
      await maintenance.transaction((transaction) => deleteJob(transaction, id));
    }
    for (const id of await jobsToEmpty(maintenance)) {
      await empty(id);
      await maintenance.transaction((transaction) => emptyJob(transaction, id));
    }
  }

  private async rest(milliseconds: number): Promise<void> {
    await setTimeout(milliseconds, undefined, { signal: this.stopping.signal, ref: false }).catch(() => undefined);
  }
}

/** Reads the next pages of a job. `counts`: all lines are counted first. */
async function read(job: ExportJob, lines: Lines, counts: boolean): Promise<Progress> {
  const isFirst = job.last === null;
  // A count that takes too long is not needed.
  const total = counts ? await lines.count().catch(() => null) : job.total;
  const startedAt = performance.now();
  let text = isFirst ? lines.header : '';
  let { last, rows } = job;
  let isDone = false;
  while (!isDone && text.length < STEP_BYTES && performance.now() - startedAt < STEP_TIME) {
    const page = await lines.page(last);
    text += page.text;
    rows += page.rows;
    last = page.last ?? last;
    isDone = !page.more;
  }
  const bytes = Buffer.from(text);
  return { rows, size: job.size + bytes.length, last, total, chunks: await chunksOf(job.size, bytes), isDone };
}
