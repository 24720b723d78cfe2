import type { Filter } from '../data/queries';
import { lower } from '../model/fields';
import type { Kind, Model } from '../model/model';
import { shapeOf } from '../model/schema';
import { heading, texts } from '../texts';
import { words } from './texts';

/** How the value of a condition is entered. */
type Entry = 'text' | 'number' | 'time' | 'boolean' | 'choices' | 'resource';

/** A comparison of a field. */
export interface Operator {
  /** The path of the value in the graph's conditions, such as `name.containsIgnoreCase`. */
  readonly path: string;
  readonly words: string;
  readonly entry: Entry;
  /** The values and names of choices. */
  readonly choices?: readonly (readonly [value: string, name: string])[];
  /** The kind of the resource. */
  readonly kind?: string;
}

/** A field by which a list can be filtered. */
export interface Filterable {
  readonly path: string;
  readonly label: string;
  /** What the field belongs to, such as `Gateway`: the kind itself, or a link. */
  readonly group: string;
  readonly operators: readonly Operator[];
}

/** A condition of a filter. */
export interface Condition {
  readonly path: string;
  readonly label: string;
  readonly words: string;
  readonly value: unknown;
  /** The kind of the resources whose reference the value is, or references the values are. */
  readonly kind?: string | undefined;
}

/** The fields by which lists of a kind can be filtered: its own, and those of what it links to. */
export function filterablesOf(model: Model, kind: Kind): readonly Filterable[] {
  return fieldsOf(model, `${kind.name}Where`, '', heading(kind.name), 0);
}

function fieldsOf(model: Model, input: string, path: string, group: string, depth: number): readonly Filterable[] {
  const fields = model.schema.get(input)?.inputFields ?? [];
  const names = new Set(fields.map(({ name }) => name));
  return fields.flatMap(({ name, type }): readonly Filterable[] => {
    const { name: typeName, isList } = shapeOf(type);
    // `gateway` is chosen by its name, so nobody has to know its reference.
    const isRefOfLink = names.has(name.replace(/Refs?$/, '')) || names.has(name.replace(/Refs$/, 's'));
    const isRef = (isRefOfLink && /Refs?$/.test(name)) || (depth > 0 && name === 'ref');
    if (isList || name === 'not' || isRef) return [];
    const source = path + name;
    const field = (operators: readonly Operator[]): Filterable => ({
      ...{ path: source, label: heading(source), group, operators },
    });
    const operators = operatorsOf(model, typeName, source);
    if (operators) return [field(operators)];
    if (!typeName.endsWith('Where')) return [];
    const linked = model.kinds.find((each) => typeName === `${each.name}Where`);
    if (!linked) return fieldsOf(model, typeName, `${source}.`, group, depth + 1);
    const is = field([{ path: `${source}.ref.eq`, words: texts.kinds.is, entry: 'resource', kind: linked.name }]);
    // The conditions on linked resources end where they lead on.
    return depth > 0 ? [is] : [is, ...fieldsOf(model, typeName, `${source}.`, heading(source), depth + 1)];
  });
}

function operatorsOf(model: Model, type: string, path: string): readonly Operator[] | undefined {
  const { atLeast, atMost, contains, from, is, isNot, until } = texts.kinds;
  const as = (entry: Entry, ...all: readonly (readonly [name: string, words: string])[]): readonly Operator[] =>
    all.map(([name, said]) => ({ path: name === '' ? path : `${path}.${name}`, words: said, entry }));
  switch (type) {
    case 'TextFilter':
      return as('text', ['containsIgnoreCase', contains], ['eq', is], ['ne', isNot]);
    case 'TextListFilter':
      return as('text', ['contains', contains]);
    case 'IntFilter':
      return as('number', ['eq', is], ['gte', atLeast], ['lte', atMost]);
    case 'DateTimeFilter':
      return as('time', ['gte', from], ['lt', until]);
    case 'Boolean':
      return as('boolean', ['', is]);
    case 'BooleanFilter':
      return as('boolean', ['eq', is]);
  }
  const values = model.schema.get(type)?.inputFields?.find(({ name }) => name === 'in');
  const named = values && model.schema.get(shapeOf(values.type).name);
  if (named?.kind !== 'ENUM') return undefined;
  const choices = (named.enumValues ?? []).map(({ name }) => [name, texts.kinds.choice(name)] as const);
  return [{ path: `${path}.in`, words: is, entry: 'choices', choices }];
}

/** The conditions of a filter besides its search, also those that nobody can enter here. */
export function conditionsIn(fields: readonly Filterable[], { q: _searched, ...filter }: Filter): readonly Condition[] {
  const known = new Map(
    fields.flatMap((field) => field.operators.map((each) => [each.path, { field, each }] as const)),
  );
  return leavesOf(filter, '').map(([path, value]) => {
    const found = known.get(path);
    if (found) {
      const { field, each } = found;
      const name = (one: unknown): unknown => each.choices?.find(([choice]) => choice === one)?.[1] ?? one;
      const shown = Array.isArray(value) ? value.map(name) : name(value);
      return { path, label: field.label, words: each.words, value: shown, kind: each.kind };
    }
    const names = path.split('.');
    const operator = names.length > 1 ? (names.pop() ?? '') : '';
    const said = (words.operators as Readonly<Record<string, string>>)[operator] ?? lower(heading(operator));
    const field = names.join('.');
    // `gatewayRef` and `gateway.ref`: the references of resources, which have names.
    const [, linked] = /^(.*)(?:\.r|R)ef$/.exec(field) ?? [];
    const link = linked === undefined ? undefined : known.get(`${linked}.ref.eq`);
    if (link) return { path, label: link.field.label, words: said, value, kind: link.each.kind };
    return { path, label: heading(field), words: said, value };
  });
}

function leavesOf(value: unknown, path: string): readonly (readonly [path: string, value: unknown])[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[path, value]];
  return Object.entries(value).flatMap(([name, each]) => leavesOf(each, path === '' ? name : `${path}.${name}`));
}

/** The filter with this condition. */
export function withCondition(filter: Filter, path: string, value: unknown): Filter {
  const [name = '', ...rest] = path.split('.');
  if (rest.length === 0) return { ...filter, [name]: value };
  const inner = filter[name];
  const object = typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? (inner as Filter) : {};
  return { ...filter, [name]: withCondition(object, rest.join('.'), value) };
}

/** The filter without the condition at this path. */
export function withoutCondition(filter: Filter, path: string): Filter {
  const [name = '', ...rest] = path.split('.');
  const { [name]: inner, ...others } = filter;
  if (rest.length === 0 || typeof inner !== 'object' || inner === null || Array.isArray(inner)) return others;
  const left = withoutCondition(inner as Filter, rest.join('.'));
  return Object.keys(left).length === 0 ? others : { ...filter, [name]: left };
}
