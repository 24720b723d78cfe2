import { createHmac, randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';

import { LRUCache } from 'lru-cache';

import { RateLimitedError } from '../errors';
import { FairQueue, QueueFullError, type Place } from '../limits/fair-queue';
import { hashPassword, isPassword } from './password';

const MAX_SECRET = 1000;
const MAX_WAITING = 64;
const MAX_KNOWN = 10_000;

/** The HMAC of a name and secret under this process's key; it does not reveal the secret. */
export type Credentials = string & { readonly brand: 'credentials' };

/**
 * Verifies secrets. Argon2 is expensive by design: at most one check per core runs at a time, and few wait. Credentials that
 * were correct are cached, for scripts that sign in on every run, and are checked again once the stored hash changes.
 */
export class SecretChecks {
  private readonly queue = new FairQueue(availableParallelism(), MAX_WAITING);
  private readonly key = randomBytes(32);
  private readonly known = new LRUCache<string, string>({ max: MAX_KNOWN });
  private readonly running = new Map<string, Promise<boolean>>();
  private readonly unknownUser = hashPassword('no user has this secret');

  credentials(username: string, secret: string): Credentials {
    const mac = createHmac('sha256', this.key)
      .update(JSON.stringify([username, secret]))
      .digest('base64');
    return mac as Credentials; // credentials are created only here
  }

  /** Whether these credentials were correct before, for the same hash. */
  wereRight(credentials: Credentials, hash: string): boolean {
    return this.known.get(credentials) === hash;
  }

  /** The running check of the same credentials, if there is one. */
  begun(credentials: Credentials): Promise<boolean> | undefined {
    return this.running.get(credentials);
  }

  /**
   * Whether the secret matches the hash. Without a hash it returns false after the same time. Throws RateLimitedError where
   * too many checks wait.
   */
  async check(credentials: Credentials, secret: string, hash: string | undefined, place: Place): Promise<boolean> {
    if (secret.length > MAX_SECRET) return false;
    const stored = hash ?? (await this.unknownUser);
    if (this.wereRight(credentials, stored)) return true;
    const begun = this.begun(credentials);
    if (begun) return begun;
    const check = this.queue
      .run(place, () => isPassword(secret, stored))
      .catch((error: unknown) => {
        throw error instanceof QueueFullError ? new RateLimitedError('Too many concurrent sign-ins', 1) : error;
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
