import { setTimeout as pause } from 'node:timers/promises';

import { boundedCache } from '../limits/bounded-cache';

/** How long an account that was read may be used without reading it again, in milliseconds. */
export const LEASE = 100;
const MAX_LEASES = 10_000;

/**
 * Accounts that were read a moment ago, so that the requests of a busy client do not read one each. Revocation stays
 * exact in all processes, because a change that revokes something waits for `leasesEnded` before it responds.
 */
export class AccountLeases<T extends object> {
  private readonly leases = boundedCache<string, { readonly value: T; readonly until: number }>(MAX_LEASES);

  constructor(private readonly lease: number) {}

  /** Returns the value of a key, and reads it if the last read began too long ago. What does not exist is not kept. */
  async get(key: string, read: () => Promise<T | undefined>): Promise<T | undefined> {
    // The time before the read, because what is committed during it may be missing from its result.
    const startedAt = performance.now();
    const lease = this.leases.get(key);
    if (lease && startedAt < lease.until) return lease.value;
    const value = await read();
    if (value) this.leases.set(key, { value, until: startedAt + this.lease });
    else this.leases.delete(key);
    return value;
  }
}

/** Resolves when no process uses an account as it was before this call. */
export async function leasesEnded(): Promise<void> {
  await pause(LEASE + 1);
}
