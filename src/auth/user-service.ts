import type { Actor } from '../changes/actor';
import type { ReadsAndWrites } from '../database/database';
import { failureOf } from '../database/errors';
import { toPage, type Page, type Range } from '../database/page';
import type { OwnTransaction } from '../database/sql';
import { ConflictError, NotFoundError, quote } from '../errors';
import { inTransaction, type WriteOptions } from '../resources/write/transactions';
import { isRef } from '../resources/write/input';
import { leasesEnded } from './account-leases';
import { hashPassword } from './password';
import type { Role } from './role';
import { assertSecret, assertUser, keepingAnAdmin } from './user-rules';
import {
  countUsers,
  deleteUser,
  insertUser,
  updateUser,
  userByName,
  userByRef,
  usersIn,
  type User,
  type UserChange,
} from './user-store';

/** Reads and writes user accounts. */
export class UserService {
  constructor(
    private readonly database: ReadsAndWrites,
    /** Who makes the changes, for the history. */
    private readonly actor: Actor,
  ) {}

  async page(range: Range): Promise<Page<User>> {
    return toPage(await usersIn(this.database, range), range);
  }

  /** Returns the user with this name. Throws NotFoundError. */
  async byName(username: string): Promise<User> {
    const user = await userByName(this.database, username);
    if (!user) throw new NotFoundError('User', username);
    return user;
  }

  count(): Promise<number> {
    return countUsers(this.database);
  }

  /** Creates a user. Throws InvalidInputError, and ConflictError if the name is taken. */
  async create(input: { username: string; secret: string; role: Role }, options: WriteOptions = {}): Promise<User> {
    assertUser(input);
    return this.add(input.username, input.secret, input.role, options);
  }

  /** Creates a user without validating the name and secret. Throws ConflictError if the name is taken. */
  async add(username: string, secret: string, role: Role, { dryRun = false }: WriteOptions = {}): Promise<User> {
    const secretHash = await hashFor(secret, dryRun);
    const now = Date.now();
    const work = async (transaction: OwnTransaction): Promise<User> => {
      const ref = await insertUser(transaction, this.actor, {
        username,
        role,
        secretHash,
        createdOn: now,
        modifiedOn: now,
      });
      return existing(transaction, ref);
    };
    try {
      return await inTransaction(this.database, work, { isKept: () => !dryRun });
    } catch (error) {
      if (failureOf(error).type !== 'duplicate') throw error;
      const message = `${quote(username)} is taken`;
      throw new ConflictError(`A user named ${quote(username)} already exists`, [
        { field: 'username', path: 'username', message },
      ]);
    }
  }

  /**
   * Changes the secret and invalidates the user's tokens. `field` is what the caller calls the secret. Throws
   * InvalidInputError and NotFoundError.
   */
  async setSecret(
    ref: string,
    secret: string,
    { field, dryRun = false }: WriteOptions & { readonly field?: string } = {},
  ): Promise<User> {
    const user = isRef(ref) ? await userByRef(this.database, ref) : undefined;
    if (!user) throw new NotFoundError('User', ref);
    assertSecret(user.username, secret, field);
    return this.change(ref, { secretHash: await hashFor(secret, dryRun) }, { dryRun });
  }

  /** Makes the user an admin with ADMIN_SECRET, to which the rules for secrets do not apply. Throws NotFoundError. */
  async restoreAdmin(ref: string, secret: string): Promise<User> {
    return this.change(ref, { role: 'admin', secretHash: await hashPassword(secret) });
  }

  /** Changes the role. Throws NotFoundError, and NotSupportedError for the last admin. */
  async setRole(ref: string, role: Role, options: WriteOptions = {}): Promise<User> {
    return this.change(ref, { role }, options);
  }

  /**
   * Deletes the user and invalidates the user's tokens. Throws NotFoundError, and NotSupportedError for the last admin.
   */
  async delete(ref: string, options: WriteOptions = {}): Promise<void> {
    const work = async (transaction: OwnTransaction): Promise<void> => {
      if (!(await deleteUser(transaction, this.actor, ref))) throw new NotFoundError('User', ref);
    };
    await this.changing(ref, work, options);
  }

  private change(ref: string, change: UserChange, options: WriteOptions = {}): Promise<User> {
    const work = async (transaction: OwnTransaction): Promise<User> => {
      if (!(await updateUser(transaction, this.actor, ref, change))) throw new NotFoundError('User', ref);
      return existing(transaction, ref);
    };
    return this.changing(ref, work, options);
  }

  private async changing<T>(
    ref: string,
    work: (transaction: OwnTransaction) => Promise<T>,
    { dryRun = false }: WriteOptions,
  ): Promise<T> {
    if (!isRef(ref)) throw new NotFoundError('User', ref);
    const kept = (transaction: OwnTransaction): Promise<T> => keepingAnAdmin(transaction, () => work(transaction));
    const result = await inTransaction(this.database, kept, { isKept: () => !dryRun });
    if (!dryRun) await leasesEnded();
    return result;
  }
}

/** The hash of a secret. A dry run does not store it, so it spends no time on it. */
async function hashFor(secret: string, dryRun: boolean): Promise<string> {
  return dryRun ? '' : hashPassword(secret);
}

async function existing(transaction: OwnTransaction, ref: string): Promise<User> {
  const user = await userByRef(transaction, ref);
  if (!user) throw new NotFoundError('User', ref);
  return user;
}
