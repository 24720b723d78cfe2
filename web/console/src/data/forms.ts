import { HttpError } from 'react-admin';

import { type ChangedSince, GraphError } from '../graph/graph-error';
import { randomId } from '../graph/request';
import { MAY_BE_EMPTY, type InputField } from '../model/fields';
import type { Kind } from '../model/model';
import { texts } from '../texts';

/** Values of a form, or of a resource. */
export type Values = Readonly<Record<string, unknown>>;

/** Returns the values of a form for a resource. Secrets are empty texts, because they cannot be read. */
export function formValues({ update }: Kind, resource: Values): Values {
  return { id: resource['ref'], ...valuesOf(update, resource, resource) };
}

function valuesOf(inputs: readonly InputField[], from: Values, resource: Values): Values {
  return Object.fromEntries(inputs.map((input) => [input.name, valueOf(input, from, resource)]));
}

function valueOf({ name, sort, link, isList, fields }: InputField, from: Values, resource: Values): unknown {
  if (sort === 'secret') return '';
  if (link) {
    const linked = resource[link.field];
    if (isList) return Array.isArray(linked) ? linked.map((each) => objectOf(each)[link.by]) : [];
    return objectOf(linked)[link.by] ?? null;
  }
  if (sort === 'group' && isList) {
    const entries: unknown = from[name];
    return Array.isArray(entries) ? entries.map((each) => valuesOf(fields, objectOf(each), resource)) : [];
  }
  if (sort === 'group') return valuesOf(fields, objectOf(from[name]), resource);
  return from[name] ?? null;
}

/** Returns the input of a mutation: all that is filled in for a creation, otherwise all that differs from `before`. */
export function inputOf(inputs: readonly InputField[], values: Values, before?: Values): Values {
  return Object.fromEntries(
    inputs.flatMap((input) => {
      const given = values[input.name];
      // A secret that is not entered stays as it is; null removes it.
      if (before && input.sort === 'secret') return given === undefined || given === '' ? [] : [[input.name, given]];
      const value = toGraph(input, given);
      const isEmpty = value === null || (Array.isArray(value) && value.length === 0 && !input.isRequired);
      if (!before) return isEmpty && !(input.isList && input.isRequired) ? [] : [[input.name, value]];
      const same = JSON.stringify(toGraph(input, before[input.name])) === JSON.stringify(value);
      return same ? [] : [[input.name, value]];
    }),
  );
}

/** Converts the value of a form to what the graph accepts: null instead of nothing, also for groups without values. */
function toGraph(input: InputField, value: unknown): unknown {
  if (value === undefined || value === '' || value === null) {
    if (input.isRequired && MAY_BE_EMPTY.includes(input.name)) return '';
    return input.isList && input.isRequired ? [] : null;
  }
  if (input.sort !== 'group') return value;
  if (input.isList) return Array.isArray(value) ? value.map((each) => entryOf(input, objectOf(each))) : value;
  const inner = input.fields.map((field) => [field.name, toGraph(field, objectOf(value)[field.name])] as const);
  const isEmpty = inner.every(([, each]) => each === null || (Array.isArray(each) && each.length === 0));
  return isEmpty ? null : Object.fromEntries(inner);
}

/** An entry of a list. What is not filled in is left out. */
function entryOf({ fields }: InputField, entry: Values): Values {
  const inner = fields.map((field) => [field.name, toGraph(field, entry[field.name])] as const);
  return Object.fromEntries(inner.filter(([, each]) => each !== null));
}

/** The value at a path such as `geoInfo.city`. */
export function valueAt(values: Values, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => objectOf(value)[name], values);
}

/** Whether a value is none: a form has an empty text instead of null. */
export function isUnset(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

function objectOf(value: unknown): Values {
  return typeof value === 'object' && value !== null ? (value as Values) : {}; // any object has string keys
}

/** Returns the Idempotency-Key with which a form sends this data. */
export type KeyOf = (data: object) => string;

/**
 * Creates the keys of a form. The same data has the same key, so saving again after a lost response creates nothing
 * twice. Changed data has a new key, because the server refuses a key that it has received with other data.
 */
export function createKeys(): KeyOf {
  let [sent, key] = ['', ''];
  return (data) => {
    const json = JSON.stringify(data);
    if (json !== sent) [sent, key] = [json, randomId()];
    return key;
  };
}

/** Turns an error of the graph into one that react-admin shows at the fields of a form. */
export function formError(error: unknown): unknown {
  if (!(error instanceof GraphError)) return error;
  const status = error.code === 'NOT_FOUND' ? 404 : error.code === 'CONFLICT' ? 409 : 400;
  const { code, fields, changedSince } = error;
  // What somebody else has changed is no mistake in a field.
  const errors = changedSince ? undefined : errorsAt(error);
  return new HttpError(error.message, status, { code, fields, changedSince, errors });
}

/** What was changed since the form was filled in, if an error of `formError` says so. */
export function changedSinceIn(error: unknown): ChangedSince | undefined {
  return error instanceof HttpError ? (error.body as { changedSince?: ChangedSince }).changedSince : undefined; // made above
}

/** The messages of an error for the fields of a form, as react-admin shows them; undefined if it is about no field. */
export function errorsAt(error: unknown): object | undefined {
  if (!(error instanceof GraphError) || error.fields.length === 0) return undefined;
  return nest(Object.fromEntries(error.fields.map((field) => [field, texts.kinds.invalid(field, error.at(field))])));
}

/** `geoInfo.city` is an error within those of `geoInfo`, and `destinations[1].port` one of an entry. */
function nest(flat: Readonly<Record<string, string>>): object {
  const all: Record<string, unknown> = {};
  for (const [field, message] of Object.entries(flat)) {
    const path = field.split(/[.[\]]+/).filter((key) => key !== '');
    const last = path.pop() ?? field;
    let at = all;
    for (const key of path) at = at[key] = { ...(at[key] as object | undefined) }; // made here
    at[last] = message;
  }
  return all;
}
