import { randomBytes } from 'node:crypto';

import { LRUCache } from 'lru-cache';

import { CommitQueue } from '../database/commit-queue';
import type { Database } from '../database/database';
import { failureOf } from '../database/errors';
import { DatabaseRefusedError, UnauthenticatedError } from '../errors';
import { insertSignIns, trimSignIns, type NewSignIn } from './sign-in-store';
import type { IssuedToken, TokenService } from './token-service';
import type { Account } from './user-store';

// A user's sign-ins are trimmed after this many, so that sign-ins of scripts do not trim each time.
const TRIM_EVERY = 20;
const MAX_USERS = 10_000;

/** Issues the tokens of sign-ins, and stores each sign-in, so that its user can see and end it. */
export class SignIns {
  private readonly queue: CommitQueue<NewSignIn, undefined>;
  private readonly sinceTrim = new LRUCache<number, number>({ max: MAX_USERS });
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

  /** Issues a token. Throws UnauthenticatedError if the user was deleted meanwhile. */
  async open(account: Account & { readonly rowId: number }, address: string): Promise<IssuedToken> {
    const ref = randomBytes(6).toString('base64url');
    const { kid, issuedOn, ...issued } = await this.tokens.issue(account, ref);
    const { rowId: userId, generation } = account;
    const { expiresOn } = issued;
    try {
      await this.queue.add({ ref, userId, generation, kid, address, createdOn: issuedOn, expiresOn });
    } catch (error) {
      if (failureOf(error).type === 'missing-reference')
        throw new UnauthenticatedError('The name or the secret is wrong');
      // A database that refuses writes for a while still serves reads. The sign-in is not listed, but all are ended together.
      if (!(error instanceof DatabaseRefusedError)) throw error;
    }
    this.trim(userId);
    return issued;
  }

  /** Resolves when no sign-ins are being trimmed. */
  settle(): Promise<void> {
    return this.trimming;
  }

  private trim(userId: number): void {
    const count = this.sinceTrim.get(userId) ?? TRIM_EVERY;
    this.sinceTrim.set(userId, count >= TRIM_EVERY ? 1 : count + 1);
    if (count < TRIM_EVERY) return;
    const { maintenance, clock } = this.database;
    this.trimming = this.trimming
      .then(() => maintenance.transaction((transaction) => trimSignIns(transaction, userId, clock)))
      .catch(() => undefined); // a later sign-in trims
  }
}
