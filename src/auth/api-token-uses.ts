import { LRUCache } from 'lru-cache';

import type { Database } from '../database/database';
import { noteUse, type ApiTokenOwner } from './api-token-store';

const DAY = 86_400_000;
// Milliseconds after which a failed write is repeated, by the next request with the token.
const RETRY = 60_000;
const MAX_TOKENS = 10_000;

/** Stores the day on which an API token was last used: once a day for each token, and without delaying a request. */
export class ApiTokenUses {
  /** The time before which the use of a token needs no write. */
  private readonly notedUntil = new LRUCache<string, number>({ max: MAX_TOKENS });
  private readonly writing = new Set<Promise<void>>();

  constructor(private readonly database: Database) {}

  /** Notes that a token is used now. */
  note({ ref, lastUsedOn }: ApiTokenOwner, address: string): void {
    const now = Date.now();
    const today = now - (now % DAY);
    if ((lastUsedOn ?? 0) >= today || (this.notedUntil.get(ref) ?? 0) > now) return;
    this.notedUntil.set(ref, today + DAY);
    const write = this.database.maintenance
      .transaction((transaction) => noteUse(transaction, ref, today, address))
      // The request itself succeeds: an unreachable database is reported by what depends on it.
      .catch(() => void this.notedUntil.set(ref, now + RETRY))
      .finally(() => this.writing.delete(write));
    this.writing.add(write);
  }

  /** Resolves when no write is in progress. */
  async settle(): Promise<void> {
    await Promise.all(this.writing);
  }
}
