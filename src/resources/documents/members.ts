/** The members of a JSON object. */
export type Members = Record<string, unknown>;

/** Whether a value is a JSON object. */
export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
