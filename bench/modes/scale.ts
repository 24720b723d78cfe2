import { randomBytes } from 'node:crypto';

import { fillAgents, fillDids } from '../data';
import { createMariadb, createSqlite, mariadbMissing, type BenchDatabase } from '../databases';
import { CONNECTIONS, load, type Sample } from '../load';
import { median } from '../report';
import { startSipgraph, tokenOf } from '../servers';
import type { Case } from '../cases';
import { GATEWAYS, cases, type ScaleCase, type Subject } from './scale-cases';

/** The DIDs in the small tables, and the Agents per DID. */
const SMALL = 10_000;
const AGENTS = 0.1;
const ROUNDS = 7;

/** Compares the cost of requests on tables with this many DIDs with their cost on tables with 10,000. */
export async function benchmarkScale(
  databases: readonly string[],
  only: readonly string[],
  dids: number,
): Promise<void> {
  for (const name of databases) {
    const missing = name === 'mariadb' ? mariadbMissing() : undefined;
    if (missing) console.log(`\nMariaDB is skipped: ${missing}`);
    else await measureOn(name === 'mariadb' ? createMariadb : createSqlite, only, dids);
  }
}

async function measureOn(create: () => Promise<BenchDatabase>, only: readonly string[], dids: number): Promise<void> {
  const opened: BenchDatabase[] = [];
  const subjects: Subject[] = [];
  try {
    for (const size of [dids, SMALL]) {
      const database = await create();
      opened.push(database);
      subjects.push(await start(database, size));
    }
    const [large, small] = subjects as [Subject, Subject];
    const rows = [];
    for (const test of cases.filter(({ id }) => only.includes(id))) rows.push(await compare(test, large, small));
    console.log(
      `\n${opened[0]?.name ?? ''}: ${dids.toLocaleString('en')} DIDs and a tenth as many Agents, compared with 10,000 DIDs; CPU time of server and database per request, medians\n`,
    );
    console.table(rows);
  } finally {
    for (const { server } of subjects) await server.stop();
    for (const database of opened) await database.drop();
  }
}

async function start(database: BenchDatabase, dids: number): Promise<Subject> {
  const secret = randomBytes(16).toString('hex');
  const server = await startSipgraph({
    DATABASE_URL: database.url,
    JWT_SECRET: randomBytes(32).toString('hex'),
    ADMIN_SECRET: secret,
  });
  process.stderr.write(`${database.name}: filling ${String(dids)} DIDs\n`);
  await fillAgents(database, dids * AGENTS);
  await fillDids(database, dids, GATEWAYS);
  // In an empty database, the row id of a DID is its index, and consecutive DIDs of a gateway are GATEWAYS rows apart.
  const before = (dids / 1_000_000) * 999 * 30 * GATEWAYS;
  const scale = dids / SMALL;
  return {
    server,
    database,
    token: await tokenOf(server, secret),
    scale,
    cursor: Buffer.from(`row:${String(Math.floor(before))}`).toString('base64url'),
  };
}

async function compare(test: ScaleCase, large: Subject, small: Subject): Promise<object> {
  const samples = new Map<Subject, Sample[]>([
    [large, []],
    [small, []],
  ]);
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [subject, taken] of samples) {
      const before = await subject.database.cpu();
      const sample = await load(subject.server, toCase(test, subject), subject.token, test.amount);
      const ofDatabase =
        ((await subject.database.cpu()) - before) / (Math.ceil(test.amount / CONNECTIONS) * CONNECTIONS);
      // The first round is a warm-up.
      if (round > 0) taken.push({ ...sample, cpu: sample.cpu + ofDatabase });
    }
  }
  const [a = [], b = []] = samples.values();
  const [cpu, cpuSmall] = [median(a, 'cpu'), median(b, 'cpu')];
  const [rate, rateSmall] = [median(a, 'rate'), median(b, 'rate')];
  return {
    case: `${test.id} ${test.title}`,
    'CPU µs': Math.round(cpu),
    'CPU µs at 10,000': Math.round(cpuSmall),
    'CPU ratio': Number((cpu / cpuSmall).toFixed(2)),
    'req/s': Math.round(rate),
    'req/s at 10,000': Math.round(rateSmall),
    'time ratio': Number((rateSmall / rate).toFixed(2)),
  };
}

function toCase(test: ScaleCase, subject: Subject): Case {
  return {
    id: test.id,
    title: test.title,
    budget: Infinity,
    amount: test.amount,
    creates: false,
    request: () => {
      const path = test.path(subject);
      return test.body
        ? { method: 'POST', path, body: test.body(subject) }
        : { method: 'GET', path: `/api/v1beta1${path.replaceAll("'", '%27')}` };
    },
  };
}
