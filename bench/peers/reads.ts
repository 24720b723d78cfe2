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

/** The first DIDs of each gateway, keyed by the gateway's id. */
export async function firstDids(
  database: PeerDatabase,
  ids: readonly number[],
  first: number,
  toNode: (row: Row) => unknown,
): Promise<ReadonlyMap<number, readonly unknown[]>> {
  const found = new Map<number, unknown[]>(ids.map((id) => [id, []]));
  for (const row of await database.rows(didsOfGateways(ids.length), [first - 1, ...ids])) {
    found.get(Number(row[0]))?.push(toNode(row));
  }
  return found;
}

/** Validates and stores a DID. */
export async function createDid(database: PeerDatabase, input: DidInput) {
  const did = newDid(input);
  const [gateway] = await database.rows(sql.gateway, [did.gatewayRef]);
  if (!gateway) throw new MissingError(`There is no Gateway ${did.gatewayRef}`);
  const [id = null, ref, name, host] = gateway;
  const values = [did.city, did.country, did.countryISOCode, did.telUrl, did.aorLink];
  const derived = [did.telDigits, did.digitsKey, did.aorUser, did.aorHost];
  await database.rows(sql.insertDid, [did.ref, did.createdOn, did.createdOn, id, ...values, ...derived]);
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
