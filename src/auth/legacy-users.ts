import type { Sql, Transaction } from '../database/sql';

/**
 * Records that a user was migrated from Routr v1. Tokens of the old server are accepted for this user until the secret changes
 * or the user is deleted. A name is recorded only once, so that tokens that became invalid stay invalid.
 */
export async function noteLegacyUser(transaction: Transaction, username: string): Promise<void> {
  await transaction.run(
    `INSERT INTO legacy_users (username, user_id, generation)
     SELECT u.username, u.id, u.generation FROM users u
     WHERE u.username = ? AND NOT EXISTS (SELECT 1 FROM legacy_users l WHERE l.username = u.username)`,
    [username],
  );
}

/** The ref of the user that a Routr v1 token names; undefined if such tokens are no longer valid for that name. */
export async function legacyUserRef(sql: Sql, username: string): Promise<string | undefined> {
  const [row] = await sql.rows(
    `SELECT u.ref FROM legacy_users l JOIN users u ON u.id = l.user_id AND u.generation = l.generation
     WHERE l.username = ?`,
    [username.slice(0, 101)],
  );
  return row && String(row[0]);
}
