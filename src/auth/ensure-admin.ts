import { randomBytes } from 'node:crypto';

import type { Database } from '../database/database';
import { isPassword } from './password';
import type { UserService } from './user-service';

/** What a start found or did about the user `admin`. */
export type AdminSetup =
  /** An admin was made, with ADMIN_SECRET, or with the secret that nobody knows yet. */
  | { readonly type: 'made'; readonly username: string; readonly secret?: string }
  /** The user `admin` became an admin, with ADMIN_SECRET. */
  | { readonly type: 'restored'; readonly username: string }
  /** ADMIN_SECRET is not the secret of the admin that there is, and changed nothing. */
  | { readonly type: 'unused-secret' }
  /** Nobody is an admin, and `admin` is the name of somebody else. */
  | { readonly type: 'no-admin' };

const NAME = 'admin';

/** A random secret to sign in with. */
export function newSecret(): string {
  return randomBytes(15).toString('base64url');
}

/** Makes an admin where there is none, with ADMIN_SECRET or, unless it would replace a user's own, a generated secret. */
export async function ensureAdmin(
  database: Database,
  users: UserService,
  adminSecret: string | undefined,
): Promise<AdminSetup | undefined> {
  const rows = await database.rows(
    "SELECT ref, username, role, secret_hash FROM users WHERE username = ? OR role = 'admin'",
    [NAME],
  );
  const [ref, , , hash] = (rows.find(([, username]) => username === NAME) ?? []).map(String);
  if (rows.some(([, , role]) => role === 'admin')) {
    if (adminSecret === undefined || hash === undefined) return undefined;
    return (await isPassword(adminSecret, hash).catch(() => false)) ? undefined : { type: 'unused-secret' };
  }
  if (ref === undefined) {
    const secret = adminSecret ?? newSecret();
    await users.add(NAME, secret, 'admin');
    return { type: 'made', username: NAME, ...(adminSecret === undefined && { secret }) };
  }
  if (adminSecret === undefined) return { type: 'no-admin' };
  await users.restoreAdmin(ref, adminSecret);
  return { type: 'restored', username: NAME };
}
