import { memoized } from '../../limits/memoized';
import { globalId } from '../../model/global-id';
import type { Field, Group, Kind, Resource } from '../../model/kind';
import type { Selection } from '../read/selection';
import type { Values } from './input';

/** The state of a resource that a write stored. */
export interface Written {
  readonly ref: string;
  readonly values: Values;
  readonly createdOn: number;
  readonly modifiedOn: number;
  /** The targets of links to a single resource, if they were read with these selections. */
  readonly links?: { readonly selections: Selection['links']; readonly targets: ReadonlyMap<string, Resource> };
}

const COMMON = ['__typename', 'id', 'ref', 'kind', 'apiVersion', 'createdOn', 'modifiedOn'];

/** Returns what a read of the selection would return, or undefined if the selection needs more than was written. */
export function fromWritten(kind: Kind, { fields, links }: Selection, written: Written): Resource | undefined {
  const answered = answeredNamesOf(kind);
  if ([...links].some(([name, selection]) => written.links?.selections.get(name) !== selection)) return undefined;
  if ([...fields].some((name) => !answered.has(name))) return undefined;
  const { ref, values, createdOn, modifiedOn } = written;
  const members: Record<string, unknown> = { ref, createdOn, modifiedOn };
  if (fields.has('id')) members['id'] = globalId(kind.name, ref);
  for (const field of kind.fields) if (field.keys.length === 1) addTo(members, field, values);
  for (const name of links.keys()) members[name] = written.links?.targets.get(name) ?? null;
  for (const group of kind.groups) if (fields.has(group.name)) members[group.name] = groupOf(group, values);
  return Object.assign(new kind.class(), members);
}

function groupOf({ fields }: Group, values: Values): Record<string, unknown> | null {
  if (!fields.some(({ name }) => values.has(name))) return null;
  const members: Record<string, unknown> = {};
  for (const field of fields) addTo(members, field, values);
  return members;
}

function addTo(members: Record<string, unknown>, { name, keys, secret }: Field, values: Values): void {
  const key = keys.at(-1) ?? name;
  if (secret) members[`${key}Set`] = values.has(name);
  else members[key] = values.get(name) ?? null;
}

/**
 * Returns the names in a selection that a write can answer. `extra` is not among them, so a selection for REST, which
 * shows secrets, is read from the database.
 */
const answeredNamesOf = memoized(
  ({ groups, fields }: Kind) =>
    new Set([
      ...COMMON,
      ...groups.map(({ name }) => name),
      // GraphQL selects a group with all its fields, and shows of its secrets only whether they are set.
      ...fields.map(({ name, keys, secret }) => (secret && keys.length === 1 ? `${name}Set` : name)),
    ]),
);
