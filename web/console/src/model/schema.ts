import { GraphError } from '../graph/graph-error';
import { request } from '../graph/request';

/** A type as introspection describes it: LIST and NON_NULL wrap another. */
interface TypeRef {
  readonly kind: string;
  readonly name: string | null;
  readonly ofType?: TypeRef | null;
}

/** An argument, or a field of an input type. */
export interface InputValue {
  readonly name: string;
  readonly description?: string | null;
  readonly type: TypeRef;
}

/** A field of an object type. */
export interface OutputField extends InputValue {
  readonly args: readonly InputValue[];
}

/** A named type of the graph. */
interface NamedType {
  readonly kind: string;
  readonly name: string;
  readonly description?: string | null;
  readonly fields?: readonly OutputField[] | null;
  readonly inputFields?: readonly InputValue[] | null;
  readonly enumValues?: readonly { readonly name: string; readonly description?: string | null }[] | null;
  readonly possibleTypes?: readonly { readonly name: string | null }[] | null;
}

/** The types of the graph by name. */
export type Schema = ReadonlyMap<string, NamedType>;

const INTROSPECTION = `query Types {
  __schema { types { kind name description
    fields { name description args { name type { ...Ref } } type { ...Ref } }
    inputFields { name description type { ...Ref } }
    enumValues { name description }
    possibleTypes { name }
  } }
}
fragment Ref on __Type { kind name ofType { kind name ofType { kind name ofType { kind name } } } }`;

/** Reads the types from the server, which serves the same ones until it restarts. */
export async function readSchema(): Promise<Schema> {
  try {
    const { __schema } = await request<{ __schema: { types: readonly NamedType[] } }>(INTROSPECTION);
    return byName(__schema.types);
  } catch (error) {
    if (!(error instanceof GraphError) || error.code !== 'GRAPHQL_VALIDATION_FAILED') throw error;
    // DISCOVERY=off: the schema with which the console was built.
    const { builtInTypes } = await import('./built-in-schema');
    return byName(builtInTypes() as readonly NamedType[]); // introspection of the same schema
  }
}

function byName(types: readonly NamedType[]): Schema {
  return new Map(types.map((type) => [type.name, type]));
}

/** What a type is without its wrappers. */
interface Shape {
  /** Name of the type itself. */
  readonly name: string;
  readonly isList: boolean;
  readonly isRequired: boolean;
}

/** Unwraps a type. */
export function shapeOf(type: TypeRef): Shape {
  if (type.kind === 'NON_NULL' && type.ofType) return { ...shapeOf(type.ofType), isRequired: true };
  if (type.kind === 'LIST' && type.ofType) return { ...shapeOf(type.ofType), isList: true, isRequired: false };
  return { name: type.name ?? '', isList: false, isRequired: false };
}
