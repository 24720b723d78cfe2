import { quote } from '../errors';

/** Permissions: viewers read, operators also write resources, admins also manage users. */
export const ROLES = ['admin', 'operator', 'viewer'] as const;

export type Role = (typeof ROLES)[number];

/** An authenticated user. */
export interface Viewer {
  readonly ref: string;
  readonly username: string;
  readonly role: Role;
}

/** Whether `role` includes the permissions of `needed`. */
export function mayAct(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) <= ROLES.indexOf(needed);
}

/** Converts the role of a stored row. Throws if it is unknown. */
export function toRole(value: unknown): Role {
  const role = ROLES.find((each) => each === value);
  if (!role) throw new Error(`a stored user has the role ${quote(value)}; expected one of ${ROLES.join(', ')}`);
  return role;
}
