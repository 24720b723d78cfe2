import {
  getArgumentValues,
  getDirectiveValues,
  getNamedType,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  Kind as Ast,
  type FieldNode,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLNamedType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  type SelectionSetNode,
} from 'graphql';
import { registerEnumType } from 'type-graphql';

import type { Range } from '../../database/page';
import { InvalidInputError } from '../../errors';
import { memoized } from '../../limits/memoized';
import type { Kind } from '../../model/kind';
import type { Filters } from '../../resources/lists/filters';
import type { Condition, ListQuery } from '../../resources/lists/list-query';
import { orderOf, sortableFields, type Sort } from '../../resources/lists/order';
import type { Context } from '../context';
import { PAGE, type PageArgs, rangeOf } from './connection';
import { argsOf, enumOf, inputOf, nullable, withDefault } from './type-tables';
import { CREATION_CURSORS, sortedCursors, type Cursors } from './cursors';
import { predicateOf } from './where';
import { whereOf } from './where-types';

/** The arguments of a connection of resources. */
export interface ListArgs extends PageArgs {
  readonly filter?: string | null;
  readonly where?: Readonly<Record<string, unknown>> | null;
  readonly orderBy?: readonly { readonly field: string; readonly direction: Direction }[] | null;
}

/** The arguments of a connection of resources, compiled. */
export interface List {
  readonly range: Range;
  readonly query: ListQuery | undefined;
  readonly cursors: Cursors;
}

type Direction = 'ASC' | 'DESC';
const DirectionEnum = enumOf<Direction>('OrderDirection', 'The direction of a sort order.', {
  ASC: 'Ascending; items without a value come first.',
  DESC: 'Descending; items without a value come last.',
});

const MAX_SORTS = 8;

/** Returns the GraphQL type of the arguments for connections of a kind. */
export const listArgsOf = memoized((kind: Kind): new () => PageArgs => {
  const [order, where] = [orderInput(kind), whereOf(kind)];

  return argsOf({
    ...PAGE,
    filter: [
      nullable(String),
      'Return only items that match this JsonPath predicate, for example `@.metadata.ref=="x"`. The syntax is the same as in REST.',
    ],
    where: [nullable(where), 'Return only items that meet these conditions.'],
    orderBy: [
      nullable([order]),
      'The sort order, most significant field first; creation order by default. Equal items are in creation order, or the reverse if the first field is descending.',
    ],
  });
});

function orderInput(kind: Kind): new () => object {
  const fields = [...sortableFields(kind)].map(([name, { about }]) => [constantCase(name), { name, about }] as const);
  const names = Object.fromEntries(fields.map(([key, { name }]) => [key, name]));
  registerEnumType(names, {
    name: `${kind.name}OrderField`,
    description: `Fields that lists of type ${kind.name} can be sorted by.`,
    valuesConfig: Object.fromEntries(fields.map(([key, { about }]) => [key, { description: about }])),
  });

  return inputOf(`${kind.name}Order`, `A sort order of lists of type ${kind.name}.`, {
    field: [names, 'The field to sort by.'],
    direction: [withDefault(DirectionEnum, 'ASC'), 'The direction.'],
  });
}

function constantCase(name: string): string {
  return name
    .replace('.', '_')
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toUpperCase();
}

/** Compiles the arguments to SQL conditions, a range and the cursors of the sort order. Throws InvalidInputError. */
export function listOf(kind: Kind, args: ListArgs, filters: Filters): List {
  const { orderBy } = args;
  const sorts = (orderBy ?? []).map(({ field, direction }): Sort => ({
    field,
    descending: direction === 'DESC',
  }));
  if (sorts.length > MAX_SORTS) throw InvalidInputError.of('orderBy', `has more than ${String(MAX_SORTS)} entries`);
  const order = orderOf(kind, sorts);
  const cursors = order ? sortedCursors(sorts, order) : CREATION_CURSORS;
  const range = rangeOf(args, cursors);
  const condition = conditionOf(kind, args, filters);
  const query = condition || order ? { ...(condition && { condition }), ...(order && { order }) } : undefined;
  return { range, query, cursors };
}

/** Compiles the filters of a list to a condition; undefined without one. Throws InvalidInputError. */
export function conditionOf(
  kind: Kind,
  { filter, where }: Pick<ListArgs, 'filter' | 'where'>,
  filters: Filters,
): Condition | undefined {
  const typed = where ? { input: where, predicate: () => predicateOf(kind, where) } : undefined;
  return filters.condition(kind, filter ?? undefined, typed);
}

/** A connection in a selection. */
interface Selected {
  readonly field: GraphQLField<unknown, unknown>;
  readonly node: FieldNode;
}

const connectionsOf = new WeakMap<GraphQLResolveInfo['fieldNodes'], readonly Selected[]>();

/**
 * Makes each mutation check the arguments of all connections below it before it writes: otherwise, it would report a
 * failure, although the write has succeeded. Of connections of other objects than resources, the cursors are not checked.
 */
export function checkListsOfMutations(schema: GraphQLSchema): void {
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    const resolve = field.resolve as GraphQLFieldResolver<unknown, Context>; // of `callDirectly`
    field.resolve = (source, args, context: Context, info) => {
      checkListArguments(info, context);
      return resolve(source, args, context, info);
    };
  }
}

/** Throws InvalidInputError. */
function checkListArguments(info: GraphQLResolveInfo, context: Context): void {
  const { fieldNodes, returnType, variableValues } = info;
  const selected = connectionsOf.get(fieldNodes) ?? [
    ...fieldNodes.flatMap(({ selectionSet }) => [...connectionsIn(selectionSet, getNamedType(returnType), info)]),
  ];
  connectionsOf.set(fieldNodes, selected);
  for (const { field, node } of selected) {
    if (!isIncluded(node, variableValues)) continue;
    const args: ListArgs = getArgumentValues(field, node, variableValues);
    const { shared, read } = context.session;
    const kind = shared.model.find(getNamedType(field.type).name.slice(0, -CONNECTION.length));
    if (kind) listOf(kind, args, read.filters);
    else rangeOf({ first: args.first ?? null, last: args.last ?? null });
  }
}

const CONNECTION = 'Connection';

function* connectionsIn(
  selectionSet: SelectionSetNode | undefined,
  type: GraphQLNamedType | undefined,
  info: GraphQLResolveInfo,
): Generator<Selected, void, undefined> {
  for (const node of selectionSet?.selections ?? []) {
    if (node.kind !== Ast.FIELD) {
      const fragment = node.kind === Ast.FRAGMENT_SPREAD ? info.fragments[node.name.value] : node;
      const condition = fragment?.typeCondition?.name.value;
      const within = condition === undefined ? type : info.schema.getType(condition);
      yield* connectionsIn(fragment?.selectionSet, within, info);
      continue;
    }
    const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[node.name.value] : undefined;
    if (!field) continue;
    const below = getNamedType(field.type);
    // Other lists of results have no `last`, and limits of their own.
    if (below.name.endsWith(CONNECTION) && field.args.some(({ name }) => name === 'last')) yield { field, node };
    if (isCompositeType(below)) yield* connectionsIn(node.selectionSet, below, info);
  }
}

function isIncluded(node: FieldNode, variables: GraphQLResolveInfo['variableValues']): boolean {
  return (
    getDirectiveValues(GraphQLSkipDirective, node, variables)?.['if'] !== true &&
    getDirectiveValues(GraphQLIncludeDirective, node, variables)?.['if'] !== false
  );
}
