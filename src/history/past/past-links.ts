import type { Kind, Resource } from '../../model/kind';
import { fieldsOnly, linkedKind, type Selection } from '../../resources/read/selection';
import { nameIn } from '../identities';
import { resourceIn } from '../past-reader';
import type { Then } from './past-resources';

/**
 * A resource as it was, for a link from something of that time, with those of its links to one resource that were read, too. Its
 * other links start from its row, which is that of now; one that no longer exists has none.
 */
export function resourceThen(
  kind: Kind,
  { ref, rowId, values: state }: Then,
  selection: Selection,
  all: readonly Then[],
): Resource | undefined {
  const found = resourceIn(kind, fieldsOnly('id', ...kind.groups.map(({ name }) => name)), ref, state);
  const links = [...selection.links].map(([name, below]): [string, Resource | null] => {
    const target = linkedKind(kind, name);
    const field = kind.references.find(({ refersTo }) => refersTo.link === name);
    const named = field && state[field.name];
    const then = all.find((each) => each.kind === target?.name && each.ref === named);
    return [name, (target && then && resourceThen(target, then, below, all)) ?? null];
  });
  return found && Object.assign(found, { rowId }, Object.fromEntries(links));
}

/** Of the resources of an earlier time, those that no longer exist, also if another one has the reference since. */
export function formerAmong(
  all: readonly Then[],
): readonly { readonly kind: string; readonly ref: string; readonly name: string | null }[] {
  return all
    .filter(({ rowId }) => rowId < 0)
    .map(({ kind, ref, values }) => ({ kind, ref, name: nameIn(values) ?? null }));
}
