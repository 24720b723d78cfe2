import { hashPassword, isHash } from '../../auth/password';
import { ROLES, type Role } from '../../auth/role';
import { upsertUser, type ImportedUserChange } from '../../auth/user-import';
import { weaknessOf } from '../../auth/user-rules';
import type { Actor } from '../../changes/actor';
import type { OwnTransaction } from '../../database/sql';
import { InvalidInputError, quote } from '../../errors';
import { timesOf, type Entry } from '../../resources/bulk/entries';
import type { LegacyRefs } from '../../resources/documents/legacy-ref';
import { isMembers } from '../../resources/documents/members';

/** A user in an import. `events` is empty if the import did not change the user. */
export interface UserChange extends Pick<ImportedUserChange, 'events'> {
  readonly username: string;
  readonly role: Role;
}

interface ImportedUser extends Pick<ImportedUserChange, 'ref' | 'result'> {
  readonly user: UserChange;
  readonly warning?: string;
}

/**
 * Creates or updates a user. The role defaults to operator, because users of Routr v1 could change everything except
 * users. The role of the user `admin` defaults to admin.
 */
export async function importUser(
  transaction: OwnTransaction,
  actor: Actor,
  value: Entry['value'],
  legacyRefs: LegacyRefs,
): Promise<ImportedUser> {
  const member = (path: readonly string[]): string | undefined => {
    const found = path.reduce<unknown>((at, key) => (isMembers(at) ? at[key] : undefined), value);
    if (found === undefined || found === null || typeof found === 'string') return found ?? undefined;
    // YAML reads 0042 as 42, and rounds long numbers: the user could not sign in.
    throw wrong(path.join('.'), 'is not a string: write it in quotes');
  };
  const [username, secret] = [member(['spec', 'credentials', 'username']), member(['spec', 'credentials', 'secret'])];
  if (username === undefined) throw wrong('spec.credentials.username', 'is required');
  const hash = member(['spec', 'credentials', 'secretHash']);
  if (secret === undefined && hash === undefined) throw wrong('spec.credentials.secret', 'is required');
  if (hash !== undefined && !isHash(hash)) throw wrong('spec.credentials.secretHash', 'is not a hash of argon2');
  const ref = member(['metadata', 'ref']);
  const weakness = secret === undefined ? undefined : weaknessOf(username, secret);
  // `admin` is the default administrator of Routr v1.
  const role = roleIn(member(['spec', 'role']) ?? (username === 'admin' ? 'admin' : 'operator'));
  const { events, ...done } = await upsertUser(transaction, actor, {
    ...(ref !== undefined && { ref }),
    derivedRef: legacyRefs.ofUser(username),
    username,
    role,
    secret,
    secretHash: () => (hash === undefined ? hashPassword(secret ?? '') : Promise.resolve(hash)),
    ...timesOf(value),
  });
  const warning = weakness && { warning: `the secret of user ${quote(username)} ${weakness}: change it` };
  return { ...done, user: { username, role, events }, ...warning };
}

function roleIn(text: string): Role {
  const role = ROLES.find((each) => each === text.toLowerCase());
  if (role) return role;
  throw new InvalidInputError([
    { field: 'role', path: 'spec.role', message: `${quote(text)} is not one of ${ROLES.join(', ')}` },
  ]);
}

function wrong(path: string, message: string): InvalidInputError {
  return new InvalidInputError([{ field: path, path, message }]);
}
