import {
  getNamedType,
  getNullableType,
  isAbstractType,
  isLeafType,
  isListType,
  isUnionType,
  parse,
  print,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLNamedOutputType,
} from 'graphql';

import { graphSchema } from '../src/graphql/schema';
import type { Field, Kind } from '../src/model/kind';
import type { Model } from '../src/model/model';

/**
 * Where the operations select something else than `selectionOf` does, by type and field: the fields in its place, or
 * whole selections. Nothing for what costs more than the rest of the operation, such as the length of a log.
 */
const EXCEPTIONS: Readonly<Record<string, readonly string[]>> = {
  'ApiToken.deprecatedUses': [],
  'Call.messages': [],
  'CallAlert.resource': ['resource'],
  'CallConnection.totalCount': [],
  'DestinationHealthChange.gateway': ['gateway { ...GatewayFields }'],
  'GatewayHealthChange.gateway': ['gateway { ...GatewayFields health { state since roundTrip lastStatus checkedOn } }'],
  'HistoryEntryConnection.totalCount': [],
  'ImportResult.calls': [],
  'ImportResult.count': [
    'created: count(outcome: CREATED)',
    'updated: count(outcome: UPDATED)',
    'unchanged: count(outcome: UNCHANGED)',
    'failed: count(outcome: FAILED)',
  ],
  'ImportResult.rows': ['rows(outcomes: $outcomes)'],
  'ManyResult.calls': [],
  'MoveResult.calls': [],
  'NumberHealth.others': [],
  'NumberHealthConnection.totalCount': [],
  'RegistrationChange.gateway': ['gateway { ...GatewayFields registration { ...RegistrationFields } }'],
  'RegistrationEventConnection.totalCount': [],
  'ResourceChange.resource': ['resource'],
  'SimulatedCalls.lostWays': ['lostWays'],
  'SimulatedCalls.numbers': ['numbers'],
  'SimulatedCalls.shadowed': ['shadowed'],
  'SimulatedCalls.waysOut': ['waysOut'],
  'User.deprecatedUses': [],
  'Viewer.deprecatedUses': [],
  'Viewer.sessions': [],
};

type Output = GraphQLField<unknown, unknown>;

/** The variables of the selections above, by the type of the root field. */
const VARIABLES: Readonly<Record<string, readonly string[]>> = { ImportResult: ['$outcomes: [ImportOutcome!]'] };

/**
 * Generates the GraphQL documents of the typed clients: an operation for each root field of the schema, with the same
 * name and all its arguments.
 */
export function clientOperations(model: Model): string {
  const schema = graphSchema(model);
  const kinds = new Map(model.kinds.map((kind) => [kind.name, kind]));
  const fragments = new Map<string, string>();

  const isResource = (type: GraphQLCompositeType): boolean =>
    isAbstractType(type) ? schema.getPossibleTypes(type).some(isResource) : kinds.has(type.name);

  /** The selection of a type: the fields without arguments, but not the resources whose references are among them. */
  function selectionOf(type: GraphQLCompositeType): readonly string[] {
    const fields = isUnionType(type) ? {} : type.getFields();
    const lines = Object.values(fields).flatMap((field) => {
      const heads = EXCEPTIONS[`${type.name}.${field.name}`] ?? (isSelected(field, fields) ? [field.name] : []);
      return heads.map((head) => (head.endsWith('}') ? head : head + selectionIn(field)));
    });
    return isAbstractType(type) ? ['__typename', ...lines] : lines;
  }

  function isSelected({ name, args, deprecationReason, type }: Output, siblings: object): boolean {
    // The edges of a connection have the same objects as its nodes.
    if (args.length > 0 || deprecationReason !== undefined || name === 'edges') return false;
    const named = getNamedType(type);
    if (isLeafType(named) || !isResource(named)) return true;
    const isOfAnyKind = isAbstractType(named) && !isListType(getNullableType(type));
    return !(`${name}Ref` in siblings) && !(isOfAnyKind && 'ref' in siblings);
  }

  function selectionIn({ name, type }: Output): string {
    const named = getNamedType(type);
    if (isLeafType(named)) return '';
    if (name === 'nodes' || name === 'pageInfo') return block([fragmentOf(named)]);
    return block(isResource(named) ? linkTo(named) : selectionOf(named));
  }

  /** The selection of a resource that another object leads to: its reference, and the fields that it always has. */
  function linkTo(type: GraphQLCompositeType): readonly string[] {
    const own = (name: string): readonly string[] =>
      (kinds.get(name)?.fields ?? [])
        .filter(
          ({ required, secret, keys, refersTo }) => required && !secret && keys.length === 1 && !refersTo?.through,
        )
        .map(selection);
    if (!isAbstractType(type)) return ['id', 'ref', ...own(type.name)];
    const each = schema.getPossibleTypes(type).map(({ name }) => `... on ${name}${block(own(name))}`);
    return ['__typename', '... on Resource { id ref kind }', ...each];
  }

  /** Spreads the fragment of a type. */
  function fragmentOf(type: GraphQLCompositeType): string {
    const name = `${type.name.replace(/(Info|Result)$/, '')}Fields`;
    const kind = kinds.get(type.name);
    const lines = kind ? ['id', 'ref', ...selections(kind), 'createdOn', 'modifiedOn'] : selectionOf(type);
    fragments.set(name, `fragment ${name} on ${type.name}${block(lines)}`);
    return `...${name}`;
  }

  function rootSelection(type: GraphQLNamedOutputType): string {
    if (isLeafType(type)) return '';
    if (isAbstractType(type) && isResource(type)) return block(linkTo(type));
    return block(type.name.endsWith('Connection') ? selectionOf(type) : [fragmentOf(type)]);
  }

  function operationOf(type: string, { name, args: all, type: result }: Output): string {
    const named = getNamedType(result);
    // The links that are selected of some kinds cannot be read as of an earlier time.
    const hasLinks = kinds.get(named.name)?.references.some(({ refersTo }) => refersTo.through) ?? false;
    const args = all.filter((arg) => arg.name !== 'asOf' || !hasLinks);
    // An argument with a default may be left out.
    const variables = args.map(({ name: arg, type: of, defaultValue }) => {
      const needed = defaultValue === undefined ? of : getNullableType(of);
      return `$${arg}: ${String(needed)}`;
    });
    const declared = list([...variables, ...(VARIABLES[named.name] ?? [])]);
    const passed = list(args.map((arg) => `${arg.name}: $${arg.name}`));
    return `${type} ${name}${declared} { ${name}${passed}${rootSelection(named)} }`;
  }

  const operations = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].flatMap((type) =>
    Object.values(type?.getFields() ?? {}).map((field) => operationOf(String(type?.name.toLowerCase()), field)),
  );
  const documents = [...fragments.values(), ...operations].join('\n');
  return `# Generated by \`npm run schema\` from the schema.\n\n${print(parse(documents))}\n`;
}

function selections({ fields, groups }: Kind): readonly string[] {
  const members = groups.map((group) => group.name + block(group.fields.map(selection)));
  return [...fields.filter(({ keys }) => keys.length === 1).map(selection), ...members];
}

/** The selection of a field: `<name>Set` for a secret, the fields of entries, and the linked resources for a list of references. */
function selection({ name, keys, secret, refersTo, format }: Field): string {
  const key = keys.at(-1) ?? name;
  if (secret) return `${key}Set`;
  if (format.entries) return key + block(format.entries.fields.map((field) => field.name));
  return refersTo?.through ? refersTo.link + block([...new Set(['ref', refersTo.by])]) : key;
}

function block(lines: readonly string[]): string {
  return ` { ${lines.join(' ')} }`;
}

function list(items: readonly string[]): string {
  return items.length > 0 ? `(${items.join(', ')})` : '';
}
