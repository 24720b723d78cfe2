import { InvalidInputError, quote } from '../errors';

/**
 * What a change is about: the kind of a resource, `Registration` of a gateway, or `Contact` of an address of record.
 */
export type ChangeSubject = string;

/** The events of resources. */
export type ResourceEvent = 'CREATED' | 'UPDATED' | 'DELETED';

/** An entry of the outbox. */
export interface Change {
  /** The number of the change. Later changes have higher numbers. */
  readonly id: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly kind: ChangeSubject;
  /** The ref of the resource or gateway, or the address of record as a SIP URI. */
  readonly ref: string;
  /**
   * For a resource: CREATED, UPDATED or DELETED. For a registration: its state, or GONE. For a contact: REGISTERED or
   * ENDED.
   */
  readonly event: string;
}

const CURSOR = /^change:(\d{1,15})$/;

/** The cursor of a change, opaque to clients. */
export function writeCursor(id: number): string {
  return Buffer.from(`change:${String(id)}`).toString('base64url');
}

/** Returns the number in a cursor. Throws InvalidInputError if the cursor is malformed. */
export function readCursor(argument: string, cursor: string): number {
  const id = Number(CURSOR.exec(Buffer.from(cursor, 'base64url').toString())?.[1] ?? NaN);
  if (Number.isNaN(id) || writeCursor(id) !== cursor) {
    throw InvalidInputError.of(argument, `${quote(cursor)} is not a cursor of a change`);
  }
  return id;
}

/** The error for a cursor if changes after it have been deleted. `kept` is in milliseconds. */
export function tooOld(argument: string, kept: number): InvalidInputError {
  const hours = String(Math.round(kept / 3_600_000));
  const message = `is older than the changes that are kept (${hours} h): read the current state, and subscribe without it`;
  return InvalidInputError.of(argument, message);
}

/** The error for a cursor from before the tables of the SIP server were watched. */
export function unwatched(argument: string): InvalidInputError {
  const message =
    'is from a time when the live tables were not watched: read the current state, and subscribe without it';
  return InvalidInputError.of(argument, message);
}
