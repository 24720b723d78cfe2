import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { cases, type Case } from './cases';
import { contents, fill } from './data';
import { createMariadb, createSqlite, mariadbMissing, type BenchDatabase } from './databases';
import { load, type Sample } from './load';
import { isMet, table, type Measurement } from './report';
import { benchmarkScale } from './scale';
import { startRaw, startSipgraph, type BenchServer } from './servers';
import { benchmarkSubscribers } from './subscribers';
import { verify } from './verify';

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    'no-build': { type: 'boolean', default: false },
    only: { type: 'string', default: cases.map(({ id }) => id).join(',') },
    database: { type: 'string', default: 'sqlite,mariadb' },
    scale: { type: 'boolean', default: false },
    subscribers: { type: 'boolean', default: false },
  },
});
const effort = options.quick ? { rounds: 9, times: 1 } : { rounds: 15, times: 4 };
const only = options.only.split(',');
const chosen = cases.filter(({ id }) => only.includes(id));
const databases = options.database.split(',');

/** The functions that stop what was started, the newest last. */
const open: (() => Promise<void>)[] = [];

async function close(): Promise<void> {
  for (let stop = open.pop(); stop; stop = open.pop()) await stop().catch(console.error);
}

async function opened<T>(starting: Promise<T>, stop: (thing: T) => Promise<void>): Promise<T> {
  const thing = await starting;
  open.push(() => stop(thing));
  return thing;
}

async function benchmark(create: () => Promise<BenchDatabase>): Promise<void> {
  const database = await opened(create(), (made) => made.drop());
  const secret = randomBytes(16).toString('hex');
  const environment = { DATABASE_URL: database.url, JWT_SECRET: randomBytes(32).toString('hex'), ADMIN_SECRET: secret };
  const sipgraph = await opened(startSipgraph(environment), (server) => server.stop());
  const raw = await opened(startRaw(environment), (server) => server.stop());
  await fill(database);
  const token = await tokenOf(sipgraph, secret);

  const measurements: Measurement[] = [];
  for (const test of chosen) {
    await verify(test, database, [raw, sipgraph], token);
    measurements.push(await measure(test, raw, sipgraph, token));
    process.stderr.write(`${database.name}: ${test.id} done\n`);
  }
  await close();
  console.log(
    `\n${table(`${database.name}, ${contents}; CPU of the server process per request, medians`, measurements)}`,
  );
  const missed = measurements.filter((measurement) => !isMet(measurement)).map(({ case: { id } }) => id);
  console.log(missed.length === 0 ? '\nAll cases are within their budgets.' : `\nOver budget: ${missed.join(', ')}`);
}

async function measure(test: Case, raw: BenchServer, sipgraph: BenchServer, token: string): Promise<Measurement> {
  const amount = test.amount * effort.times;
  // Warm up both servers first. Then alternate between them, so that other load on the machine affects both.
  for (const server of [raw, sipgraph]) await load(server, test, token, test.amount * 4);
  const samples: { raw: Sample[]; sipgraph: Sample[] } = { raw: [], sipgraph: [] };
  for (let round = 0; round < effort.rounds; round++) {
    samples.raw.push(await load(raw, test, token, amount));
    samples.sipgraph.push(await load(sipgraph, test, token, amount));
  }
  return { case: test, ...samples };
}

async function tokenOf({ url }: BenchServer, secret: string): Promise<string> {
  const authorization = `Basic ${Buffer.from(`admin:${secret}`).toString('base64')}`;
  const response = await fetch(`${url}/api/v1beta1/token`, { headers: { authorization } });
  const { data } = (await response.json()) as { readonly data?: string }; // docs/rest-contract.md, section 5
  if (data === undefined) throw new Error(`GET /token failed with status ${response.status}`);
  return data;
}

async function main(): Promise<void> {
  const unknown = [
    ...only.filter((id) => !chosen.some((test) => test.id === id)),
    ...databases.filter((name) => name !== 'sqlite' && name !== 'mariadb'),
  ];
  if (unknown.length > 0) throw new Error(`Unknown case or database: ${unknown.join(', ')}`);
  if (!options['no-build']) {
    execFileSync('npm', ['run', '--silent', 'build'], {
      cwd: resolve(__dirname, '..'),
      stdio: ['ignore', process.stderr, process.stderr],
    });
  }
  if (options.scale) return benchmarkScale(databases);
  if (options.subscribers) return benchmarkSubscribers(databases);
  for (const name of databases) {
    const missing = name === 'mariadb' ? mariadbMissing() : undefined;
    if (missing) console.log(`\nMariaDB is skipped: ${missing}`);
    else await benchmark(name === 'mariadb' ? createMariadb : createSqlite);
  }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void close().finally(() => process.exit(130)));
}
main()
  .catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  })
  .finally(close);
