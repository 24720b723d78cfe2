import { randomBytes } from 'node:crypto';

import { fillAgents, fillDids } from './data';
import { createMariadb, createSqlite, mariadbMissing, type BenchDatabase } from './databases';
import { load, type Sample } from './load';
import { median } from './report';
import { startSipgraph, type BenchServer } from './servers';
import type { Case } from './cases';

/** The large tables, and the same at a hundredth. */
const SIZES = [
  { agents: 100_000, dids: 1_000_000 },
  { agents: 1000, dids: 10_000 },
] as const;
/** Each gateway has as many; page 1,000 of 30 is near the end of a gateway's at full size. */
const GATEWAYS = 25;
const ROUNDS = 7;

interface Subject {
  readonly server: BenchServer;
  readonly token: string;
  readonly scale: number;
  /** The cursor before page 1,000, or what is as far into the list at a hundredth of the size. */
  readonly cursor: string;
}

interface ScaleCase {
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

/** What `npm run bench -- --scale` measures. */
const cases: readonly ScaleCase[] = [
  {
    ...{ id: 'g1', title: 'REST: agents by username', amount: 500 },
    path: ({ scale }) => `/agents?filter=@.spec.credentials.username=='user${String((turn++ % (1000 * scale)) + 1)}'`,
  },
  {
    ...{ id: 'g2', title: 'REST: DIDs by gwRef, page 1, with its count', amount: 100 },
    path: () => `/dids?filter=${byGateway(turn++)}&page=1`,
  },
  {
    ...{ id: 'g3', title: 'REST: DIDs by gwRef, page 1,000, with its count', amount: 100 },
    path: ({ scale }) => `/dids?filter=${byGateway(turn++)}&page=${String(scale === 1 ? 10 : 1000)}`,
  },
  {
    ...{ id: 'g4', title: 'GraphQL: DIDs by gwRef, page 1', amount: 500 },
    path: () => '/graphql',
    body: () => ({ query: DOCUMENT, variables: { filter: byGateway(turn++) } }),
  },
  {
    ...{ id: 'g5', title: 'GraphQL: DIDs by gwRef, page 1,000 by its cursor', amount: 500 },
    path: () => '/graphql',
    body: ({ cursor }) => ({ query: DOCUMENT, variables: { filter: byGateway(turn++), after: cursor } }),
  },
  {
    ...{ id: 'h1', title: 'GraphQL: numberHealth, page 1', amount: 200 },
    path: () => '/graphql',
    body: () => ({ query: HEALTH, variables: {} }),
  },
  {
    ...{ id: 'h2', title: 'GraphQL: numberHealth, a page from the middle', amount: 200 },
    path: () => '/graphql',
    body: ({ cursor }) => ({ query: HEALTH, variables: { after: cursor } }),
  },
  {
    ...{ id: 'h3', title: 'GraphQL: numberHealth, a state that no number is in', amount: 20 },
    path: () => '/graphql',
    body: ({ cursor }) => ({ query: HEALTH, variables: { states: ['GATEWAY_REFUSED'], after: cursor } }),
  },
  {
    ...{ id: 'h4', title: "GraphQL: numberHealth, a gateway's numbers from the middle", amount: 200 },
    path: () => '/graphql',
    body: ({ cursor }) => ({ query: HEALTH, variables: { gatewayRef: gwRef((turn++ % GATEWAYS) + 1), after: cursor } }),
  },
  {
    ...{ id: 'h5', title: 'GraphQL: explainNumber', amount: 200 },
    path: () => '/graphql',
    body: ({ scale }) => ({
      query: EXPLAIN,
      variables: { telUrl: `+1404${String((turn++ % (10_000 * scale)) + 1).padStart(7, '0')}` },
    }),
  },
];

/** Filters on large tables, as multiples of what they cost on tables of a hundredth of the size, in one run. */
export async function benchmarkScale(databases: readonly string[]): Promise<void> {
  for (const name of databases) {
    const missing = name === 'mariadb' ? mariadbMissing() : undefined;
    if (missing) console.log(`\nMariaDB is not measured: ${missing}`);
    else await measureOn(name === 'mariadb' ? createMariadb : createSqlite);
  }
}

async function measureOn(create: () => Promise<BenchDatabase>): Promise<void> {
  const opened: BenchDatabase[] = [];
  const subjects: Subject[] = [];
  try {
    for (const size of SIZES) {
      const database = await create();
      opened.push(database);
      subjects.push(await start(database, size));
    }
    const [large, small] = subjects as [Subject, Subject];
    const rows = [];
    for (const test of cases) rows.push(await compare(test, large, small));
    console.log(
      `\n${opened[0]?.name ?? ''}: filters among 100,000 Agents and 1,000,000 DIDs, and at a hundredth; CPU µs of the server process and ms per request, medians\n`,
    );
    console.table(rows);
  } finally {
    for (const { server } of subjects) await server.stop();
    for (const database of opened) await database.drop();
  }
}

async function start(database: BenchDatabase, size: (typeof SIZES)[number]): Promise<Subject> {
  const secret = randomBytes(16).toString('hex');
  const server = await startSipgraph({
    DATABASE_URL: database.url,
    JWT_SECRET: randomBytes(32).toString('hex'),
    ADMIN_SECRET: secret,
  });
  process.stderr.write(`${database.name}: filling ${String(size.dids)} DIDs\n`);
  await fillAgents(database, size.agents);
  await fillDids(database, size.dids, GATEWAYS);
  const authorization = `Basic ${Buffer.from(`admin:${secret}`).toString('base64')}`;
  const response = await fetch(`${server.url}/api/v1beta1/token`, { headers: { authorization } });
  const { data } = (await response.json()) as { readonly data: string }; // docs/rest-contract.md, section 5
  // A row id is its index, as nothing was there before; the DIDs of a gateway are every so many rows.
  const before = (size.dids / SIZES[0].dids) * 999 * 30 * GATEWAYS;
  const scale = size.dids / SIZES[1].dids;
  return { server, token: data, scale, cursor: Buffer.from(`row:${String(Math.floor(before))}`).toString('base64url') };
}

async function compare(test: ScaleCase, large: Subject, small: Subject): Promise<object> {
  const samples = new Map<Subject, Sample[]>([
    [large, []],
    [small, []],
  ]);
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [subject, taken] of samples) {
      const sample = await load(subject.server, toCase(test, subject), subject.token, test.amount);
      // The first round is for warmth.
      if (round > 0) taken.push(sample);
    }
  }
  const [a = [], b = []] = samples.values();
  const [cpu, cpuSmall] = [median(a, 'cpu'), median(b, 'cpu')];
  const [rate, rateSmall] = [median(a, 'rate'), median(b, 'rate')];
  return {
    case: `${test.id} ${test.title}`,
    ...{
      'CPU µs': Math.round(cpu),
      'at 1/100': Math.round(cpuSmall),
      'CPU ratio': Number((cpu / cpuSmall).toFixed(2)),
    },
    ...{
      'req/s': Math.round(rate),
      'req/s at 1/100': Math.round(rateSmall),
      'time ratio': Number((rateSmall / rate).toFixed(2)),
    },
  };
}

function toCase(test: ScaleCase, subject: Subject): Case {
  return {
    ...{ id: test.id, title: test.title, budget: Infinity, amount: test.amount, creates: false },
    request: () => {
      const path = test.path(subject);
      return test.body
        ? { method: 'POST', path, body: test.body(subject) }
        : { method: 'GET', path: `/api/v1beta1${path.replaceAll("'", '%27')}` };
    },
  };
}
