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

/** Objects that lead to no others, and texts or numbers, which take as long as an object of a list that does. */
const ENDS_PER_OBJECT = 25;
const VALUES_PER_OBJECT = 50;

/**
 * Counts the entries of all lists of a response while it is made, and empties what comes after too many. How many a list
 * without pages has, such as the numbers of a peer, is only known then, and lists within lists multiply.
 */
export function limitLists(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    // What a mutation itself returns is limited by what it may change.
    if (!isObjectType(type) || type.name.startsWith('__') || type === schema.getMutationType()) continue;
    for (const field of Object.values(type.getFields())) {
      if (!isListType(getNullableType(field.type))) continue;
      const { resolve = defaultFieldResolver } = field;
      const share = shareOf(getNamedType(field.type));
      const limited = (found: unknown, context: Context): unknown =>
        Array.isArray(found) && !context.lists(found.length * share) ? [] : found;
      field.resolve = (source, args, context: Context, info) => {
        const found: unknown = resolve(source, args, context, info);
        return found instanceof Promise
          ? found.then((list: unknown) => limited(list, context))
          : limited(found, context);
      };
    }
  }
}

/** How much of an object an entry of a list counts. */
function shareOf(type: GraphQLNamedType): number {
  if (isLeafType(type)) return 1 / VALUES_PER_OBJECT;
  if (!isObjectType(type)) return 1;
  const leadsOn = Object.values(type.getFields()).some((field) => {
    const inner = getNullableType(field.type);
    return isListType(inner) || !isLeafType(inner);
  });
  return leadsOn ? 1 : 1 / ENDS_PER_OBJECT;
}
