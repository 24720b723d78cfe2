import type { Order } from '../database/page';
import type { Field, Kind } from '../model/kind';

/** A sort key: a sortable field, by its name in the graph. */
export interface Sort {
  readonly field: string;
  readonly descending: boolean;
}

/** What a list can be ordered by. */
export interface Sortable {
  readonly column: string;
  /** Of the values in the column. */
  readonly type: 'string' | 'number';
  readonly nullable: boolean;
  readonly about: string;
}

/** What a kind's lists can be ordered by: its single values except secrets; by name. */
export function sortableFields(kind: Kind): ReadonlyMap<string, Sortable> {
  const own = kind.fields.filter(({ secret, format }) => !secret && format.schema.type !== 'array');
  return new Map<string, Sortable>([
    ['ref', { column: 't.ref', type: 'string', nullable: false, about: 'Reference.' }],
    ['createdOn', { column: 't.created_on', type: 'number', nullable: false, about: 'When the resource was created.' }],
    [
      'modifiedOn',
      { column: 't.modified_on', type: 'number', nullable: false, about: 'When the resource was last changed.' },
    ],
    ...own.map(
      (field) =>
        [
          field.name,
          {
            column: columnOf(field),
            type: field.format.schema.type === 'string' ? 'string' : 'number',
            nullable: !field.required,
            about: field.about,
          },
        ] as const,
    ),
  ]);
}

function columnOf({ column, refersTo }: Field): string {
  return refersTo ? `(SELECT o.ref FROM ${refersTo.target.table} o WHERE o.id = t.${column})` : `t.${column}`;
}

/** The order of a list; creation order breaks ties. Undefined without sort keys. */
export function orderOf(kind: Kind, sorts: readonly Sort[]): Order | undefined {
  const [first] = sorts;
  if (!first) return undefined;
  const sortable = sortableFields(kind);
  const terms = sorts.map(({ field, descending }) => {
    const known = sortable.get(field);
    if (!known) throw new Error(`${kind.name} is not sorted by ${field}`);
    return { ...known, descending };
  });
  // In the direction of the first, so that one scan of its index gives the whole order.
  return [...terms, { column: 't.id', type: 'number', descending: first.descending }];
}
