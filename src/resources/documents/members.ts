/** The members of a JSON object. */
export type Members = Record<string, unknown>;

/** Whether a value is a JSON object. */
export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Sets the value at the keys of a field, one or two, in GraphQL input. */
export function setAt(input: Members, [first = '', second]: readonly string[], value: unknown): void {
  if (second === undefined) input[first] = value;
  else input[first] = { ...(isMembers(input[first]) ? input[first] : {}), [second]: value };
}
