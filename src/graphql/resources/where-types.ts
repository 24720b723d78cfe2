import { Field as GraphqlField, GraphQLISODateTime, InputType, Int } from 'type-graphql';

import type { Format } from '../../model/format/format';
import type { Field, Kind } from '../../model/kind';
import { kindOf, referencesOf } from '../../model/kinds';
import { linksOf } from '../../resources/links';
import { registers } from '../../resources/registered';
import { groupsByClass, typeOf } from './object-types';
import { withArticle } from './words';

type InputClass = new () => object;
type TypeThunk = ReturnType<typeof typeOf>;

const types = new Map<string, InputClass>();

/** The typed filter of a kind's lists: its fields, its links, and what combines conditions. */
export function whereOf(kind: Kind): InputClass {
  const name = `${kind.name}Where`;
  const known = types.get(name);
  if (known) return known;
  const type = declare(name, `Conditions on ${withArticle(kind.name)}; all of them must hold.`);
  add(type, 'and', () => [type], 'All of these hold.');
  add(type, 'or', () => [type], 'One of these holds.');
  add(type, 'not', () => type, 'This does not hold.');
  add(type, 'ref', () => textFilter(), 'Reference of the resource.');
  add(type, 'createdOn', () => timeFilter(), 'When the resource was created.');
  add(type, 'modifiedOn', () => timeFilter(), 'When the resource was last changed.');
  for (const field of kind.fields) if (field.keys.length === 1) addField(type, field);
  for (const { name: group, class: of, about } of kind.groups) add(type, group, () => groupWhere(of), about);
  for (const { refersTo } of referencesOf(kind)) {
    if (!refersTo.through) add(type, refersTo.link, () => whereOf(kindOf(refersTo.kind)), refersTo.linkAbout);
  }
  for (const link of linksOf(kind)) {
    add(type, link.name, () => whereOf(link.target), `${link.about} At least one of them meets these conditions.`);
  }
  if (kind.table === 'numbers') add(type, 'target', targetWhere, 'The Agent or Peer that aorLink names.');
  if (registers(kind)) add(type, 'registered', () => Boolean, REGISTERED);
  return type;
}

const REGISTERED = 'Whether it is registered now.';

function groupWhere(of: new () => object): InputClass {
  const known = types.get(`${of.name}Where`);
  if (known) return known;
  const { about, fields } = groupsByClass.get(of) ?? { about: '', fields: [] };
  const type = declare(`${of.name}Where`, about);
  for (const field of fields) addField(type, field);
  return type;
}

function addField(type: InputClass, field: Field): void {
  if (field.secret || field.refersTo?.through) return;
  add(type, field.keys.at(-1) ?? field.name, filterOf(field.format), field.about);
}

function filterOf(format: Format): () => InputClass {
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

type Conditions = Readonly<Record<string, readonly [type: TypeThunk, about: string]>>;

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

function textFilter(): InputClass {
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

function timeFilter(): InputClass {
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

function targetWhere(): InputClass {
  return filter('TargetWhere', 'What the address of record of a number leads to: all of them must hold.', {
    exists: [() => Boolean, 'Whether there is an Agent or a Peer.'],
    registered: [() => Boolean, REGISTERED],
    agent: [() => whereOf(kindOf('Agent')), 'It is an Agent like this.'],
    peer: [() => whereOf(kindOf('Peer')), 'It is a Peer like this.'],
  });
}

function filter(name: string, about: string, conditions: Conditions): InputClass {
  const known = types.get(name);
  if (known) return known;
  const type = declare(name, about);
  for (const [key, [of, description]] of Object.entries(conditions)) add(type, key, of, description);
  return type;
}

function declare(name: string, description: string): InputClass {
  const type = class {};
  InputType(name, { description })(type);
  types.set(name, type);
  return type;
}

function add(type: InputClass, name: string, of: () => unknown, description: string): void {
  // Now, and not when the schema is built: TypeGraphQL has to know all types before.
  const made = of();
  GraphqlField((() => made) as TypeThunk, { nullable: true, description })(type.prototype as object, name);
}
