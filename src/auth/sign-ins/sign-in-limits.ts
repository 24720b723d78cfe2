import { RateLimitedError, type Quota } from '../../errors';
import { boundedCache } from '../../limits/bounded-cache';
import { Rate } from '../../limits/rate';

// Failed attempts per minute, of a network, and of a network and a name. Successful attempts do not count, for scripts
// that sign in on every run.
const PER_SOURCE: Quota = { name: 'sign-in', points: 60, seconds: 60 };
const OVERALL = { points: 600, seconds: 60 };
// Attempts beyond the limits from a network that the user has signed in from before. They succeed only with a secret
// that the cache confirms, without an expensive check.
const LOOK_UPS = { points: 600, seconds: 60 };
// Failures per name, over all networks, before each further failure doubles the wait.
const FAILURES_BEFORE_DELAY = 120;
// The longest wait in milliseconds.
const LONGEST = 300_000;
// Milliseconds without a failure after which the count of a name starts again.
const FORGET = 15 * 60_000;
// The maximum number of trusted networks per user.
const NETWORKS = 16;
const KEYS = 10_000;

/**
 * How an attempt is handled. `free`: within the limits. `slow`: the limit of failures of the network, or of all
 * networks together, is reached, and the attempt is refused after a fixed delay unless it succeeds. `cached secret
 * only`: succeeds only with a secret that was correct before.
 */
type Manner = 'free' | 'slow' | 'cached secret only';

/** A sign-in attempt. It counts as a failure until `succeeded` or `withdrawn` is called. */
export interface Attempt {
  readonly manner: Manner;
  /** Whether the user has signed in from this network before. */
  readonly isTrusted: () => boolean;
  /** The error for an attempt whose secret must not be checked. */
  readonly refusal: RateLimitedError;
  /** Whether the secret may be checked, for a name that exists. */
  readonly mayCheck: () => boolean;
  readonly succeeded: () => void;
  /** Counts a failure for the name, which doubles its delay. Does nothing from a trusted network. */
  readonly failed: () => void;
  /** Stops counting the attempt as a failure, because the secret was not checked. */
  readonly withdrawn: () => void;
}

const rateOf = ({ points, seconds }: { points: number; seconds: number }): Rate => new Rate(points, seconds, KEYS);

/**
 * Limits failed sign-ins per name and network, per name (a growing delay), per network and overall. For a network that
 * the user has signed in from before, only the limit per name and network applies. The state is bounded, kept in memory
 * and lost at restart.
 */
export class SignInLimits {
  private readonly pairs = rateOf(PER_SOURCE);
  private readonly networks = rateOf(PER_SOURCE);
  /** Checks of slow attempts per network, so that one network cannot try a secret with many names. */
  private readonly sprayed = rateOf(PER_SOURCE);
  private readonly overall = rateOf(OVERALL);
  private readonly lookUps = rateOf(LOOK_UPS);
  private readonly delays = boundedCache<string, { failures: number; until: number }>(KEYS, FORGET);
  private readonly trusted = boundedCache<string, readonly string[]>(KEYS);

  /** Starts an attempt. Throws RateLimitedError if the attempt is refused without looking up the user. */
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
      manner: wait > 0 ? 'cached secret only' : 'free',
      isTrusted: () => true,
      refusal: refusalAfter(wait),
      mayCheck: () => wait === 0,
      succeeded: withdrawn,
      failed: nothing,
      withdrawn,
    };
  }

  private beginOther(username: string, network: string): Attempt {
    const delay = (this.delays.get(username)?.until ?? 0) - performance.now();
    if (delay > 0) throw refusalAfter(delay);
    const taken: (() => void)[] = [];
    const take = (rate: Rate, key: string): boolean => {
      const fits = rate.take(key) === 0;
      if (fits) taken.push(() => rate.give(key));
      return fits;
    };
    const pair = `${network} ${username}`;
    const isFree = take(this.networks, network) && take(this.overall, '');
    // A slow attempt is counted per name only once the name is known to exist, so that random names do not evict counts
    // of real ones.
    if (isFree) take(this.pairs, pair);
    const withdrawn = (): void => {
      for (const give of taken.splice(0)) give();
    };
    return {
      manner: isFree ? 'free' : 'slow',
      isTrusted: () => this.isTrusted(username, network),
      refusal: refusalAfter(1000),
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
    const wait =
      failures < FAILURES_BEFORE_DELAY ? 0 : Math.min(1000 * 2 ** (failures - FAILURES_BEFORE_DELAY), LONGEST);
    this.delays.set(username, { failures, until: performance.now() + wait });
  }
}

const nothing = (): void => undefined;

function refusalAfter(milliseconds: number): RateLimitedError {
  return new RateLimitedError('Too many failed attempts', Math.ceil(milliseconds / 1000), PER_SOURCE);
}
