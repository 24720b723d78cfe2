import { registerEnumType } from 'type-graphql';

/** Declares the GraphQL type of an enum. `about` describes its values. */
export function enumOf<T extends string>(
  name: string,
  description: string,
  about: Readonly<Record<T, string>>,
): Readonly<Record<T, T>> {
  const values = Object.keys(about) as T[]; // its keys are those of the type
  const type = Object.fromEntries(values.map((value) => [value, value])) as Record<T, T>;
  const described = values.map((value) => [value, { description: about[value] }] as const);
  registerEnumType<Record<string, string>>(type, { name, description, valuesConfig: Object.fromEntries(described) });
  return type;
}
