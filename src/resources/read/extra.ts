import { InvalidInputError, quote } from '../../errors';
import type { Resource } from '../../model/kind';
import { isMembers } from '../documents/members';

// Maximum number of unknown members in a document, at any depth, and of characters of their JSON text. Entries of lists
// do not count: a list has a limit of its own.
const MAX_MEMBERS = 1000;
const MAX_TEXT = 256 * 1024;
// Maximum number of levels of a document, with the document itself: MariaDB's JSON functions read no more.
const MAX_LEVELS = 31;
// SQLite counts the characters of a text up to U+0000, and MariaDB and MySQL do not read lone surrogates.
const UNREADABLE = /\0|\p{Cs}/u;

/** Members of a document that the model does not define, nested as in the document. */
export type Extra = Readonly<Record<string, unknown>>;

/** Returns the stored members as JSON text. The resource must have been read with `extra`. */
export function extraOf(stored: Resource): string | null | undefined {
  return (stored as { readonly extra?: string | null }).extra; // the selection included it
}

/**
 * Converts members to the JSON text to store, which the JSON functions of all databases can read. Throws
 * InvalidInputError if there are too many, if they are too large or too deep, or if a number or a text cannot be stored.
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
  if (typeof value === 'string' && UNREADABLE.test(value)) fail('has U+0000 or a lone surrogate');
  if (typeof value !== 'object' || value === null) return;
  if (path.length >= MAX_LEVELS) fail(`is too deep: a document may have ${String(MAX_LEVELS)} levels`);
  for (const [key, each] of Object.entries(value)) {
    if (UNREADABLE.test(key)) fail(`has a member whose name ${quote(key)} has U+0000 or a lone surrogate`);
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
