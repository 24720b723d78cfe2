import { InvalidInputError, quote, type Issue } from '../errors';
import type { Input } from '../resources/input';
import { API_VERSION, type Kind } from '../resources/kind';
import { isMembers } from './document';

/** A document as the services take it. */
export interface ParsedDocument {
  readonly input: Input;
  /** The members that the model does not know, as JSON; null when there are none. */
  readonly extra: string | null;
  /** What is wrong with the document's frame. */
  readonly issues: readonly Issue[];
}

type Members = Record<string, unknown>;

const READ_ONLY = ['metadata.createdOn', 'metadata.modifiedOn'];

/** Reads a legacy document of a kind; throws InvalidInputError for what is no document at all. */
export function parseDocument(kind: Kind, body: unknown): ParsedDocument {
  if (!isMembers(body))
    throw InvalidInputError.of('body', `${body === undefined ? 'nothing' : quote(body)} is not a JSON object`);
  const issues: Issue[] = frameIssues(kind, body);
  const input: Members = {};
  const extra = structuredClone(body);
  for (const path of ['apiVersion', 'kind', 'metadata.ref', ...READ_ONLY]) take(extra, path.split('.'), issues);
  const ref = isMembers(body['metadata']) ? body['metadata']['ref'] : undefined;
  if (ref !== undefined) input['ref'] = ref;
  for (const { keys, pathKeys } of kind.fields) {
    const value = take(extra, pathKeys, issues);
    if (value === undefined) continue;
    const [first = '', second] = keys;
    if (second === undefined) input[first] = value;
    else input[first] = { ...(input[first] as Members | undefined), [second]: value };
  }
  prune(extra);
  return { input, extra: Object.keys(extra).length > 0 ? JSON.stringify(extra) : null, issues };
}

function frameIssues(kind: Kind, { apiVersion, kind: given }: Members): Issue[] {
  const at = (path: string, message: string): Issue => ({ field: path, path, message });
  return [
    ...(apiVersion === undefined || apiVersion === API_VERSION
      ? []
      : [at('apiVersion', `${quote(apiVersion)} is not ${API_VERSION}`)]),
    ...(given === undefined
      ? [at('kind', 'is required')]
      : given === kind.name || given === kind.name.toLowerCase()
        ? []
        : [at('kind', `${quote(given)} is not ${kind.name}`)]),
  ];
}

/** Takes the value at a path out of the members; an issue where something on the way is no object. */
function take(members: Members, path: readonly string[], issues: Issue[]): unknown {
  let at = members;
  for (const [index, key] of path.slice(0, -1).entries()) {
    const next = Object.hasOwn(at, key) ? at[key] : undefined;
    if (next === undefined || next === null) return undefined;
    if (!isMembers(next)) {
      const where = path.slice(0, index + 1).join('.');
      if (!issues.some((issue) => issue.path === where)) {
        issues.push({ field: where, path: where, message: `${quote(next)} is not an object` });
      }
      return undefined;
    }
    at = next;
  }
  const last = path.at(-1) ?? '';
  if (!Object.hasOwn(at, last)) return undefined;
  const value = at[last];
  // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- the clone is this function's own
  delete at[last];
  return value;
}

/** Removes the objects that taking has emptied. */
function prune(members: Members): void {
  for (const [key, value] of Object.entries(members)) {
    if (!isMembers(value) && value !== null) continue;
    if (isMembers(value)) prune(value);
    // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- as above
    if (value === null || Object.keys(value).length === 0) delete members[key];
  }
}
