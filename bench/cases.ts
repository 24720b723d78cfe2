import { randomInt } from 'node:crypto';

import { didRef } from './data';

/** A request of a case, without the headers that all requests share. */
export interface CaseRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
}

/** A case that is measured on both servers. */
export interface Case {
  readonly id: string;
  readonly title: string;
  /** Allowed CPU per request, as a multiple of the hand-written server's (docs/architecture.md, "A budget for speed"). */
  readonly budget: number;
  /** The number of requests in one round of a quick run. */
  readonly amount: number;
  /** Whether the request creates a resource, so that each response has a new ref. */
  readonly creates: boolean;
  /** Returns a new request, with another ref or number each time, as many clients would send. */
  request(): CaseRequest;
}

const DID_FIELDS = 'ref telUrl aorLink gateway { ref name host }';

/** The documents of the GraphQL cases. */
export const documents = {
  did: `query Did($ref: String!) { did(ref: $ref) { ${DID_FIELDS} } }`,
  dids: `{ dids(first: 30) { nodes { ${DID_FIELDS} } } }`,
  gateways: '{ gateways(first: 10) { nodes { ref name host numbers(first: 10) { nodes { ref telUrl } } } } }',
  createDid: `mutation CreateDID($input: CreateDIDInput!) { createDID(input: $input) { ${DID_FIELDS} } }`,
};

const API = '/api/v1beta1';
const GRAPHQL_READ = { budget: 2, creates: false };
const REST_READ = { budget: 1.5, creates: false };
const WRITE = { budget: 1.5, creates: true };
const NEW_DID = { gatewayRef: 'gw000007', aorLink: 'sip:1007@sip.local' };

/** What `npm run bench` measures, in the order of the table. */
export const cases: readonly Case[] = [
  {
    id: 'a',
    title: 'GraphQL: DID by ref, its gateway',
    amount: 2000,
    ...GRAPHQL_READ,
    request: () => graphql(documents.did, { ref: didRef(randomInt(1, 10_000)) }),
  },
  {
    id: 'b',
    title: 'GraphQL: 30 DIDs, their gateways',
    amount: 1000,
    ...GRAPHQL_READ,
    request: () => graphql(documents.dids),
  },
  {
    id: 'c',
    title: 'GraphQL: 10 gateways, 10 numbers each',
    amount: 800,
    ...GRAPHQL_READ,
    request: () => graphql(documents.gateways),
  },
  {
    id: 'd',
    title: 'REST: list of 30 gateways',
    amount: 1000,
    ...REST_READ,
    request: () => ({ method: 'GET', path: `${API}/gateways?page=1&itemsPerPage=30` }),
  },
  {
    id: 'e',
    title: 'REST: DID by ref',
    amount: 2000,
    ...REST_READ,
    request: () => ({ method: 'GET', path: `${API}/dids/${didRef(randomInt(1, 10_000))}` }),
  },
  {
    id: 'f1',
    title: 'REST: create a DID',
    amount: 1000,
    ...WRITE,
    request: () => ({
      method: 'POST',
      path: `${API}/dids`,
      body: {
        apiVersion: 'v1beta1',
        kind: 'DID',
        metadata: { gwRef: NEW_DID.gatewayRef },
        spec: { location: { telUrl: newTelUrl(), aorLink: NEW_DID.aorLink } },
      },
    }),
  },
  {
    id: 'f2',
    title: 'GraphQL: create a DID',
    amount: 1000,
    ...WRITE,
    request: () => graphql(documents.createDid, { input: { ...NEW_DID, telUrl: newTelUrl() } }),
  },
];

function graphql(query: string, variables?: unknown): CaseRequest {
  return { method: 'POST', path: '/graphql', body: { query, variables } };
}

let created = 0;

function newTelUrl(): string {
  created++;
  return `tel:+1706${String(created).padStart(7, '0')}`;
}
