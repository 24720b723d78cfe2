import type { BenchServer } from './servers';

/**
 * The number of gateways. Each has the same number of DIDs: 40,000 in the large tables, where page 1,000 (with 30 DIDs
 * per page) is three quarters of the way through.
 */
export const GATEWAYS = 25;

/** A server, and the size of its tables: large, or a hundredth of that. */
export interface Subject {
  readonly server: BenchServer;
  readonly token: string;
  /** The size of the tables as a multiple of the small ones: 1 or 100. */
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

const HEALTH =
  'query ($states: [NumberState!], $gatewayRef: String, $after: String) { numberHealth(states: $states, gatewayRef: $gatewayRef, after: $after, first: 30) { nodes { telUrl state summary } } }';
const EXPLAIN = 'query ($telUrl: String!) { explainNumber(telUrl: $telUrl) { state summary steps { state } } }';

let turn = 0;

/** The cases that `npm run bench -- --scale` measures. */
export const cases: readonly ScaleCase[] = [
  {
    id: 'g1',
    title: 'REST: agents by username',
    amount: 500,
    path: ({ scale }) => `/agents?filter=@.spec.credentials.username=='user${String((turn++ % (1000 * scale)) + 1)}'`,
  },
  {
    id: 'g2',
    title: 'REST: DIDs by gwRef, page 1, with the total',
    amount: 100,
    path: () => `/dids?filter=${byGateway(turn++)}&page=1`,
  },
  {
    id: 'g3',
    title: 'REST: DIDs by gwRef, page 1,000, with the total',
    amount: 100,
    path: ({ scale }) => `/dids?filter=${byGateway(turn++)}&page=${String(scale === 1 ? 10 : 1000)}`,
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
