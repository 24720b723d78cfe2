import type { Actor } from '../changes/actor';
import type { OwnTransaction } from '../database/sql';
import { isPassword } from './password';
import type { Role } from './role';
import { insertUser, noteLegacyUser, updateUser, userByName, userByRef } from './user-store';

/** A user to import: with a secret in clear text, or only with its hash. */
export interface ImportedUser {
  readonly ref?: string;
  /** The ref of a new user if `ref` is undefined and no other user has the derived ref. */
  readonly derivedRef: string;
  readonly username: string;
  readonly role: Role;
  readonly secret: string | undefined;
  readonly secretHash: () => Promise<string>;
  /** Milliseconds since the epoch. */
  readonly createdOn: number;
  /** Milliseconds since the epoch. */
  readonly modifiedOn: number;
}

/** What an import changed about a user, and the security events to log. */
export interface ImportedUserChange {
  readonly ref: string;
  readonly result: 'create' | 'update' | 'unchanged';
  readonly events: readonly ('user-created' | 'secret-changed' | 'role-changed')[];
}

/**
 * Creates the user, or updates the role and secret of the user with that name. A changed secret invalidates the user's
 * tokens.
 */
export async function upsertUser(
  transaction: OwnTransaction,
  actor: Actor,
  user: ImportedUser,
): Promise<ImportedUserChange> {
  const found = await userByName(transaction, user.username);
  if (!found) {
    const isTaken = (await userByRef(transaction, user.derivedRef)) !== undefined;
    const ref = await insertUser(transaction, actor, {
      ...user,
      ref: user.ref ?? (isTaken ? undefined : user.derivedRef),
      secretHash: await user.secretHash(),
    });
    if (user.secret !== undefined) await noteLegacyUser(transaction, user.username);
    return { ref, result: 'create', events: ['user-created'] };
  }
  const { ref, role, secretHash: stored } = found;
  const same = user.secret === undefined ? (await user.secretHash()) === stored : await isPassword(user.secret, stored);
  const isSame = same && role === user.role;
  if (!isSame) {
    await updateUser(transaction, actor, ref, {
      ...(role !== user.role && { role: user.role }),
      ...(!same && { secretHash: await user.secretHash() }),
    });
  }
  // Only files of Routr v1 contain secrets in clear text.
  if (user.secret !== undefined) await noteLegacyUser(transaction, user.username);
  return {
    ref,
    result: isSame ? 'unchanged' : 'update',
    events: [...(same ? [] : ['secret-changed' as const]), ...(role === user.role ? [] : ['role-changed' as const])],
  };
}
