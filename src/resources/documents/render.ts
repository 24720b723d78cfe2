import type { Row, SqlValue } from '../../database/sql';
import { memoized } from '../../limits/memoized';
import type { JsonSchema, Value } from '../../model/format/format';
import { API_VERSION, type Field, type Kind, type Resource } from '../../model/kind';
import type { Extra } from '../read/extra';
import { shownMembers, type Shown } from '../read/other-members';
import { planFor, REF } from '../read/plan';
import { toColumn } from '../read/row';
import { wholeOf } from '../read/selection';
import { isoTime } from './iso-time';
import { isMembers, memberAt, type Members } from './members';

/** A resource as the legacy API writes it (docs/rest-contract.md, sections 2.3 to 2.8). */
type Document = Readonly<Record<string, unknown>>;

/** A value of a document, which is in a column of the rows that `wholeOf` selects. */
interface DocumentValue {
  readonly column: number;
  /** That of the field, or what is not one: a time, or the references that have a row each. */
  readonly type: JsonSchema['type'] | 'time' | 'references';
  readonly secret: boolean;
  /** What the document has if there is no value. By default, it leaves the member out. */
  readonly none: string | undefined;
}

/** A member of an object of a document. An object without a value is left out. */
interface Member {
  /** Its name, as the first member of the object and as a later one. */
  readonly first: string;
  readonly next: string;
  /** Undefined for an object, which has members. */
  readonly value: DocumentValue | undefined;
  readonly members: readonly Member[];
}

/** What documents of a kind consist of. */
interface Layout {
  /** What precedes the metadata. */
  readonly head: string;
  readonly metadata: readonly Member[];
  readonly spec: readonly Member[];
  /** The column of the members that the model does not know. */
  readonly extra: number;
}

/** Renders a resource. Secrets are in the document only if everything is shown. */
export function toDocument(kind: Kind, resource: Resource, shown: Shown): Document {
  return JSON.parse(documentText(kind, rowsOf(kind, resource), shown)) as Document; // documentText writes an object
}

/**
 * Renders a resource as JSON, from the rows that `wholeOf` selects. A REST list has thousands of values, so that it is
 * written without objects for them, which takes half of the time.
 */
export function documentText(kind: Kind, rows: readonly Row[], shown: Shown): string {
  const { head, metadata, spec, extra: extraAt } = layoutOf(kind);
  const text = `${head}${objectText(metadata, rows, shown)},"spec":${objectText(spec, rows, shown)}}`;
  const extra = rows[0]?.[extraAt];
  if (typeof extra !== 'string') return text;
  const document = JSON.parse(text) as Members; // of an object
  addMissing(document, shownMembers(kind, JSON.parse(extra) as Extra, shown));
  return JSON.stringify(document);
}

/** Renders resources as a JSON list, from the rows of each one (see `documentText`). */
export function documentsText(kind: Kind, resources: readonly (readonly Row[])[], shown: Shown): string {
  let text = '';
  for (const rows of resources) text += (text === '' ? '' : ',') + documentText(kind, rows, shown);
  return `[${text}]`;
}

/** Returns the columns of a kind's fields, by name. */
function columnsOf(kind: Kind): (name: string) => number {
  const { positions } = planFor(kind, wholeOf(kind));
  return (name) => positions.get(name) ?? -1;
}

/** Returns what a kind's documents consist of, in the order of the specification's tables. */
const layoutOf = memoized((kind: Kind): Layout => {
  const columnOf = columnsOf(kind);
  const metadata = kind.fields.filter(({ pathKeys }) => pathKeys[0] === 'metadata');
  const spec = kind.fields.filter(({ pathKeys }) => pathKeys[0] === 'spec');
  const time = (name: string): Member => member(name, { ...PLAIN_VALUE, column: columnOf(name), type: 'time' });
  return {
    head: `{"apiVersion":${JSON.stringify(API_VERSION)},"kind":${JSON.stringify(kind.name)},"metadata":`,
    metadata: [
      ...members(
        metadata.filter(({ name }) => name === 'name'),
        columnOf,
      ),
      member('ref', { ...PLAIN_VALUE, column: REF, type: 'string' }),
      ...members(
        metadata.filter(({ name }) => name !== 'name'),
        columnOf,
      ),
      time('createdOn'),
      time('modifiedOn'),
    ],
    spec: members(spec, columnOf),
    extra: columnOf('extra'),
  };
});

const PLAIN_VALUE = { secret: false, none: undefined } as const;

function member(key: string, value: DocumentValue | undefined, below: readonly Member[] = []): Member {
  const name = JSON.stringify(key);
  return { first: `{${name}:`, next: `,${name}:`, value, members: below };
}

/** Returns the members of an object whose path has `depth` keys, each where its first field is. */
function members(fields: readonly Field[], columnOf: (name: string) => number, depth = 1): readonly Member[] {
  return [...new Set(fields.map(({ pathKeys }) => pathKeys[depth] ?? ''))].map((key) => {
    const own = fields.filter(({ pathKeys }) => pathKeys[depth] === key);
    const [field] = own;
    if (field?.pathKeys.length !== depth + 1) return member(key, undefined, members(own, columnOf, depth + 1));
    const { name, format, refersTo, secret = false, blank, required } = field;
    const column = columnOf(name);
    if (refersTo?.through)
      return member(key, { column, type: 'references', secret, none: required ? '[]' : undefined });
    return member(key, { column, type: format.schema.type, secret, none: blank ? '""' : undefined });
  });
}

function objectText(members: readonly Member[], rows: readonly Row[], shown: Shown): string {
  let text = '';
  for (const { first, next, value, members: below } of members) {
    const json = value ? valueText(value, rows, shown) : objectText(below, rows, shown);
    if (json !== undefined && json !== '{}') text += (text === '' ? first : next) + json;
  }
  return text === '' ? '{}' : `${text}}`;
}

function valueText(
  { column, type, secret, none }: DocumentValue,
  rows: readonly Row[],
  shown: Shown,
): string | undefined {
  if (secret && shown !== 'all') return undefined;
  if (type === 'references') return referencesText(rows, column) ?? none;
  const value = rows[0]?.[column];
  if (value === null || value === undefined) return none;
  if (type === 'string') return quoteScalar(String(value));
  if (type === 'time') return `"${isoTime(Number(value))}"`;
  if (type === 'boolean') return value === 0 ? 'false' : 'true';
  // A number, or a list, which is stored as JSON.
  return String(value);
}

function referencesText(rows: readonly Row[], column: number): string | undefined {
  let text = '';
  for (const row of rows) {
    const value = row[column];
    if (value !== null) text += (text === '' ? '' : ',') + quoteScalar(String(value));
  }
  return text === '' ? undefined : `[${text}]`;
}

/** The rows of a resource that was read with `wholeOf`. */
function rowsOf(kind: Kind, resource: Resource): readonly Row[] {
  const columnOf = columnsOf(kind);
  const values = resource as unknown as Members;
  const row: SqlValue[] = [];
  row[REF] = resource.ref;
  for (const name of ['createdOn', 'modifiedOn', 'extra']) row[columnOf(name)] = toColumn(values[name] as Value | null);
  const more: SqlValue[][] = [];
  for (const field of kind.fields) {
    const column = columnOf(field.name);
    const value = memberAt(values, field.keys) as Value | null | undefined; // as `parse` normalised it
    if (!field.refersTo?.through) {
      row[column] = toColumn(value);
      continue;
    }
    const [first = null, ...others] = (value ?? []) as readonly string[];
    row[column] = first;
    for (const each of others) {
      const further: SqlValue[] = [];
      further[column] = each;
      more.push(further);
    }
  }
  return [row, ...more];
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
