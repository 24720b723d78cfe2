import type { Actor } from '../../changes/actor';
import { pad, places, type Sql, type SqlValue } from '../../database/sql';
import { ConflictError, InvalidInputError, quote, shorten, type Issue } from '../../errors';
import type { Kind, Resource } from '../../model/kind';
import { isoTime } from '../documents/iso-time';
import { issue } from './input';

/** A field that was changed since a time, and by whom. */
export interface Difference {
  readonly field: string;
  /** The values as text; null for no value, and for the members that only REST knows. */
  readonly before: string | null;
  readonly now: string | null;
  /** Whether the values stand for secrets. */
  readonly isSecret: boolean;
  /** The name of who made the last change of the field; null if it is not known. */
  readonly by: string | null;
  /** When the last change of the field was made, in milliseconds since the epoch. */
  readonly at: number;
}

/** A resource that was changed since a time, in milliseconds since the epoch. */
export interface ChangedResource {
  readonly ref: string;
  readonly since: number;
}

/** Returns what was changed of resources of a kind, by ref. */
export type FindDifferences = (
  kind: Kind,
  changed: readonly ChangedResource[],
) => Promise<ReadonlyMap<string, readonly Difference[]>>;

/** The maximum number of fields that an error describes, and of bytes of each value. */
const MAX_FIELDS = 20;
const MAX_VALUE = 200;

/** A resource was changed since the caller has read it. */
export class ChangedSinceError extends ConflictError {
  constructor(
    readonly kind: Kind,
    readonly ref: string,
    readonly since: number,
    /** When the resource was last changed, as its history says. */
    readonly changedOn: number,
    /** The time to send instead, once the changes are looked at. */
    readonly modifiedOn: number,
    differences: readonly Difference[] = [],
  ) {
    const shown = differences.slice(0, MAX_FIELDS);
    const said = shown.map((each) => `${each.field} ${reasonOf(each)}`).join('; ');
    const what = `${kind.name} ${ref} was changed since ${isoTime(since)}`;
    super(
      `${what}${said === '' ? ', at ' + isoTime(changedOn) : `: ${said}`}`,
      shown.length > 0 ? shown.map((each) => issueOf(kind, each)) : [MODIFIED],
    );
    const changes = shown.map(({ field, before, now, isSecret, by, at }) => ({
      field,
      before: cut(before),
      now: cut(now),
      isSecret,
      by,
      at: isoTime(at),
    }));
    Object.assign(this, { facts: { modifiedOn: isoTime(modifiedOn), changes } });
  }

  /** The same error with what was changed. */
  with(differences: readonly Difference[] | undefined): ChangedSinceError {
    return new ChangedSinceError(this.kind, this.ref, this.since, this.changedOn, this.modifiedOn, differences);
  }
}

const MODIFIED: Issue = {
  field: 'ifUnchangedSince',
  path: 'metadata.modifiedOn',
  message: 'is before the last change',
};

// A clock that is ahead of this one by less is believed.
const SKEW = 60_000;

/** A write that fails if its resource was changed since a time. */
interface Guarded {
  readonly ref: string;
  readonly actor: Actor;
  readonly options?: { readonly ifUnchangedSince?: number | undefined };
}

/**
 * Throws ChangedSinceError if a stored resource was changed after a time, or created again. `changedOn` is its change in `laterChanges`.
 * Throws InvalidInputError for a time that is still to come, since which nothing can have changed. Without a time, does nothing.
 */
export function assertUnchangedSince(
  kind: Kind,
  { ref, modifiedOn }: Resource,
  since: number | undefined,
  changedOn: number | undefined,
): void {
  if (since === undefined) return;
  if (modifiedOn > since || changedOn !== undefined)
    throw new ChangedSinceError(kind, ref, since, Math.max(modifiedOn, changedOn ?? 0), modifiedOn);
  if (since > Math.max(modifiedOn, Date.now() + SKEW))
    throw InvalidInputError.of('ifUnchangedSince', `${isoTime(since)} is in the future`);
}

/**
 * Finds when the resources of writes were changed last after their `ifUnchangedSince`, by ref, where `modifiedOn` does not tell: that
 * time is of an entry of the history, which is stored later than `modifiedOn`, or the resource was created again with any
 * `modifiedOn` by an import. If several requests have an entry with that time, as those that share a commit, the caller may have
 * read the first one. Reads only the latest entries of such writes, with one statement.
 */
export async function laterChanges(
  sql: Sql,
  kind: Kind,
  writes: readonly Guarded[],
  stored: ReadonlyMap<string, Resource>,
): Promise<ReadonlyMap<string, number>> {
  const sinceOf = ({ options }: Guarded): number => options?.ifUnchangedSince ?? 0;
  const open = writes.filter((write) => sinceOf(write) > (stored.get(write.ref)?.modifiedOn ?? Infinity));
  if (open.length === 0) return new Map();
  const refs = pad([...new Set(open.map(({ ref }) => ref))], '');
  const of = (table: string): string =>
    `SELECT ref, request, at FROM ${table} WHERE kind = ? AND ref IN (${places(refs.length)})`;
  const rows = await sql.rows(
    `SELECT ref, request, at FROM (SELECT e.*, MAX(at) OVER (PARTITION BY ref) AS latest
       FROM (${of('changes')} UNION ALL ${of('unnumbered_entries')}) e) l WHERE at = latest`,
    [kind.name, ...refs, kind.name, ...refs],
  );
  const latest = new Map<string, { readonly at: number; readonly requests: Set<SqlValue> }>();
  for (const [ref = null, request = null, at] of rows) {
    const { requests } = latest.get(String(ref)) ?? { requests: new Set<SqlValue>() };
    latest.set(String(ref), { at: Number(at), requests: requests.add(request) });
  }
  const found = new Map<string, number>();
  for (const write of open) {
    const { at, requests } = latest.get(write.ref) ?? { at: 0, requests: new Set() };
    const others = requests.size - (requests.has(write.actor.requestId ?? null) ? 1 : 0);
    if (at > sinceOf(write) ? others > 0 : at === sinceOf(write) && others > 1) found.set(write.ref, at);
  }
  return found;
}

/** Adds to an error of `assertUnchangedSince` what was changed, by whom and when. Returns any other error unchanged. */
export async function withDifferences(error: unknown, find: FindDifferences): Promise<unknown> {
  if (!(error instanceof ChangedSinceError)) return error;
  return error.with((await find(error.kind, [error])).get(error.ref));
}

function issueOf(kind: Kind, difference: Difference): Issue {
  const field = kind.fields.find(({ name }) => name === difference.field);
  const message = `was changed ${reasonOf(difference)}`;
  return field ? issue(field, message) : { field: difference.field, path: 'metadata', message };
}

function reasonOf({ before, now, isSecret, by, at }: Difference): string {
  const who = by === null ? '' : ` by ${by}`;
  const values = isSecret || (before === null && now === null) ? '' : ` from ${show(before)} to ${show(now)}`;
  return `${values}${who} at ${isoTime(at)}`.trim();
}

function show(value: string | null): string {
  return value === null ? 'nothing' : quote(value);
}

function cut(value: string | null): string | null {
  return value === null ? null : shorten(value, MAX_VALUE);
}
