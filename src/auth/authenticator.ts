import DataLoader from 'dataloader';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

import { padded, places, type Row, type Sql } from '../database/sql';
import { RateLimitedError, UnauthenticatedError } from '../errors';
import { legacyUserRef } from './legacy-users';
import { hashPassword, isPassword } from './password';
import { toRole, type Viewer } from './role';
import type { IssuedToken, TokenService } from './token-service';

interface Account extends Viewer {
  /** Counts the changes of the secret: tokens of an earlier one are void. */
  readonly generation: number;
}

// Guesses at one name from one address in so many seconds; others, and the same user elsewhere, are not held up. Legacy
// scripts sign in each time they run, and many may run at once.
const GUESSES = { points: 60, duration: 60 };
const MAX_SECRET = 1000;

/** Tells who is asking: by name and secret, for a token, or by a token. */
export class Authenticator {
  private readonly guesses = new RateLimiterMemory(GUESSES);
  private readonly unknownUser = hashPassword('the secret of nobody');

  // A token's user is looked up for each request, so that a deletion holds at once; requests that arrive together share
  // the statement. Nothing is kept.
  private readonly accounts = new DataLoader<string, Account | undefined>(async (refs) => this.byRefs(refs), {
    cache: false,
    maxBatchSize: 1000,
  });

  constructor(
    private readonly sql: Sql,
    private readonly tokens: TokenService,
  ) {}

  /** A token for the user of that name; a wrong secret and an unknown name look and last the same. */
  async signIn(username: string, secret: string, address: string): Promise<IssuedToken & { readonly viewer: Viewer }> {
    const key = `${address} ${username.slice(0, 100)}`;
    // Counted before the hash is worked out, so that guesses made at once count, too.
    await this.guesses.consume(key).catch((refusal: unknown) => {
      throw refusal instanceof RateLimiterRes ? new RateLimitedError(Math.ceil(refusal.msBeforeNext / 1000)) : refusal;
    });
    const [row] = await this.sql.rows(
      'SELECT ref, username, role, generation, secret_hash FROM users WHERE username = ?',
      [username.slice(0, 101)],
    );
    const hash = row ? String(row[4]) : await this.unknownUser;
    const matches = secret.length <= MAX_SECRET && (await isPassword(secret, hash));
    if (!row || !matches) throw new UnauthenticatedError('The name or the secret is wrong');
    await this.guesses.reward(key);
    const viewer = toAccount(row);
    return { ...(await this.tokens.issue(viewer)), viewer };
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
