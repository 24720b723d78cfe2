import type { Kind } from './kind';

const MAX_NAME = 16;
/** What every resource has, and what filters have beside fields. */
const RESERVED: ReadonlySet<string> = new Set([
  'rowId',
  'position',
  'id',
  'ref',
  'kind',
  'apiVersion',
  'createdOn',
  'modifiedOn',
  'extra',
  'and',
  'or',
  'not',
  'registered',
]);

/** Throws an error that names the mistake in a kind's declaration, at startup; `others` were declared before it. */
export function checkKind(kind: Kind, others: readonly Kind[]): void {
  const fail = (message: string): never => {
    throw new Error(`kind ${kind.name}: ${message}`);
  };
  // Part of GraphQL's names, and of SQL.
  if (!/^[A-Z][A-Za-z0-9]*$/.test(kind.name) || kind.name.length > MAX_NAME)
    fail(`a name is a capital letter, then letters and digits, ${String(MAX_NAME)} characters at most`);
  for (const other of others) {
    if (other.singular === kind.singular || other.collection === kind.collection)
      fail(`its name or collection is that of ${other.name}`);
    if (other.table === kind.table && !(other.shared && kind.shared)) fail(`its table is that of ${other.name}`);
  }
  const links = [...kind.references.map(({ refersTo }) => refersTo.link), ...kind.lookups.map(({ name }) => name)];
  for (const name of [...kind.fields.map(({ keys }) => keys[0] ?? ''), ...links])
    if (RESERVED.has(name)) fail(`${name} is a reserved name`);
  for (const { name, secret, format } of kind.fields)
    if (secret && !format.isSecret)
      fail(`${name} is a secret, and its format may repeat a value in an error: use secretText`);
  const secrets = kind.fields.filter(({ secret }) => secret).map(({ name }) => name);
  const keys = kind.unique.flatMap(({ fields }) => fields);
  for (const name of keys) if (secrets.includes(name)) fail(`a natural key cannot have the secret ${name}`);
  for (const { refersTo } of kind.references) {
    const { target, by } = refersTo;
    if (by !== 'ref' && !target.fields.some(({ name }) => name === by)) fail(`${target.name} has no field ${by}`);
  }
  // Lists of what refers to a resource follow this index, in creation order.
  for (const { column, refersTo } of kind.references) {
    const wanted = kind.shared ? [column, 'kind'] : [column];
    const isIndexed = Object.values(kind.indices ?? {}).some((columns) => columns.join() === wanted.join());
    if (!refersTo.through && !isIndexed)
      fail(`${refersTo.link} needs an index on ${wanted.join(', ')}: add it to indices`);
  }
  for (const link of Object.keys(kind.inverse ?? {}))
    if (!kind.references.some(({ refersTo }) => refersTo.link === link)) fail(`inverse: it has no link ${link}`);
}
