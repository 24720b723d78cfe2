import { FALSE, all, any, list, raw, sql, type Fragment } from '../../database/fragment';
import { pad, type Reads } from '../../database/sql';
import { NotFoundError } from '../../errors';
import { addressIn } from './address-diagnosis';

/** The numbers to examine: those that meet all conditions; without any, all numbers. */
export interface ScopeQuery {
  readonly gatewayRef?: string | undefined;
  readonly agentRef?: string | undefined;
  readonly peerRef?: string | undefined;
  readonly domainRef?: string | undefined;
  /** The address of record that the numbers lead to, at first or as a further target. */
  readonly addressOfRecord?: string | undefined;
}

/** SQL for the numbers to examine. */
export interface Scope {
  readonly condition: Fragment;
  /** Whether an index has the numbers of each kind in the order of creation. */
  readonly isOrdered: boolean;
  /** Whether reading a part of them in this order costs as much as reading all of them, and they may be many. */
  readonly isHeavy: boolean;
}

interface Part {
  /** A condition on the first columns of an index. */
  readonly indexed: Fragment;
  readonly isOrdered: boolean;
  /** A further condition. */
  readonly other?: Fragment;
  /** A condition on the further targets `f` that lead there, too, by the first columns of an index. */
  readonly further?: Fragment;
}

/** A part, with the numbers whose further targets lead there. */
interface Found {
  readonly part: Part;
  readonly condition: Fragment;
  readonly further: readonly number[];
}

// If there are at most as many, the numbers are read by their ids.
const FEW = 250;

// As src/model/target.ts: where an agent has the user name of the peer, calls go to the agent.
const HOSTS_WITH_AGENT = `SELECT d.domain_uri FROM agents a JOIN agent_domains m ON m.agent_id = a.id
  JOIN domains d ON d.id = m.domain_id WHERE a.username`;

/**
 * Returns the scope of a query; undefined for all numbers. Throws NotFoundError if a resource does not exist, and
 * InvalidInputError if the address of record is invalid.
 */
export async function scopeOf(reads: Reads, query: ScopeQuery): Promise<Scope | undefined> {
  const { agentRef, addressOfRecord, peerRef, gatewayRef, domainRef } = query;
  const parts = [
    ...(agentRef === undefined ? [] : [await ofAgent(reads, agentRef)]),
    ...(addressOfRecord === undefined ? [] : [ofAddress(addressOfRecord)]),
    ...(peerRef === undefined ? [] : [await ofPeer(reads, peerRef)]),
    ...(gatewayRef === undefined ? [] : [await ofGateway(reads, gatewayRef)]),
    ...(domainRef === undefined ? [] : [await ofDomain(reads, domainRef)]),
  ];
  const found = await Promise.all(parts.map((part) => withFurther(reads, part)));
  // The first one usually selects the fewest numbers.
  const [first] = found;
  if (!first) return undefined;
  const { part, further } = first;
  if (found.length === 1 && part.isOrdered && further.length === 0)
    return { condition: part.indexed, isOrdered: true, isHeavy: false };
  const condition = all(found.map((each) => each.condition));
  const { text, values } = sql`SELECT n.id FROM numbers n WHERE ${part.indexed} LIMIT ${FEW + 1}`;
  const ids = [...new Set([...(await reads.rows(text, values)).map(([id]) => Number(id)), ...further])];
  if (ids.length > FEW) return { condition, isOrdered: false, isHeavy: true };
  return { condition: sql`n.id IN (${list(pad(ids, 0))}) AND ${condition}`, isOrdered: false, isHeavy: false };
}

/** Finds the numbers that have a further target which leads to the same. */
async function withFurther(reads: Reads, part: Part): Promise<Found> {
  const { indexed, other, further } = part;
  const first = all([indexed, other]);
  if (!further) return { part, condition: first, further: [] };
  const { text, values } = sql`SELECT DISTINCT f.number_id FROM number_targets f WHERE ${further} LIMIT ${FEW + 1}`;
  const ids = (await reads.rows(text, values)).map(([id]) => Number(id));
  if (ids.length === 0) return { part, condition: first, further: [] };
  const also =
    ids.length > FEW
      ? sql`EXISTS (SELECT 1 FROM number_targets f WHERE f.number_id = n.id AND ${further})`
      : sql`n.id IN (${list(pad(ids, 0))})`;
  return { part, condition: any([first, also]), further: ids };
}

async function ofGateway(reads: Reads, ref: string): Promise<Part> {
  const [row] = await reads.rows('SELECT id FROM gateways WHERE ref = ?', [ref]);
  if (!row) throw new NotFoundError('Gateway', ref, 'gatewayRef');
  return { indexed: sql`n.gateway_id = ${Number(row[0])}`, isOrdered: true };
}

async function ofDomain(reads: Reads, ref: string): Promise<Part> {
  const [row] = await reads.rows('SELECT domain_uri FROM domains WHERE ref = ?', [ref]);
  if (!row) throw new NotFoundError('Domain', ref, 'domainRef');
  const host = String(row[0]);
  // Numbers whose address of record is in the domain are found by that, and most further targets are theirs.
  const further = sql`f.aor_host = ${host} AND EXISTS (SELECT 1 FROM numbers x WHERE x.id = f.number_id AND x.aor_host <> ${host})`;
  return { indexed: sql`n.aor_host = ${host}`, isOrdered: true, further };
}

function ofAddress(addressOfRecord: string): Part {
  const { user, host } = addressIn(addressOfRecord);
  return {
    indexed: sql`n.aor_user = ${user} AND n.aor_host = ${host}`,
    isOrdered: true,
    further: sql`f.aor_user = ${user} AND f.aor_host = ${host}`,
  };
}

/** An agent has an address of record in each of its domains. */
async function ofAgent(reads: Reads, ref: string): Promise<Part> {
  const rows = await reads.rows(
    `SELECT a.username, d.domain_uri FROM agents a LEFT JOIN agent_domains m ON m.agent_id = a.id
     LEFT JOIN domains d ON d.id = m.domain_id WHERE a.ref = ?`,
    [ref],
  );
  const [first] = rows;
  if (!first) throw new NotFoundError('Agent', ref, 'agentRef');
  const hosts = rows.flatMap(([, host]) => (host === null || host === undefined ? [] : [String(host)]));
  const [host, ...others] = hosts;
  if (host === undefined) return { indexed: FALSE, isOrdered: true };
  const leads = (table: string): Fragment =>
    sql`${raw(table)}.aor_user = ${String(first[0])} AND ${raw(table)}.aor_host IN (${list(pad(hosts, host))})`;
  const further = leads('f');
  return others.length === 0
    ? { indexed: sql`n.aor_user = ${String(first[0])} AND n.aor_host = ${host}`, isOrdered: true, further }
    : { indexed: leads('n'), isOrdered: false, further };
}

async function ofPeer(reads: Reads, ref: string): Promise<Part> {
  const [row] = await reads.rows('SELECT username FROM peers WHERE ref = ?', [ref]);
  if (!row) throw new NotFoundError('Peer', ref, 'peerRef');
  const user = String(row[0]);
  return {
    indexed: sql`n.aor_user = ${user}`,
    isOrdered: false,
    other: sql`n.aor_host NOT IN (${raw(HOSTS_WITH_AGENT)} = ${user})`,
    further: sql`f.aor_user = ${user} AND f.aor_host NOT IN (${raw(HOSTS_WITH_AGENT)} = ${user})`,
  };
}
