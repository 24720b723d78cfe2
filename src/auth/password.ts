import { createHmac, randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';

import { hash, verify } from '@node-rs/argon2';

import { RateLimitedError } from '../errors';
import { boundedCache } from '../limits/bounded-cache';
import { FairQueue, QueueFullError, type Place } from '../limits/fair-queue';

// OWASP's second recommended set for argon2id: 19 MiB, two passes, one lane.
const OPTIONS = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };

/** Hashes a password with argon2id (RFC 9106); the result contains the parameters and the salt. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, OPTIONS);
}

const HASH = /^\$argon2(?:id?|d)\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$[\w+/]{11,86}\$[\w+/]{16,86}$/;
/** The most KiB of memory, passes and lanes of a hash: each sign-in takes them. */
const MOST = [256 * 1024, 16, 16];

/** Whether the text is a hash of argon2, in the format of its reference implementation, that a sign-in can afford. */
export function isHash(text: string): boolean {
  const [, ...parameters] = HASH.exec(text) ?? [];
  return parameters.length > 0 && parameters.every((parameter, n) => Number(parameter) <= (MOST[n] ?? 0));
}

/** Whether the password matches the hash. No password matches a text that is not a hash. */
export async function isPassword(password: string, hashed: string): Promise<boolean> {
  return isHash(hashed) && (await verify(hashed, password));
}

const MAX_SECRET = 1000;
const MAX_WAITING = 64;
const MAX_CACHED = 10_000;

/** The HMAC of a name and a secret, with a key of this process. It does not reveal the secret. */
type Credentials = string & { readonly brand: 'credentials' };

/**
 * Verifies secrets. Argon2 is expensive by design: at most one check per core runs at a time, and a short queue holds
 * the others. Correct credentials are cached until the stored hash changes, for scripts that sign in on every run.
 */
export class SecretChecks {
  private readonly queue = new FairQueue(availableParallelism(), MAX_WAITING);
  private readonly key = randomBytes(32);
  private readonly correct = boundedCache<string, string>(MAX_CACHED);
  private readonly running = new Map<string, Promise<boolean>>();
  private readonly unknownUser = hashPassword('no user has this secret');

  credentials(username: string, secret: string): Credentials {
    const mac = createHmac('sha256', this.key)
      .update(JSON.stringify([username, secret]))
      .digest('base64');
    return mac as Credentials; // credentials are created only here
  }

  /** Whether these credentials have already been correct for this hash. */
  wereRight(credentials: Credentials, hash: string): boolean {
    return this.correct.get(credentials) === hash;
  }

  /** Returns the result of a check that is in progress for the same credentials and the same hash, if there is one. */
  runningCheck(credentials: Credentials, hash: string): Promise<boolean> | undefined {
    return this.running.get(runKey(credentials, hash));
  }

  /**
   * Whether the secret matches the hash. Without a hash, returns false after the same time. Throws RateLimitedError if
   * the queue is full.
   */
  async check(credentials: Credentials, secret: string, hash: string | undefined, place: Place): Promise<boolean> {
    if (secret.length > MAX_SECRET) return false;
    const stored = hash ?? (await this.unknownUser);
    if (this.wereRight(credentials, stored)) return true;
    const begun = this.runningCheck(credentials, stored);
    if (begun) return begun;
    const check = this.queue
      .run(place, async () => (await isPassword(secret, stored)) && hash !== undefined)
      .catch((error: unknown) => {
        throw error instanceof QueueFullError ? new RateLimitedError('Too many concurrent sign-ins', 1) : error;
      });
    this.running.set(runKey(credentials, stored), check);
    try {
      const isRight = await check;
      if (isRight) this.correct.set(credentials, stored);
      return isRight;
    } finally {
      this.running.delete(runKey(credentials, stored));
    }
  }
}

/**
 * Identifies a check that is in progress. The hash is included because the user may be created, or get another secret,
 * during a check.
 */
function runKey(credentials: Credentials, hash: string): string {
  return `${credentials} ${hash}`;
}
