import { shapeOf, type OutputField, type Schema, type InputValue } from './schema';

/** What a field holds, which decides how it is selected and shown. */
type FieldSort =
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
  const base = { name: field.name, about: plain(field.description), isList, type, fields: [], kinds: [] };
  if (scalar) return { ...base, sort: scalar };
  if (!named || type.endsWith('Connection') || field.args.some(({ name }) => name === 'first')) return undefined;
  const targets = kinds.includes(type) ? [type] : (named.possibleTypes ?? []).map(({ name }) => name ?? '');
  if (targets.length > 0) return { ...base, sort: 'link', kinds: targets };
  if (depth > 0) return undefined;
  const fields = (named.fields ?? []).flatMap((each) => fieldOf(schema, kinds, each, depth + 1) ?? []);
  const sort = schema.has(`${type}Input`) ? 'group' : 'live';
  // What live state belongs to is the resource that has it.
  const isOwner = (each: Field): boolean => sort === 'live' && each.name.endsWith('Ref');
  return {
    ...base,
    sort,
    fields: fields.filter((each) => each.sort !== 'link' && each.name !== 'id' && !isOwner(each)),
  };
}

/** How a field of a form is entered. */
type InputSort = 'text' | 'secret' | 'integer' | 'number' | 'boolean' | 'choice' | 'link' | 'group';

/** A field of a form. */
export interface InputField {
  readonly name: string;
  readonly about: string;
  readonly sort: InputSort;
  readonly isList: boolean;
  readonly isRequired: boolean;
  /** The values of a choice. */
  readonly choices: readonly { readonly name: string; readonly about: string }[];
  /** The fields of a group. */
  readonly fields: readonly InputField[];
  /** For a link: the kind that it leads to, the field by which it is given there, and the field that has it here. */
  readonly link?: { readonly kind: string; readonly by: string; readonly field: string };
}

/** The required texts that may be empty, which the graph does not tell. */
export const MAY_BE_EMPTY: readonly string[] = ['prefix'];

/** Returns a field of an input type. `fields` are those of the object that it sets. */
export function inputFieldOf(schema: Schema, fields: readonly Field[], value: InputValue, top = fields): InputField {
  const { name: type, isList, isRequired } = shapeOf(value.type);
  const named = schema.get(type);
  const own = fields.find(({ name }) => name === value.name);
  const base = { name: value.name, about: plain(value.description), isList, isRequired, choices: [], fields: [] };
  const link = linkOf(schema, top, value.name);
  // People choose the domain, whichever way the input refers to it.
  const linked = link && top.find(({ name }) => name === link.field);
  if (link) return { ...base, about: linked?.about ?? base.about, sort: 'link', link };
  if (named?.kind === 'INPUT_OBJECT') {
    const inner = (named.inputFields ?? []).map((each) => inputFieldOf(schema, own?.fields ?? [], each, top));
    return { ...base, sort: 'group', fields: inner };
  }
  if (named?.kind === 'ENUM')
    return {
      ...base,
      sort: 'choice',
      choices: (named.enumValues ?? []).map(({ name, description }) => ({ name, about: plain(description) })),
    };
  if (type === 'Int') return { ...base, sort: 'integer' };
  if (type === 'Float') return { ...base, sort: 'number' };
  if (type === 'Boolean') return { ...base, about: asAnswer(base.about), sort: 'boolean' };
  // A secret cannot be read: there is only the field that says whether it is set.
  const isSecret = !own && fields.some(({ name }) => name === `${value.name}Set`);
  return { ...base, sort: isSecret ? 'secret' : 'text' };
}

/**
 * The link that an input sets: `gatewayRef` sets `gateway` by its ref, `numberRefs` sets `numbers` and `callerNumberRefs`
 * `callerNumbers` by theirs, `domains` sets
 * the domains by their `domainUri`, and `domainUri` of another kind sets `domain` by it. `egressPolicy.numberRef` sets a link of the resource itself.
 */
function linkOf(schema: Schema, fields: readonly Field[], name: string): InputField['link'] {
  for (const field of fields) {
    const [kind] = field.kinds;
    if (kind === undefined || field.kinds.length > 1) continue;
    if (name === `${field.name}Ref` || (name.endsWith('Ref') && lower(kind) === name.slice(0, -3)))
      return { kind, by: 'ref', field: field.name };
    if (field.isList && [`${lower(kind)}Refs`, `${field.name.slice(0, -1)}Refs`].includes(name))
      return { kind, by: 'ref', field: field.name };
    const key = naturalKey(schema, kind);
    if (key !== undefined && (name === key || (name === field.name && field.isList)))
      return { kind, by: key, field: field.name };
  }
  return undefined;
}

/** The field that identifies resources of a kind in others' inputs; it starts with the kind's name. */
function naturalKey(schema: Schema, kind: string): string | undefined {
  const inputs = schema.get(`Create${kind}Input`)?.inputFields ?? [];
  return inputs.find(({ name, type }) => name.startsWith(lower(kind)) && shapeOf(type).isRequired)?.name;
}

/** The name of a kind as a field is called. */
export function lower(kind: string): string {
  return kind === kind.toUpperCase() ? kind.toLowerCase() : kind.charAt(0).toLowerCase() + kind.slice(1);
}

/** The description of a boolean for a form, which calls true and false yes and no. */
function asAnswer(about: string): string {
  return about
    .replace(/^True\b/, 'Yes')
    .replace(/^False\b/, 'No')
    .replace(/\btrue\b/g, 'yes')
    .replace(/\bfalse\b/g, 'no');
}

/** Whether a boolean without a value means true. */
export function isTrueByDefault({ sort, about }: Pick<Field | InputField, 'sort' | 'about'>): boolean {
  return sort === 'boolean' && /By default, (?:true|yes)\.$/.test(about);
}

/** A description of the graph, in which names of fields are between backticks (CommonMark). */
function plain(description: string | null | undefined): string {
  return (description ?? '').replaceAll('`', '');
}
