import type { Sql, Transaction } from '../database/sql';

/**
 * Notes that a user came over from Routr v1, so that tokens of the old server are accepted for them until the user's secret
 * changes or the user is deleted. A name is noted once: what has ended stays ended.
 */
export async function noteLegacyUser(transaction: Transaction, username: string): Promise<void> {
  await transaction.run(
    `INSERT INTO legacy_users (username, user_id, generation)
     SELECT u.username, u.id, u.generation FROM users u
     WHERE u.username = ? AND NOT EXISTS (SELECT 1 FROM legacy_users l WHERE l.username = u.username)`,
    [username],
  );
}

/** The reference of the user whom a token of Routr v1 names, if it is still theirs. */
export async function legacyUserRef(sql: Sql, username: string): Promise<string | undefined> {
  const [row] = await sql.rows(
    `SELECT u.ref FROM legacy_users l JOIN users u ON u.id = l.user_id AND u.generation = l.generation
     WHERE l.username = ?`,
    [username.slice(0, 101)],
  );
  return row && String(row[0]);
}
