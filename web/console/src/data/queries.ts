import { numberIn } from '../../../../src/spelling/written';
import type { Field } from '../model/fields';
import { kindOf, type Kind, type Model } from '../model/model';
import { shapeOf } from '../model/schema';

/** The selection of a kind's fields; without live state unless `withLive`, because it costs more. */
export function selectionOf(model: Model, { fields }: Kind, withLive: boolean): string {
  const others = fields.filter(({ name }) => name !== 'ref');
  return ['ref', ...others.flatMap((field) => select(model, field, withLive) ?? [])].join(' ');
}

function select(model: Model, { name, sort, kinds, fields }: Field, withLive: boolean): string | undefined {
  switch (sort) {
    case 'link':
      return `${name} { __typename ${kinds.map((kind) => `... on ${kind} { ${namesOf(model, kind)} }`).join(' ')} }`;
    case 'group':
      return `${name} { ${fields.map((field) => field.name).join(' ')} }`;
    case 'live':
      return withLive ? `${name} { ${fields.map((field) => field.name).join(' ')} }` : undefined;
    default:
      return name;
  }
}

/** What tells the state of live objects in lists. */
const STATES: Readonly<Record<string, string>> = {
  Contact: 'id',
  Registration: 'state lastResponse registeredOn expiresOn',
  GatewayHealth: 'state since roundTrip',
};

/** The selection of what lists need for the state of a resource: its own live objects, and what its gateway does. */
export function stateSelectionOf(model: Model, kind: Kind, types = Object.keys(STATES)): string {
  return kind.fields
    .flatMap(({ name, type, kinds: [linked] }) => {
      const fields = STATES[type];
      if (fields !== undefined && types.includes(type)) return `${name} { ${fields} }`;
      if (linked !== 'Gateway') return [];
      const registration = stateSelectionOf(model, kindOf(model, linked), ['Registration']);
      return `${name} { enabled draining username secretSet sendRegister ${registration} }`;
    })
    .join(' ');
}

/** What identifies a resource: for people, and in the inputs of others. */
function namesOf(model: Model, kind: string): string {
  const { label } = kindOf(model, kind);
  const keys = model.kinds.flatMap(({ create }) =>
    create.flatMap(({ link }) => (link?.kind === kind && link.by !== 'ref' ? link.by : [])),
  );
  return [...new Set(['ref', label, ...keys])].join(' ');
}

/** The values of a list's filter: conditions of the graph, and `q`, which is searched for. */
export type Filter = Readonly<Record<string, unknown>>;

/** What a filter searches for; empty if it does not. */
export function searchedIn({ q }: Filter): string {
  return typeof q === 'string' ? q.trim() : '';
}

/**
 * Returns the conditions of the graph for the filter of a list; undefined if all resources meet them. `parts` are what a
 * number may contain that the filter searches for (graph/spelling.ts).
 */
export function whereOf(model: Model, kind: Kind, filter: Filter, parts: readonly string[]): object | undefined {
  const { q, ...conditions } = filter;
  const given = prune(conditions) as Filter | undefined;
  const text = searchedIn({ q });
  if (text === '') return given;
  const found = searched(model, kind, text, parts);
  return given ? { and: [given, found] } : found;
}

/** A text with so many digits is a part of a telephone number: extensions are shorter. */
const DIGITS_OF_NUMBER = 5;

/**
 * The condition that one of the texts of a resource, which include references, contains the given text, or that its number
 * contains one of `parts`. Only the numbers of DIDs and Numbers are searched for digits: an index finds them among a million.
 */
export function searched(
  { schema }: Model,
  { name, label }: Kind,
  text: string,
  parts: readonly string[],
  withRefs = true,
): object {
  const digits = numberIn(text)?.number.replace(/\D/g, '').length ?? 0;
  const isNumber = label === 'telUrl' && digits >= DIGITS_OF_NUMBER;
  const fields = (schema.get(`${name}Where`)?.inputFields ?? [])
    .filter(({ type }) => shapeOf(type).name === 'TextFilter')
    .map((each) => each.name)
    .filter((field) => withRefs || !/ref$/i.test(field))
    .filter((field) => !isNumber || field === 'telUrl');
  const contains = (field: string, part: string): object => ({ [field]: { containsIgnoreCase: part } });
  return {
    or: fields.flatMap((field) => (field === 'telUrl' ? parts : [text]).map((part) => contains(field, part))),
  };
}

/** The conditions of which a number that begins with digits meets one; an index answers them. */
export function beginningWith(digits: string): readonly object[] {
  return [`tel:+${digits}`, `tel:${digits}`].map((start) => ({ telUrl: { startsWith: start } }));
}

/** Returns the value without the parts that a form leaves empty; undefined if nothing is left. */
function prune(value: unknown): unknown {
  if (value === undefined || value === null || value === '') return undefined;
  if (Array.isArray(value)) return value.length > 0 ? value : undefined;
  if (typeof value !== 'object') return value;
  const entries = Object.entries(value).flatMap(([name, each]) => {
    const left = prune(each);
    return left === undefined ? [] : [[name, left] as const];
  });
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}
