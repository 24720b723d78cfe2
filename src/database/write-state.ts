import type { Database } from './database';

/**
 * Reads a table, and returns whether the database accepts writes. A server that is read-only for most users counts as
 * read-only for all. Throws if the table cannot be read, for example because the server is a Galera node outside of the
 * primary component.
 */
export async function isWritable(database: Database): Promise<boolean> {
  const readOnly = database.product === 'sqlite' ? '0' : '@@global.read_only';
  const [row] = await database.rows(`SELECT ${readOnly} FROM change_head WHERE id = 1`, []);
  // MariaDB 12 returns words.
  return ['0', 'OFF'].includes(String(row?.[0]));
}
