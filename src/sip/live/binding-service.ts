import type { Actor } from '../../changes/actor';
import { ALL_BINDINGS, BINDING } from '../../changes/change';
import { storeChanges } from '../../changes/outbox';
import type { Database } from '../../database/database';
import { NotFoundError, NotSupportedError } from '../../errors';
import { parseAddressOfRecord, writeAddressOfRecord, type AddressOfRecord } from '../../model/format/address-of-record';
import { ADDRESSES_OF_AGENTS } from '../../model/target';
import { toAddressOfRecord } from './contact';
import type { SipServer } from './sip-server';

// The events of the bindings of `location l` that are removed. The socket is `udp:host:port`.
const EVICTED = `SELECT ?, l.username, l.domain, COALESCE(
  (SELECT CONCAT('agent:', a.ref) FROM ${ADDRESSES_OF_AGENTS} JOIN agents a ON a.id = m.agent_id
   WHERE m.username = l.username AND d.domain_uri = l.domain LIMIT 1),
  (SELECT CONCAT('peer:', p.ref) FROM peers p WHERE p.username = l.username LIMIT 1)
), 'UNREGISTERED', SUBSTR(l.socket, 1, INSTR(l.socket, ':') - 1), l.user_agent, SUBSTR(l.socket, INSTR(l.socket, ':') + 1), 0, 'Evicted'`;

// Concurrent requests to the SIP server.
const CONCURRENCY = 8;

/**
 * Removes bindings (RFC 3261, 10), so that devices must register again. An entry of the journal is committed before, so
 * that no device is evicted without one; it stays if the SIP server does not respond. The SIP server keeps bindings in
 * memory, so they are removed there first, and then from the database. Throws NotSupportedError if SIP_RPC_URL is not
 * set, and UnavailableError if the SIP server does not respond.
 */
export class BindingService {
  constructor(
    private readonly database: Database,
    private readonly sipServer: SipServer | undefined,
    private readonly actor: Actor,
  ) {}

  /**
   * Removes all bindings and returns their number. If this fails, the SIP server may already have removed some of them.
   */
  async evictAll(): Promise<number> {
    const server = this.server();
    const rows = await this.database.rows('SELECT DISTINCT username, domain FROM location', []);
    const [row] = await this.database.rows('SELECT COUNT(*), MAX(id) FROM location', []);
    const addresses = rows.map(([user, domain]) => nameOf(toAddressOfRecord(user, domain)));
    const work = async (): Promise<void> => {
      for (let next = addresses.pop(); next !== undefined; next = addresses.pop()) await server.evict(next);
    };
    const many = Number(row?.[0]);
    if (many === 0) return 0;
    const at = await this.note(ALL_BINDINGS, many, 'TRUE', []);
    await this.recorded(at, () => Promise.all(Array.from({ length: CONCURRENCY }, work)));
    // Also removes the rows that the SIP server did not know, but not the rows of devices that have registered again
    // since.
    await this.remove('id <= ?', [Number(row?.[1] ?? 0)]);
    return many;
  }

  /**
   * Removes the bindings of one address of record, given with or without `sip:`, and returns their number. Throws
   * NotFoundError if there are none.
   */
  async evict(addressOfRecord: string): Promise<number> {
    const server = this.server();
    const aor = parseAddressOfRecord(addressOfRecord);
    if (!aor) throw new NotFoundError('Location', addressOfRecord);
    const where = aor.host === undefined ? 'username = ? AND domain IS NULL' : 'username = ? AND domain = ?';
    const key = aor.host === undefined ? [aor.user] : [aor.user, aor.host];
    const [row] = await this.database.rows(`SELECT COUNT(*) FROM location WHERE ${where}`, key);
    const many = Number(row?.[0]);
    if (many === 0) throw new NotFoundError('Location', addressOfRecord);
    const at = await this.note(writeAddressOfRecord(aor), many, where, key);
    await this.recorded(at, () => server.evict(nameOf(aor)));
    await this.remove(where, key);
    return many;
  }

  private server(): SipServer {
    if (!this.sipServer) throw new NotSupportedError('Evictions need the SIP server: set SIP_RPC_URL');
    return this.sipServer;
  }

  /**
   * Stores the entry of the journal, and the end of each binding, which the SIP server does not record. The SIP server
   * deletes the rows of the bindings that it knows. Returns the time of the events.
   */
  private async note(ref: string, count: number, where: string, values: readonly (string | number)[]): Promise<number> {
    const now = Date.now();
    const change = { kind: BINDING, ref, event: 'DELETED', actor: this.actor, details: { count } };
    await this.database.transaction(async (transaction) => {
      await storeChanges(transaction, [change]);
      await transaction.run(
        `INSERT INTO registration_events (at, username, domain, owner, event, transport, user_agent, node, devices, reason)
         ${EVICTED} FROM location l WHERE ${where} AND l.expires > ?`,
        [now, ...values, Math.floor(now / 1000)],
      );
    });
    return now;
  }

  /** Runs an eviction, and removes its events if the SIP server does not respond: the devices are still registered. */
  private async recorded(at: number, evict: () => Promise<unknown>): Promise<void> {
    try {
      await evict();
    } catch (error) {
      await this.database.transaction((transaction) =>
        transaction.run("DELETE FROM registration_events WHERE at = ? AND reason = 'Evicted'", [at]),
      );
      throw error;
    }
  }

  private async remove(where: string, values: readonly (string | number)[]): Promise<void> {
    await this.database.transaction((transaction) => transaction.run(`DELETE FROM location WHERE ${where}`, values));
  }
}

/** The name of an address of record in Kamailio's usrloc. */
function nameOf({ user, host }: AddressOfRecord): string {
  return host === undefined ? user : `${user}@${host}`;
}
