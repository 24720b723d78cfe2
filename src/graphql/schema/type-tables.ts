import type { GraphQLScalarType } from 'graphql';
import {
  ArgsType,
  Field,
  InputType,
  ObjectType,
  registerEnumType,
  type FieldOptions,
  type GraphQLISODateTime,
} from 'type-graphql';

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
  readonly isNullable = true;
  constructor(readonly type: T) {}
}

/** The type of a field that may be null, or of items that may. */
export function nullable<const T extends FieldType>(type: T): Nullable<T> {
  return new Nullable(type);
}

/** A type of an argument with the value that it has if it is not given. */
class Default<T> {
  constructor(
    readonly type: T,
    readonly value: unknown,
  ) {}
}

/** The type of an argument, or of a field of an input, that has a default. */
export function withDefault<const T extends FieldType>(type: T, value: ValueOf<T, Input>): Default<T> {
  return new Default(type, value);
}

/** What resolvers return: times are in milliseconds since the epoch. */
interface Output {
  readonly time: number;
  readonly none: null | undefined;
}

/** What resolvers get. */
interface Input {
  readonly time: Date;
  readonly none: null;
}

type ValueOf<T, Way extends Input | Output> = T extends readonly [infer Item]
  ? readonly ValueOf<Item, Way>[]
  : T extends Nullable<infer Type>
    ? ValueOf<Type, Way> | Way['none']
    : T extends Default<infer Type>
      ? ValueOf<Type, Way>
      : T extends StringConstructor
        ? string
        : T extends BooleanConstructor
          ? boolean
          : T extends typeof GraphQLISODateTime
            ? Way['time']
            : T extends GraphQLScalarType<infer Value>
              ? Value
              : T extends abstract new (...args: never[]) => infer Instance
                ? Instance
                : T extends Readonly<Record<string, infer Choice>>
                  ? Choice
                  : never;

type Fields = Readonly<Record<string, readonly [type: FieldType, about: string]>>;
type ValuesOf<T extends Fields, Way extends Input | Output> = {
  readonly [Name in keyof T as T[Name][0] extends Nullable<unknown> ? never : Name]: ValueOf<T[Name][0], Way>;
} & {
  readonly [Name in keyof T as T[Name][0] extends Nullable<unknown> ? Name : never]?: ValueOf<T[Name][0], Way>;
};

/** Declares an object type whose fields are all data. One that computes fields is a class. */
export function objectOf<const T extends Fields>(
  name: string,
  description: string,
  fields: T,
): new () => ValuesOf<T, Output> {
  return declare(ObjectType(name, { description }), fields);
}

/** Declares an input type. */
export function inputOf<const T extends Fields>(
  name: string,
  description: string,
  fields: T,
): new () => ValuesOf<T, Input> {
  return declare(InputType(name, { description }), fields);
}

/** Declares the arguments of a field. */
export function argsOf<const T extends Fields>(fields: T): new () => ValuesOf<T, Input> {
  return declare(ArgsType(), fields);
}

function declare(as: ClassDecorator, fields: Fields): new () => never {
  const type = class {};
  as(type);
  for (const [name, [of, description]] of Object.entries(fields)) {
    const [shown, options] = shapeOf(of);
    Field(() => shown, { ...options, description })(type.prototype, name);
  }
  return type as new () => never; // resolvers get and return plain objects, whose types tables have
}

/** The type of a field as TypeGraphQL has it, with its options. */
function shapeOf(of: object): readonly [type: object, options: FieldOptions] {
  if (of instanceof Nullable) return [of.type as object, { nullable: true }];
  if (of instanceof Default) return [of.type as object, { defaultValue: of.value }];
  const [item] = Array.isArray(of) ? (of as readonly unknown[]) : [];
  return item instanceof Nullable ? [[item.type], { nullable: 'items' }] : [of, {}];
}
