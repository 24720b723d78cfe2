import { RateLimitedError, type Quota } from '../errors';
import { networkOf } from './addresses';
import { Rate } from './rate';

/**
 * The budgets of callers. `requests`, `work` and `anonymous` are limits per minute. `connections` and `subscriptions`
 * are limits on what is open at a time.
 */
export interface BudgetSettings {
  /** Requests per user. */
  readonly requests: number;
  /** Objects that the requests of a user may return, plus the cost of expensive reads. */
  readonly work: number;
  /** Requests without a valid token per network. */
  readonly anonymous: number;
  /** WebSockets and event streams per user. */
  readonly connections: number;
  /** Subscriptions per user. */
  readonly subscriptions: number;
}

/** Resources that a user occupies while they are open. */
export type Holding = 'connections' | 'subscriptions';

// How many times the limit of one API token a user and all API tokens of the user may together hold.
const USER_FACTOR = 5;

/** The cost in objects of a read that no index bounds, because it may scan a whole table. */
export const HEAVY_READ = 1000;

/** The cost in objects of a row that a request writes as one of many. */
export const ROW_WRITTEN = 10;

/** The characters of a response, and of a body of JSON, that cost as much as one object. */
export const CHARACTERS_PER_OBJECT = 256;

const MINUTE = 60;
// `Retry-After` in seconds for a limit on open resources, which are released at an unknown time.
const LATER = 10;

/**
 * Enforces the budget of each user, and of each network for unauthenticated requests. Without settings there are no
 * limits.
 */
export class Budgets {
  private readonly rates: Readonly<Record<'requests' | 'work' | 'anonymous', Rate>> | undefined;
  private readonly held: Readonly<Record<Holding, Map<string, number>>> = {
    connections: new Map(),
    subscriptions: new Map(),
  };

  constructor(private readonly settings: BudgetSettings | undefined) {
    this.rates = settings && {
      requests: new Rate(settings.requests, MINUTE),
      work: new Rate(settings.work, MINUTE),
      anonymous: new Rate(settings.anonymous, MINUTE),
    };
  }

  /** The objects that a user may request in a minute; undefined if there is no limit. */
  get workPerMinute(): number | undefined {
    return this.settings?.work;
  }

  /** Counts a request of a user. Throws RateLimitedError. */
  request(user: string): void {
    this.take('requests', user, 1);
  }

  /** Charges a user for `work` objects. Throws RateLimitedError. */
  spend(user: string, work: number): void {
    this.take('work', user, work);
  }

  /**
   * Charges a user for work that is already done, even beyond the budget. Later requests are refused until the budget
   * is refilled.
   */
  owe(user: string, work: number): void {
    this.rates?.work.owe(user, work);
  }

  /** Counts a request without a valid token; `requests` is its cost. Throws RateLimitedError. */
  anonymous(address: string, requests: number): void {
    if (this.rates) this.take('anonymous', networkOf(address), requests);
  }

  /**
   * Counts an open resource of a user, and of the API token that pays for it, and returns the function that releases
   * it. Throws RateLimitedError.
   */
  hold(user: string, payer: string, what: Holding): () => void {
    const held = this.held[what];
    const limit = this.settings?.[what] ?? Infinity;
    const limits = new Map([
      [`all ${user}`, USER_FACTOR * limit],
      [payer, limit],
    ]);
    for (const [key, most] of limits)
      if ((held.get(key) ?? 0) >= most) {
        const whose = key === payer ? 'You already have' : 'This user and its API tokens already have';
        throw new RateLimitedError(`${whose} ${String(most)} open ${what}`, LATER);
      }
    for (const key of limits.keys()) held.set(key, (held.get(key) ?? 0) + 1);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      for (const key of limits.keys()) {
        const left = (held.get(key) ?? 1) - 1;
        if (left > 0) held.set(key, left);
        else held.delete(key);
      }
    };
  }

  private take(name: 'requests' | 'work' | 'anonymous', key: string, points: number): void {
    const rate = this.rates?.[name];
    if (!rate || points === 0) return;
    const wait = rate.take(key, points);
    if (wait === 0) return;
    const quota: Quota = { name, points: rate.points, seconds: rate.seconds };
    throw new RateLimitedError(REFUSALS[name], Math.ceil(wait / 1000), quota);
  }
}

const REFUSALS = {
  requests: 'Too many requests',
  work: 'Too many objects requested',
  anonymous: 'Too many requests without a valid token from this address',
};
