import type { BenchServer } from './servers';

/**
 * The number of gateways, over which the DIDs are distributed evenly. At full size, page 1,000 of 30 is near the end of
 * one gateway's DIDs.
 */
export const GATEWAYS = 25;

/** A server whose tables have one of the two sizes. */
export interface Subject {
  readonly server: BenchServer;
  readonly token: string;
  readonly scale: number;
  /** The cursor before page 1,000 or, at a hundredth of the size, before the same fraction of the list. */
  readonly cursor: string;
}

/** A request that is measured on both sizes. */
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
    title: 'REST: DIDs by gwRef, page 1, with its count',
    amount: 100,
    path: () => `/dids?filter=${byGateway(turn++)}&page=1`,
  },
  {
    id: 'g3',
    title: 'REST: DIDs by gwRef, page 1,000, with its count',
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
    title: 'GraphQL: DIDs by gwRef, page 1,000 by its cursor',
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
    title: 'GraphQL: numberHealth, a page from the middle',
    amount: 200,
    path: () => '/graphql',
    body: ({ cursor }) => ({ query: HEALTH, variables: { after: cursor } }),
  },
  {
    id: 'h3',
    title: 'GraphQL: numberHealth, a state that no number is in',
    amount: 20,
    path: () => '/graphql',
    body: ({ cursor }) => ({ query: HEALTH, variables: { states: ['GATEWAY_REFUSED'], after: cursor } }),
  },
  {
    id: 'h4',
    title: "GraphQL: numberHealth, a gateway's numbers from the middle",
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
