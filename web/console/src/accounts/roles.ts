import { useSession } from '../graph/session';
import { texts } from '../texts';

const ROLES = ['ADMIN', 'OPERATOR', 'VIEWER'];

/** A role as a text. */
export function roleText(role: string): string {
  return texts.accounts.roles[role] ?? role;
}

/** The roles for a Choice. */
export const roleOptions = ROLES.map((role) => [role, roleText(role)] as const);

/** The roles that the user may give to an API token: at most the own one. */
export function useOwnRoles(): typeof roleOptions {
  const own = useSession()?.role ?? 'VIEWER';
  return roleOptions.filter(([role]) => ROLES.indexOf(role) >= ROLES.indexOf(own));
}
