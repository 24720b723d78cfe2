import { raw, sql, type Fragment } from '../../database/fragment';
import { byColumn, seek, toPage, where, whereAll, type Page, type Range } from '../../database/page';
import { groupBy, pad, places, type Reads, type Row } from '../../database/sql';
import { readAddressOfRecord } from '../../model/format/address-of-record';
import { ADDRESSES_OF_AGENTS, agentOf, hasAgent, peerOf } from '../../model/target';
import { CONTACT_COLUMNS, seconds, toContact, type Contact } from './contact';
import { contactCondition, type ContactQuery } from './contact-query';
import { scanTable } from './scan';

/** The owners of contacts, with the joins from an owner's row to `location l`. */
const OWNERS = {
  Agent: {
    from: `${ADDRESSES_OF_AGENTS} JOIN location l ON l.username = m.username AND l.domain = d.domain_uri`,
    id: 'm.agent_id',
    where: undefined,
  },
  Peer: {
    from: 'peers n JOIN location l ON l.username = n.username',
    id: 'n.id',
    where: `NOT ${hasAgent('l.username', 'l.domain')}`,
  },
  Number: {
    from: 'numbers n JOIN location l ON l.username = n.aor_user AND l.domain = n.aor_host',
    id: 'n.id',
    where: undefined,
  },
} as const;

/** The row ids of the resources that the address of record of a contact names: an agent or else a peer, and a domain. */
type NamedByContact = Readonly<Record<'Agent' | 'Peer' | 'Domain', number | undefined>>;

/** Reads the bindings that have not expired. */
export class ContactReader {
  constructor(private readonly sql: Reads) {}

  /** Returns a page of the contacts that match, in the order of registration. */
  async page(range: Range, query: ContactQuery = {}): Promise<Page<Contact>> {
    const { condition, order } = seek(byColumn('l.id'), range);
    const found = where([sql`l.expires > ${seconds(Date.now())}`, condition, contactCondition(query)]);
    const rows = await this.scan(
      sql`SELECT ${raw(CONTACT_COLUMNS)} FROM location l ${found} ORDER BY ${raw(order)} LIMIT ${range.limit + 1}`,
    );
    return toPage(
      rows.map((row) => toContact(row)),
      range,
    );
  }

  /** The number of contacts that match. */
  async count(query: ContactQuery = {}): Promise<number> {
    const found = where([sql`l.expires > ${seconds(Date.now())}`, contactCondition(query)]);
    const [row] = await this.scan(sql`SELECT COUNT(*) FROM location l ${found}`);
    return Number(row?.[0]);
  }

  /** The contacts of agents, peers or numbers (including DIDs), by row id. */
  async of(owner: keyof typeof OWNERS, ids: readonly number[]): Promise<ReadonlyMap<number, readonly Contact[]>> {
    const { from, id, where } = OWNERS[owner];
    const keys = pad(ids, 0);
    const rows = await this.sql.rows(
      `SELECT ${id}, ${CONTACT_COLUMNS} FROM ${from}
       ${whereAll([`${id} IN (${places(keys.length)})`, 'l.expires > ?', where])} ORDER BY l.id`,
      [...keys, seconds(Date.now())],
    );
    const found = groupBy(rows, ([rowId]) => Number(rowId));
    return new Map([...found].map(([rowId, own]) => [rowId, own.map((row) => toContact(row, 1))]));
  }

  /** The resources that the addresses of record of contacts name, by the row id of the contact. */
  async named(ids: readonly number[]): Promise<ReadonlyMap<number, NamedByContact>> {
    const keys = pad(ids, 0);
    const rows = await this.sql.rows(
      `SELECT l.id, d.id, m.agent_id, p.id FROM location l ${agentOf('l.username', 'l.domain', 'LEFT JOIN')}
       ${peerOf('l.username', 'LEFT JOIN')} WHERE l.id IN (${places(keys.length)}) AND l.expires > ?`,
      [...keys, seconds(Date.now())],
    );
    return new Map(
      rows.map((row) => {
        const [id, domain, agent, peer] = row.map((value) => (value === null ? undefined : Number(value)));
        return [id ?? 0, { Domain: domain, Agent: agent, Peer: agent === undefined ? peer : undefined }];
      }),
    );
  }

  /** The contacts of an address of record, in the spelling of `Contact.addressOfRecord`. */
  async at(addressOfRecord: string): Promise<readonly Contact[]> {
    const { user, host } = readAddressOfRecord(addressOfRecord);
    const rows = await this.sql.rows(
      `SELECT ${CONTACT_COLUMNS} FROM location l
       WHERE l.username = ? AND ${host === undefined ? 'l.domain IS NULL' : 'l.domain = ?'} AND l.expires > ? ORDER BY l.id`,
      [user, ...(host === undefined ? [] : [host]), seconds(Date.now())],
    );
    return rows.map((row) => toContact(row));
  }

  /**
   * A page, counted from 1, of the addresses of record that have contacts, ordered by name. Each item has the contacts
   * of one address, ordered by descending preference.
   */
  async addresses(page: number, size: number): Promise<readonly (readonly Contact[])[]> {
    const time = seconds(Date.now());
    const rows = await this.scan(
      sql`SELECT ${raw(CONTACT_COLUMNS)} FROM (
         SELECT username, domain FROM location WHERE expires > ${time}
         GROUP BY username, domain ORDER BY username, domain LIMIT ${size} OFFSET ${(page - 1) * size}
       ) a JOIN location l ON l.username = a.username AND COALESCE(l.domain, '') = COALESCE(a.domain, '')
       WHERE l.expires > ${time} ORDER BY l.username, l.domain, l.q DESC, l.last_modified DESC, l.id`,
    );
    const contacts = rows.map((row) => toContact(row));
    return [...groupBy(contacts, ({ addressOfRecord }) => addressOfRecord).values()];
  }

  /** The number of addresses of record with contacts. */
  async addressCount(): Promise<number> {
    const [row] = await this.scan(
      sql`SELECT COUNT(*) FROM (SELECT 1 FROM location WHERE expires > ${seconds(Date.now())} GROUP BY username, domain) a`,
    );
    return Number(row?.[0]);
  }

  private scan(statement: Fragment): Promise<readonly Row[]> {
    return scanTable(this.sql, 'location', statement);
  }
}
