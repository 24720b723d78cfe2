import { setTimeout as pause } from 'node:timers/promises';

import DataLoader from 'dataloader';

import { padded, places, type Row, type Sql } from '../database/sql';
import { RateLimitedError, UnauthenticatedError } from '../errors';
import { networkOf } from '../limits/network';
import type { Origin, SecurityEvents } from '../security/events';
import { legacyUserRef } from './legacy-users';
import { toRole, type Viewer } from './role';
import { SecretChecks } from './secret-checks';
import { SignInLimits, type Attempt } from './sign-in-limits';
import type { IssuedToken, TokenService } from './token-service';

interface Account extends Viewer {
  /** Counts the changes of the secret: tokens of an earlier one are void. */
  readonly generation: number;
}

// Milliseconds after which attempts that are refused for their network are answered, whether the name exists or not; and
// how many may wait for it.
const SLOW = 500;
const MAX_SLOW = 1000;

/** Tells who is asking: by name and secret, for a token, or by a token. */
export class Authenticator {
  private readonly limits = new SignInLimits();
  private readonly secrets = new SecretChecks();
  private slow = 0;

  // A token's user is looked up for each request, so that a deletion holds at once; requests that arrive together share
  // the statement. Nothing is kept.
  private readonly accounts = new DataLoader<string, Account | undefined>(async (refs) => this.byRefs(refs), {
    cache: false,
    maxBatchSize: 1000,
  });

  constructor(
    private readonly sql: Sql,
    private readonly tokens: TokenService,
    private readonly events: SecurityEvents,
  ) {}

  /**
   * A token for the user of that name; a wrong secret and an unknown name look and last the same. Throws
   * UnauthenticatedError, and RateLimitedError.
   */
  async signIn(
    username: string,
    secret: string,
    { address, requestId }: Origin,
  ): Promise<IssuedToken & { readonly viewer: Viewer }> {
    // No name is longer than 100 characters.
    const name = username.slice(0, 101);
    const circumstances = { user: name, address, requestId };
    try {
      const account = await this.accountOf(name, secret, networkOf(address));
      this.events.signedIn(circumstances);
      return { ...(await this.tokens.issue(account)), viewer: account };
    } catch (error) {
      if (error instanceof UnauthenticatedError)
        this.events.refused('sign-in-failed', { ...circumstances, reason: 'wrong name or secret' });
      if (error instanceof RateLimitedError)
        this.events.refused('sign-in-failed', { ...circumstances, reason: 'too many attempts' });
      throw error;
    }
  }

  private async accountOf(name: string, secret: string, network: string): Promise<Account> {
    const attempt = this.limits.begin(name.toLowerCase(), network);
    if (attempt.manner !== 'slow') return this.attempt(attempt, name, secret, network);
    if (this.slow >= MAX_SLOW) throw attempt.refusal;
    this.slow++;
    const answer = pause(SLOW, undefined, { ref: false });
    try {
      return await this.attempt(attempt, name, secret, `${network} slow`);
    } catch (error) {
      await answer;
      throw error instanceof UnauthenticatedError ? attempt.refusal : error;
    } finally {
      this.slow--;
    }
  }

  private async attempt(attempt: Attempt, name: string, secret: string, lane: string): Promise<Account> {
    const [row] = await this.sql.rows(
      'SELECT ref, username, role, generation, secret_hash FROM users WHERE username = ?',
      [name],
    );
    const isRight = await this.isRight(attempt, name, secret, row && String(row[4]), lane);
    if (row && isRight) {
      attempt.succeeded();
      return toAccount(row);
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
      // Of many scripts that send the same at once, one is checked for all.
      if ((await this.secrets.begun(credentials)) === true) return true;
      if (isTrusted() && this.secrets.wereRight(credentials, hash)) return true;
      if (!mayCheck()) throw refusal;
    }
    try {
      const urgent = isTrusted();
      const place = { lane: urgent ? `${lane} ${name}` : lane, urgent };
      return await this.secrets.check(credentials, secret, hash, place);
    } catch (error) {
      withdrawn();
      throw error;
    }
  }

  /** The user whose token it is, as the database knows them now; throws UnauthenticatedError. */
  async viewerOf(token: string | undefined): Promise<Viewer> {
    if (token === undefined || token === '') throw new UnauthenticatedError();
    const { sub, gen } = await this.tokens.read(token);
    const ref = gen === undefined ? await legacyUserRef(this.sql, sub) : sub;
    const account = ref === undefined ? undefined : await this.accounts.load(ref);
    if (!account || (gen !== undefined && account.generation !== gen))
      throw new UnauthenticatedError('The token is no longer valid');
    return account;
  }

  private async byRefs(refs: readonly string[]): Promise<(Account | undefined)[]> {
    const keys = padded([...new Set(refs)], '');
    const rows = await this.sql.rows(
      `SELECT ref, username, role, generation FROM users WHERE ref IN (${places(keys.length)})`,
      keys,
    );
    const found = new Map(rows.map((row) => [String(row[0]), toAccount(row)]));
    return refs.map((ref) => found.get(ref));
  }
}

function toAccount([ref, username, role, generation]: Row): Account {
  return { ref: String(ref), username: String(username), role: toRole(role), generation: Number(generation) };
}
