import type { Order } from '../../database/page';
import type { Field, Kind } from '../../model/kind';

/** A sort key. `field` is the name of a sortable field in the GraphQL schema. */
export interface Sort {
  readonly field: string;
  readonly descending: boolean;
}

/** A column that a list can be sorted by. */
interface Sortable {
  readonly column: string;
  /** The type of the column's values. */
  readonly type: 'string' | 'number';
  readonly nullable: boolean;
  readonly unique?: boolean;
  readonly about: string;
}

/** Returns the fields that lists of a kind can be sorted by, by name: all except secrets, lists and long texts. */
export function sortableFields(kind: Kind): ReadonlyMap<string, Sortable> {
  const own = kind.fields.filter(
    ({ secret, format, refersTo }) => !secret && !refersTo?.through && format.column.type !== 'text',
  );
  return new Map<string, Sortable>([
    ['ref', { column: 't.ref', type: 'string', nullable: false, unique: true, about: 'Reference.' }],
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
            unique:
              field.required &&
              kind.unique.some(({ fields: [name, ...more] }) => name === field.name && more.length === 0),
            about: field.about,
          },
        ] as const,
    ),
  ]);
}

function columnOf({ column, refersTo }: Field): string {
  return refersTo ? `(SELECT o.ref FROM ${refersTo.target.table} o WHERE o.id = t.${column})` : `t.${column}`;
}

/**
 * Returns the order of a list, or undefined without sort keys. Ties are in creation order, reversed if the first key is
 * descending.
 */
export function orderOf(kind: Kind, sorts: readonly Sort[]): Order | undefined {
  const [first] = sorts;
  if (!first) return undefined;
  const sortable = sortableFields(kind);
  const terms = sorts.map(({ field, descending }) => {
    const cached = sortable.get(field);
    if (!cached) throw new Error(`${kind.name} is not sorted by ${field}`);
    return { ...cached, descending };
  });
  // Ties follow the direction of the first key, so that one scan of its index returns the whole order.
  return [...terms, { column: 't.id', type: 'number', descending: first.descending }];
}
