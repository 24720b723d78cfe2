import { setTimeout as pause } from 'node:timers/promises';

import type { Database } from '../database/database';
import type { Cancellable } from '../database/sql';
import { InvalidInputError, RateLimitedError, UnauthenticatedError } from '../errors';
import { networkOf } from '../limits/addresses';
import { isApiToken } from './api-token';
import type { ApiTokenChecks, TokenUse } from './api-token-checks';
import { SecretChecks } from './password';
import type { AccountLeases } from './account-leases';
import type { Viewer } from './role';
import type { SecurityEvents } from './security-events';
import type { SignInEntries, SignInOrigin } from './sign-ins/sign-in-entries';
import { SignInLimits, type Attempt } from './sign-ins/sign-in-limits';
import { isEnded } from './sign-ins/sign-in-store';
import type { SignIns } from './sign-ins/sign-ins';
import type { Claims, IssuedToken, TokenService } from './token-service';
import { accountByRef, legacyUserRef, userByName, type Account, type UserWithHash } from './user-store';

// After too many failed sign-ins, a rejection takes this many milliseconds, whether or not the name exists, so that its
// timing does not reveal which names exist.
const SLOW = 1000;
// Maximum number of delayed attempts that are pending at the same time.
const MAX_SLOW = 1000;

/** The user that a sign-in is about; undefined if there is none, or if the name was not looked up. */
interface Subject {
  ref: string | undefined;
}

/** What a token says about its user, before the user is read. */
export interface Claim {
  /** The user's ref, or the name for a Routr v1 token. Undefined for an API token that this process does not know. */
  readonly user: string | undefined;
  /** Undefined for an API token. */
  readonly claims?: Claims;
}

/** Signs users in with name and secret, and identifies them by token. */
export class Authenticator {
  private readonly limits = new SignInLimits();
  private readonly secrets = new SecretChecks();
  private slow = 0;

  constructor(
    private readonly database: Database,
    private readonly tokens: TokenService,
    private readonly signIns: SignIns,
    private readonly apiTokens: ApiTokenChecks,
    private readonly accounts: AccountLeases<Account>,
    private readonly events: SecurityEvents,
    /** Undefined in read-only mode. */
    private readonly entries: SignInEntries | undefined,
  ) {}

  /**
   * Issues a token. The response and its timing are the same for a wrong secret and an unknown name. Throws
   * UnauthenticatedError and RateLimitedError.
   */
  async signIn(
    username: string,
    secret: string,
    origin: SignInOrigin,
  ): Promise<IssuedToken & { readonly viewer: Viewer & { readonly session: string } }> {
    const { address, requestId } = origin;
    return this.logAttempt(username, origin, async (name, subject) => {
      const account = await this.accountOf(name, secret, networkOf(address), subject);
      this.events.logSignIn({ user: name, address, requestId });
      this.entries?.noteSuccess(account, origin);
      const { ref, username: storedName, role } = account;
      const { issued, session } = await this.signIns.open(account, origin);
      return { ...issued, viewer: { ref, username: storedName, role, session } };
    });
  }

  /**
   * Checks that whoever uses a session knows the secret of its user, with the limits of sign-ins. Throws
   * InvalidInputError, which names the field, and RateLimitedError.
   */
  async assertSecret({ username }: Viewer, secret: string, origin: SignInOrigin, field: string): Promise<void> {
    try {
      await this.logAttempt(username, origin, async (name, subject) =>
        this.accountOf(name, secret, networkOf(origin.address), subject),
      );
    } catch (error) {
      // The session goes on.
      throw error instanceof UnauthenticatedError ? InvalidInputError.of(field, 'is wrong') : error;
    }
  }

  /** Returns the result of an attempt to sign in, or logs why it failed and throws that. */
  private async logAttempt<T>(
    username: string,
    origin: SignInOrigin,
    work: (name: string, subject: Subject) => Promise<T>,
  ): Promise<T> {
    // User names have at most 100 characters, so a longer name matches no user even after this cut.
    const name = username.slice(0, 101);
    const { address, requestId } = origin;
    const details = { user: name, address, requestId };
    const subject: Subject = { ref: undefined };
    try {
      return await work(name, subject);
    } catch (error) {
      if (error instanceof UnauthenticatedError || error instanceof RateLimitedError)
        this.entries?.noteFailure(subject.ref, origin);
      if (error instanceof UnauthenticatedError)
        this.events.logRefusal('sign-in-failed', { ...details, reason: 'wrong name or secret' });
      if (error instanceof RateLimitedError)
        this.events.logRefusal('sign-in-failed', { ...details, reason: 'too many attempts' });
      throw error;
    }
  }

  private async accountOf(name: string, secret: string, network: string, subject: Subject): Promise<UserWithHash> {
    const attempt = this.limits.begin(name.toLowerCase(), network);
    if (attempt.manner !== 'slow')
      return this.attempt(attempt, name, secret, await this.userOf(name, subject), network);
    if (this.slow >= MAX_SLOW) throw attempt.refusal;
    this.slow++;
    try {
      return await this.slowly(attempt, name, secret, network, subject);
    } finally {
      this.slow--;
    }
  }

  /**
   * Handles a slow attempt. Unless its secret was right by then, it is refused at a fixed time, whatever becomes of the
   * check: this waits in a queue, which others may fill, and only names of users are checked. A check that ends later, and
   * finds the secret right, makes the network one of the user's, where the next attempt is not slow.
   */
  private async slowly(
    attempt: Attempt,
    name: string,
    secret: string,
    network: string,
    subject: Subject,
  ): Promise<UserWithHash> {
    const delay = pause(SLOW, undefined, { ref: false });
    const user = await this.userOf(name, subject);
    const late = delay.then(() => Promise.reject(attempt.refusal));
    try {
      return await Promise.race([this.attempt(attempt, name, secret, user, `${network} slow`), late]);
    } catch (error) {
      await delay;
      // Also if the queue is full.
      throw error instanceof UnauthenticatedError || error instanceof RateLimitedError ? attempt.refusal : error;
    }
  }

  private async userOf(name: string, subject: Subject): Promise<UserWithHash | undefined> {
    const user = await userByName(this.database, name);
    subject.ref = user?.ref;
    return user;
  }

  private async attempt(
    attempt: Attempt,
    name: string,
    secret: string,
    user: UserWithHash | undefined,
    lane: string,
  ): Promise<UserWithHash> {
    const isRight = await this.isRight(attempt, name, secret, user?.secretHash, lane);
    if (user && isRight) {
      attempt.succeeded();
      return user;
    }
    attempt.failed();
    throw new UnauthenticatedError('The name or the secret is wrong');
  }

  private async isRight(
    { manner, isTrusted, refusal, mayCheck, withdrawn }: Attempt,
    name: string,
    secret: string,
    hash: string | undefined,
    lane: string,
  ): Promise<boolean> {
    const credentials = this.secrets.credentials(name, secret);
    if (manner !== 'free') {
      if (hash === undefined) throw refusal;
      // Scripts sign in concurrently with the same credentials. Waiting for a check in progress does not count
      // against the limits.
      if ((await this.secrets.runningCheck(credentials, hash)) === true) return true;
      if (isTrusted() && this.secrets.wereRight(credentials, hash)) return true;
      if (!mayCheck()) throw refusal;
    }
    try {
      const urgent = isTrusted();
      // Slow attempts take no places from others, which would notice it: only those for names of users wait.
      const place = { lane: urgent ? `${lane} ${name}` : lane, urgent, apart: manner === 'slow' && !urgent };
      return await this.secrets.check(credentials, secret, hash, place);
    } catch (error) {
      withdrawn();
      throw error;
    }
  }

  /**
   * Returns the user of a token without reading the user: from the token's signed claims, or, for an API token, from
   * its last use. Throws UnauthenticatedError.
   */
  async claimOf(token: string): Promise<Claim> {
    if (isApiToken(token)) return { user: this.apiTokens.ownerOf(token) };
    const claims = await this.tokens.read(token);
    return { user: claims.sub, claims };
  }

  /**
   * Returns the user of a token, as read within the lease (account-leases.ts): a deletion, a new role or a new secret holds for
   * all requests after its response. `use` is undefined if no request uses the token. `claim` is what `claimOf` returned, if
   * it was called. `request` is the request whose reads these are. Throws UnauthenticatedError, and the errors of
   * `use`.
   */
  async viewerOf(token: string | undefined, use?: TokenUse, claim?: Claim, request?: Cancellable): Promise<Viewer> {
    if (token === undefined || token === '') throw new UnauthenticatedError();
    const reads = request ? this.database.forRequest(request) : this.database;
    if (isApiToken(token)) return this.apiTokens.viewerOf(reads, token, use);
    const { sub, gen, sid } = claim?.claims ?? (await this.tokens.read(token));
    const ref = gen === undefined ? await legacyUserRef(reads, sub) : sub;
    const account = ref === undefined ? undefined : await this.accounts.get(ref, () => accountByRef(reads, ref));
    const isOver =
      !account ||
      (gen !== undefined && account.generation !== gen) ||
      (typeof account.ended === 'string' && sid !== undefined && isEnded(account.ended, sid));
    if (isOver) throw new UnauthenticatedError('The token is no longer valid');
    const { ref: userRef, username, role } = account;
    return { ref: userRef, username, role, session: sid };
  }
}
