import type { Range } from '../database/page';
import type { ChangedResource, Difference } from '../resources/write/unchanged';
import type { Kind } from '../model/kind';
import { fieldChanges, type HistoryEntry } from './history-entry';
import type { HistoryReader } from './history-reader';

// Entries of each resource that are read: a resource is seldom changed more often between a read and a write.
const NEWEST: Range = { limit: 20, backwards: false };

// KiB of long entries that are read for an error. If there are more, the error does not describe what was changed.
const MOST = 1024;

/** The entries are too long to read them for an error. */
class TooLongError extends Error {}

/**
 * Reads what was changed of each of these resources since a time, by ref: what the newest entries of each say. Nothing,
 * if these are long. `historyFor` returns a reader that charges for long entries.
 */
export async function differencesOf(
  historyFor: (spend: (objects: number) => void) => HistoryReader,
  kind: Kind,
  changed: readonly ChangedResource[],
): Promise<ReadonlyMap<string, readonly Difference[]>> {
  let left = MOST;
  const history = historyFor((objects) => {
    left -= objects;
    if (left < 0) throw new TooLongError();
  });
  try {
    return await readDifferences(history, kind, changed);
  } catch (error) {
    if (error instanceof TooLongError) return new Map();
    throw error;
  }
}

async function readDifferences(
  history: HistoryReader,
  kind: Kind,
  changed: readonly ChangedResource[],
): Promise<ReadonlyMap<string, readonly Difference[]>> {
  const refs = changed.map(({ ref }) => ref);
  const pages = await history.ofResources(kind, refs, NEWEST, 'fields');
  return new Map(
    changed.map(({ ref, since }) => {
      const entries = pages.get(ref)?.items ?? [];
      return [ref, differencesIn(entries.filter((entry) => versionOf(entry) > since))];
    }),
  );
}

/** The time that an entry gave the resource as that of its last change. */
function versionOf({ at, details }: HistoryEntry): number {
  const modifiedOn = details?.after?.['modifiedOn'];
  return typeof modifiedOn === 'number' ? modifiedOn : at;
}

/** Sums up the entries of a resource, newest first. A field that has its earlier value again is left out. */
function differencesIn(entries: readonly HistoryEntry[]): readonly Difference[] {
  const found = new Map<string, Difference>();
  for (const entry of entries)
    for (const { field, before, after, isSecret } of fieldChanges(entry.details ?? {})) {
      const newer = found.get(field);
      const last = newer ?? { field, now: after, isSecret, by: entry.username ?? null, at: versionOf(entry) };
      found.set(field, { ...last, before });
    }
  const isOther = ({ field, before, now, isSecret }: Difference): boolean =>
    isSecret || field === 'extra' || before !== now;
  return [...found.values()].filter(isOther);
}
