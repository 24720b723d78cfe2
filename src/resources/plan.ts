import type { Row, SqlValue } from '../database/sql';
import { globalId } from './global-id';
import type { Field, Group, Kind, Resource } from '../model/kind';
import { kindOf, referencesOf } from '../model/kinds';
import type { Selection } from './selection';

/** How a selection is read: made once for a selection, used for every row. */
export interface Plan {
  readonly kind: Kind;
  readonly columns: string;
  /** How many columns there are. */
  readonly width: number;
  /** Joins the links to one to the kind's table, which is named `t`. */
  readonly joins: string;
  /** The resource in a row whose first column is at `offset`. */
  hydrate(row: Row, offset?: number): Resource;
}

type Target = Record<string, unknown>;
type Setter = (target: Target, row: Row, offset: number) => void;

/** Plans the reading of a selection. */
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

  /** Adds a table's columns; gives what makes a resource of them, or null where the outer join found no row. */
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
      if (withId) resource.id = globalId(kind, resource.ref);
      for (const set of setters) set(resource as unknown as Target, row, offset);
      return resource;
    };
  }

  private fields(kind: Kind, { fields }: Selection, alias: string): Setter[] {
    const plain: readonly (readonly [string, string])[] = [
      ['createdOn', `${alias}.created_on`],
      ['modifiedOn', `${alias}.modified_on`],
      ['extra', `${alias}.extra`],
      ['secretSet', `${alias}.secret IS NOT NULL`],
    ];
    const groups = kind.groups
      .filter((group) => group.fields.some(({ name }) => fields.has(name)))
      .map((group) => this.group(group, alias));
    return [
      ...plain
        .filter(([name]) => fields.has(name))
        .map(([name, column]) => assign(name, this.column(column), name === 'secretSet' ? toBoolean : undefined)),
      ...kind.fields
        .filter((field) => field.keys.length === 1 && fields.has(field.name) && !field.refersTo?.through)
        .map((field) => assign(field.name, this.column(this.columnOf(field, alias)), converter(field))),
      ...groups,
    ];
  }

  private group({ name, fields }: Group, alias: string): Setter {
    // All of them, because the group is null only when all are.
    const setters = fields.map((field) =>
      assign(field.keys.at(-1) ?? '', this.column(this.columnOf(field, alias)), converter(field)),
    );
    return (target, row, offset) => {
      const group: Target = {};
      for (const set of setters) set(group, row, offset);
      target[name] = Object.values(group).every((value) => value === null) ? null : group;
    };
  }

  private links(kind: Kind, { links }: Selection, alias: string): Setter[] {
    return referencesOf(kind).flatMap((field) => {
      const selection = links.get(field.refersTo.link);
      if (!selection || field.refersTo.through) return [];
      const hydrate = this.add(kindOf(field.refersTo.kind), selection, this.join(field, alias));
      return [
        (target, row, offset) => {
          target[field.refersTo.link] = hydrate(row, offset);
        },
      ] satisfies Setter[];
    });
  }

  private columnOf(field: Field, alias: string): string {
    if (!field.refersTo) return `${alias}.${field.column}`;
    const by = kindOf(field.refersTo.kind).fields.find((each) => each.name === field.refersTo?.by)?.column ?? 'ref';
    return `${this.join(field, alias)}.${by}`;
  }

  private join(field: Field, alias: string): string {
    const joined = `${alias}_${field.column}`;
    const table = field.refersTo && kindOf(field.refersTo.kind).table;
    // LEFT also where there is always a row: with an inner join MariaDB may begin with the other table and sort the whole.
    const join = `LEFT JOIN ${table ?? ''} ${joined} ON ${joined}.id = ${alias}.${field.column}`;
    if (!this.joins.includes(join)) this.joins.push(join);
    return joined;
  }

  private column(expression: string): number {
    const known = this.columns.indexOf(expression);
    return known >= 0 ? known : this.columns.push(expression) - 1;
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
