import type { PeerDatabase, Row } from './database';
import { cursorOf } from './documents';
import { MissingError } from './errors';
import { newDid, type DidInput } from './new-did';
import { didsOfGateways, sql } from './sql';

/** A page of a list. */
export interface Nodes {
  readonly nodes: readonly unknown[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/** A DID with its gateway. */
export async function didWithGateway(database: PeerDatabase, ref: string): Promise<unknown> {
  const [row] = await database.rows(sql.did, [ref]);
  if (!row) throw new MissingError(`There is no DID ${ref}`);
  return toDid(row);
}

/** A page of DIDs with their gateways. */
export async function didsWithGateways(database: PeerDatabase, first: number, after: number): Promise<Nodes> {
  return toPage(await database.rows(sql.dids, [after, first + 1]), first, toDid);
}

/**
 * A page of at most `first` nodes. One more row shows that another page follows. The first column of each row is the
 * id, from which the cursor is made.
 */
export function toPage(rows: readonly Row[], first: number, toNode: (row: Row) => unknown): Nodes {
  const page = rows.slice(0, first);
  const last = page.at(-1);
  const endCursor = last ? cursorOf(Number(last[0])) : null;
  return { nodes: page.map(toNode), pageInfo: { hasNextPage: rows.length > first, endCursor } };
}

/** A page of gateways, each with its first DIDs. */
export async function gatewaysWithDids(
  database: PeerDatabase,
  first: number,
  after: number,
  dids: number,
): Promise<unknown> {
  const gateways = await database.rows(sql.gateways, [after, first]);
  const found = await firstDids(
    database,
    gateways.map(([id]) => [Number(id), dids]),
    ([, ref, telUrl]) => ({ ref, telUrl }),
  );
  return {
    nodes: gateways.map(([id, ref, name, host]) => ({ ref, name, host, dids: { nodes: found.get(Number(id)) ?? [] } })),
  };
}

/** The first DIDs of each wanted gateway, keyed by the gateway's id. */
export async function firstDids(
  database: PeerDatabase,
  wanted: readonly (readonly [gatewayId: number, first: number])[],
  toNode: (row: Row) => unknown,
): Promise<ReadonlyMap<number, readonly unknown[]>> {
  const found = new Map<number, unknown[]>(wanted.map(([id]) => [id, []]));
  for (const row of await database.rows(didsOfGateways(wanted.length), wanted.flat())) {
    found.get(Number(row[0]))?.push(toNode(row));
  }
  return found;
}

/** The first gateways with this host. */
export async function gatewaysOfHost(database: PeerDatabase, host: string, first: number): Promise<unknown> {
  const rows = await database.rows(sql.gatewaysOfHost, [host, first]);
  return {
    nodes: rows.map(([, ref, name, itsHost, port]) => ({ ref, name, host: itsHost, port })),
  };
}

/** A page of agents, each with its domains. */
export async function agentsWithDomains(database: PeerDatabase, first: number, after: number): Promise<unknown> {
  return {
    nodes: groups(await database.rows(sql.agents, [after, first])).map((rows) => ({
      ref: rows[0]?.[0],
      name: rows[0]?.[1],
      username: rows[0]?.[2],
      domains: rows.map(([, , , ref, name, domainUri]) => ({ ref, name, domainUri })),
    })),
  };
}

/** Validates and stores a DID. */
export async function createDid(database: PeerDatabase, input: DidInput) {
  const did = newDid(input);
  const [gateway] = await database.rows(sql.gateway, [did.gatewayRef]);
  if (!gateway) throw new MissingError(`There is no Gateway ${did.gatewayRef}`);
  const [id = null, ref, name, host] = gateway;
  const values = [did.city, did.country, did.countryISOCode, did.telUrl, did.aorLink, did.telDigits];
  await database.write(sql.insertDid, [did.ref, did.createdOn, did.createdOn, id, ...values, did.aorUser, did.aorHost]);
  return { ref: did.ref, telUrl: did.telUrl, aorLink: did.aorLink, gateway: { ref, name, host } };
}

/** Groups consecutive rows of the same resource. The first column is its ref. */
export function groups(rows: readonly Row[]): readonly (readonly Row[])[] {
  const found: Row[][] = [];
  for (const row of rows) {
    const last = found.at(-1);
    if (last?.[0]?.[0] === row[0]) last?.push(row);
    else found.push([row]);
  }
  return found;
}

function toDid([, ref, telUrl, aorLink, gwRef, name, host]: Row): unknown {
  return { ref, telUrl, aorLink, gateway: { ref: gwRef, name, host } };
}
