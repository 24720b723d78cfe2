import { memoized } from '../../limits/memoized';
import type { Kind, Lookup, LookupSource, LookupTarget, Referrer } from '../../model/kind';

/**
 * A link that is read with a separate statement. Its tables pair the row id of a parent with the row id of a target.
 */
export interface Link {
  readonly name: string;
  readonly target: Kind;
  readonly about: string;
  /**
   * A `list` is read whole, a `connection` in pages in the order of the target's row ids. `one` is a target of a
   * lookup.
   */
  readonly shape: 'list' | 'connection' | 'one';
  readonly from: string;
  readonly parent: string;
  readonly id: string;
  readonly order: string;
  readonly where?: string;
  /** Whether an index returns the targets of a parent in order. */
  readonly isOrdered?: boolean;
  /** Whether `from` is the table of the target, whose name is `t` then. */
  readonly isOwn?: boolean;
  /** An index of that table that has the targets in the order of their parents, and then in their order. */
  readonly index?: string;
}

/**
 * Returns the links of a kind, except links to a single resource, which plan.ts joins. A lookup has a link for each of
 * its targets.
 */
export const linksOf = memoized((kind: Kind): readonly Link[] => [
  ...lists(kind),
  ...kind.referrers.flatMap(inverse),
  ...kind.lookups.flatMap((lookup) => lookup.to.map((to) => targetOf(lookup, to))),
  ...kind.lookedUpBy.flatMap(inverseOfLookup),
]);

function lists({ references }: Kind): readonly Link[] {
  return references.flatMap(({ refersTo: { through, column, link, linkAbout, target } }) =>
    through
      ? {
          name: link,
          target,
          about: linkAbout,
          shape: 'list',
          from: `${through.table} m`,
          parent: `m.${through.owner}`,
          id: `m.${column}`,
          order: 'm.position',
        }
      : [],
  );
}

/** Returns the link from the target of a reference to the resources that refer to it, if their kind declares one. */
function inverse({ kind, field: { refersTo } }: Referrer): readonly Link[] {
  const declared = kind.inverse?.[refersTo.link];
  if (!declared) return [];
  const { index, ...described } = declared;
  const common = { ...described, target: kind, shape: 'connection', isOrdered: true } as const;
  const { through, column } = refersTo;
  if (through) {
    const owner = `m.${through.owner}`;
    return [{ ...common, from: `${through.table} m`, parent: `m.${column}`, id: owner, order: owner }];
  }
  return [
    {
      ...common,
      from: `${kind.table} t`,
      parent: `t.${column}`,
      id: 't.id',
      order: 't.id',
      isOwn: true,
      ...(kind.shared && { where: `t.kind = '${kind.name}'` }),
      ...(index !== undefined && { index: `${kind.table}_${index}` }),
    },
  ];
}

function targetOf({ name, about }: Lookup, { target, from, id, unless }: LookupTarget): Link {
  return {
    name,
    target,
    about,
    shape: 'one',
    from,
    parent: 'n.id',
    id,
    order: id,
    ...(unless !== undefined && { where: `NOT ${unless}` }),
  };
}

function inverseOfLookup({ kind, to }: LookupSource): readonly Link[] {
  if (!to.inverse) return [];
  const conditions = [
    ...(to.unless === undefined ? [] : [`NOT ${to.unless}`]),
    ...(kind.shared ? [`n.kind = '${kind.name}'`] : []),
  ];
  return [
    {
      ...to.inverse,
      target: kind,
      shape: 'connection',
      from: to.from,
      parent: to.id,
      id: 'n.id',
      order: 'n.id',
      ...(conditions.length > 0 && { where: conditions.join(' AND ') }),
    },
  ];
}
