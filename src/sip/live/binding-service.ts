import type { Actor } from '../../changes/actor';
import { ALL_BINDINGS, BINDING } from '../../changes/change';
import { storeChanges } from '../../changes/outbox';
import type { Database } from '../../database/database';
import { insertRows } from '../../database/batches';
import { groupBy, type Row } from '../../database/sql';
import { NotFoundError, NotSupportedError } from '../../errors';
import { parseAddressOfRecord, writeAddressOfRecord, type AddressOfRecord } from '../../model/format/address-of-record';
import { ADDRESSES_OF_AGENTS } from '../../model/target';
import { seconds, toAddressOfRecord } from './contact';
import type { SipServer } from './sip-server';

// The events of the bindings of `location l` that are removed, without their times. The socket is `udp:host:port`.
const EVICTED = `SELECT l.username, l.domain, COALESCE(
  (SELECT CONCAT('agent:', a.ref) FROM ${ADDRESSES_OF_AGENTS} JOIN agents a ON a.id = m.agent_id
   WHERE m.username = l.username AND d.domain_uri = l.domain LIMIT 1),
  (SELECT CONCAT('peer:', p.ref) FROM peers p WHERE p.username = l.username LIMIT 1)
), 'UNREGISTERED', SUBSTR(l.socket, 1, INSTR(l.socket, ':') - 1), l.user_agent, SUBSTR(l.socket, INSTR(l.socket, ':') + 1), 0, 'Evicted'`;
const COLUMNS = 'username, domain, owner, event, transport, user_agent, node, devices, reason, at';

// Concurrent requests to the SIP server.
const CONCURRENCY = 8;
// Events that are stored with a statement.
const BATCH = 500;

/**
 * Removes bindings (RFC 3261, 10), so that devices must register again. An entry of the history is committed before, so
 * that no device is evicted without one; it stays if the SIP server does not respond. The SIP server keeps bindings in
 * memory, so they are removed there first, and then from the database. Throws NotSupportedError if SIP_RPC_URL is not
 * set, and UnavailableError if the SIP server does not respond.
 */
export class BindingService {
  constructor(
    private readonly database: Database,
    private readonly sipServer: SipServer | undefined,
    private readonly actor: Actor,
    /** For how long transitions of registrations are kept, in milliseconds. */
    private readonly liveKept: number,
  ) {}

  /**
   * Removes all bindings and returns their number. If this fails, the SIP server may already have removed some of them.
   */
  async evictAll(): Promise<number> {
    const server = this.server();
    const rows = await this.database.rows('SELECT DISTINCT username, domain FROM location', []);
    const [row] = await this.database.rows('SELECT COUNT(*), MAX(id) FROM location', []);
    const addresses = rows.map(([user, domain]) => nameOf(toAddressOfRecord(user, domain)));
    const many = Number(row?.[0]);
    if (many === 0) return 0;
    await this.note(ALL_BINDINGS, many);
    const ends = groupBy(await this.ends('TRUE', []), ([user, domain]) => nameOf(toAddressOfRecord(user, domain)));
    const gone: Row[] = [];
    const work = async (): Promise<void> => {
      for (let next = addresses.pop(); next !== undefined; next = addresses.pop()) {
        gone.push(...(await evictFrom(server, next, ends.get(next) ?? [])));
        if (gone.length >= BATCH) await this.store(gone.splice(0));
      }
    };
    const stopped = (error: unknown): never => {
      addresses.length = 0;
      throw error;
    };
    const workers = await Promise.allSettled(Array.from({ length: CONCURRENCY }, () => work().catch(stopped)));
    // Also if it failed: these devices are not registered any more.
    await this.store(gone);
    for (const worker of workers) if (worker.status === 'rejected') throw worker.reason;
    await this.remove('TRUE', [], Number(row?.[1]));
    return many;
  }

  /**
   * Removes the bindings of one address of record, given with or without `sip:`, and returns their number. Throws
   * NotFoundError if there are none. A dry run only counts them.
   */
  async evict(addressOfRecord: string, { dryRun = false }: { readonly dryRun?: boolean } = {}): Promise<number> {
    const server = this.server();
    const aor = parseAddressOfRecord(addressOfRecord);
    if (!aor) throw new NotFoundError('Location', addressOfRecord);
    const where = aor.host === undefined ? 'username = ? AND domain IS NULL' : 'username = ? AND domain = ?';
    const key = aor.host === undefined ? [aor.user] : [aor.user, aor.host];
    const [row] = await this.database.rows(`SELECT COUNT(*), MAX(id) FROM location WHERE ${where}`, key);
    const many = Number(row?.[0]);
    if (many === 0) throw new NotFoundError('Location', addressOfRecord);
    if (dryRun) return many;
    await this.note(writeAddressOfRecord(aor), many);
    const ends = await this.ends(where, key);
    await this.store(await evictFrom(server, nameOf(aor), ends));
    await this.remove(where, key, Number(row?.[1]));
    return many;
  }

  private server(): SipServer {
    if (!this.sipServer) throw new NotSupportedError('Evictions need the SIP server: set SIP_RPC_URL');
    return this.sipServer;
  }

  /** Stores the entry of the history. */
  private async note(ref: string, count: number): Promise<void> {
    const change = { kind: BINDING, ref, event: 'DELETED', actor: this.actor, details: { count } };
    await this.database.transaction((transaction) => storeChanges(transaction, [change]));
  }

  /**
   * Reads the end of each binding, which the SIP server does not record. They are read before the eviction, in which the
   * SIP server deletes the rows of the bindings that it knows. None if they are not kept.
   */
  private async ends(where: string, values: readonly (string | number)[]): Promise<readonly Row[]> {
    if (this.liveKept === 0) return [];
    // Not as a part of the INSERT, which would lock the SIP server's rows on MySQL.
    const text = `${EVICTED} FROM location l WHERE ${where} AND l.expires > ?`;
    return this.database.rows(text, [...values, seconds(Date.now())]);
  }

  private async store(events: readonly Row[]): Promise<void> {
    if (events.length === 0) return;
    await this.database.transaction((transaction) => insertRows(transaction, 'registration_events', COLUMNS, events));
  }

  /** Removes the rows that the SIP server did not know, but not the rows of devices that have registered again since, after `last`. */
  private async remove(where: string, values: readonly (string | number)[], last: number): Promise<void> {
    await this.database.transaction((transaction) =>
      transaction.run(`DELETE FROM location WHERE ${where} AND id <= ?`, [...values, last]),
    );
  }
}

/** Evicts the bindings of an address of record, and returns the events to store. */
async function evictFrom(server: SipServer, name: string, ends: readonly Row[]): Promise<readonly Row[]> {
  // A time before a device registers again.
  const at = Date.now();
  await server.evict(name);
  return ends.map((end) => [...end, at]);
}

/** The name of an address of record in Kamailio's usrloc. */
function nameOf({ user, host }: AddressOfRecord): string {
  return host === undefined ? user : `${user}@${host}`;
}
