import { createHmac } from 'node:crypto';

import type { OwnTransaction } from '../database/sql';

/** A secret value in the details of a change. Only its fingerprint is stored. */
export class Secret {
  constructor(readonly text: string) {}
}

/** A stored value: JSON, or the fingerprint of a secret. */
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
}

/** The fingerprint of a secret, as it is stored. */
export interface Fingerprint {
  readonly fingerprint: string;
}

/** Whether a stored value is the fingerprint of a secret. */
export function isFingerprint(value: StoredValue): value is Fingerprint {
  return typeof value === 'object' && value !== null && 'fingerprint' in value;
}

/** What a secret belongs to. */
export interface SecretPlace {
  readonly kind: string;
  readonly ref: string;
  readonly field: string;
}

/** Creates the fingerprints of secrets. */
export type FingerprintOf = (place: SecretPlace, secret: string) => Fingerprint;

const KEY = "SELECT value FROM settings WHERE name = 'fingerprint_key'";

/**
 * Returns the function that creates fingerprints. They are keyed with a key that only the database contains, and contain
 * the place of the secret, so that a fingerprint tells that a secret changed, but not that two secrets are equal.
 */
export async function fingerprints(transaction: OwnTransaction): Promise<FingerprintOf> {
  const [row] = await transaction.constant(KEY);
  if (!row) throw new Error('The settings have no fingerprint_key: restore it from a backup');
  const key = String(row[0]);
  return ({ kind, ref, field }, secret) => {
    const text = JSON.stringify([kind, ref, field, secret]);
    return { fingerprint: createHmac('sha256', key).update(text).digest('hex').slice(0, 8) };
  };
}

/** Whether the details contain secrets, whose fingerprints must be stored instead. */
export function hasSecrets({ before, after }: Details): boolean {
  return holdsSecret(before) || holdsSecret(after);
}

/** Replaces secrets by their fingerprints. */
export function withFingerprints(
  of: { readonly kind: string; readonly ref: string },
  { before, after, ...others }: Details,
  fingerprintOf: FingerprintOf,
): Details {
  const replaced = (state: State): State =>
    Object.fromEntries(
      Object.entries(state).map(([field, value]) => [
        field,
        value instanceof Secret ? fingerprintOf({ kind: of.kind, ref: of.ref, field }, value.text) : value,
      ]),
    );
  return { ...(before && { before: replaced(before) }), ...(after && { after: replaced(after) }), ...others };
}

function holdsSecret(state: State | undefined): boolean {
  if (!state) return false;
  for (const field in state) if (state[field] instanceof Secret) return true;
  return false;
}
