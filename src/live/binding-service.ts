import type { Database } from '../database/database';
import { NotFoundError, NotSupportedError } from '../errors';
import { parseAddressOfRecord, type AddressOfRecord } from '../model/format/address-of-record';
import { toAddressOfRecord } from './contact';
import type { SipServer } from './sip-server';

// How many addresses of record the SIP server is told of at once.
const AT_ONCE = 8;

/**
 * Ends bindings (RFC 3261, 10): devices have to register anew. The SIP server keeps them in its memory, so it has to be told:
 * throws NotSupportedError where it takes no commands, and UnavailableError, with nothing changed, while it does not answer.
 */
export class BindingService {
  constructor(
    private readonly database: Database,
    private readonly sipServer: SipServer | undefined,
  ) {}

  /** Those of every address of record; gives how many there were. */
  async evictAll(): Promise<number> {
    const server = this.server();
    const rows = await this.database.rows('SELECT DISTINCT username, domain FROM location', []);
    const [row] = await this.database.rows('SELECT COUNT(*), MAX(id) FROM location', []);
    const addresses = rows.map(([user, domain]) => nameOf(toAddressOfRecord(user, domain)));
    const work = async (): Promise<void> => {
      for (let next = addresses.pop(); next !== undefined; next = addresses.pop()) await server.evict(next);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    // Rows that the server did not know of; not those of devices that have registered anew meanwhile.
    await this.remove('id <= ?', [Number(row?.[1] ?? 0)]);
    return Number(row?.[0]);
  }

  /** Those of one address of record, as `sip:1001@sip.local` or without the scheme; throws NotFoundError without any. */
  async evict(addressOfRecord: string): Promise<number> {
    const server = this.server();
    const aor = parseAddressOfRecord(addressOfRecord);
    if (!aor) throw new NotFoundError('Location', addressOfRecord);
    const where = aor.host === undefined ? 'username = ? AND domain IS NULL' : 'username = ? AND domain = ?';
    const key = aor.host === undefined ? [aor.user] : [aor.user, aor.host];
    const [row] = await this.database.rows(`SELECT COUNT(*) FROM location WHERE ${where}`, key);
    const many = Number(row?.[0]);
    if (many === 0) throw new NotFoundError('Location', addressOfRecord);
    await server.evict(nameOf(aor));
    await this.remove(where, key);
    return many;
  }

  private server(): SipServer {
    if (!this.sipServer) throw new NotSupportedError('Evictions need the SIP server: set SIP_RPC_URL');
    return this.sipServer;
  }

  private async remove(where: string, values: readonly (string | number)[]): Promise<void> {
    await this.database.transaction((transaction) => transaction.run(`DELETE FROM location WHERE ${where}`, values));
  }
}

/** How Kamailio's usrloc names an address of record. */
function nameOf({ user, host }: AddressOfRecord): string {
  return host === undefined ? user : `${user}@${host}`;
}
