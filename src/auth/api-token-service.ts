import type { Actor } from '../changes/actor';
import type { ReadsAndWrites } from '../database/database';
import type { OwnTransaction } from '../database/sql';
import { ForbiddenError, InvalidInputError, NotFoundError, LimitReachedError } from '../errors';
import { text } from '../model/format/format';
import { hashOf, newApiToken, noteToken } from './api-token';
import {
  allApiTokens,
  apiTokenByRef,
  apiTokensOf,
  deleteApiToken,
  insertApiToken,
  lockOwner,
  slotsOf,
  type ApiToken,
} from './api-token-store';
import { inTransaction, type WriteOptions } from '../resources/write/transactions';
import { leasesEnded } from './account-leases';
import { mayAct, type Role, type Viewer } from './role';
import {
  assertDocuments,
  insertDocuments,
  listedDocuments,
  listedOf,
  type ListedDocument,
  type TrustedDocument,
} from './trusted-documents';
import { assertValid } from './user-rules';
import { userByRef } from './user-store';

/** The maximum number of API tokens of a user. Each of them has a budget. */
const MAX_API_TOKENS = 50;

const NAME = text(100);
const NOTE = text(500, { min: 0 });

/** The input for a new API token. */
interface ApiTokenInput {
  readonly name: string;
  readonly role: Role;
  /** Milliseconds since the epoch; null if the token does not expire. */
  readonly expiresOn?: number | null;
  readonly note?: string | null;
  /** The only GraphQL documents that the token may send. Without them, it may send any. */
  readonly documents?: readonly TrustedDocument[] | undefined;
}

/** A new API token. `token` is not stored, so it cannot be shown again. It is empty after a dry run. */
export interface IssuedApiToken {
  readonly token: string;
  /** After a dry run, also the documents that it would have, because they are not stored. */
  readonly apiToken: ApiToken & { readonly listed?: readonly ListedDocument[] | null };
}

/** Creates, lists and deletes API tokens. */
export class ApiTokenService {
  constructor(
    private readonly database: ReadsAndWrites,
    /** Who makes the changes, for the history. */
    private readonly actor: Actor,
  ) {}

  /** The tokens of a user, oldest first. Throws ForbiddenError for another user's unless the viewer is an admin. */
  async list(viewer: Viewer, userRef: string = viewer.ref): Promise<readonly ApiToken[]> {
    assertOwnOrAdmin(viewer, userRef);
    const tokens = await apiTokensOf(this.database, userRef);
    if (tokens.length === 0 && userRef !== viewer.ref && !(await userByRef(this.database, userRef)))
      throw new NotFoundError('User', userRef, 'userRef');
    return tokens;
  }

  /** The documents that tokens may send, by the ref of the token. Tokens that may send any have none. */
  documents(refs: readonly string[]): Promise<ReadonlyMap<string, readonly ListedDocument[]>> {
    return listedDocuments(this.database, refs);
  }

  /** The tokens of all users, at most `limit`. */
  all(limit: number): Promise<readonly ApiToken[]> {
    return allApiTokens(this.database, limit);
  }

  /**
   * Creates a token for the viewer, or for the given user, which only admins may. Throws InvalidInputError,
   * NotFoundError, ForbiddenError, and LimitReachedError if the user has too many tokens.
   */
  async create(
    viewer: Viewer,
    input: ApiTokenInput,
    userRef: string = viewer.ref,
    options: WriteOptions = {},
  ): Promise<IssuedApiToken> {
    assertOwnOrAdmin(viewer, userRef);
    if (!mayAct(viewer.role, input.role))
      throw new ForbiddenError(`A token cannot have the role ${input.role}; your role is ${viewer.role}`);
    return this.createFor(userRef, input, options);
  }

  /** Like `create`, without a viewer. */
  async createFor(
    userRef: string,
    { name, role, expiresOn = null, note = null, documents }: ApiTokenInput,
    { dryRun = false }: WriteOptions = {},
  ): Promise<IssuedApiToken> {
    const now = Date.now();
    assertValid({ name: [NAME, name], ...(note !== null && { note: [NOTE, note] }) });
    if (expiresOn !== null && expiresOn <= now) throw InvalidInputError.of('expiresOn', 'is not in the future');
    if (documents) assertDocuments(documents.map(({ text }) => text));
    const token = newApiToken(documents !== undefined);
    const work = async (transaction: OwnTransaction): Promise<ApiToken> => {
      // First in the transaction: the first read determines what later reads see.
      await lockOwner(transaction, userRef);
      const owner = await userByRef(transaction, userRef);
      if (!owner) throw new NotFoundError('User', userRef, 'userRef');
      if (!mayAct(owner.role, role))
        throw InvalidInputError.of('role', `${role} is more than the role of ${owner.username}, ${owner.role}`);
      await this.deleteExpired(transaction, userRef, now);
      const slot = firstFree(await slotsOf(transaction, userRef));
      if (slot >= MAX_API_TOKENS)
        throw new LimitReachedError(`A user can have at most ${String(MAX_API_TOKENS)} API tokens: delete one first`);
      const hash = hashOf(token);
      const ref = await insertApiToken(transaction, {
        userRef,
        slot,
        hash,
        name,
        note,
        role,
        createdOn: now,
        expiresOn,
      });
      if (documents) await insertDocuments(transaction, ref, documents);
      const made = existing(await apiTokenByRef(transaction, ref), ref);
      noteToken(transaction, this.actor, 'CREATED', made);
      return made;
    };
    const apiToken = await inTransaction(this.database, work, { isKept: () => !dryRun });
    if (!dryRun) return { token, apiToken };
    return { token: '', apiToken: { ...apiToken, listed: documents?.map(listedOf) ?? null } };
  }

  /**
   * Deletes a token, which ends with the next request, and returns it. Throws NotFoundError, also for a token of
   * another user unless the viewer is an admin.
   */
  async delete(viewer: Viewer | undefined, ref: string, { dryRun = false }: WriteOptions = {}): Promise<ApiToken> {
    const work = async (transaction: OwnTransaction): Promise<ApiToken> => {
      const found = existing(await apiTokenByRef(transaction, ref), ref);
      const isOwn = found.username === viewer?.username;
      if (viewer && !isOwn && viewer.role !== 'admin') throw new NotFoundError('API token', ref);
      if (!(await deleteApiToken(transaction, ref))) throw new NotFoundError('API token', ref);
      noteToken(transaction, this.actor, 'DELETED', found);
      return found;
    };
    const deleted = await inTransaction(this.database, work, { isKept: () => !dryRun });
    if (!dryRun) await leasesEnded();
    return deleted;
  }

  private async deleteExpired(transaction: OwnTransaction, userRef: string, now: number): Promise<void> {
    for (const token of await apiTokensOf(transaction, userRef))
      if (token.expiresOn !== null && token.expiresOn <= now && (await deleteApiToken(transaction, token.ref)))
        noteToken(transaction, this.actor, 'DELETED', token);
  }
}

function assertOwnOrAdmin(viewer: Viewer, userRef: string): void {
  if (userRef !== viewer.ref && viewer.role !== 'admin')
    throw new ForbiddenError(`The tokens of other users require the role admin; your role is ${viewer.role}`);
}

function existing(token: ApiToken | undefined, ref: string): ApiToken {
  if (!token) throw new NotFoundError('API token', ref);
  return token;
}

function firstFree(taken: readonly number[]): number {
  const free = taken.findIndex((slot, index) => slot !== index);
  return free === -1 ? taken.length : free;
}
