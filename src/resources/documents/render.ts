import { API_VERSION, type Field, type Kind, type Resource } from '../../model/kind';
import type { Extra } from '../read/extra';
import { shownMembers, type Shown } from '../read/other-members';
import { isoTime } from './iso-time';
import { isMembers, type Members } from './members';

/** A resource as the legacy API writes it (docs/rest-contract.md, sections 2.3 to 2.8). */
type Document = Readonly<Record<string, unknown>>;

/** Returns the JSON of a value of a resource, or undefined if the document leaves it out. */
type Write = (resource: Resource, shown: Shown) => string | undefined;
type WriteObject = (resource: Resource, shown: Shown) => string;

const writers = new Map<Kind, WriteObject>();

/** Renders a resource. Secrets are in the document only if everything is shown. */
export function toDocument(kind: Kind, resource: Resource, shown: Shown): Document {
  return JSON.parse(documentText(kind, resource, shown)) as Document; // documentText writes an object
}

/** Renders a resource as JSON. A REST list writes thousands of values, so that no object is built for them. */
export function documentText(kind: Kind, resource: Resource, shown: Shown): string {
  const text = writerOf(kind)(resource, shown);
  const { extra } = resource as { readonly extra?: unknown };
  if (typeof extra !== 'string') return text;
  const document = JSON.parse(text) as Members; // of an object
  addMissing(document, shownMembers(kind, JSON.parse(extra) as Extra, shown));
  return JSON.stringify(document);
}

/** Returns the writer of a kind's documents, in the order of the specification's tables. Created once for each kind. */
function writerOf(kind: Kind): WriteObject {
  const cached = writers.get(kind);
  if (cached) return cached;
  const metadata = kind.fields.filter(({ pathKeys }) => pathKeys[0] === 'metadata');
  const made = object([
    ['apiVersion', () => JSON.stringify(API_VERSION)],
    ['kind', () => JSON.stringify(kind.name)],
    [
      'metadata',
      object([
        ...members(metadata.filter(({ name }) => name === 'name')),
        ['ref', ({ ref }) => quoteScalar(ref)],
        ...members(metadata.filter(({ name }) => name !== 'name')),
        ['createdOn', ({ createdOn }) => `"${isoTime(createdOn)}"`],
        ['modifiedOn', ({ modifiedOn }) => `"${isoTime(modifiedOn)}"`],
      ]),
    ],
    ['spec', object(members(kind.fields.filter(({ pathKeys }) => pathKeys[0] === 'spec')))],
  ]);
  writers.set(kind, made);
  return made;
}

type Member = readonly [key: string, write: Write];

/**
 * Returns the members of an object of the document whose path has `depth` keys, each where its first field is. An object
 * without a value is left out.
 */
function members(fields: readonly Field[], depth = 1): readonly Member[] {
  return [...new Set(fields.map(({ pathKeys }) => pathKeys[depth] ?? ''))].map((key) => {
    const own = fields.filter(({ pathKeys }) => pathKeys[depth] === key);
    const [field] = own;
    if (field?.pathKeys.length === depth + 1) return [key, value(field)];
    const write = object(members(own, depth + 1));
    return [
      key,
      (resource, shown) => {
        const text = write(resource, shown);
        return text === '{}' ? undefined : text;
      },
    ];
  });
}

function object(all: readonly Member[]): WriteObject {
  const [keys, writes] = [all.map(([key]) => `${JSON.stringify(key)}:`), all.map(([, write]) => write)];
  return (resource, shown) => {
    let text = '';
    for (let index = 0; index < writes.length; index++) {
      const value = writes[index]?.(resource, shown);
      if (value !== undefined) text += (text === '' ? '{' : ',') + (keys[index] ?? '') + value;
    }
    return text === '' ? '{}' : `${text}}`;
  };
}

function value({ keys: [first = '', second], blank, secret }: Field): Write {
  return (resource, shown) => {
    if (secret && shown !== 'all') return undefined;
    const found = (resource as unknown as Members)[first];
    const own = second === undefined ? found : (found as Members | null | undefined)?.[second];
    if (own === null || own === undefined) return blank ? '""' : undefined;
    return typeof own === 'string' ? quoteScalar(own) : JSON.stringify(own);
  };
}

function quoteScalar(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}

const PLAIN = /^[ !#-[\]-~]*$/;

/** Adds unknown members to a document, without replacing the members of the model. */
function addMissing(target: Members, extra: Readonly<Members>): void {
  for (const [key, value] of Object.entries(extra)) {
    // Not what every object has: `constructor` is a member like others, and `__proto__` none at all.
    if (key === '__proto__') continue;
    const cached = Object.hasOwn(target, key) ? target[key] : undefined;
    if (cached === undefined) target[key] = value;
    else if (isMembers(cached) && isMembers(value)) addMissing(cached, value);
  }
}
