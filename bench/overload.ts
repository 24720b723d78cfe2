import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

import { cases, type CaseRequest } from './cases';
import { fill, fillDids } from './data';
import { createMariadb, createSqlite, mariadbMissing, type BenchDatabase } from './databases';
import { startSipgraph, tokenOf, type BenchServer } from './servers';
import { Traffic, summary } from './traffic';

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
const isAccepted = (status: number): boolean => status === 200;
const isRefused = (status: number): boolean => status === 503;
const isOther = (status: number): boolean => !isAccepted(status) && !isRefused(status);
let turn = 0;

/** Measures twice the load that a process can carry, scans beside simple reads, and heavy queries of many clients. */
export async function benchmarkOverload(
  databases: readonly string[],
  only = ['twice', 'scans', 'crowd'],
): Promise<void> {
  const rows: object[] = [];
  const scenarios = [twice, scans, crowd].filter(({ name }) => only.includes(name));
  for (const name of databases) {
    const missing = name === 'mariadb' ? mariadbMissing() : undefined;
    if (missing) console.log(`\nMariaDB is skipped: ${missing}`);
    else for (const scenario of scenarios) rows.push(...(await run(name, scenario)));
  }
  console.log('\nOverload; times in milliseconds; memory (RSS) of the server and the processes it started\n');
  console.table(rows);
}

interface Subject {
  readonly database: BenchDatabase;
  readonly server: BenchServer;
  readonly token: string;
}

type Scenario = (subject: Subject) => Promise<readonly object[]>;

async function run(name: string, scenario: Scenario): Promise<readonly object[]> {
  const database = await (name === 'mariadb' ? createMariadb : createSqlite)();
  let server: BenchServer | undefined;
  try {
    const secret = randomBytes(16).toString('hex');
    const limit = scenario === crowd ? { NODE_OPTIONS: `--max-old-space-size=${String(LIMIT / 2)}` } : {};
    server = await startSipgraph({ DATABASE_URL: database.url, ADMIN_SECRET: secret, ...limit });
    await (scenario === scans ? fillDids(database, SCANNED_DIDS, 25) : fill(database));
    const found = await scenario({ database, server, token: await tokenOf(server, secret) });
    return found.map((row) => ({ database: database.name.split(' ')[0], ...row }));
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

function row(what: string, { answers }: Pick<Traffic, 'answers'>, peak?: number): object {
  const [accepted, refused] = [summary(answers, isAccepted), summary(answers, isRefused)];
  return {
    what,
    accepted: accepted.count,
    p50: accepted.p50,
    p99: accepted.p99,
    refused: refused.count,
    'refused p99': refused.p99,
    'refused max': refused.max,
    other: summary(answers, isOther).count,
    ...(peak !== undefined && { MB: Math.round(peak / 1e6) }),
  };
}

/** What a process can carry, by simple queries, and then twice that. */
async function twice({ server, token }: Subject): Promise<readonly object[]> {
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
    row(`${String(CLIENTS)} clients: ${rate.toFixed(0)}/s`, carried, peak),
    row(`twice: ${(2 * rate).toFixed(0)}/s`, doubled, doubledPeak),
    row(`${String(CROWD)} clients, without a pause`, all, allPeak),
  ];
}

/** Simple reads of one client while others scan. */
async function scans({ server, token }: Subject): Promise<readonly object[]> {
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
    row('simple reads alone', { answers: alone }),
    row(`simple reads beside ${String(SCANS)} scans`, reads),
    row(`the ${String(SCANS)} scans`, scanning, peak),
  ];
}

/** Many clients with the largest query that is allowed. */
async function crowd({ server, token }: Subject): Promise<readonly object[]> {
  const heavy = new Traffic(server, token, CROWD);
  const simple = new Traffic(server, token, 1);
  const next = cases.find(({ id }) => id === 'Q1')?.request() ?? graphql('{ __typename }');
  const both = Promise.all([heavy.saturate(SECONDS, () => graphql(HEAVY)), simple.saturate(SECONDS, () => next)]);
  const peak = await peakOf(
    server,
    both.then(() => undefined),
  );
  await pause(1000);
  const after = (await server.memory()).heapUsed;
  for (const each of [heavy, simple]) each.close();
  return [
    row(`${String(CROWD)} clients with 10,000 objects, ${String(LIMIT)} MiB`, heavy, peak),
    row(`simple reads beside them (heap afterwards ${(after / 1e6).toFixed(0)} MB)`, simple),
  ];
}
