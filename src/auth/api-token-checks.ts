import { LRUCache } from 'lru-cache';

import type { Database } from '../database/database';
import type { Reads } from '../database/sql';
import { UnauthenticatedError } from '../errors';
import { boundedCache } from '../limits/bounded-cache';
import { hashOf, isRestricted, isWellFormed } from './api-token';
import { apiTokenByHash, noteUse, type ApiTokenOwner } from './api-token-store';
import type { AccountLeases } from './account-leases';
import { lowerRole, type Viewer } from './role';
import { documentsOf, type TrustedDocuments } from './trusted-documents';

const DAY = 86_400_000;
// Milliseconds after which a failed write is repeated, by the next request with the token.
const RETRY = 60_000;
const MAX_TOKENS = 10_000;

/** Stores the day on which an API token was last used: once a day for each token, and without delaying a request. */
export class ApiTokenUses {
  /** The time before which the use of a token needs no write. */
  private readonly notedUntil = boundedCache<string, number>(MAX_TOKENS);
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

/** Where a token is used, for a request. */
export interface TokenUse {
  readonly address: string;
  /**
   * Called before the database is read for a token that may be a guess, whose checksum anybody can compute. May throw.
   */
  readonly beforeGuess: () => void;
}

const MAX_CACHED = 10_000;
/** Maximum number of characters of all cached documents of tokens. */
const MAX_DOCUMENTS = 4_000_000;

/** Identifies users by their API tokens. */
export class ApiTokenChecks {
  /**
   * The owners of tokens that were valid in this process, by the hash of the token. A request with one of them is not a
   * guess.
   */
  private readonly ownerByHash = boundedCache<string, string>(MAX_CACHED);
  /** The documents of tokens that may send no others, by the hash of the token. They never change. */
  private readonly documents = new LRUCache<string, TrustedDocuments>({
    maxSize: MAX_DOCUMENTS,
    sizeCalculation: ({ size }) => Math.max(1, size),
  });

  constructor(
    private readonly uses: ApiTokenUses,
    private readonly owners: AccountLeases<ApiTokenOwner>,
  ) {}

  /** Returns the ref of the owner of a token that was valid in this process. */
  ownerOf(token: string): string | undefined {
    return this.ownerByHash.get(hashOf(token));
  }

  /**
   * Returns the owner of a token, with the token's role if that is lower. The token and its owner are read
   * in one statement, within the lease (account-leases.ts). Throws UnauthenticatedError.
   */
  async viewerOf(reads: Reads, token: string, use?: TokenUse): Promise<Viewer> {
    if (!isWellFormed(token)) throw new UnauthenticatedError('The API token is not complete');
    const hash = hashOf(token);
    if (!this.ownerByHash.has(hash)) use?.beforeGuess();
    const found = await this.owners.get(hash, () => apiTokenByHash(reads, hash));
    if (!found) {
      this.ownerByHash.delete(hash);
      throw new UnauthenticatedError('The token is no longer valid');
    }
    const { ref, slot, role, expiresOn, owner } = found;
    this.ownerByHash.set(hash, owner.ref);
    if (expiresOn !== null && expiresOn <= Date.now()) throw new UnauthenticatedError('The token has expired');
    if (use) this.uses.note(found, use.address);
    const lower = lowerRole(role, owner.role);
    const isLesser = lower !== owner.role;
    if (!isRestricted(token)) return { ...owner, role: lower, apiToken: { ref, slot, isLesser } };
    const documents = this.documents.get(hash) ?? (await documentsOf(reads, hash));
    this.documents.set(hash, documents);
    return { ...owner, role: lower, apiToken: { ref, slot, isLesser, documents } };
  }
}
