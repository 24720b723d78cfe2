/** A resource in react-admin: its `id` is the reference. */
export interface ResourceRecord {
  readonly id: string;
  readonly ref: string;
  readonly [field: string]: unknown;
}

/** Returns a scalar of the graph as a text; an empty one for null. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
