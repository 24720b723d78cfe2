import type { PeerDatabase, Row } from './database';
import { agentDocument, didDocument, gatewayDocument } from './documents';
import { MissingError } from './errors';
import { createDid, groups } from './reads';
import type { Source } from './rest';
import { sql } from './sql';

type Text = string | null;

/** Reads the documents of the REST contract with a statement each. */
export function restSource(database: PeerDatabase): Source {
  return {
    gateways: async ({ page, size }) => {
      const [[count], rows] = await Promise.all([
        database.rows(sql.countGateways, []),
        database.rows(sql.gatewayDocuments, [size, (page - 1) * size]),
      ]);
      return { total: Number(count?.[0]), data: rows.map(toGatewayDocument) };
    },
    agents: async ({ page, size, username }) => {
      const [filter, range] = [username === undefined ? [] : [username], [size, (page - 1) * size]];
      const [[count], rows] = await Promise.all([
        database.rows(username === undefined ? sql.countAgents : sql.countAgentsOfUser, filter),
        database.rows(username === undefined ? sql.agentDocuments : sql.agentDocumentsOfUser, [...filter, ...range]),
      ]);
      return { total: Number(count?.[0]), data: groups(rows).map(toAgentDocument) };
    },
    did: async (ref) => {
      const [row] = await database.rows(sql.didDocument, [ref]);
      if (!row) throw new MissingError(`There is no DID ${ref}`);
      return toDidDocument(row);
    },
    create: async (input) => (await createDid(database, input)).ref,
  };
}

// Each cast below names the columns of one statement in sql.ts.

type GatewayRow = readonly [
  ref: string,
  name: string,
  createdOn: number,
  modifiedOn: number,
  host: string,
  username: Text,
  secret: Text,
  transport: string,
  port: number | null,
  expires: number | null,
  sendRegister: number | null,
  registries: Text,
];

function toGatewayDocument(row: Row): unknown {
  const [ref, name, createdOn, modifiedOn, host, username, secret, transport, port, expires, sends, list] =
    row as GatewayRow;
  const sendRegister = sends === null ? null : sends === 1;
  const registries = list === null ? null : (JSON.parse(list) as readonly string[]);
  return gatewayDocument({
    ref,
    name,
    createdOn,
    modifiedOn,
    host,
    username,
    secret,
    transport,
    port,
    expires,
    sendRegister,
    registries,
  });
}

type AgentRow = readonly [
  ref: string,
  name: string,
  createdOn: number,
  modifiedOn: number,
  username: string,
  secret: string,
  privacy: Text,
  maxContacts: number | null,
  domain: string,
];

function toAgentDocument(rows: readonly Row[]): unknown {
  const [ref, name, createdOn, modifiedOn, username, secret, privacy, maxContacts] = rows[0] as AgentRow;
  const domains = rows.map((row) => (row as AgentRow)[8]);
  return agentDocument({ ref, name, createdOn, modifiedOn, username, secret, privacy, maxContacts }, domains);
}

type DidRow = readonly [
  ref: string,
  createdOn: number,
  modifiedOn: number,
  gwRef: string,
  city: Text,
  country: Text,
  countryISOCode: Text,
  telUrl: string,
  aorLink: string,
];

function toDidDocument(row: Row): unknown {
  const [ref, createdOn, modifiedOn, gwRef, city, country, countryISOCode, telUrl, aorLink] = row as DidRow;
  return didDocument({ ref, createdOn, modifiedOn, city, country, countryISOCode, telUrl, aorLink }, gwRef);
}
