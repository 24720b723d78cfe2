import { isFingerprint, type Details, type State, type StoredValue } from '../changes/details';
import { shapeOf } from '../database/row-shape';
import { textOrNull, type SqlValue } from '../database/sql';

/** An entry of the history. */
export interface HistoryEntry {
  /** The number of the entry. Later entries have higher numbers. */
  readonly rowId: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly kind: string;
  readonly ref: string;
  readonly event: string;
  /** The user, the account at the operating system of a command, or `system`; undefined if it is not known. */
  readonly username: string | undefined;
  readonly userRef: string | undefined;
  /** The ref of the API token that was used. */
  readonly apiToken: string | undefined;
  readonly channel: string | undefined;
  readonly address: string | undefined;
  readonly requestId: string | undefined;
  /** Undefined if an earlier version of sipgraph wrote the entry. */
  readonly details: Details | undefined;
  /** The length of the details as they are stored, in bytes. */
  readonly size: number;
}

const textIn = (value: SqlValue): string | undefined => textOrNull(value) ?? undefined;

/** The columns of an entry in `changes`, without its details. */
export const ENTRY = shapeOf<Omit<HistoryEntry, 'details' | 'size'>>({
  rowId: ['id', Number],
  at: ['at', Number],
  kind: ['kind', String],
  ref: ['ref', String],
  event: ['did', String],
  username: ['who', textIn],
  userRef: ['who_ref', textIn],
  apiToken: ['api_token', textIn],
  channel: ['way', textIn],
  address: ['address', textIn],
  requestId: ['request', textIn],
});

/** A field that changed, with its values as text. */
export interface FieldChange {
  readonly field: string;
  readonly before: string | null;
  readonly after: string | null;
  /** Whether the values stand for secrets. */
  readonly isSecret: boolean;
}

// The times of the resource follow from the entries.
const TIMES = ['createdOn', 'modifiedOn'];

/** The fields that a change changed. Members that the model does not define are one field, without values. */
export function fieldChanges({ before = {}, after = {} }: Details): readonly FieldChange[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names]
    .filter((name) => !TIMES.includes(name))
    .map((field) => ({
      field,
      before: field === 'extra' ? null : show(before[field]),
      after: field === 'extra' ? null : show(after[field]),
      isSecret: isFingerprint(before[field]) || isFingerprint(after[field]),
    }));
}

/** The fields that an entry changed, as operators or viewers see them. */
export function changesFor({ details }: Pick<HistoryEntry, 'details'>, isForViewer: boolean): readonly FieldChange[] {
  const changes = fieldChanges(details ?? {});
  return isForViewer ? forViewer(changes) : changes;
}

/** What stands for a secret in what viewers see. */
const HIDDEN = '***';

/** The changes that viewers see: nothing that only REST knows, and no digits that stand for secrets. */
export function forViewer(changes: readonly FieldChange[]): readonly FieldChange[] {
  const hidden = (value: string | null): string | null => (value === null ? null : HIDDEN);
  return changes
    .filter(({ field }) => field !== 'extra')
    .map((change) =>
      change.isSecret ? { ...change, before: hidden(change.before), after: hidden(change.after) } : change,
    );
}

function show(value: StoredValue): string | null {
  if (value === undefined || value === null) return null;
  if (isFingerprint(value)) return value.fingerprint;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Whether two stored values are equal. */
export function isSame(one: StoredValue, other: StoredValue): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
}

/** The names of all fields in two states, without the times. */
export function namesIn(before: State, after: State): readonly string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => !TIMES.includes(name));
}
