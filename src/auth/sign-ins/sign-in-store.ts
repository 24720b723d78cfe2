import { shapeOf } from '../../database/row-shape';
import { pad, places, textOrNull, type Sql, type Transaction } from '../../database/sql';

// Entries are `ref:expiry`, separated by spaces; the expiry is in seconds, in base 36. A column of the user, because it
// is read with the user for each request.

/** The maximum number of entries. Each has at most 17 characters, and the column has 2000. */
export const MAX_ENDED = 100;

/** Whether a list of ended sign-ins contains this one. */
export function isEnded(ended: string, ref: string): boolean {
  return ended.includes(`${ref}:`);
}

/**
 * Adds a sign-in to the list, and removes those whose tokens have expired. Times are in milliseconds. Returns undefined
 * if the list is full.
 */
export function withEnded(
  ended: string,
  { ref, expiresOn }: { readonly ref: string; readonly expiresOn: number },
  now: number,
): string | undefined {
  const left = ended.split(' ').filter((entry) => parseInt(entry.split(':')[1] ?? '0', 36) * 1000 > now);
  return left.length < MAX_ENDED
    ? [...left, `${ref}:${Math.ceil(expiresOn / 1000).toString(36)}`].join(' ')
    : undefined;
}

/** A sign-in whose token is still good. */
export interface SignIn {
  /** The `sid` of the token. */
  readonly ref: string;
  /** The `kid` of the key that signed the token. */
  readonly kid: string;
  /** The address of the caller. */
  readonly address: string;
  /** The User-Agent header of the caller, as plain text; null if it is unknown. */
  readonly userAgent: string | null;
  /** Milliseconds since the epoch. */
  readonly createdOn: number;
  /** Milliseconds since the epoch. */
  readonly expiresOn: number;
}

/** A sign-in to store. */
export interface NewSignIn extends SignIn {
  readonly userId: number;
  /** The generation of the user's secret. */
  readonly generation: number;
}

/** The maximum number of sign-ins of a user that are listed; older ones stay valid. */
const MAX_SIGN_INS = 200;

export async function insertSignIns(transaction: Transaction, signIns: readonly NewSignIn[]): Promise<void> {
  await transaction.run(
    `INSERT INTO sign_ins (ref, user_id, generation, kid, address, user_agent, created_on, expires_on)
     VALUES ${signIns.map(() => `(${places(8)})`).join(', ')}`,
    signIns.flatMap(({ ref, userId, generation, kid, address, userAgent, createdOn, expiresOn }) => [
      ...[ref, userId, generation, kid],
      ...[address.slice(0, 64), userAgent, createdOn, expiresOn],
    ]),
  );
}

const SIGN_IN = shapeOf<SignIn>({
  ref: ['s.ref', String],
  kid: ['s.kid', String],
  address: ['s.address', String],
  userAgent: ['s.user_agent', textOrNull],
  createdOn: ['s.created_on', Number],
  expiresOn: ['s.expires_on', Number],
});
const SIGN_INS = `SELECT ${SIGN_IN.columns} FROM sign_ins s JOIN users u ON u.id = s.user_id AND u.generation = s.generation`;

/**
 * The user's sign-ins after the last change of the secret, newest first. `clock` is the SQL for the time in seconds.
 */
export async function signInsOf(sql: Sql, userRef: string, clock: string): Promise<readonly SignIn[]> {
  const rows = await sql.rows(
    `${SIGN_INS} WHERE u.ref = ? AND s.expires_on > ${clock} * 1000 ORDER BY s.id DESC LIMIT ?`,
    [userRef, MAX_SIGN_INS],
  );
  return rows.map(SIGN_IN.read);
}

/** A sign-in of a user. */
export async function signInOf(sql: Sql, userRef: string, ref: string): Promise<SignIn | undefined> {
  const [row] = await sql.rows(`${SIGN_INS} WHERE u.ref = ? AND s.ref = ?`, [userRef, ref]);
  return row && SIGN_IN.read(row);
}

/** The user's ended sign-ins, and the database's time in milliseconds. */
export async function endedSignIns(
  sql: Sql,
  userRef: string,
  clock: string,
): Promise<{ readonly ended: string; readonly now: number }> {
  const [row] = await sql.rows(`SELECT ended_sign_ins, ${clock} FROM users WHERE ref = ?`, [userRef]);
  return { ended: String(row?.[0] ?? ''), now: Number(row?.[1]) * 1000 };
}

/** Deletes a sign-in, and stores the user's list of ended ones. */
export async function endSignIn(transaction: Transaction, userRef: string, ref: string, ended: string): Promise<void> {
  await transaction.run('DELETE FROM sign_ins WHERE ref = ?', [ref]);
  await transaction.run('UPDATE users SET ended_sign_ins = ? WHERE ref = ?', [ended, userRef]);
}

/** Starts a new generation of the user, which invalidates all tokens of sign-ins. Returns whether the user exists. */
export async function endAllSignIns(transaction: Transaction, userRef: string): Promise<boolean> {
  const { rows } = await transaction.run(
    'UPDATE users SET generation = generation + 1, ended_sign_ins = NULL WHERE ref = ?',
    [userRef],
  );
  await transaction.run('DELETE FROM sign_ins WHERE user_id = (SELECT id FROM users WHERE ref = ?)', [userRef]);
  return rows > 0;
}

const BATCH = 100;

/** Deletes all but the newest sign-ins of a user, some at a time. */
export async function trimSignIns(transaction: Transaction, userId: number): Promise<void> {
  const surplus = await transaction.rows(
    'SELECT id FROM sign_ins WHERE user_id = ? ORDER BY id DESC LIMIT ? OFFSET ?',
    [...[userId, BATCH, MAX_SIGN_INS]],
  );
  if (surplus.length === 0) return;
  const ids = pad(
    surplus.map(([id]) => Number(id)),
    0,
  );
  await transaction.run(`DELETE FROM sign_ins WHERE id IN (${places(ids.length)})`, ids);
}
