/** What a user may do: viewers read, operators also write resources, admins also keep users. */
export const ROLES = ['admin', 'operator', 'viewer'] as const;

export type Role = (typeof ROLES)[number];

/** Who is asking. */
export interface Viewer {
  readonly ref: string;
  readonly username: string;
  readonly role: Role;
}

/** Whether `role` includes what `needed` may do. */
export function mayAct(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) <= ROLES.indexOf(needed);
}

/** The role in a stored row. */
export function toRole(value: unknown): Role {
  const role = ROLES.find((each) => each === value);
  if (!role) throw new Error('a user has an unknown role');
  return role;
}
