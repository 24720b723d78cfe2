import { randomInt } from 'node:crypto';

import { AGENTS, didRow, DIDS } from './data';
import { documents } from './operations';
import { didRef, gatewayRef, GATEWAYS } from './rows';

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
  /** Allowed CPU per request, as a multiple of the hand-written server's (docs/operating/performance.md). Infinity: no goals. */
  readonly budget: number;
  /** The number of requests in one round of a quick run. */
  readonly amount: number;
  /** Whether the request creates a resource, so that each response has a new ref. */
  readonly creates: boolean;
  /** Returns a request, with another page, ref or number each time, as many clients would send. */
  request(): CaseRequest;
}

const API = '/api/v1beta1';

const did = (): string => didRef(randomInt(1, DIDS + 1));
const host = (): string => `sip${randomInt(1, GATEWAYS + 1)}.provider.net`;
const username = (): string => `user${randomInt(1, AGENTS + 1)}`;
const cursor = (row: number): string => Buffer.from(`row:${row}`).toString('base64url');
/** The arguments of a page of `size` rows anywhere in a list whose row ids are 1 to `count`. */
const page = (count: number, size: number) => ({ after: cursor(randomInt(1, count - size)) });
/** A cursor in the second half of the DIDs. */
const deep = (): string => cursor(didRow(randomInt(DIDS / 2, DIDS - 100)));
/** A full page of 30. */
const paged = (count: number): string => `page=${randomInt(1, Math.floor(count / 30) + 1)}&itemsPerPage=30`;
const DEEP = deep();

/**
 * What `npm run bench` measures, in the order of the table. Except in `Q6s`, the requests of a case differ: each is one
 * of 33 or more, so that those that are served at the same time rarely have the same answer.
 */
export const cases: readonly Case[] = [
  query('Q1', 'DID, its gateway', 1.2, 1000, () => graphql(documents.did, { ref: did() })),
  query('Q2', '30 DIDs, their gateways', 1.4, 500, () =>
    graphql(documents.dids, { after: cursor(didRow(randomInt(1, DIDS / 2))) }),
  ),
  query('Q3', '10 gateways, 10 DIDs each', 1.6, 400, () => graphql(documents.gateways, page(GATEWAYS, 10))),
  query('Q4', '30 agents, their domains', 1.5, 400, () => graphql(documents.agents, page(AGENTS, 30))),
  query('Q5', 'gateways filtered by host', 1.2, 1000, () => graphql(documents.host, { host: host() })),
  query('Q6', 'a deep page of 30 DIDs', 1.3, 400, () => graphql(documents.page, { after: deep() })),
  query('Q6s', 'the same page for all', Infinity, 400, () => graphql(documents.page, { after: DEEP })),
  create('W1', 'create a DID', 1.5, () => graphql(documents.createDid, { input: newDid() })),
  query('R1', 'page of 30 gateways, total', 1.4, 500, () => get(`/gateways?${paged(GATEWAYS)}`)),
  query('R2', 'DID', 1.05, 1000, () => get(`/dids/${did()}`)),
  query('R3', 'agents filtered by user name', 1.15, 1000, () =>
    get(`/agents?filter=@.spec.credentials.username==%27${username()}%27`),
  ),
  create('R4', 'create a DID', 1.2, () => {
    const { gatewayRef: gwRef, ...location } = newDid();
    const document = { apiVersion: 'v1beta1', kind: 'DID', metadata: { gwRef }, spec: { location } };
    return { method: 'POST', path: `${API}/dids`, body: document };
  }),
  query('R5', 'page of 30 agents, total', 1.6, 300, () => get(`/agents?${paged(AGENTS)}`)),
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

/** A number that no DID has yet. */
export function newTelUrl(): string {
  created++;
  return `tel:+1706${String(created).padStart(7, '0')}`;
}

function newDid() {
  const aorLink = `sip:${randomInt(1000, 1500)}@sip.local`;
  return { gatewayRef: gatewayRef(randomInt(1, GATEWAYS + 1)), telUrl: newTelUrl(), aorLink };
}
