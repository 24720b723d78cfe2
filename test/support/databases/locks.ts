import { createConnection } from 'mysql2/promise';

import { eventually } from '../eventually';
import { runSql } from './sql';

// The transactions of this database that wait for a lock, as they were up to 100 ms ago.
const WAITING = `SELECT t.trx_id FROM information_schema.innodb_trx t
  JOIN information_schema.processlist p ON p.id = t.trx_mysql_thread_id
  WHERE p.db = DATABASE() AND t.trx_state = 'LOCK WAIT'`;

/**
 * Runs `work` while another transaction has run a statement that locks rows. When `work` waits for them, runs
 * `meanwhile`, and commits the other transaction. SQLite has one lock, so there `work` comes last.
 */
export async function whileLocked<T>(
  url: string,
  statement: string,
  work: () => Promise<T>,
  meanwhile: () => Promise<unknown> = () => Promise.resolve(),
): Promise<T> {
  if (url.startsWith('sqlite:')) {
    await runSql(url, statement.replace('FOR UPDATE', ''));
    await meanwhile();
    return work();
  }
  const other = await createConnection(url);
  try {
    await other.beginTransaction();
    await other.query(statement);
    const waits = async (): Promise<void> => expect(await runSql(url, WAITING)).toHaveLength(1);
    const change = async (): Promise<void> => {
      try {
        await new Promise((resolve) => setTimeout(resolve, 150));
        await eventually(5, waits);
        await meanwhile();
      } finally {
        await other.commit();
      }
    };
    const [result] = await Promise.all([work(), change()]);
    return result;
  } finally {
    await other.end();
  }
}
