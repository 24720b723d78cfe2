import type { Details, State, StoredValue } from '../../changes/details';
import { DomainError, inEntry } from '../../errors';

/** A resource that a change of many changed, and how. */
export interface Sampled {
  readonly ref: string;
  readonly details: Details;
}

// What is kept of a long value: characters of a text, and entries of a list.
const MAX_TEXT = 256;
const MAX_LIST = 5;

/** A sample with short values, because it is stored with the key of its request. */
export function sampledOf(ref: string, { before, after }: Details): Sampled {
  return { ref, details: { ...(before && { before: shorten(before) }), ...(after && { after: shorten(after) }) } };
}

function shorten(state: State): State {
  return Object.fromEntries(Object.entries(state).map(([name, value]) => [name, shortOf(value)]));
}

function shortOf(value: StoredValue): StoredValue {
  if (typeof value === 'string') return value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value;
  if (!Array.isArray(value)) return value;
  const kept: readonly StoredValue[] = value.slice(0, MAX_LIST).map(shortOf);
  return value.length > MAX_LIST ? [...kept, `… ${String(value.length - MAX_LIST)} more`] : kept;
}

/** The maximum number of resources that an error names. */
export const MAX_NAMED = 10;

/**
 * Returns the result of `work` for each resource. Throws a DomainError with the refs of the first resources for which
 * `work` throws one.
 */
export function inEach<T extends { readonly ref: string }, R>(
  resources: readonly T[],
  work: (resource: T) => R,
): readonly R[] {
  const failures: DomainError[] = [];
  const results: R[] = [];
  for (const resource of resources) {
    try {
      results.push(inEntry(resource.ref, () => work(resource)));
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      if (failures.push(error) === MAX_NAMED) break;
    }
  }
  const [first] = failures;
  if (!first) return results;
  const message = failures.map((each) => each.message).join('; ');
  const issues = failures.flatMap((each) => each.issues);
  throw Object.assign(new DomainError(first.code, first.status, message, issues), { entry: first.entry });
}
