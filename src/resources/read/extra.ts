import { InvalidInputError } from '../../errors';
import type { Resource } from '../../model/kind';
import { isMembers } from '../documents/members';

// Maximum number of unknown members in a document, at any depth, and of characters of their JSON text. Entries of lists
// do not count: a list has a limit of its own.
const MAX_MEMBERS = 1000;
const MAX_TEXT = 256 * 1024;

/** Half of a surrogate pair, which MySQL and MariaDB do not read, and U+0000, at which a text ends for SQLite. */
const NO_TEXT = /\p{Cs}|\0/u;

/** Members of a document that the model does not define, nested as in the document. */
export type Extra = Readonly<Record<string, unknown>>;

/** Returns the stored members as JSON text. The resource must have been read with `extra`. */
export function extraOf(stored: Resource): string | null | undefined {
  return (stored as { readonly extra?: string | null }).extra; // the selection included it
}

/**
 * Converts members to the JSON text to store. Throws InvalidInputError if there are too many, if they are too large, if
 * a number is, or if a text cannot be stored on every database.
 */
export function storedText(extra: Extra): string {
  check(extra, [], { members: MAX_MEMBERS });
  const text = JSON.stringify(extra);
  if (text.length <= MAX_TEXT) return text;
  throw InvalidInputError.of('body', `has unknown members of more than ${String(MAX_TEXT)} characters`);
}

function check(value: unknown, path: readonly string[], left: { members: number }): void {
  const fail = (message: string): never => {
    throw InvalidInputError.of(path.join('.') || 'body', message);
  };
  // JSON would have null in its place.
  if (typeof value === 'number' && !Number.isFinite(value)) fail('is larger than any number that can be stored');
  if (typeof value === 'string' && NO_TEXT.test(value)) fail('has U+0000 or half of a surrogate pair');
  if (typeof value !== 'object' || value === null) return;
  for (const [key, each] of Object.entries(value)) {
    if (NO_TEXT.test(key)) fail('has a name with U+0000 or half of a surrogate pair');
    if (!Array.isArray(value) && --left.members < 0)
      fail(`has too many unknown members: a document may have ${String(MAX_MEMBERS)}`);
    check(each, [...path, key], left);
  }
}

/** Applies changes to stored members: objects are merged, other values are replaced. */
export function mergedExtra(stored: Resource, changes: Extra): Extra {
  const extra = extraOf(stored);
  return extra ? deepMerge(JSON.parse(extra) as Extra, changes) : changes;
}

function deepMerge(stored: Extra, changes: Extra): Extra {
  const merges = Object.entries(changes).map(([key, value]): [string, unknown] => {
    const before = Object.hasOwn(stored, key) ? stored[key] : undefined;
    return [key, isMembers(before) && isMembers(value) ? deepMerge(before, value) : value];
  });
  return { ...stored, ...Object.fromEntries(merges) };
}

/** Whether there is a member at a path. */
export function hasMember(extra: Extra, [key = '', ...below]: readonly string[]): boolean {
  if (!Object.hasOwn(extra, key)) return false;
  const value = extra[key];
  return below.length === 0 || (isMembers(value) && hasMember(value, below));
}

/** Removes the member at a path, and each object that is empty then. */
export function withoutMember(extra: Extra, path: readonly string[]): Extra {
  if (!hasMember(extra, path)) return extra;
  const [key = '', ...below] = path;
  const { [key]: value, ...others } = extra;
  const left = below.length > 0 && isMembers(value) ? withoutMember(value, below) : {};
  return Object.keys(left).length === 0 ? others : { ...extra, [key]: left };
}
