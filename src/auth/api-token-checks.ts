import { LRUCache } from 'lru-cache';

import type { Reads } from '../database/sql';
import { UnauthenticatedError } from '../errors';
import { hashOf, isWellFormed } from './api-token';
import { apiTokenByHash } from './api-token-store';
import type { ApiTokenUses } from './api-token-uses';
import { lowerRole, type Viewer } from './role';

/** Where a token is used, for a request. */
export interface TokenUse {
  readonly address: string;
  /**
   * Called before the database is read for a token that may be a guess, whose checksum anybody can compute. May throw.
   */
  readonly beforeGuess: () => void;
}

const MAX_KNOWN = 10_000;

/** Identifies users by their API tokens. */
export class ApiTokenChecks {
  /**
   * The owners of tokens that were valid in this process, by the hash of the token. A request with one of them is not a
   * guess.
   */
  private readonly cached = new LRUCache<string, string>({ max: MAX_KNOWN });

  constructor(private readonly uses: ApiTokenUses) {}

  /** Returns the ref of the owner of a token that was valid in this process. */
  ownerOf(token: string): string | undefined {
    return this.cached.get(hashOf(token));
  }

  /**
   * Returns the owner of a token, with the token's role if that is lower. The token and its owner are read for each
   * request, in one statement, so that a deletion or a new role takes effect immediately. Throws UnauthenticatedError.
   */
  async viewerOf(reads: Reads, token: string, use?: TokenUse): Promise<Viewer> {
    if (!isWellFormed(token)) throw new UnauthenticatedError('The API token is not complete');
    const hash = hashOf(token);
    if (!this.cached.has(hash)) use?.beforeGuess();
    const found = await apiTokenByHash(reads, hash);
    if (!found) {
      this.cached.delete(hash);
      throw new UnauthenticatedError('The token is no longer valid');
    }
    const { ref, slot, role, expiresOn, owner } = found;
    this.cached.set(hash, owner.ref);
    if (expiresOn !== null && expiresOn <= Date.now()) throw new UnauthenticatedError('The token has expired');
    if (use) this.uses.note(found, use.address);
    const lower = lowerRole(role, owner.role);
    return { ...owner, role: lower, apiToken: { ref, slot, isLesser: lower !== owner.role } };
  }
}
