import { LRUCache } from 'lru-cache';

import { RateLimitedError, type Quota } from '../errors';
import { Rate } from '../limits/rate';

// Failures a minute. Scripts sign in each time they run, many at once: those that succeed are given back.
const FROM_ONE_NETWORK: Quota = { name: 'sign-in', points: 60, seconds: 60 };
const OVERALL = { points: 600, seconds: 60 };
// For a user who signed in from there before, correct secrets go on working beyond the limits; they are looked up only.
const LOOK_UPS = { points: 600, seconds: 60 };
// Failures at one name from everywhere before each further one doubles the wait, and the longest wait in milliseconds.
const FREE = 120;
const LONGEST = 300_000;
const FORGET = 15 * 60_000;
const NETWORKS = 16;
const KEYS = 10_000;

/**
 * How a sign-in is treated: `slow` ones, of a network that has used up its failures, are all refused after the same time
 * unless they succeed; `known only` succeeds where the same secret was right before.
 */
export type Manner = 'free' | 'slow' | 'known only';

/** One attempt, counted as a failure until it is known to be none. */
export interface Attempt {
  readonly manner: Manner;
  /** Whether that user has signed in from that network before. */
  readonly isTrusted: () => boolean;
  /** What it is refused with where it may not be tried. */
  readonly refusal: RateLimitedError;
  /** Whether the secret may be checked, for a name that exists. */
  readonly mayCheck: () => boolean;
  readonly succeeded: () => void;
  readonly failed: () => void;
  /** The secret was not checked. */
  readonly withdrawn: () => void;
}

const rateOf = ({ points, seconds }: { points: number; seconds: number }): Rate => new Rate(points, seconds, KEYS);

/**
 * Limits of failed sign-ins: per name and network, per name (a growing delay), per network and overall. Where a user has
 * signed in before, only the first of them holds. Kept in memory, bounded: a restart forgets them, and where users signed in.
 */
export class SignInLimits {
  private readonly pairs = rateOf(FROM_ONE_NETWORK);
  private readonly networks = rateOf(FROM_ONE_NETWORK);
  private readonly sprayed = rateOf(FROM_ONE_NETWORK);
  private readonly overall = rateOf(OVERALL);
  private readonly lookUps = rateOf(LOOK_UPS);
  private readonly delays = new LRUCache<string, { failures: number; until: number }>({ max: KEYS, ttl: FORGET });
  private readonly trusted = new LRUCache<string, readonly string[]>({ max: KEYS });

  /** Throws RateLimitedError where nothing is even looked up. */
  begin(username: string, network: string): Attempt {
    return this.isTrusted(username, network)
      ? this.beginTrusted(username, network)
      : this.beginOther(username, network);
  }

  private isTrusted(username: string, network: string): boolean {
    return this.trusted.get(username)?.includes(network) === true;
  }

  private beginTrusted(username: string, network: string): Attempt {
    const pair = `${network} ${username}`;
    const wait = this.pairs.take(pair);
    if (wait > 0 && this.lookUps.take(pair) > 0) throw refusalAfter(wait);
    const taken = wait > 0 ? this.lookUps : this.pairs;
    const withdrawn = (): void => taken.give(pair);
    return {
      ...{ manner: wait > 0 ? 'known only' : 'free', isTrusted: () => true, refusal: refusalAfter(wait) },
      ...{ mayCheck: () => wait === 0, succeeded: withdrawn, failed: nothing, withdrawn },
    };
  }

  private beginOther(username: string, network: string): Attempt {
    const delay = (this.delays.get(username)?.until ?? 0) - Date.now();
    if (delay > 0) throw refusalAfter(delay);
    const taken: (() => void)[] = [];
    const take = (rate: Rate, key: string): boolean => {
      const fits = rate.take(key) === 0;
      if (fits) taken.push(() => rate.give(key));
      return fits;
    };
    const pair = `${network} ${username}`;
    const isFree = take(this.networks, network) && take(this.overall, '');
    // Where names are tried at random, only those that exist are kept count of.
    if (isFree) take(this.pairs, pair);
    const withdrawn = (): void => {
      for (const give of taken.splice(0)) give();
    };
    return {
      ...{
        manner: isFree ? 'free' : 'slow',
        isTrusted: () => this.isTrusted(username, network),
        refusal: refusalAfter(1000),
      },
      mayCheck: () => isFree || (take(this.sprayed, network) && take(this.pairs, pair)),
      succeeded: () => {
        withdrawn();
        const known = this.trusted.get(username) ?? [];
        this.trusted.set(username, [network, ...known.filter((each) => each !== network)].slice(0, NETWORKS));
      },
      failed: () => this.delay(username),
      withdrawn,
    };
  }

  private delay(username: string): void {
    const failures = (this.delays.get(username)?.failures ?? 0) + 1;
    const wait = failures < FREE ? 0 : Math.min(1000 * 2 ** (failures - FREE), LONGEST);
    this.delays.set(username, { failures, until: Date.now() + wait });
  }
}

const nothing = (): void => undefined;

function refusalAfter(milliseconds: number): RateLimitedError {
  return new RateLimitedError('Too many failed attempts', Math.ceil(milliseconds / 1000), FROM_ONE_NETWORK);
}
