import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

import { cases, type CaseRequest } from '../cases';
import { fill, fillDids } from '../data';
import { createMariadb, createSqlite, mariadbMissing, type BenchDatabase } from '../databases';
import { ACCEPTED, figuresOf, MEMORY, missed, REFUSALS, SIMPLE_READS, type Row } from './overload-goals';
import { startRefuser, startSipgraph, tokenOf, type BenchServer } from '../servers';
import { Traffic } from '../traffic';

const SECONDS = 10;
const WARM_UP = 4;
const CLIENTS = 16;
const CROWD = 500;
const SCANS = 40;
const SCANNED_DIDS = 100_000;
/** The limit of the process that receives heavy queries, in MiB: the heap gets half of it, as in a container. */
const LIMIT = 512;
// 10,000 objects, the most that a query may ask for.
const HEAVY =
  'query { gateways(first: 98) { nodes { ref name host dids(first: 99) { nodes { ref telUrl aorLink } } } } }';
const UNINDEXED = 'query ($filter: String!) { dids(filter: $filter) { totalCount nodes { ref } } }';
const HEALTH = 'query { numberHealth(states: [TARGET_MISSING], first: 30) { totalCount nodes { telUrl state } } }';
const COUNT = 'query ($where: DIDWhere) { dids(where: $where) { totalCount } }';

const graphql = (query: string, variables: object = {}): CaseRequest => ({
  method: 'POST',
  path: '/graphql',
  body: { query, variables },
});
let turn = 0;

/** Measures twice the load that a process can carry, scans beside simple reads, and heavy queries of many clients. */
export async function benchmarkOverload(
  databases: readonly string[],
  only = ['twice', 'scans', 'crowd'],
): Promise<void> {
  const rows: Row[] = [];
  const scenarios = [twice, scans, crowd].filter(({ name }) => only.includes(name));
  for (const name of databases) {
    const missing = name === 'mariadb' ? mariadbMissing() : undefined;
    if (missing) console.log(`\nMariaDB is skipped: ${missing}`);
    else for (const scenario of scenarios) rows.push(...(await run(name, scenario)));
  }
  console.log('\nOverload; times in milliseconds; memory (RSS) of the server and the processes it started\n');
  console.table(rows.map(({ database, what, figures }) => ({ database, what, ...figures })));
  const above = missed(rows);
  console.log(above.length === 0 ? 'All figures are within their goals.' : `Above their goals:\n${above.join('\n')}`);
}

interface Subject {
  readonly database: BenchDatabase;
  readonly server: BenchServer;
  readonly token: string;
}

type Found = Omit<Row, 'database'>;
type Scenario = (subject: Subject) => Promise<readonly Found[]>;

async function run(name: string, scenario: Scenario): Promise<readonly Row[]> {
  const database = await (name === 'mariadb' ? createMariadb : createSqlite)();
  let server: BenchServer | undefined;
  try {
    const secret = randomBytes(16).toString('hex');
    const limit = scenario === crowd ? { NODE_OPTIONS: `--max-old-space-size=${String(LIMIT / 2)}` } : {};
    server = await startSipgraph({ DATABASE_URL: database.url, ADMIN_SECRET: secret, ...limit });
    await (scenario === scans ? fillDids(database, SCANNED_DIDS, 25) : fill(database));
    const found = await scenario({ database, server, token: await tokenOf(server, secret) });
    return found.map((row) => ({ database: database.name.split(' ')[0] ?? '', ...row }));
  } finally {
    await server?.stop();
    await database.drop();
  }
}

/** The highest memory of a server while work runs. */
async function peakOf(server: BenchServer, work: Promise<void>): Promise<number> {
  let [peak, isOver] = [0, false];
  const ended = work.finally(() => (isOver = true));
  while (!isOver) {
    peak = Math.max(peak, await server.resident());
    await Promise.race([ended, pause(200)]);
  }
  return peak;
}

/** What a process can carry, by simple queries, and then twice that. */
async function twice({ server, token }: Subject): Promise<readonly Found[]> {
  const chosen = cases.filter(({ id }) => ['Q1', 'Q2', 'R2', 'W1'].includes(id));
  const next = (): CaseRequest => (chosen[turn++ % chosen.length] as (typeof cases)[number]).request();
  await new Traffic(server, token, CLIENTS).saturate(WARM_UP, next);
  const carried = new Traffic(server, token, CLIENTS);
  const peak = await peakOf(server, carried.saturate(SECONDS, next));
  const rate = carried.answers.length / SECONDS;
  const doubled = new Traffic(server, token, CROWD);
  const doubledPeak = await peakOf(server, doubled.pour(SECONDS, 2 * rate, next));
  const all = new Traffic(server, token, CROWD);
  const allPeak = await peakOf(server, all.saturate(SECONDS, next));
  for (const each of [carried, doubled, all]) each.close();
  return [
    {
      what: `${String(CLIENTS)} clients: ${rate.toFixed(0)}/s`,
      figures: figuresOf(carried.answers, peak),
      goals: [MEMORY],
    },
    {
      what: `twice: ${(2 * rate).toFixed(0)}/s`,
      figures: figuresOf(doubled.answers, doubledPeak),
      goals: [ACCEPTED, ...REFUSALS, MEMORY],
    },
    {
      what: `${String(CROWD)} clients, without a pause`,
      figures: figuresOf(all.answers, allPeak),
      goals: [...REFUSALS, MEMORY],
    },
  ];
}

/** Simple reads of one client while others scan. */
async function scans({ server, token }: Subject): Promise<readonly Found[]> {
  const simple = cases.find(({ id }) => id === 'Q1')?.request() ?? graphql('{ __typename }');
  const kinds: readonly (() => CaseRequest)[] = [
    () => graphql(UNINDEXED, { filter: `@.spec.location.aorLink =~ /.*x${String(turn)}.*y/` }),
    () => graphql(COUNT, { where: { aorLink: { contains: `x${String(turn)}` } } }),
    () => graphql(HEALTH),
    () => ({ method: 'GET', path: `/api/v1beta1/dids?filter=@.spec.location.aorLink==%27x${String(turn)}%27` }),
  ];
  const next = (): CaseRequest => (kinds[turn++ % kinds.length] as () => CaseRequest)();
  const reads = new Traffic(server, token, 1);
  await reads.saturate(1, () => simple);
  const alone = [...reads.answers];
  reads.answers.length = 0;
  const scanning = new Traffic(server, token, SCANS);
  const both = Promise.all([scanning.saturate(SECONDS, next), reads.saturate(SECONDS, () => simple)]);
  const peak = await peakOf(
    server,
    both.then(() => undefined),
  );
  for (const each of [reads, scanning]) each.close();
  return [
    { what: 'simple reads alone', figures: figuresOf(alone), goals: [] },
    { what: `simple reads beside ${String(SCANS)} scans`, figures: figuresOf(reads.answers), goals: [SIMPLE_READS] },
    // Scans wait in a queue of their own until it is known how long they take.
    { what: `the ${String(SCANS)} scans`, figures: figuresOf(scanning.answers, peak), goals: [MEMORY] },
  ];
}

/** Many clients with the largest query that is allowed. */
async function crowd({ server, token }: Subject): Promise<readonly Found[]> {
  const heavy = new Traffic(server, token, CROWD);
  const simple = new Traffic(server, token, 1);
  const next = cases.find(({ id }) => id === 'Q1')?.request() ?? graphql('{ __typename }');
  await simple.saturate(WARM_UP, () => next);
  simple.answers.length = 0;
  const both = Promise.all([heavy.saturate(SECONDS, () => graphql(HEAVY)), simple.saturate(SECONDS, () => next)]);
  const peak = await peakOf(
    server,
    both.then(() => undefined),
  );
  await pause(1000);
  const after = (await server.memory()).heapUsed;
  for (const each of [heavy, simple]) each.close();
  const refuser = await startRefuser();
  const refused = new Traffic(refuser, token, CROWD);
  await refused.saturate(SECONDS, () => graphql(HEAVY)).finally(() => refuser.stop());
  refused.close();
  return [
    {
      what: `${String(CROWD)} clients with 10,000 objects, ${String(LIMIT)} MiB`,
      figures: figuresOf(heavy.answers, peak),
      goals: [...REFUSALS, MEMORY],
    },
    {
      what: `simple reads beside them (heap afterwards ${(after / 1e6).toFixed(0)} MB)`,
      figures: figuresOf(simple.answers),
      goals: [],
    },
    { what: 'the same clients with a server that only refuses', figures: figuresOf(refused.answers), goals: [] },
  ];
}
