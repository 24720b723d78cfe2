import { TRUE, all, list, raw, sql, type Fragment } from '../../database/fragment';
import type { FilterDialect } from '../../filter/dialect';
import { ABSENT, scalar, spelledWith, type Form, type ScalarForm, type Term } from '../../filter/term';
import { memoized } from '../../limits/memoized';
import { API_VERSION, type Field, type Kind, type Reference } from '../../model/kind';

/** A row of a kind's table in a statement, as filters refer to it. */
export interface ResourceRow {
  readonly kind: Kind;
  readonly alias: string;
  readonly dialect: FilterDialect;
  readonly view: { readonly blanks: boolean };
  readonly table: Fragment;
  column(name: string): Fragment;
  /** Refers to a row of another kind, under a separate alias. */
  next(kind: Kind): ResourceRow;
}

/**
 * The value of a kind's legacy document at a path: an object with members, or a function that returns the term of a
 * row.
 */
export type DocumentNode = ReadonlyMap<string, DocumentNode> | ((row: ResourceRow) => Term);

type Members = Map<string, DocumentNode>;

/** Returns the structure of a kind's legacy document, without secrets. Created once for each kind. */
export const documentOf = memoized((kind: Kind): ReadonlyMap<string, DocumentNode> => {
  const made: Members = new Map();
  put(made, ['apiVersion'], ({ dialect }) => constant(API_VERSION, dialect));
  put(made, ['kind'], ({ dialect }) => constant(kind.name, dialect));
  put(made, ['metadata', 'ref'], (row) => [scalar('string', row.column('ref'))]);
  for (const name of ['createdOn', 'modifiedOn']) {
    const column = name.replace('On', '_on');
    put(made, ['metadata', name], (row) => [scalar('string', row.dialect.isoTime(row.column(column)))]);
  }
  for (const field of kind.fields) {
    // No filter matches a secret.
    const { spelling } = (field.refersTo?.targetField ?? field).format;
    put(made, field.pathKeys, field.secret ? () => ABSENT : (row) => [spelledWith(formOf(field, row), spelling)]);
  }
  return made;
});

/** Returns the paths of all objects in a document. */
export function objectPaths(node: DocumentNode, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof node === 'function') return [];
  return [path, ...[...node].flatMap(([name, below]) => objectPaths(below, [...path, name]))];
}

function put(members: Members, [key = '', ...below]: readonly string[], node: DocumentNode): void {
  if (below.length === 0) {
    members.set(key, node);
    return;
  }
  const child = members.get(key) ?? new Map<string, DocumentNode>();
  members.set(key, child);
  if (typeof child !== 'function') put(child as Members, below, node); // made above
}

function constant(text: string, dialect: FilterDialect): Term {
  return [scalar('string', dialect.text(sql`${text}`))];
}

function formOf(field: Field, row: ResourceRow): Form {
  const { refersTo, format } = field;
  const column = row.column(field.column);
  if (refersTo?.through) return listForm(field, refersTo, refersTo.through, row);
  if (field.blank && row.view.blanks) return scalar('string', row.dialect.text(sql`COALESCE(${column}, '')`));
  const when = field.required ? TRUE : sql`${column} IS NOT NULL`;
  if (refersTo) return { ...referenceForm(refersTo, column, row), when };
  switch (format.schema.type) {
    case 'array':
      return format.entries ? row.dialect.entries(column) : row.dialect.texts(column);
    case 'integer':
      return scalar('number', column, when);
    case 'boolean':
      return scalar('boolean', column, when);
    case 'string':
    case 'object':
      return { ...scalar('string', column, when), ...foundForm(field, row) };
  }
}

/** How an index of derived columns finds the values of a field. */
function foundForm({ name }: Field, row: ResourceRow): Pick<ScalarForm, 'found'> {
  const derived = row.kind.derived?.filter(({ finds }) => finds === name) ?? [];
  if (derived.length === 0) return {};
  return {
    found: (texts) =>
      all(
        derived.map(({ column, from }) => {
          const values = new Set(texts.map((text) => from(new Map([[name, text]]))));
          return sql`${row.column(column)} IN (${list([...values])})`;
        }),
      ),
  };
}

/**
 * A reference, compared by the value that identifies its target. An index of the target's table finds the target, and
 * an index of this table finds the rows that refer to the target.
 */
function referenceForm(
  { target, targetColumn }: Reference,
  column: Fragment,
  row: ResourceRow,
): Omit<ScalarForm, 'when'> {
  const other = row.next(target);
  const ofKind = target.shared ? sql`${other.column('kind')} = ${target.name}` : undefined;
  return {
    type: 'string',
    where: (condition, exact = false) => {
      const found = all([ofKind, condition(other.column(targetColumn))]);
      const rows = sql`(SELECT ${other.column('id')} FROM ${other.table} WHERE ${found})`;
      return exact ? sql`${column} = ${rows}` : sql`${column} IN ${rows}`;
    },
  };
}

function listForm(
  { column, required }: Field,
  { target, targetColumn }: Reference,
  { table, owner }: NonNullable<Reference['through']>,
  row: ResourceRow,
): Form {
  const other = row.next(target);
  const value = other.column(targetColumn);
  const members = raw(`m${other.alias}`);
  const of = sql`${members}.${raw(owner)}`;
  const from = sql`${raw(table)} ${members} JOIN ${other.table} ON ${other.column('id')} = ${members}.${raw(column)}`;
  const own = sql`${of} = ${row.column('id')}`;
  const position = sql`${members}.position`;
  return {
    type: 'list',
    when: required ? TRUE : sql`EXISTS (SELECT 1 FROM ${raw(table)} ${members} WHERE ${own})`,
    some: (condition) =>
      sql`${row.column('id')} IN (SELECT ${of} FROM ${from} WHERE ${condition([scalar('string', value)])})`,
    size: sql`(SELECT COUNT(*) FROM ${raw(table)} ${members} WHERE ${own})`,
    at: (place) => {
      const order = place < 0 ? sql`${position} DESC` : position;
      const offset = place < 0 ? -place - 1 : place;
      const entry = sql`(SELECT ${value} FROM ${from} WHERE ${own} ORDER BY ${order} LIMIT 1 OFFSET ${offset})`;
      return [scalar('string', entry, sql`${entry} IS NOT NULL`)];
    },
  };
}
