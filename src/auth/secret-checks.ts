import { createHmac, randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';

import { LRUCache } from 'lru-cache';

import { RateLimitedError } from '../errors';
import { FairQueue, QueueFullError, type Place } from '../limits/fair-queue';
import { hashPassword, isPassword } from './password';

const MAX_SECRET = 1000;
const MAX_WAITING = 64;
const MAX_KNOWN = 10_000;

/** A name with a secret, as it is remembered: nobody can tell the secret from it without this process's key. */
export type Credentials = string & { readonly brand: 'credentials' };

/**
 * Checks secrets: argon2 is costly by design, so that as many run at once as there are cores, and few wait. What was right
 * is remembered, for scripts that sign in each time they run; it is forgotten when the secret changes, as its hash does.
 */
export class SecretChecks {
  private readonly queue = new FairQueue(availableParallelism(), MAX_WAITING);
  private readonly key = randomBytes(32);
  private readonly known = new LRUCache<string, string>({ max: MAX_KNOWN });
  private readonly running = new Map<string, Promise<boolean>>();
  private readonly unknownUser = hashPassword('the secret of nobody');

  credentials(username: string, secret: string): Credentials {
    const mac = createHmac('sha256', this.key)
      .update(JSON.stringify([username, secret]))
      .digest('base64');
    return mac as Credentials; // the only place that makes them
  }

  /** Whether these credentials were right before, and the hash is still the same. */
  wereRight(credentials: Credentials, hash: string): boolean {
    return this.known.get(credentials) === hash;
  }

  /** The result of a check of the same credentials that has begun. */
  begun(credentials: Credentials): Promise<boolean> | undefined {
    return this.running.get(credentials);
  }

  /** Whether the secret is the hash's; without a hash it takes as long to say no. Throws RateLimitedError. */
  async check(credentials: Credentials, secret: string, hash: string | undefined, place: Place): Promise<boolean> {
    if (secret.length > MAX_SECRET) return false;
    const stored = hash ?? (await this.unknownUser);
    if (this.wereRight(credentials, stored)) return true;
    const begun = this.begun(credentials);
    if (begun) return begun;
    const check = this.queue
      .run(place, () => isPassword(secret, stored))
      .catch((error: unknown) => {
        throw error instanceof QueueFullError ? new RateLimitedError('Too many are signing in at once', 1) : error;
      });
    this.running.set(credentials, check);
    try {
      const isRight = (await check) && hash !== undefined;
      if (isRight) this.known.set(credentials, hash);
      return isRight;
    } finally {
      this.running.delete(credentials);
    }
  }
}
