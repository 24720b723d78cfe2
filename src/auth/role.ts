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

/** Converts the role of a stored row. */
export function toRole(value: unknown): Role {
  const role = ROLES.find((each) => each === value);
  if (!role) throw new Error('a user has an unknown role');
  return role;
}
