import {
  defaultFieldResolver,
  getNamedType,
  getNullableType,
  isLeafType,
  isListType,
  isObjectType,
  type GraphQLNamedType,
  type GraphQLSchema,
} from 'graphql';

import type { Context } from '../context';

/** Objects without links or lists, and texts or numbers, that take as long as an object with them. */
const PLAIN_PER_OBJECT = 25;
const VALUES_PER_OBJECT = 50;

/**
 * Counts the entries of all lists while a response is made, and empties the further lists once there are too many. The
 * length of a list without pages, such as the numbers of a peer, is only known then, and nested lists multiply.
 */
export function limitLists(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    // The lists that a mutation itself returns are limited by the number of changes that it may make.
    if (!isObjectType(type) || type.name.startsWith('__') || type === schema.getMutationType()) continue;
    for (const field of Object.values(type.getFields())) {
      if (!isListType(getNullableType(field.type))) continue;
      const { resolve = defaultFieldResolver } = field;
      const share = shareOf(getNamedType(field.type));
      const limited = (found: unknown, context: Context): unknown =>
        Array.isArray(found) && !context.countListed(found.length * share) ? [] : found;
      field.resolve = (source, args, context: Context, info) => {
        const found: unknown = resolve(source, args, context, info);
        return found instanceof Promise
          ? found.then((list: unknown) => limited(list, context))
          : limited(found, context);
      };
    }
  }
}

/** How much of an object an entry of a list costs. */
function shareOf(type: GraphQLNamedType): number {
  if (isLeafType(type)) return 1 / VALUES_PER_OBJECT;
  if (!isObjectType(type)) return 1;
  const hasLinks = Object.values(type.getFields()).some((field) => {
    const inner = getNullableType(field.type);
    return isListType(inner) || !isLeafType(inner);
  });
  return hasLinks ? 1 : 1 / PLAIN_PER_OBJECT;
}
