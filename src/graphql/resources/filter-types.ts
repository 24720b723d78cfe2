import { Field as GraphqlField, GraphQLISODateTime, InputType, Int } from 'type-graphql';

import type { Format } from '../../model/format/format';
import { typeOf } from './object-types';

export type InputClass = new () => object;
type TypeThunk = ReturnType<typeof typeOf>;

const types = new Map<string, InputClass>();

/** The type with the conditions on a value of a format. */
export function filterOf(format: Format): () => InputClass {
  if (format.choice) return choiceFilter(format, format.choice.name);
  switch (format.schema.type) {
    case 'array':
      return listFilter;
    case 'integer':
      return intFilter;
    case 'boolean':
      return booleanFilter;
    case 'string':
      return textFilter;
  }
}

/** The conditions of a filter by name. */
export type Conditions = Readonly<Record<string, readonly [type: TypeThunk, about: string]>>;

const string = () => String;
const strings = () => [String];
const NULL: Conditions = {
  isNull: [() => Boolean, 'Whether there is no value. No other condition holds where there is none.'],
};

function comparisons(type: TypeThunk): Conditions {
  return {
    eq: [type, 'Equal.'],
    ne: [type, 'Another value.'],
    gt: [type, 'Greater; texts are compared by code points.'],
    gte: [type, 'Greater or equal.'],
    lt: [type, 'Less.'],
    lte: [type, 'Less or equal.'],
  };
}

export function textFilter(): InputClass {
  return filter('TextFilter', 'Conditions on a text: all of them must hold.', {
    ...comparisons(string),
    in: [strings, 'One of these.'],
    notIn: [strings, 'None of these.'],
    contains: [string, 'Has this in it.'],
    startsWith: [string, 'Begins with this.'],
    endsWith: [string, 'Ends with this.'],
    eqIgnoreCase: [string, 'Equal, but for upper and lower case.'],
    containsIgnoreCase: [string, 'Has this in it, in upper or lower case.'],
    startsWithIgnoreCase: [string, 'Begins with this, in upper or lower case.'],
    endsWithIgnoreCase: [string, 'Ends with this, in upper or lower case.'],
    matches: [string, 'A regular expression that matches the whole text, as JsonPath filters have it.'],
    ...NULL,
  });
}

function intFilter(): InputClass {
  return filter('IntFilter', 'Conditions on a number: all of them must hold.', {
    ...comparisons(() => Int),
    in: [() => [Int], 'One of these.'],
    notIn: [() => [Int], 'None of these.'],
    ...NULL,
  });
}

function booleanFilter(): InputClass {
  return filter('BooleanFilter', 'Conditions on true or false.', { eq: [() => Boolean, 'Equal.'], ...NULL });
}

export function timeFilter(): InputClass {
  return filter(
    'DateTimeFilter',
    'Conditions on a time: all of them must hold.',
    comparisons(() => GraphQLISODateTime),
  );
}

function listFilter(): InputClass {
  return filter('TextListFilter', 'Conditions on a list of texts: all of them must hold.', {
    contains: [string, 'Has this entry.'],
    containsAny: [strings, 'Has one of these entries.'],
    containsAll: [strings, 'Has all of these entries.'],
    isEmpty: [() => Boolean, 'Whether there is a list without entries.'],
    ...NULL,
  });
}

function choiceFilter(format: Format, name: string): () => InputClass {
  const choice = typeOf(format) as () => object;
  return () =>
    filter(`${name}Filter`, `Conditions on a ${name}: all of them must hold.`, {
      eq: [choice, 'Equal.'],
      ne: [choice, 'Another value.'],
      in: [() => [choice()], 'One of these.'],
      notIn: [() => [choice()], 'None of these.'],
      ...NULL,
    });
}

/** The type of that name, made once. */
export function filter(name: string, about: string, conditions: Conditions): InputClass {
  const known = types.get(name);
  if (known) return known;
  const type = declareInput(name, about);
  types.set(name, type);
  for (const [key, [of, description]] of Object.entries(conditions)) addCondition(type, key, of, description);
  return type;
}

/** Declares an input type without fields. */
export function declareInput(name: string, description: string): InputClass {
  const type = class {};
  InputType(name, { description })(type);
  return type;
}

/** Adds an optional field to an input type. */
export function addCondition(type: InputClass, name: string, of: () => unknown, description: string): void {
  // Made now: TypeGraphQL needs all types to be declared before it builds the schema.
  const made = of();
  GraphqlField((() => made) as TypeThunk, { nullable: true, description })(type.prototype as object, name);
}
