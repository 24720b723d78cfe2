/** A field that changed, as the graph tells it. */
export interface FieldChange {
  readonly field: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly isSecret: boolean;
}

/** A change of a resource, or what a revert would do to it. */
export interface Change {
  readonly entry: string;
  readonly event: string;
  readonly kind: string;
  readonly ref: string;
  readonly changes: readonly FieldChange[];
}

/** An entry of the history, as the graph tells it. */
export interface Entry extends Change {
  /** What the resource was called then, if it no longer exists, also if another one has its reference since. */
  readonly former: { readonly name: string | null } | null;
  readonly at: string;
  readonly way: string | null;
  readonly address: string | null;
  readonly request: string | null;
  readonly reverts: string | null;
  readonly count: number | null;
  readonly who: { readonly username: string } | null;
}

/** The fields of Change in a document. */
export const CHANGE = 'entry event kind ref changes { field before after isSecret }';

/** The fields of a page of entries in a document. */
export const PAGE = `nodes { ${CHANGE} former { name } at way address request reverts count who { username } }
  pageInfo { hasNextPage endCursor }`;

/** What a resource was called in a change, for those that no longer exist. */
export function nameIn(changes: readonly FieldChange[], label: string): string | null {
  const found = changes.find(({ field }) => field === label);
  return found?.after ?? found?.before ?? null;
}

/** What the resources of these changes were called, by kind and reference: those that no longer exist have no other name. */
export function namesIn(
  kinds: readonly { readonly name: string; readonly label: string }[],
  changes: readonly Change[],
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { kind: name, ref, changes: fields } of changes) {
    const kind = kinds.find((each) => each.name === name);
    const called = kind && nameIn(fields, kind.label);
    if (called !== undefined && called !== null) names.set(`${name} ${ref}`, called);
  }
  return names;
}

/** A value as people read it: the graph tells lists as JSON. */
export function readable(value: string): string {
  if (!value.startsWith('["')) return value;
  try {
    const list: unknown = JSON.parse(value);
    return Array.isArray(list) ? list.join(', ') : value;
  } catch {
    return value;
  }
}

const REVERTIBLE = ['CREATED', 'UPDATED', 'DELETED'];

/** Whether an entry is about a resource, so that it can be reverted. */
export function isRevertible(
  { event, kind }: Pick<Change, 'event' | 'kind'>,
  kinds: readonly { readonly name: string }[],
): boolean {
  return REVERTIBLE.includes(event) && kinds.some(({ name }) => name === kind);
}
