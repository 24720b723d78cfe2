import { registerEnumType } from 'type-graphql';

/** Declares the GraphQL type of an enum. */
export function enumOf<T extends string>(
  name: string,
  description: string,
  values: readonly T[],
  about: Record<T, string>,
): Record<string, string> {
  const type = Object.fromEntries(values.map((value) => [value, value]));
  const valuesConfig = Object.fromEntries(values.map((value) => [value, { description: about[value] }]));
  registerEnumType(type, { name, description, valuesConfig });
  return type;
}
