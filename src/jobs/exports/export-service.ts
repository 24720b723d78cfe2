import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

import { lockOwner } from '../../auth/api-token-store';
import type { KeyRing, SigningKey } from '../../auth/key-ring';
import { mayAct, type Viewer } from '../../auth/role';
import { accountByRef, type Account } from '../../auth/user-store';
import type { ReadsAndWrites } from '../../database/database';
import type { OwnTransaction, Reads } from '../../database/sql';
import { InvalidInputError, NotFoundError, LimitReachedError } from '../../errors';
import { inTransaction, type WriteOptions } from '../../resources/write/transactions';
import { endOf, fileNameOf, MOST_STORED, type Exported, type ExportJob } from './export-job';
import { bytesAt, cancelJobs, insertJob, jobByRef, jobsOf, jobTotals } from './export-store';

/**
 * Exports of a user, and of all users, that exist at a time. Those that have ended count until their files are deleted, those
 * that were cancelled do not.
 */
const MOST_OF_USER = 5;
const MOST = 200;
/** The longest conditions, as JSON. */
const MOST_ASKED = 64 * 1024;

/** An export with the address of its file. */
export interface ShownExport extends ExportJob {
  /** Path and query of the file; null until it is complete. */
  readonly address: string | null;
}

/** Starts, lists and cancels the exports of a user. */
export class ExportService {
  constructor(
    private readonly database: ReadsAndWrites,
    private readonly keys: KeyRing,
    /** Called when there is something to export. */
    private readonly wake: () => void,
    private readonly viewer: Viewer,
  ) {}

  /**
   * Starts an export, with conditions that have been checked. Throws InvalidInputError, and LimitReachedError if there are
   * too many.
   */
  async start(
    { source, format, asked }: Omit<Exported, 'role'>,
    { dryRun = false }: WriteOptions = {},
  ): Promise<ShownExport> {
    if (Buffer.byteLength(asked) > MOST_ASKED)
      throw InvalidInputError.of('of', `is longer than ${String(MOST_ASKED)} bytes as JSON`);
    const { ref: userRef, role, apiToken } = this.viewer;
    const ref = `ex${randomBytes(8).toString('hex')}`;
    const work = async (transaction: OwnTransaction): Promise<ExportJob> => {
      // First, because the first read determines what later reads see: two callers must not start the last one.
      await lockOwner(transaction, userRef);
      const jobsThere = (await jobsOf(transaction, userRef)).filter(({ state }) => state !== 'CANCELLED');
      if (jobsThere.length >= MOST_OF_USER)
        throw new LimitReachedError(`A user can have at most ${String(MOST_OF_USER)} exports: cancel one first`);
      const { jobs, stored } = await jobTotals(transaction);
      if (jobs >= MOST || stored >= MOST_STORED)
        throw new LimitReachedError('The exports of all users take too much room: try again in an hour');
      await insertJob(transaction, { ref, userRef, role, source, format, asked }, apiToken?.ref ?? null);
      return existing(await jobByRef(transaction, ref), ref);
    };
    const job = await inTransaction(this.database, work, { isKept: () => !dryRun });
    if (!dryRun) this.wake();
    // It is not complete yet.
    return { ...job, address: null };
  }

  /** The exports of the user that the caller may see, newest first. */
  async list(): Promise<readonly ShownExport[]> {
    const { ref } = this.viewer;
    const jobs = await jobsOf(this.database, ref);
    const [key, user] = await Promise.all([this.keys.current(), accountByRef(this.database, ref)]);
    return jobs
      .filter((job) => this.maySee(job))
      .map((job) => ({ ...job, address: job.state === 'DONE' && user ? addressOf(job, key, user) : null }));
  }

  /** Cancels an export, or deletes its file. Throws NotFoundError, also for an export of another user. */
  async cancel(ref: string, { dryRun = false }: WriteOptions = {}): Promise<void> {
    const job = existing(await jobByRef(this.database, ref), ref);
    if (job.userRef !== this.viewer.ref || !this.maySee(job)) throw new NotFoundError('Export', ref);
    if (dryRun) return;
    await this.database.transaction((transaction) => cancelJobs(transaction, [job.rowId]));
    this.wake();
  }

  /** An API token sees only what it has started: it gives away no address that outlives it. */
  private maySee({ role, state, apiTokenRef }: ExportJob): boolean {
    const { apiToken, role: own } = this.viewer;
    return state !== 'CANCELLED' && mayAct(own, role) && (!apiToken || apiToken.ref === apiTokenRef);
  }
}

/** What identifies a file in its address: the export, the id of the key, and the signature. */
type Address = readonly [ref: string, kid: string, signature: string];

/** A file that can be downloaded. */
export interface ExportFile {
  readonly name: string;
  readonly type: string;
  readonly size: number;
  /** The user who started the export. */
  readonly userRef: string;
  /** The bytes of a range; both ends are included. Throws NotFoundError if its address ends meanwhile. */
  read(first: number, last: number): AsyncGenerator<Buffer>;
}

/** The files of finished exports, for those who have their addresses. */
export class ExportFiles {
  constructor(
    private readonly database: Reads,
    private readonly keys: KeyRing,
  ) {}

  /**
   * The file with an address. Throws NotFoundError if the signature is wrong or the hour is over, the file has been
   * deleted, its user has lost the role or has a new secret, or the API token that started it has ended.
   */
  async open(ref: string, kid: string, signature: string): Promise<ExportFile> {
    const job = await this.jobAt(ref, kid, signature);
    return {
      name: fileNameOf(job),
      type: job.format === 'CSV' ? 'text/csv; charset=utf-8' : 'application/x-ndjson; charset=utf-8',
      size: job.size,
      userRef: job.userRef,
      read: (first, last) => this.read([ref, kid, signature], first, last),
    };
  }

  /** Checks the address again for each part: a client may read for as long as it likes, and its user lose the role meanwhile. */
  private async *read(address: Address, first: number, last: number): AsyncGenerator<Buffer> {
    for (let at = first; at <= last;) {
      const { rowId, ref } = await this.jobAt(...address);
      const bytes = await bytesAt(this.database, rowId, at);
      if (!bytes) throw new NotFoundError('Export', ref);
      const part = bytes.subarray(0, last - at + 1);
      at += part.length;
      yield part;
    }
  }

  /** The finished export with an address. Throws the errors of `open`. */
  private async jobAt(...[ref, kid, signature]: Address): Promise<ExportJob> {
    const { database } = this;
    const key = /^[\w-]{1,32}$/.test(kid) ? await this.keys.byId(kid) : undefined;
    if (!key) throw new NotFoundError('Export', ref);
    const job = await jobByRef(database, ref);
    if (job?.state !== 'DONE' || Number(endOf(job)) <= Date.now()) throw new NotFoundError('Export', ref);
    const user = await accountByRef(database, job.userRef);
    if (!user || !isSame(signature, signatureOf(job, key.key, user)) || !mayAct(user.role, job.role))
      throw new NotFoundError('Export', ref);
    return job;
  }
}

function addressOf(job: ExportJob, { kid, key }: SigningKey, user: Account): string {
  return `/exports/${job.ref}/${fileNameOf(job)}?key=${kid}&signature=${signatureOf(job, key, user)}`;
}

/**
 * Proves that this server gave the address away, and that the user's secret is still the same. It is of no use for
 * tokens: those sign three parts with dots.
 */
function signatureOf(job: ExportJob, key: SigningKey['key'], { generation }: Account): string {
  return createHmac('sha256', key)
    .update(`export ${job.ref} ${String(endOf(job))} ${String(generation)}`)
    .digest('base64url');
}

function isSame(one: string, other: string): boolean {
  const [given, expected] = [Buffer.from(one), Buffer.from(other)];
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function existing(job: ExportJob | undefined, ref: string): ExportJob {
  if (!job) throw new NotFoundError('Export', ref);
  return job;
}
