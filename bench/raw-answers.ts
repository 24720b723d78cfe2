import type { RawDatabase, Row, Value } from './raw-database';
import { sql } from './raw-sql';

/** A response: its status, and its body before serialization. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** The request is invalid. */
export class BadRequestError extends Error {}

/** The resource, or one that it refers to, does not exist. */
export class MissingError extends Error {}

/** A DID with its gateway. */
export async function didWithGateway(database: RawDatabase, ref: string): Promise<unknown> {
  const [row] = await database.rows(sql.did, [ref]);
  if (!row) throw new MissingError(`There is no DID ${ref}`);
  return toDid(row);
}

/** The first 30 DIDs with their gateways. */
export async function didsWithGateways(database: RawDatabase): Promise<unknown> {
  return { nodes: (await database.rows(sql.dids, [])).map(toDid) };
}

/** The first ten gateways, each with its first ten numbers. */
export async function gatewaysWithNumbers(database: RawDatabase): Promise<unknown> {
  const gateways = await database.rows(sql.gateways, []);
  const ids = Array.from({ length: 10 }, (_, index) => gateways[index]?.[0] ?? 0);
  const numbers = new Map<unknown, unknown[]>(ids.map((id) => [id, []]));
  for (const [gatewayId, ref, telUrl] of await database.rows(sql.numbersOfGateways, ids)) {
    numbers.get(gatewayId)?.push({ ref, telUrl });
  }
  return { nodes: gateways.map(([id, ref, name, host]) => ({ ref, name, host, numbers: { nodes: numbers.get(id) } })) };
}

/** The document of a DID (docs/rest-contract.md, section 2.8). */
export async function didDocument(database: RawDatabase, ref: string): Promise<unknown> {
  const [row] = await database.rows(sql.didDocument, [ref]);
  if (!row) throw new MissingError(`There is no DID ${ref}`);
  const [, createdOn, modifiedOn, extra, gwRef, city, country, countryISOCode, telUrl, aorLink] = row;
  const placed = city !== null || country !== null || countryISOCode !== null;
  const document = {
    apiVersion: 'v1beta1',
    kind: 'DID',
    metadata: {
      ref,
      gwRef,
      ...(placed && { geoInfo: present({ city, country, countryISOCode }) }),
      createdOn: date(createdOn),
      modifiedOn: date(modifiedOn),
    },
    spec: { location: { telUrl, aorLink } },
  };
  return withExtra(document, extra);
}

/** A page of documents of Gateways (docs/rest-contract.md, section 2.4), and the total count. */
export async function gatewayDocuments(
  database: RawDatabase,
  page: number,
  size: number,
): Promise<{ readonly total: number; readonly documents: readonly unknown[] }> {
  const [[count], rows] = await Promise.all([
    database.rows(sql.countGateways, []),
    database.rows(sql.gatewayDocuments, [size, (page - 1) * size]),
  ]);
  return { total: Number(count?.[0]), documents: rows.map(toGatewayDocument) };
}

function toDid([ref, telUrl, aorLink, gwRef, name, host]: Row): unknown {
  return { ref, telUrl, aorLink, gateway: { ref: gwRef, name, host } };
}

function toGatewayDocument(row: Row): unknown {
  const [ref, name, createdOn, modifiedOn, extra, host, username, secret, ...rest] = row;
  const [transport, port, expires, sendRegister, registries] = rest;
  const document = {
    apiVersion: 'v1beta1',
    kind: 'Gateway',
    metadata: { name, ref, createdOn: date(createdOn), modifiedOn: date(modifiedOn) },
    spec: present({
      host,
      credentials: username === null ? null : { username, secret },
      transport,
      port,
      expires,
      sendRegister: sendRegister === null ? null : sendRegister === 1,
      registries: typeof registries === 'string' ? (JSON.parse(registries) as unknown) : null,
    }),
  };
  return withExtra(document, extra);
}

/** The object without members that are null. */
function present(object: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const result: Record<string, unknown> = {};
  for (const key in object) if (object[key] !== null) result[key] = object[key];
  return result;
}

function withExtra(document: object, extra: Value | undefined): unknown {
  return typeof extra === 'string' ? { ...document, ...(JSON.parse(extra) as object) } : document;
}

function date(milliseconds: Value | undefined): string {
  return new Date(Number(milliseconds)).toISOString();
}
