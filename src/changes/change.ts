import { CursorGoneError, InvalidInputError, quote } from '../errors';

/**
 * What a change is about: the kind of a resource, `Registration` or `Health` of a gateway, `Destination` of one, `Contact` of an
 * address of record, `CallAlert`, or `PendingChanges`.
 */
export type ChangeSubject = string;

/** The subject of alerts of the SIP server. Their ref is the id of a row of `call_alerts`. */
export const CALL_ALERT: ChangeSubject = 'CallAlert';

/** The subject of the health of destinations of gateways. Their ref names the gateway and the row (`destinationIdIn`). */
export const DESTINATION: ChangeSubject = 'Destination';

/** The subjects of changes that the SIP server makes in the live tables. They are no entries of the history. */
export const LIVE_SUBJECTS: readonly ChangeSubject[] = ['Registration', 'Health', DESTINATION, 'Contact', CALL_ALERT];

/** The subject of evictions, which are entries of the history: the bindings of an address of record (RFC 3261, 10). */
export const BINDING: ChangeSubject = 'Binding';
/** The reference of an eviction of all devices, after `Contact: *` (RFC 3261, 10.2.2). */
export const ALL_BINDINGS = '*';

/** The subject of changes that wait: what sipgraph has done with a set of them by itself. The reference is the id of the set. */
export const PENDING_CHANGES: ChangeSubject = 'PendingChanges';

/** The events of resources. */
export type ResourceEvent = 'CREATED' | 'UPDATED' | 'DELETED';

/** A change in the outbox. */
export interface Change {
  /** The number of the change. Later changes have higher numbers. */
  readonly id: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly kind: ChangeSubject;
  /** The ref of the resource or gateway, or the address of record as a SIP URI. */
  readonly ref: string;
  /**
   * For a resource: CREATED, UPDATED or DELETED. For a registration: its state, or GONE. For the health of a gateway or
   * destination: UP, DOWN or UNKNOWN. For a contact: REGISTERED or ENDED. For an alert: its event. For changes that wait: what became of them.
   */
  readonly event: string;
}

/**
 * A place in the history of changes: the number of a change, and its time, which tells whether a history has the same
 * change at that number. The time is 0 if no change has the number, and undefined if it is unknown.
 */
export type ChangeCursor = Pick<Change, 'id'> & { readonly at: number | undefined };

// Without the time in cursors of version 0.1.
const CURSOR = /^change:(\d{1,15})(?::(\d{1,15}))?$/;

/** Writes a cursor as text that is opaque to clients. */
export function writeCursor({ id, at }: ChangeCursor): string {
  return Buffer.from(`change:${String(id)}${at === undefined ? '' : `:${String(at)}`}`).toString('base64url');
}

/** Reads the text of a cursor. Throws InvalidInputError if the cursor is malformed. */
export function readCursor(argument: string, cursor: string): ChangeCursor {
  const [, id, at] = CURSOR.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  const changeCursor = { id: Number(id), at: at === undefined ? undefined : Number(at) };
  if (id === undefined || writeCursor(changeCursor) !== cursor) {
    throw InvalidInputError.of(argument, `${quote(cursor)} is not a cursor of a change`);
  }
  return changeCursor;
}

/** The error for a cursor if changes after it have been deleted. `kept` is in milliseconds. */
export function tooOld(argument: string, kept: number): CursorGoneError {
  const hours = String(Math.round(kept / 3_600_000));
  return new CursorGoneError(argument, `is older than the changes that are kept (${hours} h)`);
}

/** The error for a cursor from before the tables of the SIP server were watched. */
export function unwatchedCursor(argument: string): CursorGoneError {
  return new CursorGoneError(argument, 'is from a time when the live tables were not watched');
}

/** The error for a cursor of a change that the database does not have. */
export function ofAnotherHistory(argument: string): CursorGoneError {
  return new CursorGoneError(argument, 'belongs to another database, or to one before a backup was restored');
}

/** The tables that the SIP server writes: registrations, the health of gateways, and contacts. */
export interface LiveTables {
  /**
   * Polls the tables, and adds their changes to the outbox. Does nothing if they were polled within the last second.
   */
  look(): Promise<void>;
  /** Throws InvalidInputError with the name of the argument unless the tables have been polled since a change. */
  assertComplete(argument: string, after: number): Promise<void>;
}
