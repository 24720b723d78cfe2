import type { BenchDatabase } from '../databases';
import { didRef } from '../rows';
import type { BenchServer } from '../servers';

/**
 * The number of gateways. Each has the same number of DIDs: 40,000 in the large tables, where page 1,000 (with 30 DIDs
 * per page) is three quarters of the way through.
 */
export const GATEWAYS = 25;

/** A server, and the size of its tables: large, or small. */
export interface Subject {
  readonly server: BenchServer;
  readonly database: BenchDatabase;
  readonly token: string;
  /** The size of the tables as a multiple of the small ones. */
  readonly scale: number;
  /** The cursor before page 1,000 of a gateway's DIDs or, in the small tables, at the same fraction of the list. */
  readonly cursor: string;
}

/** A request that is measured on both servers. */
export interface ScaleCase {
  readonly id: string;
  readonly title: string;
  readonly amount: number;
  path(subject: Subject): string;
  body?(subject: Subject): unknown;
}

const gwRef = (index: number): string => `gw${String(index).padStart(6, '0')}`;
const byGateway = (n: number): string => `@.metadata.gwRef=='${gwRef((n % GATEWAYS) + 1)}'`;
const DOCUMENT =
  'query ($filter: String!, $after: String) { dids(filter: $filter, first: 30, after: $after) { nodes { ref telUrl } } }';

const PAGE =
  'query ($after: String) { dids(first: 30, after: $after) { totalCount nodes { ref telUrl } pageInfo { endCursor } } }';

const HEALTH =
  'query ($states: [NumberState!], $gatewayRef: String, $after: String) { numberHealth(states: $states, gatewayRef: $gatewayRef, after: $after, first: 30) { nodes { telUrl state summary } } }';
const EXPLAIN = 'query ($telUrl: String!) { explainNumber(telUrl: $telUrl) { state summary steps { state } } }';

let turn = 0;

const SIZE = 30;
const pagesOf = ({ scale }: Subject): number => Math.floor((10_000 * scale) / SIZE);
const walks = new Map<Subject, number>();

/** The pages of a subject one after the other, from the middle of the list. */
function nextPage(subject: Subject): number {
  const page = walks.get(subject) ?? Math.floor(pagesOf(subject) / 2);
  walks.set(subject, (page % pagesOf(subject)) + 1);
  return page;
}

/** The cases that `npm run bench -- --scale` measures. */
export const cases: readonly ScaleCase[] = [
  {
    id: 'l1',
    title: 'REST: the first page of DIDs, with the total',
    amount: 400,
    path: () => '/dids',
  },
  {
    id: 'l2',
    title: 'REST: the next page of DIDs, with the total',
    amount: 400,
    path: (subject) => `/dids?page=${String(nextPage(subject))}`,
  },
  {
    id: 'l3',
    title: 'REST: a DID',
    amount: 400,
    path: ({ scale }) => `/dids/${didRef((turn++ % (10_000 * scale)) + 1)}`,
  },
  {
    id: 'l4',
    title: 'GraphQL: a page of DIDs by its cursor, with the total',
    amount: 400,
    path: () => '/graphql',
    body: ({ cursor }) => ({ query: PAGE, variables: { after: cursor } }),
  },
  {
    id: 'l5',
    title: 'REST: a random page of DIDs, mostly one that was not read before',
    amount: 48,
    path: (subject) => `/dids?page=${String(1 + Math.floor(Math.random() * pagesOf(subject)))}`,
  },
  {
    id: 'g1',
    title: 'REST: agents by username',
    amount: 500,
    path: ({ scale }) => `/agents?filter=@.spec.credentials.username=='user${String((turn++ % (1000 * scale)) + 1)}'`,
  },
  {
    id: 'g2',
    title: 'REST: DIDs by gwRef, page 1, with the total',
    amount: 400,
    path: () => `/dids?filter=${byGateway(turn++)}&page=1`,
  },
  {
    id: 'g3',
    title: 'REST: DIDs by gwRef, page 1,000, with the total',
    amount: 100,
    path: ({ scale }) => `/dids?filter=${byGateway(turn++)}&page=${String(10 * scale)}`,
  },
  {
    id: 'g4',
    title: 'GraphQL: DIDs by gwRef, page 1',
    amount: 500,
    path: () => '/graphql',
    body: () => ({ query: DOCUMENT, variables: { filter: byGateway(turn++) } }),
  },
  {
    id: 'g5',
    title: 'GraphQL: DIDs by gwRef, page 1,000 by cursor',
    amount: 500,
    path: () => '/graphql',
    body: ({ cursor }) => ({ query: DOCUMENT, variables: { filter: byGateway(turn++), after: cursor } }),
  },
  {
    id: 'h1',
    title: 'GraphQL: numberHealth, page 1',
    amount: 200,
    path: () => '/graphql',
    body: () => ({ query: HEALTH, variables: {} }),
  },
  {
    id: 'h2',
    title: 'GraphQL: numberHealth, a deep page',
    amount: 200,
    path: () => '/graphql',
    body: ({ cursor }) => ({ query: HEALTH, variables: { after: cursor } }),
  },
  {
    id: 'h3',
    title: 'GraphQL: numberHealth, a state that no number has',
    amount: 20,
    path: () => '/graphql',
    body: ({ cursor }) => ({ query: HEALTH, variables: { states: ['GATEWAY_REFUSED'], after: cursor } }),
  },
  {
    id: 'h4',
    title: "GraphQL: numberHealth, a deep page of a gateway's numbers",
    amount: 200,
    path: () => '/graphql',
    body: ({ cursor }) => ({ query: HEALTH, variables: { gatewayRef: gwRef((turn++ % GATEWAYS) + 1), after: cursor } }),
  },
  {
    id: 'h5',
    title: 'GraphQL: explainNumber',
    amount: 200,
    path: () => '/graphql',
    body: ({ scale }) => ({
      query: EXPLAIN,
      variables: { telUrl: `+1404${String((turn++ % (10_000 * scale)) + 1).padStart(7, '0')}` },
    }),
  },
];
