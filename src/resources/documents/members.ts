/** The members of a JSON object. */
export type Members = Record<string, unknown>;

/** Whether a value is a JSON object. */
export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object without its members that are null. */
export function withoutNulls<T extends object>(object: T): { readonly [Name in keyof T]: Exclude<T[Name], null> } {
  const given = Object.entries(object).filter(([, value]) => value !== null);
  return Object.fromEntries(given) as { readonly [Name in keyof T]: Exclude<T[Name], null> }; // only members are left out
}

/** The value at the keys of a field, one or two, in GraphQL input. */
export function memberAt(input: Readonly<Members>, [first = '', second]: readonly string[]): unknown {
  const value = input[first];
  if (second === undefined) return value;
  return isMembers(value) ? value[second] : undefined;
}

/** Sets the value at the keys of a field, one or two, in GraphQL input. */
export function setAt(input: Members, [first = '', second]: readonly string[], value: unknown): void {
  if (second === undefined) input[first] = value;
  else input[first] = { ...(isMembers(input[first]) ? input[first] : {}), [second]: value };
}
