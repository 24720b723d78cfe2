import { randomBytes } from 'node:crypto';

import { shapeOf } from '../database/row-shape';
import { numberOrNull, textOrNull, type KeyedRead, type Reads, type Sql, type Transaction } from '../database/sql';
import { toRole, type Role } from './role';

/** An API token of a user, without the token itself. */
export interface ApiToken {
  readonly ref: string;
  readonly name: string;
  readonly note: string | null;
  /** The role that the token was given. It acts with its owner's role if that is lower. */
  readonly role: Role;
  /** The name of the owner. */
  readonly username: string;
  /** Milliseconds since the epoch. */
  readonly createdOn: number;
  /** Milliseconds since the epoch; null if the token does not expire. */
  readonly expiresOn: number | null;
  /** The start of the last day in UTC on which the token was used, in milliseconds since the epoch. */
  readonly lastUsedOn: number | null;
  /** The address of the first request of that day. */
  readonly lastUsedFrom: string | null;
  /** The number of documents that the token may send; 0 if it may send any. */
  readonly documents: number;
}

/** What authentication needs to know about an API token. */
export interface ApiTokenOwner {
  readonly ref: string;
  /** The number of the token among those of its owner. A token made after another one was deleted gets its number. */
  readonly slot: number;
  readonly role: Role;
  readonly expiresOn: number | null;
  readonly lastUsedOn: number | null;
  readonly owner: { readonly ref: string; readonly username: string; readonly role: Role };
}

/** A new API token, with the hash of the token. */
interface ApiTokenRow extends Pick<ApiToken, 'name' | 'note' | 'role' | 'createdOn' | 'expiresOn'> {
  readonly userRef: string;
  readonly slot: number;
  readonly hash: string;
}

const OWNER_BY_HASH: KeyedRead = {
  text: `SELECT t.hash, t.ref, t.slot, t.role, t.expires_on, t.used_on, u.ref, u.username, u.role
    FROM api_tokens t JOIN users u ON u.id = t.user_id WHERE t.hash IN (?)`,
  values: [],
  keyColumn: 0,
};

/** The API token with this hash, with its owner. Concurrent requests share a statement. */
export async function apiTokenByHash(reads: Reads, hash: string): Promise<ApiTokenOwner | undefined> {
  const row = await reads.rowByKey(OWNER_BY_HASH, hash);
  if (!row) return undefined;
  const [, ref, slot, role, expiresOn, lastUsedOn, userRef, username, ownRole] = row;
  return {
    ref: String(ref),
    slot: Number(slot),
    role: toRole(role),
    expiresOn: numberOrNull(expiresOn),
    lastUsedOn: numberOrNull(lastUsedOn),
    owner: { ref: String(userRef), username: String(username), role: toRole(ownRole) },
  };
}

const API_TOKEN = shapeOf<ApiToken>({
  ref: ['t.ref', String],
  name: ['t.name', String],
  note: ['t.note', textOrNull],
  role: ['t.role', toRole],
  username: ['u.username', String],
  createdOn: ['t.created_on', Number],
  expiresOn: ['t.expires_on', numberOrNull],
  lastUsedOn: ['t.used_on', numberOrNull],
  lastUsedFrom: ['t.used_from', textOrNull],
  documents: ['(SELECT COUNT(*) FROM api_token_documents d WHERE d.token_id = t.id)', Number],
});
const API_TOKENS = `SELECT ${API_TOKEN.columns} FROM api_tokens t JOIN users u ON u.id = t.user_id`;

/** The API tokens of a user, oldest first. */
export async function apiTokensOf(sql: Sql, userRef: string): Promise<readonly ApiToken[]> {
  return (await sql.rows(`${API_TOKENS} WHERE u.ref = ? ORDER BY t.id`, [userRef])).map(API_TOKEN.read);
}

/** The API tokens of all users in the order of creation, at most `limit`. */
export async function allApiTokens(sql: Sql, limit: number): Promise<readonly ApiToken[]> {
  return (await sql.rows(`${API_TOKENS} ORDER BY t.id LIMIT ?`, [limit])).map(API_TOKEN.read);
}

export async function apiTokenByRef(sql: Sql, ref: string): Promise<ApiToken | undefined> {
  const [row] = await sql.rows(`${API_TOKENS} WHERE t.ref = ?`, [ref]);
  return row && API_TOKEN.read(row);
}

/** Locks the user until the transaction ends, so that no other transaction makes something of this user meanwhile. */
export async function lockOwner(transaction: Transaction, userRef: string): Promise<void> {
  await transaction.run('UPDATE users SET ref = ref WHERE ref = ?', [userRef]);
}

/**
 * SQL for whether the API token in `api_token_ref` of a table still exists and has not expired; true for a row without one, of a
 * sign-in. The value is the time.
 */
export function hasToken(table: string): string {
  return `(api_token_ref IS NULL OR EXISTS (SELECT 1 FROM api_tokens t WHERE t.ref = ${table}.api_token_ref
    AND (t.expires_on IS NULL OR t.expires_on > ?)))`;
}

/** The numbers of the user's tokens. */
export async function slotsOf(sql: Sql, userRef: string): Promise<readonly number[]> {
  const rows = await sql.rows(
    'SELECT t.slot FROM api_tokens t JOIN users u ON u.id = t.user_id WHERE u.ref = ? ORDER BY t.slot',
    [userRef],
  );
  return rows.map(([slot]) => Number(slot));
}

/** Inserts a token and returns its ref. */
export async function insertApiToken(transaction: Transaction, token: ApiTokenRow): Promise<string> {
  const ref = `tk${randomBytes(4).toString('hex')}`;
  const { userRef, slot, hash, name, note, role, createdOn, expiresOn } = token;
  await transaction.run(
    `INSERT INTO api_tokens (ref, user_id, slot, hash, name, note, role, created_on, expires_on)
     SELECT ?, id, ?, ?, ?, ?, ?, ?, ? FROM users WHERE ref = ?`,
    [ref, slot, hash, name, note, role, createdOn, expiresOn, userRef],
  );
  return ref;
}

/** Deletes a token. Returns whether it existed. */
export async function deleteApiToken(transaction: Transaction, ref: string): Promise<boolean> {
  return (await transaction.run('DELETE FROM api_tokens WHERE ref = ?', [ref])).rows > 0;
}

/** Stores that a token was used on a day, unless that or a later day is stored. */
export async function noteUse(transaction: Transaction, ref: string, day: number, address: string): Promise<void> {
  await transaction.run(
    'UPDATE api_tokens SET used_on = ?, used_from = ? WHERE ref = ? AND (used_on IS NULL OR used_on < ?)',
    [day, address.slice(0, 64), ref, day],
  );
}
