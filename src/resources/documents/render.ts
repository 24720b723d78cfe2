import { API_VERSION, type Field, type Kind, type Resource } from '../../model/kind';
import type { Extra } from '../read/extra';
import { shownMembers, type Shown } from '../read/other-members';
import { isMembers, type Members } from './members';

/** A resource as the legacy API writes it (docs/rest-contract.md, sections 2.3 to 2.8). */
export type Document = Readonly<Record<string, unknown>>;

type Write = (document: Members, resource: Resource, shown: Shown) => void;

const writers = new Map<Kind, readonly Write[]>();

/** Renders a resource. Secrets are in the document only if everything is shown. */
export function toDocument(kind: Kind, resource: Resource, shown: Shown): Document {
  const document: Members = { apiVersion: API_VERSION, kind: kind.name, metadata: {}, spec: {} };
  for (const write of writersOf(kind)) write(document, resource, shown);
  return document;
}

/** Returns the writers of a kind, in the order of the specification's tables. Created once for each kind. */
function writersOf(kind: Kind): readonly Write[] {
  const cached = writers.get(kind);
  if (cached) return cached;
  const [metadata, spec] = ['metadata', 'spec'].map((part) =>
    kind.fields.filter(({ pathKeys }) => pathKeys[0] === part),
  );
  const made = [
    ...(metadata ?? []).filter(({ name }) => name === 'name').map(writeField),
    write(['metadata', 'ref'], ({ ref }) => ref),
    ...(metadata ?? []).filter(({ name }) => name !== 'name').map(writeField),
    write(['metadata', 'createdOn'], ({ createdOn }) => new Date(createdOn).toISOString()),
    write(['metadata', 'modifiedOn'], ({ modifiedOn }) => new Date(modifiedOn).toISOString()),
    ...(spec ?? []).map(writeField),
    writeExtra(kind),
  ];
  writers.set(kind, made);
  return made;
}

function writeField(field: Field): Write {
  const [first = '', second] = field.keys;
  const writeValue = write(field.pathKeys, (resource) => {
    const value = (resource as unknown as Members)[first];
    const found = second === undefined ? value : (value as Members | null | undefined)?.[second];
    return field.blank ? (found ?? '') : found;
  });
  if (!field.secret) return writeValue;
  return (document, resource, shown) => {
    if (shown === 'all') writeValue(document, resource, shown);
  };
}

/** Writes a value at a path. Without a value, does nothing, so that no empty objects are created. */
function write(path: readonly string[], read: (resource: Resource) => unknown): Write {
  const parents = path.slice(0, -1);
  const last = path.at(-1) ?? '';
  return (document, resource) => {
    const value = read(resource);
    if (value === null || value === undefined) return;
    let members = document;
    for (const key of parents) members = (members[key] ??= {}) as Members;
    members[last] = value;
  };
}

function writeExtra(kind: Kind): Write {
  return (document, resource, shown) => {
    const { extra } = resource as { readonly extra?: unknown };
    if (typeof extra === 'string') addMissing(document, shownMembers(kind, JSON.parse(extra) as Extra, shown));
  };
}

/** Adds unknown members to a document, without replacing the members of the model. */
function addMissing(target: Members, extra: Readonly<Members>): void {
  for (const [key, value] of Object.entries(extra)) {
    const cached = target[key];
    if (cached === undefined) target[key] = value;
    else if (isMembers(cached) && isMembers(value)) addMissing(cached, value);
  }
}
