import type { Row, SqlValue } from '../../database/sql';
import { globalId } from '../../model/global-id';
import type { Field, Group, Kind, ReferenceField, Resource } from '../../model/kind';
import type { Selection } from './selection';

/** Describes how to read a selection. Created once for each selection and used for every row. */
export interface Plan {
  readonly kind: Kind;
  readonly columns: string;
  /** The number of columns. */
  readonly width: number;
  /** SQL that joins the targets of links to a single resource. The kind's table is `t`. */
  readonly joins: string;
  /** Returns the resource in a row. The first column of the resource is at `offset`. */
  hydrate(row: Row, offset?: number): Resource;
}

type Target = Record<string, unknown>;
type Setter = (target: Target, row: Row, offset: number) => void;

/** Creates the plan for reading a selection of a kind. */
export function planOf(kind: Kind, selection: Selection): Plan {
  const builder = new PlanBuilder();
  const hydrate = builder.add(kind, selection, 't');
  return {
    kind,
    columns: builder.columns.join(', '),
    width: builder.columns.length,
    joins: builder.joins.join(' '),
    hydrate: (row, offset = 0) => hydrate(row, offset) as Resource, // the first table has a row
  };
}

class PlanBuilder {
  readonly columns: string[] = [];
  readonly joins: string[] = [];

  /**
   * Adds the columns of a table. Returns a function that builds a resource from them, or null if the outer join found
   * no row.
   */
  add(kind: Kind, selection: Selection, alias: string): (row: Row, offset: number) => Resource | null {
    const rowId = this.column(`${alias}.id`);
    const ref = this.column(`${alias}.ref`);
    const setters = [...this.fields(kind, selection, alias), ...this.links(kind, selection, alias)];
    const withId = selection.fields.has('id');
    return (row, offset) => {
      const id = row[offset + rowId];
      if (typeof id !== 'number') return null;
      const resource = new kind.class();
      resource.rowId = id;
      resource.ref = String(row[offset + ref]);
      if (withId) resource.id = globalId(kind.name, resource.ref);
      for (const set of setters) set(resource as unknown as Target, row, offset);
      return resource;
    };
  }

  private fields(kind: Kind, { fields }: Selection, alias: string): Setter[] {
    const plain: readonly (readonly [string, string])[] = [
      ['createdOn', `${alias}.created_on`],
      ['modifiedOn', `${alias}.modified_on`],
      ['extra', `${alias}.extra`],
    ];
    const groups = kind.groups
      .filter((group) => group.fields.some(({ name }) => fields.has(name)))
      .map((group) => this.group(group, alias));
    return [
      ...plain.filter(([name]) => fields.has(name)).map(([name, column]) => assign(name, this.column(column))),
      ...kind.fields
        .filter(({ keys, secret, name }) => secret && keys.length === 1 && fields.has(`${name}Set`))
        .map((field) => this.secretSet(field, alias)),
      ...kind.fields
        .filter((field) => field.keys.length === 1 && fields.has(field.name) && !field.refersTo?.through)
        .map((field) => assign(field.name, this.column(this.columnOf(field, alias)), converter(field))),
      ...groups,
    ];
  }

  private group({ name, fields }: Group, alias: string): Setter {
    // Reads all fields of the group, because the group is null only if all of them are null.
    const setters = fields.map((field) =>
      assign(field.keys.at(-1) ?? '', this.column(this.columnOf(field, alias)), converter(field)),
    );
    const secrets = fields.filter(({ secret }) => secret).map((field) => this.secretSet(field, alias));
    return (target, row, offset) => {
      const group: Target = {};
      for (const set of setters) set(group, row, offset);
      const isAbsent = Object.values(group).every((value) => value === null);
      for (const set of secrets) set(group, row, offset);
      target[name] = isAbsent ? null : group;
    };
  }

  /** `<name>Set`: whether a secret has a value, without reading the value. */
  private secretSet({ name, keys, column }: Field, alias: string): Setter {
    return assign(`${keys.at(-1) ?? name}Set`, this.column(`${alias}.${column} IS NOT NULL`), toBoolean);
  }

  private links(kind: Kind, { links }: Selection, alias: string): Setter[] {
    return kind.references.flatMap((field) => {
      const selection = links.get(field.refersTo.link);
      if (!selection || field.refersTo.through) return [];
      const hydrate = this.add(field.refersTo.target, selection, this.join(field, alias));
      return [
        (target, row, offset) => {
          target[field.refersTo.link] = hydrate(row, offset);
        },
      ] satisfies Setter[];
    });
  }

  private columnOf({ column, refersTo }: Field, alias: string): string {
    return refersTo ? `${this.join({ column, refersTo }, alias)}.${refersTo.targetColumn}` : `${alias}.${column}`;
  }

  private join({ column, refersTo }: Pick<ReferenceField, 'column' | 'refersTo'>, alias: string): string {
    const joined = `${alias}_${column}`;
    // LEFT even if a row always exists: with an inner join, MariaDB may start with the other table and sort all rows.
    const join = `LEFT JOIN ${refersTo.target.table} ${joined} ON ${joined}.id = ${alias}.${column}`;
    if (!this.joins.includes(join)) this.joins.push(join);
    return joined;
  }

  private column(expression: string): number {
    const cached = this.columns.indexOf(expression);
    return cached >= 0 ? cached : this.columns.push(expression) - 1;
  }
}

function assign(key: string, index: number, convert?: (value: SqlValue) => unknown): Setter {
  return convert
    ? (target, row, offset) => {
        target[key] = convert(row[offset + index] ?? null);
      }
    : (target, row, offset) => {
        target[key] = row[offset + index] ?? null;
      };
}

function converter({ format }: Field): ((value: SqlValue) => unknown) | undefined {
  if (format.schema.type === 'boolean') return toBoolean;
  if (format.schema.type === 'array')
    return (value) => (value === null ? null : (JSON.parse(String(value)) as unknown));
  return undefined;
}

function toBoolean(value: SqlValue): boolean | null {
  return value === null ? null : value !== 0;
}
