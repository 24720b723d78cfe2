import { randomInt } from 'node:crypto';

import { didRow } from './data';
import { documents } from './operations';
import { didRef } from './rows';

/** A request of a case, without the headers that all requests share. */
export interface CaseRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
}

/** A case that is measured on each server. */
export interface Case {
  readonly id: string;
  readonly title: string;
  /** Allowed CPU per request, as a multiple of the hand-written server's (docs/performance.md). */
  readonly budget: number;
  /** The number of requests in one round of a quick run. */
  readonly amount: number;
  /** Whether the request creates a resource, so that each response has a new ref. */
  readonly creates: boolean;
  /** Returns a new request, with another ref or number each time, as many clients would send. */
  request(): CaseRequest;
}

const API = '/api/v1beta1';
const NEW_DID = { gatewayRef: 'gw000007', aorLink: 'sip:1007@sip.local' };

const did = (): string => didRef(randomInt(1, 10_000));
const host = (): string => `sip${randomInt(1, 100)}.provider.net`;
/** A cursor in the second half of the DIDs. */
const deep = (): string => Buffer.from(`row:${didRow(randomInt(5000, 9900))}`).toString('base64url');

/** What `npm run bench` measures, in the order of the table. */
export const cases: readonly Case[] = [
  query('Q1', 'DID, its gateway', 1.3, 1000, () => graphql(documents.did, { ref: did() })),
  query('Q2', '30 DIDs, their gateways', 1.5, 500, () => graphql(documents.dids)),
  query('Q3', '10 gateways, 10 DIDs each', 1.8, 400, () => graphql(documents.gateways)),
  query('Q4', '30 agents, their domains', 1.8, 400, () => graphql(documents.agents)),
  query('Q5', 'gateways filtered by host', 1.3, 1000, () => graphql(documents.host, { host: host() })),
  query('Q6', 'a deep page of 30 DIDs', 1.8, 400, () => graphql(documents.page, { after: deep() })),
  create('W1', 'create a DID', 1.5, () => graphql(documents.createDid, { input: { ...NEW_DID, telUrl: newTelUrl() } })),
  query('R1', 'list of 30 gateways, total', 1.5, 500, () => get('/gateways?page=1&itemsPerPage=30')),
  query('R2', 'DID', 1.1, 1000, () => get(`/dids/${did()}`)),
  query('R3', 'gateways filtered by host', 1.6, 1000, () => get(`/gateways?filter=@.spec.host==%27${host()}%27`)),
  create('R4', 'create a DID', 1.3, () => ({
    method: 'POST',
    path: `${API}/dids`,
    body: {
      apiVersion: 'v1beta1',
      kind: 'DID',
      metadata: { gwRef: NEW_DID.gatewayRef },
      spec: { location: { telUrl: newTelUrl(), aorLink: NEW_DID.aorLink } },
    },
  })),
  query('R5', 'list of 30 agents, total', 2, 300, () => get('/agents?page=1&itemsPerPage=30')),
];

function query(id: string, title: string, budget: number, amount: number, request: () => CaseRequest): Case {
  return { id, title: `${id.startsWith('R') ? 'REST' : 'GraphQL'}: ${title}`, budget, amount, creates: false, request };
}

function create(id: string, title: string, budget: number, request: () => CaseRequest): Case {
  return { ...query(id, title, budget, 500, request), creates: true };
}

function graphql(query: string, variables?: unknown): CaseRequest {
  return { method: 'POST', path: '/graphql', body: { query, variables } };
}

function get(path: string): CaseRequest {
  return { method: 'GET', path: API + path };
}

let created = 0;

function newTelUrl(): string {
  created++;
  return `tel:+1706${String(created).padStart(7, '0')}`;
}
