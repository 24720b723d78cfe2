import type { InputField } from '../model/fields';
import type { Kind } from '../model/model';

/** A field that many resources can be given the same value of. */
export interface Settable {
  /** Such as `geoInfo.city`. */
  readonly path: string;
  /** The group with a dot, such as `geoInfo.`; empty without one. */
  readonly group: string;
  readonly input: InputField;
}

/** The fields of a kind that can be set; a group is left apart, so that its other fields keep their values. */
export function settables({ update }: Kind): readonly Settable[] {
  return update.flatMap((input): readonly Settable[] => {
    if (input.sort !== 'group' || input.isList) return [{ path: input.name, group: '', input }];
    const group = `${input.name}.`;
    return input.fields.map((inner) => ({ path: group + inner.name, group, input: inner }));
  });
}

/** Returns the input that gives these fields the values of a form. A field without a value is cleared. */
export function setOf(fields: readonly Settable[], values: Readonly<Record<string, unknown>>): object {
  const set: Record<string, unknown> = {};
  for (const { group, input } of fields) {
    const name = group.slice(0, -1);
    const from = name === '' ? values : ((values[name] ?? {}) as Record<string, unknown>); // a group of the form
    const given = from[input.name];
    const value = given === undefined || given === '' ? (input.isList ? [] : null) : given;
    if (name === '') set[input.name] = value;
    else set[name] = { ...(set[name] as object | undefined), [input.name]: value };
  }
  return set;
}
