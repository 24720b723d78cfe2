import { buildSchema, introspectionFromSchema } from 'graphql';

import text from '../../../../schema/schema.graphql';
import type { NamedType } from './schema';

/** The types of the schema with which the console was built. It is in a file of its own, which few load. */
export function builtInTypes(): readonly NamedType[] {
  return introspectionFromSchema(buildSchema(text)).__schema.types as readonly NamedType[]; // the same format
}
