import {
  Kind as Ast,
  type FieldNode,
  type GraphQLResolveInfo,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

import type { Kind } from '../../model/kind';
import { linksOf } from '../../resources/read/links';
import { linkedKind, type Selection } from '../../resources/read/selection';

type Fragments = GraphQLResolveInfo['fragments'];

/** The nodes of a field in the document, with the fragments below them. */
export type SelectedField = Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>;

/** The selection of a connection. */
interface ConnectionSelection {
  readonly nodes: Selection;
  readonly total: boolean;
}

const INTERFACES = ['Node', 'Resource'];
const selections = new WeakMap<GraphQLResolveInfo['fieldNodes'], Map<Kind, Selection>>();
const connections = new WeakMap<GraphQLResolveInfo['fieldNodes'], ConnectionSelection>();

/**
 * Returns the selection of a kind below this field. The selection is cached by the AST nodes of the field, which stay
 * the same for a compiled document. Plans are cached by selection, so the plan is then reused, too.
 */
export function selectionOf(kind: Kind, { fieldNodes, fragments }: SelectedField): Selection {
  const cached = selections.get(fieldNodes) ?? new Map<Kind, Selection>();
  selections.set(fieldNodes, cached);
  const selection = cached.get(kind) ?? select(kind, fieldNodes, fragments);
  cached.set(kind, selection);
  return selection;
}

/** Returns the selection of a connection, with that of its nodes. */
export function connectionSelectionOf(kind: Kind, { fieldNodes, fragments }: GraphQLResolveInfo): ConnectionSelection {
  const cached = connections.get(fieldNodes);
  if (cached) return cached;
  const type = `${kind.name}Connection`;
  const within = [...fieldsOf(fieldNodes, [type], fragments)];
  const edges = within.filter(({ name }) => name.value === 'edges');
  const nodes = [
    ...within.filter(({ name }) => name.value === 'nodes'),
    ...[...fieldsOf(edges, [`${kind.name}Edge`], fragments)].filter(({ name }) => name.value === 'node'),
  ];
  const made = {
    nodes: select(kind, nodes, fragments),
    total: within.some(({ name }) => name.value === 'totalCount'),
  };
  connections.set(fieldNodes, made);
  return made;
}

function select(kind: Kind, nodes: readonly FieldNode[], fragments: Fragments): Selection {
  const types = typesOf(kind);
  const wanted = new Map<string, FieldNode[]>();
  for (const node of fieldsOf(nodes, types, fragments)) {
    const known = wanted.get(node.name.value);
    if (known) known.push(node);
    else wanted.set(node.name.value, [node]);
  }
  const certain = new Set(fieldsOf(nodes, types, fragments, isCertain));
  const links = new Map<string, Selection>();
  const lists = new Map<string, Selection>();
  const fields = new Set<string>();
  for (const [name, below] of wanted) {
    const target = linkedKind(kind, name);
    if (target) links.set(name, select(target, below, fragments));
    const link = linksOf(kind).find((each) => each.name === name);
    // Other links, and lists that a directive may leave out, have loaders, which start from the row.
    if (link?.shape === 'list' && below.some((node) => certain.has(node)))
      lists.set(name, select(link.target, below, fragments));
    if (!target) fields.add(link ? 'rowId' : name);
    if (asksForMore(kind, name, below, fragments)) fields.add('rowId');
  }
  // A group is read as a whole, because it is null only if all its fields are null.
  for (const { name, keys } of kind.fields) if (keys.length > 1 && fields.has(keys[0] ?? '')) fields.add(name);
  return { fields, links, lists };
}

/**
 * Whether the entries of a field are asked for more than is stored of them, such as their health, which is found by the row of the
 * resource.
 */
function asksForMore(kind: Kind, name: string, nodes: readonly FieldNode[], fragments: Fragments): boolean {
  const entries = kind.fields.find((field) => field.name === name)?.format.entries;
  if (!entries) return false;
  const stored = ['__typename', ...entries.fields.map((field) => field.name)];
  return [...fieldsOf(nodes, [entries.name], fragments)].some((node) => !stored.includes(node.name.value));
}

/** The type of a kind, with the interfaces and unions that it is part of. */
function typesOf(kind: Kind): readonly string[] {
  return [kind.name, ...INTERFACES, ...kind.lookedUpBy.map(({ lookup }) => lookup.type.name)];
}

function* fieldsOf(
  nodes: readonly FieldNode[],
  types: readonly string[] | undefined,
  fragments: Fragments,
  accepts = (_selection: SelectionNode): boolean => true,
): Generator<FieldNode, void, undefined> {
  for (const { selectionSet } of nodes) if (selectionSet) yield* fieldsIn(selectionSet, types, fragments, accepts);
}

/** Whether no directive can leave out the selection. */
function isCertain({ directives }: SelectionNode): boolean {
  return !directives?.length;
}

function* fieldsIn(
  { selections: below }: SelectionSetNode,
  types: readonly string[] | undefined,
  fragments: Fragments,
  accepts: (selection: SelectionNode) => boolean,
): Generator<FieldNode, void, undefined> {
  for (const node of below) {
    if (!accepts(node)) continue;
    if (node.kind === Ast.FIELD) {
      yield node;
      continue;
    }
    const fragment = node.kind === Ast.FRAGMENT_SPREAD ? fragments[node.name.value] : node;
    const condition = fragment?.typeCondition?.name.value;
    if (fragment && (condition === undefined || types === undefined || types.includes(condition))) {
      yield* fieldsIn(fragment.selectionSet, types, fragments, accepts);
    }
  }
}

/** The nodes of a field of a kind, which are directly below the current field. */
export function fieldNodesOf(
  kind: Kind,
  field: string,
  { fieldNodes, fragments }: GraphQLResolveInfo,
): readonly FieldNode[] {
  return [...fieldsOf(fieldNodes, typesOf(kind), fragments)].filter(({ name }) => name.value === field);
}

/** Whether `field` is selected directly below the current field. */
export function asksFor(field: string, { fieldNodes, fragments }: GraphQLResolveInfo): boolean {
  return [...fieldsOf(fieldNodes, undefined, fragments)].some(({ name }) => name.value === field);
}

/** Whether one of `fields` is selected on the nodes of the current field, which is a connection. */
export function asksNodesFor(fields: readonly string[], { fieldNodes, fragments }: GraphQLResolveInfo): boolean {
  const within = [...fieldsOf(fieldNodes, undefined, fragments)];
  const edges = within.filter(({ name }) => name.value === 'edges');
  const nodes = [...within, ...fieldsOf(edges, undefined, fragments)].filter(({ name }) => /^nodes?$/.test(name.value));
  return [...fieldsOf(nodes, undefined, fragments)].some(({ name }) => fields.includes(name.value));
}
