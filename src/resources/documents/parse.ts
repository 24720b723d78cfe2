import { InvalidInputError, quote, type Issue } from '../../errors';
import { memoized } from '../../limits/memoized';
import { MAX_ENTRIES } from '../../model/format/format';
import { API_VERSION, type Kind } from '../../model/kind';
import { notAnObject } from '../../model/secret-name';
import type { Input } from '../write/input';
import { isMembers, setAt } from './members';

/** A document in the form that the services accept. */
interface ParsedDocument {
  readonly input: Input;
  /** The members that the model does not define. Null if there are none. */
  readonly extra: Members | null;
  /** The errors outside the fields of the kind, for example in `apiVersion`, `kind` or the structure. */
  readonly issues: readonly Issue[];
}

type Members = Readonly<Record<string, unknown>>;

/** The members that the model defines, each with its own members. A plain value has none: undefined. */
type ModelMembers = ReadonlyMap<string, ModelMembers | undefined>;

/** The versions that Routr v1's schemas accept. They are equivalent. */
export const API_VERSIONS: readonly string[] = [API_VERSION, 'v1', 'v1.0'];

// Deeper than any document that can be stored (`storedText`).
const MAX_DEPTH = 50;
// These members are not fields of a kind. The members that the service sets are read-only, and values that a client
// sends for them are ignored.
const FRAME = ['apiVersion', 'kind', 'metadata.ref', 'metadata.createdOn', 'metadata.modifiedOn', 'metadata', 'spec'];

/**
 * Reads the document of a PUT. Missing members, `kind` included, keep their values. A ref in the body must equal the ref
 * in the URL (docs/rest-contract.md, section 10.3).
 */
export function parseChanges(kind: Kind, ref: string, body: unknown): ParsedDocument {
  const { input, extra, issues } = parseDocument(kind, isMembers(body) ? { kind: kind.name, ...body } : body);
  const { ref: given, ...changes } = input;
  const path = 'metadata.ref';
  const message = `${quote(given)} is not ${quote(ref)}, the reference in the URL`;
  return {
    input: changes,
    extra,
    issues: given === undefined || given === ref ? issues : [...issues, { field: 'ref', path, message }],
  };
}

/** Reads a legacy document of a kind. Throws InvalidInputError if the body is not an object or is too deeply nested. */
export function parseDocument(kind: Kind, body: unknown): ParsedDocument {
  if (isDeeper(body, MAX_DEPTH)) throw InvalidInputError.of('body', `is more than ${String(MAX_DEPTH)} levels deep`);
  if (!isMembers(body)) throw InvalidInputError.of('body', `${quote(body)} is not a JSON object`);
  const issues = frameIssues(kind, body);
  const input: Record<string, unknown> = {};
  const ref = valueAt(body, ['metadata', 'ref'], issues);
  if (ref !== undefined) input['ref'] = ref;
  const unclaimed: string[] = [];
  for (const { keys, path, pathKeys, blank, claims } of kind.fields) {
    const levels = nullAbove(body, pathKeys);
    const given = levels > 0 ? null : valueAt(body, pathKeys, issues);
    if (given === undefined) continue;
    // The unknown member takes the place of a value of the field.
    const isUnclaimed = given !== null && claims?.(given) === false;
    if (isUnclaimed) unclaimed.push(path);
    const value = isUnclaimed || (blank && given === '') ? null : given;
    setAt(input, keys.slice(0, Math.max(1, keys.length - levels)), value);
  }
  const extra = unknownIn(body, unclaimed.length > 0 ? membersOf(kind, unclaimed) : modelMembersOf(kind)) ?? null;
  issues.push(...longListsIn(extra, []));
  return { input, extra, issues };
}

/**
 * Returns an issue for each unknown list that is too long. Unknown lists are stored and compared, so the limit for
 * lists of the model also applies to them.
 */
function longListsIn(value: unknown, path: readonly string[]): Issue[] {
  if (typeof value !== 'object' || value === null) return [];
  if (!Array.isArray(value) || value.length <= MAX_ENTRIES)
    return Object.entries(value).flatMap(([key, each]) => longListsIn(each, [...path, key]));
  const name = path.join('.');
  return [{ field: name, path: name, message: `has more than ${String(MAX_ENTRIES)} entries` }];
}

/**
 * Whether a value has more than this many levels. The functions that write JSON are recursive, and the stack is
 * limited.
 */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1));
}

function frameIssues(kind: Kind, { apiVersion, kind: given }: Members): Issue[] {
  const issues: Issue[] = [];
  const add = (path: string, message: string): number => issues.push({ field: path, path, message });
  if (apiVersion !== undefined && !API_VERSIONS.some((each) => each === apiVersion))
    add('apiVersion', `${quote(apiVersion)} is not v1beta1, v1 or v1.0`);
  if (given === undefined) add('kind', 'is required');
  else if (given !== kind.name && given !== kind.name.toLowerCase()) add('kind', `${quote(given)} is not ${kind.name}`);
  return issues;
}

/**
 * How many levels above the value at a path a member of `metadata` or `spec` is null, which clears all values below it; 0 if none is.
 */
function nullAbove(body: Members, path: readonly string[]): number {
  let value: unknown = body;
  for (const [index, key] of path.slice(0, -1).entries()) {
    value = isMembers(value) && Object.hasOwn(value, key) ? value[key] : undefined;
    if (value === null && index > 0) return path.length - 1 - index;
  }
  return 0;
}

/** Returns the value at a path. Adds an issue if a parent on the path is not an object. */
function valueAt(body: Members, path: readonly string[], issues: Issue[]): unknown {
  let value: unknown = body;
  for (const [index, key] of path.entries()) {
    if (value === undefined || value === null) return undefined;
    if (!isMembers(value)) {
      const where = path.slice(0, index).join('.');
      if (!issues.some((issue) => issue.path === where)) {
        issues.push({ field: where, path: where, message: notAnObject(where, value) });
      }
      return undefined;
    }
    value = Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return value;
}

/** Returns the members that the model defines. */
const modelMembersOf = memoized((kind: Kind) => membersOf(kind));

/** Returns the members that the model defines, except those at some paths. */
function membersOf(kind: Kind, except: readonly string[] = []): ModelMembers {
  const paths = kind.fields.map(({ path }) => path).filter((path) => !except.includes(path));
  return tree([...FRAME, ...paths].map((path) => path.split('.')));
}

function tree(paths: readonly (readonly string[])[]): ModelMembers {
  return new Map(
    [...new Set(paths.map(([first = '']) => first))].map((key) => {
      const below = paths.filter(([first, ...rest]) => first === key && rest.length > 0).map(([, ...rest]) => rest);
      return [key, below.length > 0 ? tree(below) : undefined];
    }),
  );
}

function unknownIn(members: Members, expected: ModelMembers): Members | undefined {
  const found: Record<string, unknown> = {};
  for (const key of Object.keys(members)) {
    const value = members[key];
    const below = expected.get(key);
    if (!expected.has(key)) found[key] = value;
    else if (below && isMembers(value)) {
      const deeper = unknownIn(value, below);
      if (deeper) found[key] = deeper;
    }
  }
  return Object.keys(found).length > 0 ? found : undefined;
}
