import { ConflictError, quote, shorten, type Issue } from '../../errors';
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
    /** When the resource was last changed. */
    readonly modifiedOn: number,
    differences: readonly Difference[] = [],
  ) {
    const shown = differences.slice(0, MAX_FIELDS);
    const said = shown.map((each) => `${each.field} ${reasonOf(each)}`).join('; ');
    const what = `${kind.name} ${ref} was changed since ${isoTime(since)}`;
    super(
      `${what}${said === '' ? ', at ' + isoTime(modifiedOn) : `: ${said}`}`,
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
    return new ChangedSinceError(this.kind, this.ref, this.since, this.modifiedOn, differences);
  }
}

const MODIFIED: Issue = {
  field: 'ifUnchangedSince',
  path: 'metadata.modifiedOn',
  message: 'is before the last change',
};

/** Throws ChangedSinceError if a stored resource was changed after a time. Without a time, does nothing. */
export function assertUnchangedSince(kind: Kind, { ref, modifiedOn }: Resource, since: number | undefined): void {
  if (since !== undefined && modifiedOn > since) throw new ChangedSinceError(kind, ref, since, modifiedOn);
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
  const values = isSecret || (before === null && now === null) ? '' : ` from ${shown(before)} to ${shown(now)}`;
  return `${values}${who} at ${isoTime(at)}`.trim();
}

function shown(value: string | null): string {
  return value === null ? 'nothing' : quote(value);
}

function cut(value: string | null): string | null {
  return value === null ? null : shorten(value, MAX_VALUE);
}
