import type { Resource } from '../model/kind';

/** Members of a document that the model does not know, nested as in the document. */
export type Extra = Readonly<Record<string, unknown>>;

/** The stored members as JSON text, of a resource that was read with them. */
export function extraOf(stored: Resource): string | null | undefined {
  return (stored as { readonly extra?: string | null }).extra; // the selection had it
}

/** The stored members with changes: objects are merged, all else is replaced. */
export function mergedExtra(stored: Resource, changes: Extra): Extra {
  const extra = extraOf(stored);
  return extra ? deepMerged(JSON.parse(extra) as Extra, changes) : changes;
}

function deepMerged(stored: Extra, changes: Extra): Extra {
  const merges = Object.entries(changes).map(([key, value]): [string, unknown] => {
    const before = Object.hasOwn(stored, key) ? stored[key] : undefined;
    return [key, isObject(before) && isObject(value) ? deepMerged(before, value) : value];
  });
  return { ...stored, ...Object.fromEntries(merges) };
}

function isObject(value: unknown): value is Extra {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
