import { Field as GraphqlField, GraphQLISODateTime, InputType, Int } from 'type-graphql';

import type { Format } from '../../model/format/format';
import { HealthStateEnum } from './health-state';
import { typeOf } from './object-types';

export type InputClass = new () => object;
type TypeThunk = ReturnType<typeof typeOf>;

const types = new Map<string, InputClass>();

/** Returns the type with the conditions on a value of a format. */
export function filterOf(format: Format): () => InputClass {
  if (format.choice) return choiceFilter(format, format.choice.name);
  if (format.entries) return entriesFilter(format.entries);
  switch (format.schema.type) {
    case 'array':
      return listFilter;
    case 'integer':
      return intFilter;
    case 'boolean':
      return booleanFilter;
    case 'string':
    case 'object':
      return textFilter;
  }
}

/** The conditions of a filter by name. */
export type Conditions = Readonly<Record<string, readonly [type: TypeThunk, about: string]>>;

const string = () => String;
const strings = () => [String];
const NULL: Conditions = {
  isNull: [() => Boolean, 'Whether the value is null. All other conditions are false for null.'],
};

function comparisons(type: TypeThunk): Conditions {
  return {
    eq: [type, 'Equal to this value.'],
    ne: [type, 'Not equal to this value.'],
    gt: [type, 'Greater than this value. Texts are compared by code points.'],
    gte: [type, 'Greater than or equal to this value.'],
    lt: [type, 'Less than this value.'],
    lte: [type, 'Less than or equal to this value.'],
  };
}

export function textFilter(): InputClass {
  return filter('TextFilter', 'Conditions on a text; all must hold.', {
    ...comparisons(string),
    in: [strings, 'Equal to one of these values.'],
    notIn: [strings, 'Equal to none of these values.'],
    contains: [string, 'Contains this text.'],
    startsWith: [string, 'Starts with this text.'],
    endsWith: [string, 'Ends with this text.'],
    eqIgnoreCase: [string, 'Equal to this text, ignoring case.'],
    containsIgnoreCase: [string, 'Contains this text, ignoring case.'],
    startsWithIgnoreCase: [string, 'Starts with this text, ignoring case.'],
    endsWithIgnoreCase: [string, 'Ends with this text, ignoring case.'],
    matches: [string, 'The whole text matches this regular expression, which has the syntax of JsonPath filters.'],
    ...NULL,
  });
}

function intFilter(): InputClass {
  return filter('IntFilter', 'Conditions on a number; all must hold.', {
    ...comparisons(() => Int),
    in: [() => [Int], 'Equal to one of these values.'],
    notIn: [() => [Int], 'Equal to none of these values.'],
    ...NULL,
  });
}

function booleanFilter(): InputClass {
  return filter('BooleanFilter', 'Conditions on a boolean; all must hold.', {
    eq: [() => Boolean, 'Equal to this value.'],
    ...NULL,
  });
}

export function timeFilter(): InputClass {
  return filter(
    'DateTimeFilter',
    'Conditions on a time; all must hold.',
    comparisons(() => GraphQLISODateTime),
  );
}

export function healthFilter(): InputClass {
  return filter('GatewayHealthStateFilter', 'Conditions on the health of a gateway; all must hold.', {
    eq: [() => HealthStateEnum, 'Equal to this state.'],
    ne: [() => HealthStateEnum, 'Not equal to this state.'],
    in: [() => [HealthStateEnum], 'Equal to one of these states.'],
    notIn: [() => [HealthStateEnum], 'Equal to none of these states.'],
  });
}

function listFilter(): InputClass {
  return filter('TextListFilter', 'Conditions on a list of texts; all must hold.', {
    contains: [string, 'Contains this entry.'],
    containsAny: [strings, 'Contains one of these entries.'],
    containsAll: [strings, 'Contains all of these entries.'],
    startsWith: [string, 'Contains an entry that starts with this text.'],
    isEmpty: [() => Boolean, 'Whether the list is empty.'],
    ...NULL,
  });
}

/** Conditions on the values that a member of the entries of a list has. Those that an entry leaves out are not among them. */
function membersFilter(format: Format): () => InputClass {
  const { type } = format.schema;
  if (type === 'string' && !format.choice) return listFilter;
  const of = format.choice?.name ?? (type === 'integer' ? 'Int' : 'Boolean');
  const value = typeOf(format) as () => object;
  const values = () => [value()];
  return () =>
    filter(`${of}ListFilter`, `Conditions on a list of values of type ${of}; all must hold.`, {
      contains: [value, 'Contains this value.'],
      containsAny: [values, 'Contains one of these values.'],
      containsAll: [values, 'Contains all of these values.'],
    });
}

/** Conditions on the entries of a list, by their members. */
function entriesFilter({ name, fields }: NonNullable<Format['entries']>): () => InputClass {
  const conditions = fields.map(
    (field) => [field.name, [membersFilter(field.format), `The ${field.name} of each entry.`]] as const,
  );
  return () =>
    filter(`${name}ListFilter`, 'Conditions on a list of entries; all must hold.', {
      ...Object.fromEntries(conditions),
      isEmpty: [() => Boolean, 'Whether the list is empty.'],
      ...NULL,
    });
}

function choiceFilter(format: Format, name: string): () => InputClass {
  const choice = typeOf(format) as () => object;
  return () =>
    filter(`${name}Filter`, `Conditions on a value of type ${name}; all must hold.`, {
      eq: [choice, 'Equal to this value.'],
      ne: [choice, 'Not equal to this value.'],
      in: [() => [choice()], 'Equal to one of these values.'],
      notIn: [() => [choice()], 'Equal to none of these values.'],
      ...NULL,
    });
}

/** Returns the type with this name, which is created once. */
export function filter(name: string, about: string, conditions: Conditions): InputClass {
  const cached = types.get(name);
  if (cached) return cached;
  const type = declareInput(name, about);
  types.set(name, type);
  for (const [key, [of, description]] of Object.entries(conditions)) addInputField(type, key, of, description);
  return type;
}

/** Declares an input type without fields. */
export function declareInput(name: string, description: string): InputClass {
  const type = class {};
  InputType(name, { description })(type);
  return type;
}

/** Adds a field to an input type. */
export function addInputField(
  type: InputClass,
  name: string,
  of: () => unknown,
  description: string,
  nullable = true,
): void {
  // Created immediately, because TypeGraphQL requires all types before it builds the schema.
  const made = of();
  GraphqlField((() => made) as TypeThunk, { nullable, description })(type.prototype as object, name);
}
