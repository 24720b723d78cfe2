import { randomBytes } from 'node:crypto';

import type { Actor } from '../changes/actor';
import { newFingerprint, type State } from '../changes/details';
import { noteChange } from '../changes/outbox';
import { byColumn, seek, where, type Range } from '../database/page';
import { shapeOf, type Columns } from '../database/row-shape';
import {
  textOrNull,
  type KeyedRead,
  type OwnTransaction,
  type Reads,
  type Sql,
  type Transaction,
} from '../database/sql';
import { noteToken } from './api-token';
import { apiTokensOf } from './api-token-store';
import { toRole, type Role, type Viewer } from './role';

/** A user account. */
export interface User extends Viewer {
  readonly rowId: number;
  /** Milliseconds since the epoch. */
  readonly createdOn: number;
  /** Milliseconds since the epoch. */
  readonly modifiedOn: number;
}

/** The data of a user that authentication needs. */
export interface Account extends Viewer {
  /** Increases with each change of the secret, which invalidates the tokens of earlier generations. */
  readonly generation: number;
  /** The sign-ins that the user has ended (see `isEnded`); null if there are none. */
  readonly ended?: string | null;
}

/** A user with the hash of the secret, which must not leave auth/ except in an export. */
export interface UserWithHash extends User, Account {
  readonly secretHash: string;
}

/** The columns of a user that an update changes. */
export interface UserChange {
  readonly role?: Role;
  /** Also starts a new generation, which invalidates the user's tokens. */
  readonly secretHash?: string;
}

/** The kind of users in the history. */
export const USER_KIND = 'User';

/** Without what tells by which token a user asks. */
type Stored<T extends Viewer> = Omit<T, 'session' | 'apiToken'>;

const ACCOUNT = shapeOf<Stored<Account>>({
  ref: ['ref', String],
  username: ['username', String],
  role: ['role', toRole],
  generation: ['generation', Number],
  ended: ['ended_sign_ins', textOrNull],
});
const USER_COLUMNS: Columns<Stored<User>> = {
  rowId: ['id', Number],
  ref: ['ref', String],
  username: ['username', String],
  role: ['role', toRole],
  createdOn: ['created_on', Number],
  modifiedOn: ['modified_on', Number],
};
const USER = shapeOf(USER_COLUMNS);
const WITH_HASH = shapeOf<Omit<Stored<UserWithHash>, 'ended'>>({
  ...USER_COLUMNS,
  generation: ['generation', Number],
  secretHash: ['secret_hash', String],
});

/** The users of a range in creation order, plus one more, if it exists, which shows that another page follows. */
export async function usersIn(sql: Sql, range: Range): Promise<readonly User[]> {
  const { condition, order } = seek(byColumn('id'), range);
  const { text, values } = where([condition]);
  const rows = await sql.rows(`SELECT ${USER.columns} FROM users ${text} ORDER BY ${order} LIMIT ?`, [
    ...values,
    range.limit + 1,
  ]);
  return rows.map(USER.read);
}

export async function userByRef(sql: Sql, ref: string): Promise<User | undefined> {
  const [row] = await sql.rows(`SELECT ${USER.columns} FROM users WHERE ref = ?`, [ref]);
  return row && USER.read(row);
}

export async function userByName(sql: Sql, username: string): Promise<UserWithHash | undefined> {
  const [row] = await sql.rows(`SELECT ${WITH_HASH.columns} FROM users WHERE username = ?`, [username]);
  return row && WITH_HASH.read(row);
}

/** Returns the users whose row ids are greater than `rowId`, at most `limit`, in creation order. */
export async function usersAfter(sql: Sql, rowId: number, limit: number): Promise<readonly UserWithHash[]> {
  const rows = await sql.rows(`SELECT ${WITH_HASH.columns} FROM users WHERE id > ? ORDER BY id LIMIT ?`, [
    rowId,
    limit,
  ]);
  return rows.map(WITH_HASH.read);
}

/** The generation of a user's sign-ins, which a new secret and `endAllSessions` end; undefined if there is no such user. */
export async function generationOf(sql: Sql, ref: string): Promise<number | undefined> {
  const [row] = await sql.rows('SELECT generation FROM users WHERE ref = ?', [ref]);
  return row && Number(row[0]);
}

const ACCOUNT_BY_REF: KeyedRead = {
  text: `SELECT ${ACCOUNT.columns} FROM users WHERE ref IN (?)`,
  values: [],
  keyColumn: 0,
};

/** The account with this ref, which a token contains. Concurrent requests share a statement. */
export async function accountByRef(reads: Reads, ref: string): Promise<Account | undefined> {
  const row = await reads.rowByKey(ACCOUNT_BY_REF, ref);
  return row && ACCOUNT.read(row);
}

export async function countUsers(sql: Sql): Promise<number> {
  const [row] = await sql.rows('SELECT COUNT(*) FROM users', []);
  return Number(row?.[0]);
}

export async function countAdmins(sql: Sql): Promise<number> {
  const [row] = await sql.rows("SELECT COUNT(*) FROM users WHERE role = 'admin'", []);
  return Number(row?.[0]);
}

/** Inserts a user of the first generation and returns the ref. Generates a ref if none is given. */
export async function insertUser(
  transaction: OwnTransaction,
  actor: Actor,
  user: Omit<UserWithHash, 'rowId' | 'ref' | 'generation'> & { readonly ref?: string | undefined },
): Promise<string> {
  const ref = user.ref ?? `us${randomBytes(4).toString('hex')}`;
  await transaction.run(
    `INSERT INTO users (ref, username, role, secret_hash, generation, created_on, modified_on)
     VALUES (?, ?, ?, ?, 1, ?, ?)`,
    [ref, user.username, user.role, user.secretHash, user.createdOn, user.modifiedOn],
  );
  noteChange(transaction, { kind: USER_KIND, ref, event: 'CREATED', actor, details: { after: stateOf(user) } });
  return ref;
}

/** Changes a user. Returns whether the user exists. */
export async function updateUser(
  transaction: OwnTransaction,
  actor: Actor,
  ref: string,
  change: UserChange,
): Promise<boolean> {
  const stored = await userByRef(transaction, ref);
  const { rows } = await transaction.run(
    `UPDATE users SET role = COALESCE(?, role), secret_hash = COALESCE(?, secret_hash), generation = generation + ?,
       modified_on = ? WHERE ref = ?`,
    [change.role ?? null, change.secretHash ?? null, change.secretHash === undefined ? 0 : 1, Date.now(), ref],
  );
  if (stored && rows > 0) {
    const [old, now] = [stateOf(stored), stateOf({ ...stored, ...change })];
    const changed = Object.keys(change).map((name) => (name === 'secretHash' ? 'secret' : name));
    const only = (state: State): State => Object.fromEntries(changed.map((name) => [name, state[name]]));
    const details = { before: only(old), after: only(now) };
    noteChange(transaction, { kind: USER_KIND, ref, event: 'UPDATED', actor, details });
  }
  return rows > 0;
}

/** Deletes a user with the user's API tokens. Returns whether the user existed. */
export async function deleteUser(transaction: OwnTransaction, actor: Actor, ref: string): Promise<boolean> {
  const stored = await userByRef(transaction, ref);
  const tokens = await apiTokensOf(transaction, ref);
  const { rows } = await transaction.run('DELETE FROM users WHERE ref = ?', [ref]);
  if (stored && rows > 0) {
    for (const token of tokens) noteToken(transaction, actor, 'DELETED', token);
    noteChange(transaction, { kind: USER_KIND, ref, event: 'DELETED', actor, details: { before: stateOf(stored) } });
  }
  return rows > 0;
}

/** The values of a user in the history. */
function stateOf({ username, role }: Pick<UserWithHash, 'username' | 'role'>): State {
  return { username, role, secret: newFingerprint() };
}

/**
 * Records that a user was migrated from Routr v1. Tokens of the old server are accepted for this user until the secret
 * changes or the user is deleted. A name is recorded only once, so that tokens that became invalid stay invalid.
 */
export async function noteLegacyUser(transaction: Transaction, username: string): Promise<void> {
  await transaction.run(
    `INSERT INTO legacy_users (username, user_id, generation)
     SELECT u.username, u.id, u.generation FROM users u
     WHERE u.username = ? AND NOT EXISTS (SELECT 1 FROM legacy_users l WHERE l.username = u.username)`,
    [username],
  );
}

/**
 * The ref of the user with this name, for a Routr v1 token. Undefined if Routr v1 tokens are no longer valid for that
 * name.
 */
export async function legacyUserRef(sql: Sql, username: string): Promise<string | undefined> {
  const [row] = await sql.rows(
    `SELECT u.ref FROM legacy_users l JOIN users u ON u.id = l.user_id AND u.generation = l.generation
     WHERE l.username = ?`,
    [username.slice(0, 101)],
  );
  return row && String(row[0]);
}
