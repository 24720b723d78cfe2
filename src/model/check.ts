import type { Kind } from './kind';

const MAX_NAME = 16;
/** The names of the fields of every resource, and of the operators of filters. */
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
  'health',
  'destinationHealth',
  'covers',
]);

/**
 * Checks the declaration of a kind at startup. Throws an error that describes the mistake. `others` are the kinds
 * declared before it.
 */
export function checkKind(kind: Kind, others: readonly Kind[]): void {
  const fail = (message: string): never => {
    throw new Error(`kind ${kind.name}: ${message}`);
  };
  // The name becomes part of GraphQL names and of SQL.
  if (!/^[A-Z][A-Za-z0-9]*$/.test(kind.name) || kind.name.length > MAX_NAME)
    fail(`a name must be a capital letter followed by letters and digits, at most ${String(MAX_NAME)} characters`);
  for (const other of others) {
    if (other.singular === kind.singular || other.collection === kind.collection)
      fail(`kind ${other.name} has the same name or collection`);
    if (other.table === kind.table && !(other.shared && kind.shared)) fail(`kind ${other.name} has the same table`);
  }
  const links = [...kind.references.map(({ refersTo }) => refersTo.link), ...kind.lookups.map(({ name }) => name)];
  for (const name of [...kind.fields.map(({ keys }) => keys[0] ?? ''), ...links])
    if (RESERVED.has(name)) fail(`${name} is a reserved name`);
  const names = kind.fields.map(({ name }) => name);
  for (const [index, name] of names.entries()) if (names.indexOf(name) < index) fail(`${name} is declared twice`);
  for (const { name, secret, format } of kind.fields)
    if (secret && !format.isSecret)
      fail(`${name} is a secret, but its format may repeat the value in an error: use secretText`);
  const secrets = kind.fields.filter(({ secret }) => secret).map(({ name }) => name);
  const keys = kind.unique.flatMap(({ fields }) => fields);
  for (const name of keys) if (secrets.includes(name)) fail(`a natural key cannot contain the secret ${name}`);
  for (const { refersTo } of kind.references) {
    const { target, by } = refersTo;
    if (by !== 'ref' && !target.fields.some(({ name }) => name === by)) fail(`${target.name} has no field ${by}`);
  }
  // Inverse links read this index in creation order.
  for (const { column, refersTo } of kind.references) {
    const wanted = kind.shared ? [column, 'kind'] : [column];
    const isIndexed = Object.values(kind.indices ?? {}).some((columns) => columns.join() === wanted.join());
    if (!refersTo.through && !isIndexed)
      fail(`link ${refersTo.link} needs an index on ${wanted.join(', ')}: add it to indices`);
  }
  if (kind.references.filter(({ refersTo }) => refersTo.through).length > 1)
    fail('only one of its fields can be a list of references, because the list is read with the resource');
  for (const link of Object.keys(kind.inverse ?? {}))
    if (!kind.references.some(({ refersTo }) => refersTo.link === link))
      fail(`inverse names the link ${link}, which does not exist`);
}
