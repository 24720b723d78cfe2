import { RateLimitedError, type Quota } from '../errors';
import { networkOf } from './network';
import { Rate } from './rate';

/** What callers may use; of requests and work a minute, of the others at once. */
export interface BudgetSettings {
  /** Requests of a user. */
  readonly requests: number;
  /** Objects that a user's requests may give, and what reading them costs beyond that. */
  readonly work: number;
  /** Requests without a valid token, of a network. */
  readonly anonymous: number;
  /** WebSockets and event streams of a user. */
  readonly connections: number;
  readonly subscriptions: number;
}

/** What is held for as long as it lasts. */
export type Holding = 'connections' | 'subscriptions';

/** What a read that no index bounds costs, in objects: it may look at a whole table. */
export const HEAVY_READ = 1000;

const MINUTE = 60;
// Seconds after which there may be fewer of them.
const LATER = 10;

/** Keeps each user, and each network without a user, within their budget. Without settings there are no limits. */
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

  /** A request of a user; throws RateLimitedError. */
  request(user: string): void {
    this.take('requests', user, 1);
  }

  /** What a request of a user costs; throws RateLimitedError. */
  spend(user: string, work: number): void {
    this.take('work', user, work);
  }

  /** A request without a valid token, or as many as it costs; throws RateLimitedError. */
  anonymous(address: string, requests: number): void {
    if (this.rates) this.take('anonymous', networkOf(address), requests);
  }

  /** Begins to hold something; gives what ends it. Throws RateLimitedError. */
  hold(user: string, what: Holding): () => void {
    const { held, settings } = this;
    const count = held[what].get(user) ?? 0;
    const most = settings?.[what] ?? Infinity;
    if (count >= most) throw new RateLimitedError(`You have ${String(most)} ${what} already`, LATER);
    held[what].set(user, count + 1);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      const left = (held[what].get(user) ?? 1) - 1;
      if (left > 0) held[what].set(user, left);
      else held[what].delete(user);
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
  work: 'Too much was asked for',
  anonymous: 'Too many requests without a valid token from this address',
};
