import { batchesOf } from '../../database/batches';
import { fieldChanges, type HistoryEntry } from '../../history/history-entry';
import type { HistoryReader } from '../../history/history-reader';
import type { PlannedChange } from './plan';

/** A change of the history that explains why a server is not what a directory says. */
export interface Culprit {
  readonly event: string;
  /** The fields that differ because of it; empty if the resource was created or deleted. */
  readonly fields: readonly string[];
  readonly by: string | null;
  readonly at: string;
  /** How the change arrived, such as GRAPHQL. */
  readonly way: string | null;
  /** For `sipgraph revert --request`. */
  readonly request: string | null;
  readonly entry: number;
}

// Resources per read, and their newest entries that are considered.
const PAGE = 200;
const NEWEST = 50;

/** Finds the changes of the history that caused differences. A difference whose cause is too old has none. */
export async function culpritsOf(
  history: HistoryReader,
  changes: readonly PlannedChange[],
): Promise<ReadonlyMap<PlannedChange, readonly Culprit[]>> {
  const found = new Map<PlannedChange, readonly Culprit[]>();
  for (const kind of new Set(changes.map((each) => each.kind))) {
    const own = changes.filter((each) => each.kind === kind && each.ref !== undefined);
    for (const some of batchesOf(own, PAGE)) {
      const refs = some.flatMap(({ ref }) => ref ?? []);
      const pages = await history.ofResources(kind, refs, { limit: NEWEST, backwards: false }, 'fields');
      for (const change of some) found.set(change, culpritsIn(change, pages.get(change.ref ?? '')?.items ?? []));
    }
  }
  return found;
}

/** `entries` are those of the resource, newest first. */
function culpritsIn({ type, details }: PlannedChange, entries: readonly HistoryEntry[]): readonly Culprit[] {
  if (type !== 'update') {
    // A resource that is to be created was deleted from the server, and the other way around.
    const event = type === 'create' ? 'DELETED' : 'CREATED';
    const entry = entries.find((each) => each.event === event);
    return entry ? [culpritOf(entry, [])] : [];
  }
  const fields = new Map<HistoryEntry, string[]>();
  for (const { field } of fieldChanges(details)) {
    const entry = entries.find((each) => fieldChanges(each.details ?? {}).some((change) => change.field === field));
    if (entry) fields.set(entry, [...(fields.get(entry) ?? []), field]);
  }
  return [...fields].map(([entry, names]) => culpritOf(entry, names));
}

function culpritOf(entry: HistoryEntry, fields: readonly string[]): Culprit {
  const { event, username, at, channel, requestId, rowId } = entry;
  return {
    event,
    fields,
    by: username ?? null,
    at: new Date(at).toISOString(),
    way: channel ?? null,
    request: requestId ?? null,
    entry: rowId,
  };
}
