import { numberOrNull, textOrNull, type Reads, type Row, type SqlValue } from '../../database/sql';
import { writeAddressOfRecord } from '../../model/format/address-of-record';
import { isEnabled } from '../../model/enabled';
import { agentsOf, peersOf, TABLES } from '../kamailio/routing';
import { isOfNode, nodeOf } from '../live/contact';
import { storedTexts } from '../live/stored';
import type { AddressFacts } from './facts';

/** An address of record as a party of a call. */
export interface Party extends AddressFacts {
  /** The access control list of the domain; undefined if it denies no address. */
  readonly accessList: AccessList | undefined;
  /** Whether the agent hides its identity from those whom it calls. */
  readonly isPrivate: boolean;
}

/** The addresses from which a domain accepts calls. An address that both lists contain is accepted. */
export interface AccessList {
  readonly allow: readonly string[];
  readonly deny: readonly string[];
}

/**
 * Reads what is known of an address of record at a time, in milliseconds since the epoch. `node` is the node where calls
 * arrive, if there are several.
 */
export async function factsOfAddress(
  sql: Reads,
  node: string | undefined,
  { user, host }: { readonly user: string; readonly host: string },
  at: number = Date.now(),
): Promise<Party> {
  const row = async (text: string, values: readonly SqlValue[]): Promise<Row | undefined> =>
    (await sql.rows(text, values))[0];
  const [domain, agent, elsewhere, peer, devices] = await Promise.all([
    row(
      `SELECT id, access_control_list_allow, access_control_list_deny, NOT ${isEnabled('d')} FROM domains d
       WHERE domain_uri = ?`,
      [host],
    ),
    row(
      `SELECT a.id, a.privacy, NOT ${isEnabled('a')} FROM ${agentsOf(TABLES)} AND d.domain_uri = ? AND m.username = ?`,
      [host, user],
    ),
    row(
      `SELECT MIN(e.domain_uri) FROM agents a JOIN agent_domains x ON x.agent_id = a.id
       JOIN domains e ON e.id = x.domain_id WHERE a.username = ?`,
      [user],
    ),
    row(`SELECT p.id, p.contact_addr, NOT ${isEnabled('p')} FROM ${peersOf(TABLES)} AND p.username = ?`, [user]),
    sql.rows('SELECT expires, socket FROM location WHERE username = ? AND domain = ?', [user, host]),
  ]);
  const isDisabled = {
    domain: Number(domain?.[3]) === 1,
    agent: Number(agent?.[2]) === 1,
    peer: Number(peer?.[2]) === 1,
  };
  const now = Math.floor(at / 1000);
  const isHere = (socket: SqlValue | undefined): boolean =>
    node === undefined || socket === null || isOfNode(String(socket), node);
  const here = devices.filter(([, socket]) => isHere(socket)).map(([expires]) => Number(expires));
  const live = devices.filter(([expires]) => Number(expires) > now);
  const sockets = live.flatMap(([, socket]) => (typeof socket === 'string' ? [socket] : []));
  return {
    aorLink: writeAddressOfRecord({ user, host }),
    user,
    host,
    domainId: numberOrNull(domain?.[0]),
    agentId: numberOrNull(agent?.[0]),
    peerId: numberOrNull(peer?.[0]),
    agentElsewhere: textOrNull(elsewhere?.[0]),
    isDisabled,
    contactAddr: textOrNull(peer?.[1]),
    node,
    nodeOfDevice: nodeOf(sockets.sort()[0] ?? null),
    devices: here.filter((expires) => expires > now).length,
    devicesUntil: here.length > 0 ? Math.max(...here) * 1000 : null,
    accessList: domain && !isDisabled.domain ? listOf(domain) : undefined,
    isPrivate: agent?.[1] === 'Private',
  };
}

function listOf([, allow, deny]: Row): AccessList | undefined {
  const list = { allow: storedTexts(allow), deny: storedTexts(deny) };
  return list.deny.length === 0 ? undefined : list;
}
