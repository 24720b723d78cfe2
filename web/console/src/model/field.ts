import { shapeOf, type OutputField, type Schema } from './schema';

/** What a field holds, which decides how it is selected and shown. */
export type FieldSort =
  | 'text'
  | 'number'
  | 'boolean'
  | 'time'
  | 'choice'
  /** A value with fields of its own, such as a place. */
  | 'group'
  /** Another resource, or a union of such. */
  | 'link'
  /** State that no input sets, such as a registration. */
  | 'live';

/** A field of a resource. */
export interface Field {
  readonly name: string;
  readonly about: string;
  readonly sort: FieldSort;
  readonly isList: boolean;
  /** The named type, such as `GeoInfo`. */
  readonly type: string;
  /** The fields of a group, or of a live object. */
  readonly fields: readonly Field[];
  /** The kinds that a link leads to. */
  readonly kinds: readonly string[];
}

const SCALARS: Readonly<Record<string, FieldSort>> = {
  ID: 'text',
  String: 'text',
  Int: 'number',
  Float: 'number',
  Boolean: 'boolean',
  DateTimeISO: 'time',
};

/** Returns the field; undefined for lists with pages, which have an address of their own. */
export function fieldOf(schema: Schema, kinds: readonly string[], field: OutputField, depth = 0): Field | undefined {
  const { name: type, isList } = shapeOf(field.type);
  const named = schema.get(type);
  const scalar = SCALARS[type] ?? (named?.kind === 'ENUM' ? 'choice' : named?.kind === 'SCALAR' ? 'text' : undefined);
  const base = { name: field.name, about: field.description ?? '', isList, type, fields: [], kinds: [] };
  if (scalar) return { ...base, sort: scalar };
  if (!named || type.endsWith('Connection') || field.args.some(({ name }) => name === 'first')) return undefined;
  const targets = kinds.includes(type) ? [type] : (named.possibleTypes ?? []).map(({ name }) => name ?? '');
  if (targets.length > 0) return { ...base, sort: 'link', kinds: targets };
  if (depth > 0) return undefined;
  const fields = (named.fields ?? []).flatMap((each) => fieldOf(schema, kinds, each, depth + 1) ?? []);
  const sort = schema.has(`${type}Input`) ? 'group' : 'live';
  return { ...base, sort, fields: fields.filter((each) => each.sort !== 'link' && each.name !== 'id') };
}
