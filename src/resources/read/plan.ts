import type { KeyedRead, Row, SqlValue } from '../../database/sql';
import { memoized } from '../../limits/memoized';
import { globalId } from '../../model/global-id';
import type { Field, Group, Kind, ReferenceField, Resource } from '../../model/kind';
import { rowsInOrder } from '../lists/sorted-rows';
import type { Selection } from './selection';

/** Describes how to read a selection. Created once for each selection and used for every row. */
export interface Plan {
  readonly kind: Kind;
  readonly columns: string;
  /** The number of columns. */
  readonly width: number;
  /** SQL that joins the targets of links. The kind's table is `t`. */
  readonly joins: string;
  /** Whether a resource with a list of references takes a row for each of its members, so that rows have no LIMIT. */
  readonly hasMembers: boolean;
  /** The columns of the selected fields by name, with those that all kinds have. */
  readonly positions: ReadonlyMap<string, number>;
  /** Returns the rows of each resource, in the order of their first rows. */
  groupRows(rows: readonly Row[]): readonly (readonly Row[])[];
  /** Returns the resource in a row, without its members. The first column of the resource is at `offset`. */
  hydrate(row: Row, offset?: number): Resource;
  /** Returns the resources in rows, in the order of their first rows. The sort values, if any, start at `seekKeyAt`. */
  resources(rows: readonly Row[], offset?: number, seekKeyAt?: number): readonly Resource[];
}

/** The columns of the row id and the ref, with which every plan starts. */
export const ROW_ID = 0;
export const REF = 1;

/**
 * Returns the plan of a selection. Compiled documents and REST routes reuse their selection objects, so each plan is
 * made once.
 */
export function planFor(kind: Kind, selection: Selection): Plan {
  return plansOf(selection)(kind);
}

const plansOf = memoized((selection: Selection) => memoized((kind: Kind) => planOf(kind, selection)));

/** Returns the read that finds the resource of a plan by its ref. */
export const lookupOf = memoized(({ kind, columns, joins }: Plan): KeyedRead => ({
  text: `SELECT ${columns} FROM ${kind.table} t ${joins} WHERE t.ref IN (?)${kind.shared ? ' AND t.kind = ?' : ''}`,
  values: kind.shared ? [kind.name] : [],
  keyColumn: REF,
}));

type Target = Record<string, unknown>;
type Setter = (target: Target, row: Row, offset: number) => void;

function planOf(kind: Kind, selection: Selection): Plan {
  const builder = new PlanBuilder();
  builder.column('t.id');
  builder.column('t.ref');
  const members = builder.members(kind, selection);
  const hydrate = builder.add(kind, selection, 't');
  const resourceIn = (row: Row, offset: number, seekKeyAt?: number): Resource => {
    const resource = hydrate(row, offset) as Resource; // the first table has a row
    if (seekKeyAt !== undefined) resource.seekKey = row.slice(seekKeyAt);
    return resource;
  };
  const groupRows = (rows: readonly Row[], offset = 0): readonly (readonly Row[])[] => {
    if (!members) return rows.map((row) => [row]);
    return groupBy(rows, offset + ROW_ID).map((found) => rowsInOrder(found, offset + members.position, 1));
  };
  return {
    kind,
    columns: builder.columns.join(', '),
    width: builder.columns.length,
    joins: builder.joins.join(' '),
    hasMembers: members !== undefined,
    positions: builder.positions,
    groupRows: (rows) => groupRows(rows),
    hydrate: (row, offset = 0) => resourceIn(row, offset),
    resources: (rows, offset = 0, seekKeyAt?: number) => {
      if (!members) return rows.map((row) => resourceIn(row, offset, seekKeyAt));
      return groupRows(rows, offset).map((own) => {
        const resource = resourceIn(own[0] ?? [], offset, seekKeyAt);
        members.fill(resource, own, offset);
        return resource;
      });
    },
  };
}

function groupBy(rows: readonly Row[], column: number): readonly Row[][] {
  const groups = new Map<SqlValue | undefined, Row[]>();
  let group: Row[] | undefined;
  let last: SqlValue | undefined;
  for (const row of rows) {
    const key = row[column];
    // The rows of a resource nearly always follow each other.
    if (!group || key !== last) group = groups.get(key);
    last = key;
    if (group) group.push(row);
    else groups.set(key, (group = [row]));
  }
  return [...groups.values()];
}

/** A list of references that is read with a resource. */
interface Members {
  /** The column of the position in the list. */
  readonly position: number;
  /** Sets the list of a resource from its rows. */
  readonly fill: (resource: Resource, rows: readonly Row[], offset: number) => void;
}

class PlanBuilder {
  readonly columns: string[] = [];
  readonly joins: string[] = [];
  readonly positions = new Map<string, number>();
  private hasMembers = false;

  /** Joins the selected list of references: as documents show it, as resources, or both. Must be called first. */
  members(kind: Kind, { fields, lists }: Selection): Members | undefined {
    for (const { name, column, required, refersTo } of kind.references) {
      const { through, target, targetColumn, link } = refersTo;
      const selection = lists.get(link);
      if (!through || !(selection || fields.has(name))) continue;
      this.hasMembers = true;
      this.joins.push(`LEFT JOIN ${through.table} m ON m.${through.owner} = t.id`);
      this.joins.push(`LEFT JOIN ${target.table} l ON l.id = m.${column}`);
      const value = this.column(`l.${targetColumn}`);
      const hydrate = selection && this.add(target, selection, 'l');
      const isShown = fields.has(name);
      this.positions.set(name, value);
      return {
        position: this.column('m.position'),
        fill: (resource, rows, offset) => {
          const found = rows.filter((row) => row[offset + value] !== null);
          if (isShown)
            (resource as unknown as Target)[name] =
              found.length > 0 || required ? found.map((row) => row[offset + value]) : null;
          // `found` has no row without a target.
          if (hydrate) resource.lists = { [link]: found.map((row) => hydrate(row, offset) as Resource) };
        },
      };
    }
    return undefined;
  }

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
      ['extra', this.long(`${alias}.extra`, alias)],
    ];
    const groups = kind.groups
      .filter((group) => group.fields.some(({ name }) => fields.has(name)))
      .map((group) => this.group(group, alias));
    return [
      ...plain
        .filter(([name]) => fields.has(name))
        .map(([name, column]) => assign(name, this.fieldColumn(name, column, alias))),
      ...kind.fields
        .filter(({ keys, secret, name }) => secret && keys.length === 1 && fields.has(`${name}Set`))
        .map((field) => this.secretSet(field, alias)),
      ...kind.fields
        .filter((field) => field.keys.length === 1 && fields.has(field.name) && !field.refersTo?.through)
        .map((field) => assign(field.name, this.columnOf(field, alias), converter(field))),
      ...groups,
    ];
  }

  private group({ name, fields }: Group, alias: string): Setter {
    // Reads all fields of the group, because the group is null only if all of them are null.
    const setters = fields.map((field) =>
      assign(field.keys.at(-1) ?? '', this.columnOf(field, alias), converter(field)),
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

  private columnOf({ name, column, refersTo, format }: Field, alias: string): number {
    const own = format.column.type === 'text' ? this.long(`${alias}.${column}`, alias) : `${alias}.${column}`;
    const expression = refersTo ? `${this.join({ column, refersTo }, alias)}.${refersTo.targetColumn}` : own;
    return this.fieldColumn(name, expression, alias);
  }

  /** A column that may be long, which the rows of the members after the first do not repeat. */
  private long(column: string, alias: string): string {
    return this.hasMembers && alias === 't' ? `CASE WHEN m.position > 0 THEN NULL ELSE ${column} END` : column;
  }

  private join({ column, refersTo }: Pick<ReferenceField, 'column' | 'refersTo'>, alias: string): string {
    const joined = `${alias}_${column}`;
    // LEFT even if a row always exists: with an inner join, MariaDB may start with the other table and sort all rows.
    const join = `LEFT JOIN ${refersTo.target.table} ${joined} ON ${joined}.id = ${alias}.${column}`;
    if (!this.joins.includes(join)) this.joins.push(join);
    return joined;
  }

  private fieldColumn(name: string, expression: string, alias: string): number {
    const column = this.column(expression);
    if (alias === 't') this.positions.set(name, column);
    return column;
  }

  column(expression: string): number {
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
