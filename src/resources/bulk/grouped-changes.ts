import type { Kind } from '../../model/kind';
import type { PreparedChange } from './change-set';

/**
 * The changes of a set grouped by what they do and by kind, so that they share statements: creates first, deletes last, and each after
 * those that it needs. If all succeed, they leave what the given order leaves. Undefined if the order of some matters, so that the
 * given order might refuse what this one does not: then one needs what a later one creates, renames what others refer to, or follows a
 * delete of a resource that it is about, or to which it may refer. `kinds` are in reference order.
 */
export function groupByKind(
  kinds: readonly Kind[],
  prepared: readonly PreparedChange[],
): readonly PreparedChange[] | undefined {
  const later = new Set(prepared.flatMap(({ creates }) => creates));
  const deleted = new Set<string>();
  const gone = new Set<string>();
  for (const { write, needs, creates } of prepared) {
    if (!write) return undefined;
    const { type, kind } = write;
    const own = `${kind.name} ${write.ref}`;
    const isNeedy = needs.some((name) => later.has(name) && !creates.includes(name));
    if (gone.has(own) || isNeedy || (type === 'update' && renames(kind, write.changes))) return undefined;
    for (const name of creates) later.delete(name);
    const given = type === 'create' ? write.values : type === 'update' ? write.changes : undefined;
    for (const { name, refersTo } of kind.references)
      if (deleted.has(refersTo.kind) && (!given || given.has(name))) return undefined;
    if (type !== 'delete') continue;
    deleted.add(kind.name);
    gone.add(own);
  }
  const of = (wanted: string, kind?: Kind): readonly PreparedChange[] =>
    prepared.filter(({ write }) => write?.type === wanted && (!kind || write.kind === kind));
  return [
    ...of('create'),
    ...kinds.flatMap((kind) => of('update', kind)),
    ...kinds.toReversed().flatMap((kind) => of('delete', kind)),
  ];
}

/** Whether changes give a resource another value by which others refer to it. */
function renames({ referrers }: Kind, changes: ReadonlyMap<string, unknown>): boolean {
  return referrers.some(({ field: { refersTo } }) => refersTo.by !== 'ref' && changes.has(refersTo.by));
}
