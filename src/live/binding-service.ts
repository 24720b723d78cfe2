import type { Database } from '../database/database';
import { NotFoundError } from '../errors';

/** Ends bindings (RFC 3261, 10): devices have to register anew. */
export class BindingService {
  constructor(private readonly database: Database) {}

  /** Those of every address of record; gives how many there were. */
  async evictAll(): Promise<number> {
    return this.database.transaction(async (transaction) => (await transaction.run('DELETE FROM location', [])).rows);
  }

  /** Those of one address of record, as `sip:1001@sip.local` or without the scheme; throws NotFoundError without any. */
  async evict(addressOfRecord: string): Promise<number> {
    const [, user = '', domain] = /^(?:sips?:)?([^@]+)(?:@([^@]+))?$/i.exec(addressOfRecord) ?? [];
    const where = domain === undefined ? 'username = ? AND domain IS NULL' : 'username = ? AND domain = ?';
    const key = domain === undefined ? [user] : [user, domain.toLowerCase()];
    const { rows } = await this.database.transaction((transaction) =>
      transaction.run(`DELETE FROM location WHERE ${where}`, key),
    );
    if (rows === 0) throw new NotFoundError('Location', addressOfRecord);
    return rows;
  }
}
