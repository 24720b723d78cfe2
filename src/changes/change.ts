import { InvalidInputError, quote } from '../errors';

/** What changed: the kind of a resource, `Registration` of a gateway, or `Contact` for the bindings of an address of record. */
export type ChangeSubject = string;

/** Something that happened, as it stands in the outbox. */
export interface Change {
  /** Rises by one with each change, in the order in which they were committed. */
  readonly id: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly kind: ChangeSubject;
  /** The resource's ref, the gateway's, or the address of record as a SIP URI. */
  readonly ref: string;
  /** CREATED, UPDATED, DELETED; a registration's state, or GONE; REGISTERED or ENDED of a device. */
  readonly did: string;
}

const CURSOR = /^change:(\d{1,15})$/;

/** Where a change stands among all: opaque to clients. */
export function writeCursor(id: number): string {
  return Buffer.from(`change:${String(id)}`).toString('base64url');
}

/** The id in a cursor; throws InvalidInputError. */
export function readCursor(argument: string, cursor: string): number {
  const id = Number(CURSOR.exec(Buffer.from(cursor, 'base64url').toString())?.[1] ?? NaN);
  if (Number.isNaN(id) || writeCursor(id) !== cursor) {
    throw InvalidInputError.of(argument, `${quote(cursor)} is not a cursor of a change`);
  }
  return id;
}

/** What a cursor is refused with where not everything behind it is known any more; `kept` in milliseconds. */
export function tooOld(argument: string, kept: number): InvalidInputError {
  const hours = String(Math.round(kept / 3_600_000));
  const message = `is older than the changes that are kept (${hours} h): read what there is now, and subscribe from now on`;
  return InvalidInputError.of(argument, message);
}

/** What a cursor is refused with where what the SIP server writes was not watched yet. */
export function unwatched(argument: string): InvalidInputError {
  const message =
    'is of a time when the live tables were not watched: read what there is now, and subscribe from now on';
  return InvalidInputError.of(argument, message);
}
