import { createHmac, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';

import { SYSTEM, type Actor } from '../changes/actor';
import { noteChange } from '../changes/outbox';
import type { Database } from '../database/database';
import type { OwnTransaction, Sql } from '../database/sql';

/** A current or retired key for signing tokens. */
export interface SigningKey {
  /** The `kid` in the header of tokens that this key has signed (RFC 7515, 4.1.4). */
  readonly kid: string;
  readonly key: KeyObject;
  /** When the last token of this key expires, in milliseconds since the epoch. Infinity for a key in use. */
  readonly until: number;
}

/** Looks up signing keys. */
export interface KeyRing {
  /** The key that signs new tokens. */
  current(): Promise<SigningKey>;
  /** The key with this kid; undefined once its tokens have expired. */
  byId(kid: string): Promise<SigningKey | undefined>;
}

/** Keys from the configuration: JWT_SECRET signs and verifies, previous secrets only verify. */
export function fixedKeyRing(secret: string, previous: readonly string[]): KeyRing {
  const keys = [secret, ...previous].map((each): SigningKey => {
    const kid = createHmac('sha256', each).update('kid').digest('base64url').slice(0, 16);
    return { kid, key: createSecretKey(Buffer.from(each)), until: Infinity };
  });
  return {
    current: () => Promise.resolve(firstOf(keys)),
    byId: (kid) => Promise.resolve(keys.find((each) => each.kid === kid)),
  };
}

// Milliseconds for which loaded keys are used without reading them again.
const FRESH = 5000;
// Milliseconds between reads for unknown kids. Anybody can send a token with an unknown kid, so these reads are
// limited.
const PAUSE = 1000;

/** Keys stored in the database: replicas share them, and they survive restarts. */
export class StoredKeyRing implements KeyRing {
  private keys: readonly SigningKey[] = [];
  /** In milliseconds of the monotonic clock, because somebody may set the other one back. */
  private loadedAt = -Infinity;
  private next: Promise<void> | undefined;
  private deleting: Promise<void> | undefined;

  constructor(
    private readonly database: Database,
    /** Lifetime of a token in milliseconds. */
    private readonly lifetime: number,
  ) {}

  async current(): Promise<SigningKey> {
    // Another process may have retired the key.
    await this.load();
    if (!this.keys.some(isSigning)) {
      await this.database.transaction((transaction) => addKey(transaction, SYSTEM, Date.now()));
      await this.load();
    }
    return firstOf(this.keys.filter(isSigning));
  }

  async byId(kid: string): Promise<SigningKey | undefined> {
    if (performance.now() - this.loadedAt > FRESH) await this.load();
    const known = this.keys.find((each) => each.kid === kid);
    if (known) return known.until > Date.now() ? known : undefined;
    // Callers share a read that has not started. A running read may have started before the key was created.
    await (this.next ??= this.loadAfterPause());
    return this.keys.find((each) => each.kid === kid);
  }

  private async loadAfterPause(): Promise<void> {
    await setTimeout(Math.max(0, this.loadedAt + PAUSE - performance.now()));
    this.next = undefined;
    await this.load();
  }

  private async load(): Promise<void> {
    const startedAt = performance.now();
    const keys = (await storedKeys(this.database)).map(({ kid, secret, retiredOn }) => ({
      kid,
      key: createSecretKey(Buffer.from(secret, 'base64')),
      until: retiredOn === undefined ? Infinity : retiredOn + this.lifetime,
    }));
    if (startedAt < this.loadedAt) return;
    [this.keys, this.loadedAt] = [keys, startedAt];
    const now = Date.now();
    if (keys.every(({ until }) => until > now)) return;
    // Nobody waits for it, and a later read repeats it, so that users can sign in while the database refuses or delays writes.
    this.deleting ??= this.database
      .transaction(async (transaction) => {
        await transaction.run('DELETE FROM signing_keys WHERE retired_on <= ?', [now - this.lifetime]);
      })
      .catch(() => undefined)
      .finally(() => (this.deleting = undefined));
  }
}

/** A row of `signing_keys`. */
interface StoredKey {
  readonly kid: string;
  /** Base64. */
  readonly secret: string;
  /** Milliseconds since the epoch. */
  readonly createdOn: number;
  /** When a newer key replaced this key, in milliseconds since the epoch. */
  readonly retiredOn: number | undefined;
}

/** Reads the keys, newest first. */
export async function storedKeys(sql: Sql): Promise<readonly StoredKey[]> {
  const rows = await sql.rows(
    'SELECT kid, secret, created_on, retired_on FROM signing_keys ORDER BY created_on DESC, kid',
    [],
  );
  return rows.map(([kid, secret, createdOn, retiredOn]) => ({
    kid: String(kid),
    secret: String(secret),
    createdOn: Number(createdOn),
    retiredOn: retiredOn === null ? undefined : Number(retiredOn),
  }));
}

/**
 * Creates a new signing key and returns its kid. Earlier tokens stay valid until they expire, unless `endTokens` is
 * set.
 */
export async function rotateKeys(database: Database, actor: Actor, endTokens: boolean): Promise<string> {
  return database.transaction(async (transaction) => {
    const now = Date.now();
    const keys = (await storedKeys(transaction)).filter(({ retiredOn }) => endTokens || retiredOn === undefined);
    if (endTokens) await transaction.run('DELETE FROM signing_keys', []);
    else await transaction.run('UPDATE signing_keys SET retired_on = ? WHERE retired_on IS NULL', [now]);
    const event = endTokens ? 'DELETED' : 'UPDATED';
    for (const { kid } of keys) noteChange(transaction, { kind: 'SigningKey', ref: kid, event, actor });
    return addKey(transaction, actor, now);
  });
}

async function addKey(transaction: OwnTransaction, actor: Actor, now: number): Promise<string> {
  const kid = randomBytes(12).toString('base64url');
  await transaction.run('INSERT INTO signing_keys (kid, secret, created_on) VALUES (?, ?, ?)', [
    kid,
    randomBytes(64).toString('base64'),
    now,
  ]);
  noteChange(transaction, { kind: 'SigningKey', ref: kid, event: 'CREATED', actor });
  return kid;
}

function isSigning({ until }: SigningKey): boolean {
  return until === Infinity;
}

function firstOf([key]: readonly SigningKey[]): SigningKey {
  if (!key) throw new Error('The key ring has no signing key');
  return key;
}
