import { randomBytes } from 'node:crypto';

import type { Logger } from 'pino';

import type { Actor } from '../../changes/actor';
import { noteChange } from '../../changes/outbox';
import { RepeatedTask } from '../../changes/repeated-task';
import { CommitQueue } from '../../database/commit-queue';
import type { Database, ReadsAndWrites } from '../../database/database';
import { failureOf } from '../../database/errors';
import type { OwnTransaction } from '../../database/sql';
import { trimRows } from '../../database/trim-rows';
import {
  DatabaseRefusedError,
  ForbiddenError,
  NotFoundError,
  LimitReachedError,
  UnauthenticatedError,
} from '../../errors';
import { boundedCache } from '../../limits/bounded-cache';
import { logFailure } from '../../log';
import { inTransaction, type WriteOptions } from '../../resources/write/transactions';
import { lockOwner } from '../api-token-store';
import type { KeyRing } from '../key-ring';
import { leasesEnded } from '../account-leases';
import type { Viewer } from '../role';
import {
  endAllSignIns,
  endedSignIns,
  endSignIn,
  insertSignIns,
  MAX_ENDED,
  signInOf,
  signInsOf,
  trimSignIns,
  withEnded,
  type NewSignIn,
  type SignIn,
} from './sign-in-store';
import type { IssuedToken, TokenService } from '../token-service';
import { USER_KIND, type Account } from '../user-store';

// The most characters of a User-Agent header that are kept.
const MAX_AGENT = 200;
// A user's sign-ins are trimmed after this many, so that sign-ins of scripts do not trim each time.
const TRIM_EVERY = 20;
const MAX_USERS = 10_000;

/** Issues the tokens of sign-ins, and stores each sign-in, so that its user can see and end it. */
export class SignIns {
  private readonly queue: CommitQueue<NewSignIn, undefined>;
  private readonly sinceTrim = boundedCache<number, number>(MAX_USERS);
  private trimming: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly tokens: TokenService,
  ) {
    this.queue = new CommitQueue(database, async (transaction, signIns) => {
      await insertSignIns(transaction, signIns);
      return signIns.map(() => ({ status: 'fulfilled', value: undefined }));
    });
  }

  /** Issues the token of a new session. Throws UnauthenticatedError if the user was deleted meanwhile. */
  async open(
    account: Account & { readonly rowId: number },
    { address, userAgent }: { readonly address: string; readonly userAgent?: string | undefined },
  ): Promise<{ readonly issued: IssuedToken; readonly session: string }> {
    const ref = randomBytes(6).toString('base64url');
    const { kid, issuedOn, ...issued } = await this.tokens.issue(account, ref);
    const { rowId: userId, generation } = account;
    const { expiresOn } = issued;
    try {
      await this.queue.add({
        ref,
        userId,
        generation,
        kid,
        address,
        userAgent: plainAgent(userAgent),
        createdOn: issuedOn,
        expiresOn,
      });
    } catch (error) {
      if (failureOf(error).type === 'missing-reference')
        throw new UnauthenticatedError('The name or the secret is wrong');
      // A database that refuses writes for a while still serves reads. The sign-in is not listed, but all are ended
      // together.
      if (!(error instanceof DatabaseRefusedError)) throw error;
    }
    this.trim(userId);
    return { issued, session: ref };
  }

  /** Resolves when no sign-ins are being trimmed. */
  settle(): Promise<void> {
    return this.trimming;
  }

  private trim(userId: number): void {
    const count = this.sinceTrim.get(userId) ?? TRIM_EVERY;
    this.sinceTrim.set(userId, count >= TRIM_EVERY ? 1 : count + 1);
    if (count < TRIM_EVERY) return;
    const { maintenance } = this.database;
    this.trimming = this.trimming
      .then(() => maintenance.transaction((transaction) => trimSignIns(transaction, userId)))
      .catch(() => undefined); // a later sign-in trims
  }
}

// Milliseconds between two deletions of expired sign-ins.
const EXPIRED_INTERVAL = 10 * 60_000;

/**
 * Deletes expired sign-ins regularly, until it is closed, also if nobody signs in any more: they have addresses and devices of persons.
 */
export function maintainSignIns({ maintenance, clock }: Database, log: Logger): RepeatedTask {
  const onFailure = (error: unknown): void => logFailure(log, error, 'cannot delete expired sign-ins');
  const trim = () => trimRows(maintenance, 'sign_ins', `expires_on <= ${clock} * 1000`, 'expires_on');
  return new RepeatedTask(trim, EXPIRED_INTERVAL, onFailure).start(0);
}

/** Lists and ends the sign-ins of a user. */
export class SessionService {
  constructor(
    private readonly database: ReadsAndWrites,
    private readonly keys: KeyRing,
    /** Who makes the changes, for the history. */
    private readonly actor: Actor,
  ) {}

  /** The viewer's sign-ins whose tokens are still good, newest first. */
  async list({ ref }: Pick<Viewer, 'ref'>): Promise<readonly SignIn[]> {
    const found = await signInsOf(this.database, ref, this.database.clock);
    const kids = [...new Set(found.map(({ kid }) => kid))];
    const isKnown = new Map(await Promise.all(kids.map(async (kid) => [kid, await this.keys.byId(kid)] as const)));
    return found.filter(({ kid }) => isKnown.get(kid) !== undefined);
  }

  /** The sign-ins of a user, for admins. Throws NotFoundError. */
  async listOf(userRef: string): Promise<readonly SignIn[]> {
    const [user] = await this.database.rows('SELECT 1 FROM users WHERE ref = ?', [userRef]);
    if (!user) throw new NotFoundError('User', userRef, 'userRef');
    return this.list({ ref: userRef });
  }

  /**
   * Ends a sign-in of the viewer: its token is rejected from the next request on. Throws NotFoundError, and
   * LimitReachedError if too many tokens that have not expired were ended one by one.
   */
  async end(viewer: Viewer, ref: string, options: WriteOptions = {}): Promise<void> {
    const { clock } = this.database;
    await this.ending(options, async (transaction) => {
      await lockOwner(transaction, viewer.ref);
      const found = await signInOf(transaction, viewer.ref, ref);
      if (!found) throw new NotFoundError('Session', ref, 'id');
      const { ended, now } = await endedSignIns(transaction, viewer.ref, clock);
      const all = withEnded(ended, found, now);
      if (all === undefined)
        throw new LimitReachedError(`${String(MAX_ENDED)} sessions were ended one by one: end all of them`);
      await endSignIn(transaction, viewer.ref, ref, all);
      const { address } = found;
      const details = { before: { session: ref, address } };
      noteChange(transaction, { ...this.entry(viewer.ref), event: 'SESSION_ENDED', details });
    });
  }

  /**
   * Ends all sign-ins of a user, by default the viewer, also those that are not listed. Throws ForbiddenError for
   * another user unless the viewer is an admin, and NotFoundError.
   */
  async endAll(viewer: Viewer, userRef: string = viewer.ref, options: WriteOptions = {}): Promise<string> {
    if (userRef !== viewer.ref && viewer.role !== 'admin')
      throw new ForbiddenError(`The sessions of other users require the role admin; your role is ${viewer.role}`);
    await this.ending(options, async (transaction) => {
      if (!(await endAllSignIns(transaction, userRef))) throw new NotFoundError('User', userRef, 'userRef');
      noteChange(transaction, { ...this.entry(userRef), event: 'SESSIONS_ENDED', details: {} });
    });
    return userRef;
  }

  private async ending(
    { dryRun = false }: WriteOptions,
    work: (transaction: OwnTransaction) => Promise<void>,
  ): Promise<void> {
    await inTransaction(this.database, work, { isKept: () => !dryRun });
    if (!dryRun) await leasesEnded();
  }

  private entry(ref: string) {
    return { kind: USER_KIND, ref, actor: this.actor };
  }
}

/** Returns a User-Agent header (RFC 9110, 10.1.5) as plain text of at most 200 characters; null if there is none. */
function plainAgent(header: string | undefined): string | null {
  const text = (header ?? '')
    .slice(0, 2 * MAX_AGENT)
    .replace(/[^\x21-\x7e]+/g, ' ')
    .trim()
    .slice(0, MAX_AGENT);
  return text === '' ? null : text;
}
