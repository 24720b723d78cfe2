import type { ReactElement } from 'react';
import { DateTimeInput, NumberInput, SelectArrayInput, SelectInput, TextInput } from 'react-admin';

import type { Kind, Model } from '../model/model';
import { shapeOf } from '../model/schema';
import { texts } from '../texts';

const BOOLEANS = [
  { id: true, name: texts.kinds.yes },
  { id: false, name: texts.kinds.no },
];

/** The search, and a filter for each condition of the kind. Their sources are paths in the graph's conditions. */
export function filtersOf(model: Model, kind: Kind): readonly ReactElement[] {
  return [
    <TextInput
      key="q"
      source="q"
      type="search"
      label={texts.kinds.search}
      helperText={false}
      resettable
      alwaysOn
      slotProps={{ htmlInput: { 'data-search': true } }}
    />,
    ...conditionsOf(model, `${kind.name}Where`, '', 0),
  ];
}

/**
 * The filters of an input type, and of those in it that describe linked resources. Of the kinds of a union, there is the
 * reference, with which the pages of resources select what refers to them (uses.tsx).
 */
function conditionsOf(model: Model, input: string, path: string, depth: number): readonly ReactElement[] {
  const conditions = model.schema.get(input)?.inputFields ?? [];
  const isUnion = !conditions.some(({ name }) => name === 'ref');
  return conditions.flatMap(({ name, type }) => {
    const condition = shapeOf(type);
    const source = path + name;
    if (condition.isList || name === 'not') return [];
    const filters = filtersFor(model, condition.name, source);
    if (filters) return filters;
    if (!condition.name.endsWith('Where')) return [];
    if (depth < 1) return conditionsOf(model, condition.name, `${source}.`, depth + 1);
    const ref = `${source}.ref`;
    return isUnion ? (filtersFor(model, 'TextFilter', ref) ?? []).filter(({ key }) => key === `${ref}.eq`) : [];
  });
}

function filtersFor(model: Model, type: string, source: string): readonly ReactElement[] | undefined {
  const label = (operator: string): string => texts.kinds.condition(source, operator);
  const { atLeast, atMost, contains, from, is, isNot, until } = texts.kinds;
  const input = (Input: typeof TextInput | typeof NumberInput, operator: string, words: string): ReactElement => (
    <Input key={`${source}.${operator}`} source={`${source}.${operator}`} label={label(words)} helperText={false} />
  );
  const choice = (operator: string, words: string, choices: readonly object[]): ReactElement => (
    <SelectInput
      key={`${source}${operator}`}
      source={`${source}${operator}`}
      label={label(words)}
      choices={[...choices]}
      helperText={false}
    />
  );
  const time = (operator: string, words: string): ReactElement => (
    <DateTimeInput
      key={`${source}.${operator}`}
      source={`${source}.${operator}`}
      label={label(words)}
      parse={(value: string) => (value ? new Date(value).toISOString() : null)}
      helperText={false}
    />
  );
  switch (type) {
    case 'TextFilter':
      return [
        input(TextInput, 'containsIgnoreCase', contains),
        input(TextInput, 'eq', is),
        input(TextInput, 'ne', isNot),
      ];
    case 'IntFilter':
      return [input(NumberInput, 'eq', is), input(NumberInput, 'gte', atLeast), input(NumberInput, 'lte', atMost)];
    case 'DateTimeFilter':
      return [time('gte', from), time('lt', until)];
    case 'TextListFilter':
      return [input(TextInput, 'contains', contains)];
    case 'Boolean':
      return [choice('', '', BOOLEANS)];
    case 'BooleanFilter':
      return [choice('.eq', '', BOOLEANS)];
  }
  const values = model.schema.get(type)?.inputFields?.find(({ name }) => name === 'in');
  const named = values && model.schema.get(shapeOf(values.type).name);
  if (named?.kind !== 'ENUM') return undefined;
  const choices = (named.enumValues ?? []).map(({ name }) => ({ id: name, name: texts.kinds.choice(name) }));
  return [
    <SelectArrayInput
      key={`${source}.in`}
      source={`${source}.in`}
      label={label(is)}
      choices={choices}
      helperText={false}
    />,
  ];
}
