import type { GraphQLScalarType } from 'graphql';
import { Field, ObjectType, registerEnumType, type GraphQLISODateTime } from 'type-graphql';

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

/** The type of a field, or a list with the type of its items. */
type FieldType = StringConstructor | BooleanConstructor | GraphQLScalarType | object;

/** A type whose values may be null. */
class Nullable<T> {
  constructor(readonly type: T) {}
}

/** The type of a field that may be null. */
export function nullable<const T extends FieldType>(type: T): Nullable<T> {
  return new Nullable(type);
}

/** A value of a type of fields, as resolvers return it. A time is in milliseconds since the epoch. */
type ValueOf<T> = T extends readonly [infer Item]
  ? readonly ValueOf<Item>[]
  : T extends StringConstructor
    ? string
    : T extends BooleanConstructor
      ? boolean
      : T extends typeof GraphQLISODateTime
        ? number
        : T extends GraphQLScalarType<infer Value>
          ? Value
          : T extends new (...args: never[]) => infer Instance
            ? Instance
            : string;

type Fields = Readonly<Record<string, readonly [type: FieldType, about: string]>>;
type ValuesOf<T extends Fields> = {
  readonly [Name in keyof T as T[Name][0] extends Nullable<unknown> ? never : Name]: ValueOf<T[Name][0]>;
} & {
  readonly [Name in keyof T as T[Name][0] extends Nullable<unknown> ? Name : never]?:
    (T[Name][0] extends Nullable<infer Type> ? ValueOf<Type> : never) | null | undefined;
};

/** Declares an object type whose fields are all data. One that computes fields, or that shares fields with others, is a class. */
export function objectOf<const T extends Fields>(name: string, description: string, fields: T): new () => ValuesOf<T> {
  const type = class {};
  ObjectType(name, { description })(type);
  for (const [field, [of, about]] of Object.entries(fields)) {
    const isNullable = of instanceof Nullable;
    const shown = isNullable ? (of as Nullable<object>).type : of;
    Field(() => shown, { nullable: isNullable, description: about })(type.prototype as object, field);
  }
  return type as new () => ValuesOf<T>; // resolvers return plain objects, whose type this is
}
