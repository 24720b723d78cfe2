import {
  Kind as Ast,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  getArgumentValues,
  getDirectiveValues,
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  type FieldNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLResolveInfo,
  type SelectionSetNode,
} from 'graphql';

import type { Kind } from '../../model/kind';
import type { Model } from '../../model/model';
import type { Filters } from '../../resources/lists/filters';
import { listOf } from './list-args';

/** A connection of resources in a selection. */
interface Selected {
  readonly kind: Kind;
  readonly field: GraphQLField<unknown, unknown>;
  readonly node: FieldNode;
}

const cached = new WeakMap<GraphQLResolveInfo['fieldNodes'], readonly Selected[]>();

/**
 * Checks the arguments of all connections below this field. A mutation checks them before it writes: otherwise, it
 * would report a failure, although the write has succeeded. Throws InvalidInputError.
 */
export function checkListArguments(
  info: GraphQLResolveInfo,
  { model, filters }: { readonly model: Model; readonly filters: Filters },
): void {
  const { fieldNodes, returnType, variableValues } = info;
  const selected = cached.get(fieldNodes) ?? [
    ...fieldNodes.flatMap(({ selectionSet }) => [
      ...connectionsIn(selectionSet, getNamedType(returnType), info, model),
    ]),
  ];
  cached.set(fieldNodes, selected);
  for (const { kind, field, node } of selected) {
    if (!isIncluded(node, variableValues)) continue;
    listOf(kind, getArgumentValues(field, node, variableValues), filters); // the arguments of `listArgsOf`
  }
}

function* connectionsIn(
  selectionSet: SelectionSetNode | undefined,
  type: GraphQLNamedType | undefined,
  info: GraphQLResolveInfo,
  model: Model,
): Generator<Selected, void, undefined> {
  for (const node of selectionSet?.selections ?? []) {
    if (node.kind !== Ast.FIELD) {
      const fragment = node.kind === Ast.FRAGMENT_SPREAD ? info.fragments[node.name.value] : node;
      const condition = fragment?.typeCondition?.name.value;
      const within = condition === undefined ? type : info.schema.getType(condition);
      yield* connectionsIn(fragment?.selectionSet, within, info, model);
      continue;
    }
    const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[node.name.value] : undefined;
    if (!field) continue;
    const below = getNamedType(field.type);
    const kind = model.find(/^(.+)Connection$/.exec(below.name)?.[1] ?? '');
    if (kind) yield { kind, field, node };
    if (isCompositeType(below)) yield* connectionsIn(node.selectionSet, below, info, model);
  }
}

function isIncluded(node: FieldNode, variables: GraphQLResolveInfo['variableValues']): boolean {
  return (
    getDirectiveValues(GraphQLSkipDirective, node, variables)?.['if'] !== true &&
    getDirectiveValues(GraphQLIncludeDirective, node, variables)?.['if'] !== false
  );
}
