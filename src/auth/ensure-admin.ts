import { randomBytes } from 'node:crypto';

import type { Database } from '../database/database';
import { isPassword } from './password';
import type { UserService } from './user-service';
import { countAdmins, userByName } from './user-store';

/** What startup did with the user `admin`. */
export type AdminSetup =
  /** Created an admin. `secret` is present if it was generated. */
  | { readonly type: 'made'; readonly username: string; readonly secret?: string }
  /** Gave the existing user `admin` the role admin and ADMIN_SECRET. */
  | { readonly type: 'restored'; readonly username: string }
  /** Changed nothing: an admin exists, and ADMIN_SECRET differs from the secret of the user `admin`. */
  | { readonly type: 'unused-secret' }
  /** Changed nothing: no admin exists, and the user `admin` has another role. */
  | { readonly type: 'no-admin' };

const NAME = 'admin';

/** Generates a secret of 120 random bits. */
export function newSecret(): string {
  return randomBytes(15).toString('base64url');
}

/**
 * Creates the user `admin` if no admin exists, with ADMIN_SECRET or a generated secret. An existing user `admin`
 * becomes an admin only with ADMIN_SECRET: a generated secret would lock the user out.
 */
export async function ensureAdmin(
  database: Database,
  users: UserService,
  adminSecret: string | undefined,
): Promise<AdminSetup | undefined> {
  const named = await userByName(database, NAME);
  if ((await countAdmins(database)) > 0) {
    if (adminSecret === undefined || !named) return undefined;
    return (await isPassword(adminSecret, named.secretHash)) ? undefined : { type: 'unused-secret' };
  }
  if (!named) {
    const secret = adminSecret ?? newSecret();
    await users.add(NAME, secret, 'admin');
    return { type: 'made', username: NAME, ...(adminSecret === undefined && { secret }) };
  }
  if (adminSecret === undefined) return { type: 'no-admin' };
  await users.restoreAdmin(named.ref, adminSecret);
  return { type: 'restored', username: NAME };
}
