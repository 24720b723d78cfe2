import { randomBytes } from 'node:crypto';

import type { Transaction } from '../database/sql';
import { noteLegacyUser } from './legacy-users';
import { isPassword } from './password';
import type { Role } from './role';

/** A user to import: with a secret in clear text, or only with its hash. */
export interface ImportedUser {
  readonly ref?: string;
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
  readonly did: 'create' | 'update' | 'unchanged';
  readonly events: readonly ('user-created' | 'secret-changed' | 'role-changed')[];
}

/** Creates the user, or updates the role and secret of the user with that name. A changed secret invalidates the user's tokens. */
export async function upsertUser(transaction: Transaction, user: ImportedUser): Promise<ImportedUserChange> {
  const [row] = await transaction.rows('SELECT ref, role, secret_hash FROM users WHERE username = ?', [user.username]);
  if (!row) {
    const ref = user.ref ?? `us${randomBytes(4).toString('hex')}`;
    await transaction.run(
      `INSERT INTO users (ref, username, role, secret_hash, generation, created_on, modified_on)
       VALUES (?, ?, ?, ?, 1, ?, ?)`,
      [ref, user.username, user.role, await user.secretHash(), user.createdOn, user.modifiedOn],
    );
    if (user.secret !== undefined) await noteLegacyUser(transaction, user.username);
    return { ref, did: 'create', events: ['user-created'] };
  }
  const [ref, role, stored] = row.map(String) as [string, string, string];
  const same = user.secret === undefined ? (await user.secretHash()) === stored : await isPassword(user.secret, stored);
  const isSame = same && role === user.role;
  if (!isSame) {
    await transaction.run(
      `UPDATE users SET role = ?, secret_hash = ?, generation = generation + ?, modified_on = ? WHERE ref = ?`,
      [user.role, same ? stored : await user.secretHash(), same ? 0 : 1, Date.now(), ref],
    );
  }
  // Only files of Routr v1 contain secrets in clear text.
  if (user.secret !== undefined) await noteLegacyUser(transaction, user.username);
  return {
    ref,
    did: isSame ? 'unchanged' : 'update',
    events: [...(same ? [] : ['secret-changed' as const]), ...(role === user.role ? [] : ['role-changed' as const])],
  };
}
