import type { Database } from '../database/database';
import { NotFoundError } from '../errors';
import type { SipServer } from './sip-server';

/** Ends bindings (RFC 3261, 10): devices have to register anew. */
export class BindingService {
  constructor(
    private readonly database: Database,
    /** Keeps bindings in memory, too, where there is one. */
    private readonly sipServer?: SipServer,
  ) {}

  /** Those of every address of record; gives how many there were. */
  async evictAll(): Promise<number> {
    const rows = this.sipServer ? await this.database.rows('SELECT DISTINCT username, domain FROM location', []) : [];
    for (const [user, domain] of rows) await this.forget(String(user), domain === null ? undefined : String(domain));
    return this.database.transaction(async (transaction) => (await transaction.run('DELETE FROM location', [])).rows);
  }

  /** Those of one address of record, as `sip:1001@sip.local` or without the scheme; throws NotFoundError without any. */
  async evict(addressOfRecord: string): Promise<number> {
    const [, user = '', domain] = /^(?:sips?:)?([^@]+)(?:@([^@]+))?$/i.exec(addressOfRecord) ?? [];
    const where = domain === undefined ? 'username = ? AND domain IS NULL' : 'username = ? AND domain = ?';
    const key = domain === undefined ? [user] : [user, domain.toLowerCase()];
    const [row] = await this.database.rows(`SELECT COUNT(*) FROM location WHERE ${where}`, key);
    const known = Number(row?.[0]);
    if (known > 0) await this.forget(user, domain?.toLowerCase());
    const { rows } = await this.database.transaction((transaction) =>
      transaction.run(`DELETE FROM location WHERE ${where}`, key),
    );
    if (rows === 0 && known === 0) throw new NotFoundError('Location', addressOfRecord);
    return Math.max(rows, known);
  }

  /** The server takes the row away itself; one that cannot be reached forgets when the binding ends. */
  private async forget(user: string, domain: string | undefined): Promise<void> {
    await this.sipServer?.evict(domain === undefined ? user : `${user}@${domain}`).catch(() => undefined);
  }
}
