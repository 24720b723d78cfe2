import { randomBytes } from 'node:crypto';

/** A stored value: JSON, or a Fingerprint. */
export type StoredValue = unknown;

/** Values by field name, without fields that have no value. */
export type State = Readonly<Record<string, StoredValue>>;

/**
 * What a change did. Of a creation, only `after` is present, of a deletion only `before`, each with all fields. Of an
 * update, both contain the fields that changed.
 */
export interface Details {
  readonly before?: State;
  readonly after?: State;
  /** The number of the entry that this change reverted. */
  readonly undoes?: number;
  /** How often the event happened, if it is counted. */
  readonly count?: number;
  /** Why sipgraph made the change by itself (`Actor`). */
  readonly reason?: string;
}

/**
 * Stands for a secret in the details of a change: random digits, new in each entry. It tells that there was a secret,
 * and cannot be compared with anything, so that nobody can use it to check a guess. Earlier versions stored a keyed
 * hash.
 */
interface Fingerprint {
  readonly fingerprint: string;
}

/** Whether a stored value stands for a secret. */
export function isFingerprint(value: StoredValue): value is Fingerprint {
  return typeof value === 'object' && value !== null && 'fingerprint' in value;
}

/** Returns the fingerprint of a secret for one entry. */
export function newFingerprint(): Fingerprint {
  return { fingerprint: randomBytes(4).toString('hex') };
}
