import { createHmac, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';

import type { Database } from '../database/database';
import type { Sql, Transaction } from '../database/sql';

/** A key that signs tokens, or that has signed them. */
export interface SigningKey {
  /** The `kid` in the header of its tokens (RFC 7515, 4.1.4). */
  readonly kid: string;
  readonly key: KeyObject;
  /** When its last token has ended, in milliseconds since the epoch; Infinity for a key that still signs. */
  readonly until: number;
}

/** The keys of the service. */
export interface KeyRing {
  /** The key that signs now. */
  current(): Promise<SigningKey>;
  /** The key of that name, while its tokens are accepted. */
  named(kid: string): Promise<SigningKey | undefined>;
}

/** JWT_SECRET signs; the secrets before it still verify. */
export function fixedKeyRing(secret: string, previous: readonly string[]): KeyRing {
  const keys = [secret, ...previous].map((each): SigningKey => {
    const kid = createHmac('sha256', each).update('kid').digest('base64url').slice(0, 16);
    return { kid, key: createSecretKey(Buffer.from(each)), until: Infinity };
  });
  return {
    current: () => Promise.resolve(firstOf(keys)),
    named: (kid) => Promise.resolve(keys.find((each) => each.kid === kid)),
  };
}

// Milliseconds after which a process reads the keys again, and the pause between two reads for unknown names: anybody may
// send a token with one.
const FRESH = 30_000;
const PAUSE = 1000;

/** Keys in the database: all replicas have the same, and restarts change nothing. */
export class StoredKeyRing implements KeyRing {
  private keys: readonly SigningKey[] = [];
  private loadedOn = -Infinity;
  private next: Promise<void> | undefined;

  constructor(
    private readonly database: Database,
    /** Milliseconds that a token lives at most. */
    private readonly lifetime: number,
  ) {}

  async current(): Promise<SigningKey> {
    // Another process may have retired the key.
    await this.load();
    if (!this.keys.some(isSigning)) {
      await this.database.transaction((transaction) => addKey(transaction, Date.now()));
      await this.load();
    }
    return firstOf(this.keys.filter(isSigning));
  }

  async named(kid: string): Promise<SigningKey | undefined> {
    if (Date.now() - this.loadedOn > FRESH) await this.load();
    const known = this.keys.find((each) => each.kid === kid);
    if (known) return known.until > Date.now() ? known : undefined;
    // A waiting read is shared; one that has begun may be older than the token.
    await (this.next ??= this.loadAfterPause());
    return this.keys.find((each) => each.kid === kid);
  }

  private async loadAfterPause(): Promise<void> {
    await setTimeout(Math.max(0, this.loadedOn + PAUSE - Date.now()));
    this.next = undefined;
    await this.load();
  }

  private async load(): Promise<void> {
    const now = Date.now();
    const keys = (await storedKeys(this.database)).map(({ kid, secret, retiredOn }) => ({
      kid,
      key: createSecretKey(Buffer.from(secret, 'base64')),
      until: retiredOn === undefined ? Infinity : retiredOn + this.lifetime,
    }));
    if (now < this.loadedOn) return;
    [this.keys, this.loadedOn] = [keys, now];
    if (keys.every(({ until }) => until > now)) return;
    await this.database.transaction(async (transaction) => {
      await transaction.run('DELETE FROM signing_keys WHERE retired_on <= ?', [now - this.lifetime]);
    });
  }
}

/** A key as it is stored. */
export interface StoredKey {
  readonly kid: string;
  /** In base64. */
  readonly secret: string;
  /** Milliseconds since the epoch. */
  readonly createdOn: number;
  /** When another key took its place, in milliseconds since the epoch. */
  readonly retiredOn: number | undefined;
}

/** The keys in the database, the newest first. */
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
 * Makes the key that signs from now on, and gives its kid. The tokens of the keys before it are accepted until they end, or
 * not any more.
 */
export async function rotateKeys(database: Database, endTokens: boolean): Promise<string> {
  return database.transaction(async (transaction) => {
    const now = Date.now();
    if (endTokens) await transaction.run('DELETE FROM signing_keys', []);
    else await transaction.run('UPDATE signing_keys SET retired_on = ? WHERE retired_on IS NULL', [now]);
    return addKey(transaction, now);
  });
}

async function addKey(transaction: Transaction, now: number): Promise<string> {
  const kid = randomBytes(12).toString('base64url');
  await transaction.run('INSERT INTO signing_keys (kid, secret, created_on) VALUES (?, ?, ?)', [
    kid,
    randomBytes(64).toString('base64'),
    now,
  ]);
  return kid;
}

function isSigning({ until }: SigningKey): boolean {
  return until === Infinity;
}

function firstOf([key]: readonly SigningKey[]): SigningKey {
  if (!key) throw new Error('no key signs tokens');
  return key;
}
