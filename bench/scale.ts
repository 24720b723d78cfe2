import { randomBytes } from 'node:crypto';

import { fillAgents, fillDids } from './data';
import { createMariadb, createSqlite, mariadbMissing, type BenchDatabase } from './databases';
import { load, type Sample } from './load';
import { median } from './report';
import { startSipgraph } from './servers';
import type { Case } from './cases';
import { GATEWAYS, cases, type ScaleCase, type Subject } from './scale-cases';

/** The sizes of the large tables, and a hundredth of them. */
const SIZES = [
  { agents: 100_000, dids: 1_000_000 },
  { agents: 1000, dids: 10_000 },
] as const;
const ROUNDS = 7;

/** Compares the cost of filters on large tables with their cost on tables of a hundredth of the size. */
export async function benchmarkScale(databases: readonly string[]): Promise<void> {
  for (const name of databases) {
    const missing = name === 'mariadb' ? mariadbMissing() : undefined;
    if (missing) console.log(`\nMariaDB is skipped: ${missing}`);
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
  // In an empty database, the row id of a DID is its index, and consecutive DIDs of a gateway are GATEWAYS rows apart.
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
      // The first round is a warm-up.
      if (round > 0) taken.push(sample);
    }
  }
  const [a = [], b = []] = samples.values();
  const [cpu, cpuSmall] = [median(a, 'cpu'), median(b, 'cpu')];
  const [rate, rateSmall] = [median(a, 'rate'), median(b, 'rate')];
  return {
    case: `${test.id} ${test.title}`,
    'CPU µs': Math.round(cpu),
    'at 1/100': Math.round(cpuSmall),
    'CPU ratio': Number((cpu / cpuSmall).toFixed(2)),
    'req/s': Math.round(rate),
    'req/s at 1/100': Math.round(rateSmall),
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
