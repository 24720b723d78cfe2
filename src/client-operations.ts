import type { Field, Kind } from './model/kind';

/** The documents of the typed clients: every operation on each kind, named after its field in the graph. */
export function clientOperations(kinds: readonly Kind[]): string {
  return `# Written by \`npm run schema\`, from the kinds.\n${kinds.map(operationsOf).join('\n')}`;
}

function operationsOf(kind: Kind): string {
  const { name, singular, collection } = kind;
  const fields = `...${name}Fields`;
  return `
fragment ${name}Fields on ${name} {
  id
  ref
  ${selections(kind).join('\n  ')}
  createdOn
  modifiedOn
}

query ${singular}($ref: String!) {
  ${singular}(ref: $ref) {
    ${fields}
  }
}

query ${collection}(
  $where: ${name}Where
  $filter: String
  $orderBy: [${name}Order!]
  $first: Int
  $after: String
  $last: Int
  $before: String
) {
  ${collection}(
    where: $where
    filter: $filter
    orderBy: $orderBy
    first: $first
    after: $after
    last: $last
    before: $before
  ) {
    totalCount
    pageInfo {
      ...PageFields
    }
    nodes {
      ${fields}
    }
  }
}

mutation create${name}($input: Create${name}Input!) {
  create${name}(input: $input) {
    ${fields}
  }
}

mutation update${name}($ref: String!, $input: Update${name}Input!) {
  update${name}(ref: $ref, input: $input) {
    ${fields}
  }
}

mutation delete${name}($ref: String!) {
  delete${name}(ref: $ref)
}
`;
}

function selections({ fields, groups }: Kind): readonly string[] {
  const members = groups.map((group) => block(group.name, group.fields.map(selection)));
  return [...fields.filter(({ keys }) => keys.length === 1).map(selection), ...members];
}

/** A field as the graph shows it: of a secret whether it is set, of a list of references the resources. */
function selection({ name, keys, secret, refersTo }: Field): string {
  const key = keys.at(-1) ?? name;
  if (secret) return `${key}Set`;
  return refersTo?.through ? block(refersTo.link, ['ref', refersTo.by]) : key;
}

function block(name: string, lines: readonly string[]): string {
  return `${name} {\n    ${lines.join('\n    ')}\n  }`;
}
