import { buildSchema, introspectionFromSchema } from 'graphql';

import text from '../../../../schema/schema.graphql';

/**
 * The types of the schema with which the console was built, as introspection describes them. The schema is in a file of its
 * own, which few load.
 */
export function builtInTypes(): readonly object[] {
  return introspectionFromSchema(buildSchema(text)).__schema.types;
}
