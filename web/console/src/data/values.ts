import type { InputField } from '../model/fields';
import type { Kind } from '../model/model';

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
      const value = entered(input, given);
      const isEmpty = value === null || (Array.isArray(value) && value.length === 0 && !input.isRequired);
      if (!before) return isEmpty && !(input.isList && input.isRequired) ? [] : [[input.name, value]];
      const same = JSON.stringify(entered(input, before[input.name])) === JSON.stringify(value);
      return same ? [] : [[input.name, value]];
    }),
  );
}

/** Returns what the graph accepts for the value of a form: null instead of nothing, also for groups without values. */
function entered(input: InputField, value: unknown): unknown {
  if (value === undefined || value === '') return input.isList && input.isRequired ? [] : null;
  if (input.sort !== 'group') return value;
  const inner = input.fields.map((field) => [field.name, entered(field, objectOf(value)[field.name])] as const);
  const isEmpty = inner.every(([, each]) => each === null || (Array.isArray(each) && each.length === 0));
  return isEmpty ? null : Object.fromEntries(inner);
}

function objectOf(value: unknown): Values {
  return typeof value === 'object' && value !== null ? (value as Values) : {}; // any object has string keys
}
