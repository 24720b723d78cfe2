import type { Row } from '../../database/sql';
import type { JsonSchema } from '../../model/format/format';
import { API_VERSION, type Field, type Kind, type Resource } from '../../model/kind';
import type { Extra } from '../read/extra';
import { shownMembers, type Shown } from '../read/other-members';
import type { Plan } from '../read/plan';
import { planFor, REF } from '../read/plan-cache';
import { wholeOf } from '../read/selection';
import { isoTime } from './iso-time';
import { isMembers, type Members } from './members';

/** A resource as the legacy API writes it (docs/rest-contract.md, sections 2.3 to 2.8). */
export type Document = Readonly<Record<string, unknown>>;

/** What a document is written from: a resource, or its rows. */
interface Source<From> {
  /** Returns the reader of a value, which is null or undefined if there is none. */
  value(field: Field | 'ref' | 'createdOn' | 'modifiedOn'): (from: From) => unknown;
  /** Whether lists and booleans are as columns have them: a list as JSON, a boolean as a number. */
  readonly isStored: boolean;
}

/** Returns the JSON of a value, or undefined if the document leaves it out. */
type Write<From> = (from: From, shown: Shown) => string | undefined;
type WriteObject<From> = (from: From, shown: Shown) => string;

const RESOURCE: Source<Resource> = {
  isStored: false,
  value: (field) => {
    const [first = '', second] = typeof field === 'string' ? [field] : field.keys;
    return (resource) => {
      const value = (resource as unknown as Members)[first];
      return second === undefined ? value : (value as Members | null | undefined)?.[second];
    };
  },
};

const writers = new Map<Kind, WriteObject<Resource>>();
const rowWriters = new Map<Kind, WriteObject<readonly Row[]>>();

/** Renders a resource. Secrets are in the document only if everything is shown. */
export function toDocument(kind: Kind, resource: Resource, shown: Shown): Document {
  return JSON.parse(documentText(kind, resource, shown)) as Document; // documentText writes an object
}

/** Renders a resource as JSON. */
export function documentText(kind: Kind, resource: Resource, shown: Shown): string {
  const write = writers.get(kind) ?? writerOf(kind, RESOURCE);
  writers.set(kind, write);
  return withExtra(write(resource, shown), kind, (resource as { readonly extra?: unknown }).extra, shown);
}

/**
 * Renders resources as a JSON list, from the rows of each one that `wholeOf` selects. A REST list has thousands of values,
 * so that it is written without objects for them, which takes a third of the time.
 */
export function documentsText(kind: Kind, resources: readonly (readonly Row[])[], shown: Shown): string {
  const plan = planFor(kind, wholeOf(kind));
  const write = rowWriters.get(kind) ?? writerOf(kind, rowsOf(plan));
  rowWriters.set(kind, write);
  const extra = plan.positions.get('extra') ?? -1;
  let text = '[';
  for (const rows of resources)
    text += (text === '[' ? '' : ',') + withExtra(write(rows, shown), kind, rows[0]?.[extra], shown);
  return `${text}]`;
}

function rowsOf({ positions }: Plan): Source<readonly Row[]> {
  return {
    isStored: true,
    value: (field) => {
      const name = typeof field === 'string' ? field : field.name;
      const column = field === 'ref' ? REF : (positions.get(name) ?? -1);
      if (typeof field === 'string' || !field.refersTo?.through) return (rows) => rows[0]?.[column];
      const { required } = field;
      return (rows) => {
        let text = '';
        for (const row of rows) {
          const found = row[column];
          if (found !== null) text += (text === '' ? '' : ',') + quoted(found as string); // the name of a resource
        }
        return text !== '' || required ? `[${text}]` : null;
      };
    },
  };
}

function withExtra(text: string, kind: Kind, extra: unknown, shown: Shown): string {
  if (typeof extra !== 'string') return text;
  const document = JSON.parse(text) as Members; // of an object
  addMissing(document, shownMembers(kind, JSON.parse(extra) as Extra, shown));
  return JSON.stringify(document);
}

/** Returns the writer of a kind's documents, in the order of the specification's tables. */
function writerOf<From>(kind: Kind, source: Source<From>): WriteObject<From> {
  const metadata = kind.fields.filter(({ pathKeys }) => pathKeys[0] === 'metadata');
  const [ref, createdOn, modifiedOn] = [source.value('ref'), source.value('createdOn'), source.value('modifiedOn')];
  const named = `"apiVersion":${JSON.stringify(API_VERSION)},"kind":${JSON.stringify(kind.name)},"metadata"`;
  return object([
    [
      named,
      object([
        ...members(
          metadata.filter(({ name }) => name === 'name'),
          source,
        ),
        ['"ref"', (from) => quoted(ref(from) as string)],
        ...members(
          metadata.filter(({ name }) => name !== 'name'),
          source,
        ),
        ['"createdOn"', (from) => `"${isoTime(createdOn(from) as number)}"`],
        ['"modifiedOn"', (from) => `"${isoTime(modifiedOn(from) as number)}"`],
      ]),
    ],
    [
      '"spec"',
      object(
        members(
          kind.fields.filter(({ pathKeys }) => pathKeys[0] === 'spec'),
          source,
        ),
      ),
    ],
  ]);
}

type Member<From> = readonly [name: string, write: Write<From>];

/**
 * Returns the members of an object of the document whose path has `depth` keys, each where its first field is. An object
 * without a value is left out.
 */
function members<From>(fields: readonly Field[], source: Source<From>, depth = 1): readonly Member<From>[] {
  return [...new Set(fields.map(({ pathKeys }) => pathKeys[depth] ?? ''))].map((key) => {
    const own = fields.filter(({ pathKeys }) => pathKeys[depth] === key);
    const name = JSON.stringify(key);
    const [field] = own;
    if (field?.pathKeys.length === depth + 1) return [name, value(field, source)];
    const write = object(members(own, source, depth + 1));
    return [
      name,
      (from, shown) => {
        const text = write(from, shown);
        return text === '{}' ? undefined : text;
      },
    ];
  });
}

function object<From>(all: readonly Member<From>[]): WriteObject<From> {
  const named = all.map(([name, write]) => ({ first: `{${name}:`, next: `,${name}:`, write }));
  return (from, shown) => {
    let text = '';
    for (const { first, next, write } of named) {
      const value = write(from, shown);
      if (value !== undefined) text += (text === '' ? first : next) + value;
    }
    return text === '' ? '{}' : `${text}}`;
  };
}

function value<From>(field: Field, source: Source<From>): Write<From> {
  const { blank, secret, format } = field;
  const none = blank ? '""' : undefined;
  const read = source.value(field);
  const json = jsonOf(format.schema.type, source.isStored);
  return (from, shown) => {
    if (secret && shown !== 'all') return undefined;
    const own = read(from);
    return own === null || own === undefined ? none : json(own);
  };
}

/** Returns the function that writes the values of a type as JSON. */
function jsonOf(type: JsonSchema['type'], isStored: boolean): (value: unknown) => string {
  if (type === 'string') return (value) => quoted(value as string); // as `parse` normalised it
  if (!isStored) return (value) => JSON.stringify(value);
  return type === 'boolean' ? (value) => (value === 0 ? 'false' : 'true') : String;
}

function quoted(text: string): string {
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
