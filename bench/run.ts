import { randomBytes } from 'node:crypto';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';

import { cases, type Case } from './cases';
import { contents, fill } from './data';
import { createMariadb, createSqlite, mariadbMissing, type BenchDatabase } from './databases';
import { load, type Sample } from './load';
import { benchmarkCalls } from './modes/calls';
import { benchmarkConsole } from './modes/console';
import { benchmarkContention } from './modes/contention';
import { benchmarkImport } from './modes/import';
import { benchmarkKamailio } from './modes/kamailio';
import { benchmarkOverload } from './modes/overload';
import { sipCases } from './modes/phones';
import { benchmarkRedials } from './modes/redials';
import { benchmarkScale } from './modes/scale';
import { cases as scaleCases } from './modes/scale-cases';
import { benchmarkSimulate } from './modes/simulate';
import { benchmarkSubscribers } from './modes/subscribers';
import { comparison, missed, table, type Measurement } from './report';
import { build, startPeer, startSipgraph, startVersion, tokenOf, TRACED, type BenchServer } from './servers';
import { verify } from './verify';

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    'no-build': { type: 'boolean', default: false },
    only: { type: 'string' },
    database: { type: 'string', default: 'sqlite,mariadb' },
    peers: { type: 'string', default: 'mercurius' },
    rounds: { type: 'string' },
    scale: { type: 'boolean', default: false },
    dids: { type: 'string', default: '1000000' },
    subscribers: { type: 'boolean', default: false },
    kamailio: { type: 'boolean', default: false },
    against: { type: 'string' },
    redials: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '120' },
    contention: { type: 'boolean', default: false },
    overload: { type: 'boolean', default: false },
    console: { type: 'boolean', default: false },
    import: { type: 'boolean', default: false },
    simulate: { type: 'boolean', default: false },
    calls: { type: 'boolean', default: false },
    rows: { type: 'string', default: '10000000' },
  },
});
const effort = {
  rounds: Number(options.rounds ?? (options.kamailio && !options.quick ? 10 : 3)),
  times: options.quick ? 2 : 8,
};
/** The peers, starting with the baseline, with the share of the requests that each receives. Slow peers need fewer. */
const SHARES = new Map([
  ['raw', 1],
  ['mercurius', 1],
  ['apollo', 0.25],
  [TRACED, 1],
]);
const peers = ['raw', ...options.peers.split(',').filter((name) => name !== '')];
/** The checkouts of other versions of sipgraph. */
const versions = options.against?.split(',') ?? [];
/** How many requests each server gets before the first round, at least: what compiles code later would be measured. */
const WARM_UP = 12_000;
const only = options.only?.split(',') ?? casesOf(options).map(({ id }) => id);
const chosen = cases.filter(({ id }) => only.includes(id));
const databases = options.database.split(',');

/** The cases of the chosen benchmark. */
function casesOf({
  scale,
  kamailio,
}: {
  readonly scale: boolean;
  readonly kamailio: boolean;
}): readonly { readonly id: string }[] {
  if (kamailio) return sipCases;
  return scale ? scaleCases : cases;
}

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
  await fill(database);
  const servers: BenchServer[] = [];
  for (const name of peers) {
    servers.push(await opened(startPeer(name, environment), (server) => server.stop()));
  }
  const others: BenchServer[] = [];
  for (const directory of versions)
    others.push(await opened(startVersion(directory, environment), (server) => server.stop()));
  servers.push(...others);
  servers.push(sipgraph);
  const token = await tokenOf(sipgraph, secret);

  const measurements: Measurement[] = [];
  for (const test of chosen) {
    await verify(test, database, servers, token);
    measurements.push(await measure(test, servers, token, database));
    process.stderr.write(`${database.name}: ${test.id} done\n`);
  }
  const resident = new Map<string, number>();
  for (const server of servers) resident.set(server.name, await server.resident());
  await close();
  report(database, measurements, resident);
  for (const { name } of others) console.log(`\n${comparison(measurements, name)}`);
}

function report(
  database: BenchDatabase,
  measurements: readonly Measurement[],
  resident: ReadonlyMap<string, number>,
): void {
  const date = new Date().toISOString().slice(0, 10);
  console.log(`\n${database.name}, ${date}, ${cpus().length} cores, Node.js ${process.version}; ${contents}.`);
  console.log('CPU time per request of all processes of the server, as a multiple of raw; medians of the rounds.\n');
  console.log(table(measurements));
  const memory = [...resident].map(([name, bytes]) => `${name} ${(bytes / 1e6).toFixed(0)} MB`);
  console.log(`\nMemory (RSS) after the run: ${memory.join(', ')}`);
  const above = missed(measurements, resident);
  console.log(above.length === 0 ? 'All goals are met.' : `Above their goals:\n${above.join('\n')}`);
  if (above.length > 0) process.exitCode = 1;
}

async function measure(
  test: Case,
  servers: readonly BenchServer[],
  token: string,
  database: BenchDatabase,
): Promise<Measurement> {
  const samples = new Map<string, Sample[]>(servers.map(({ name }) => [name, []]));
  const amountOf = ({ name }: BenchServer): number => test.amount * effort.times * (SHARES.get(name) ?? 1);
  // Warm up all servers first. Then alternate between them, so that other load on the machine affects all.
  for (const server of servers)
    await load(server, test, token, Math.max(amountOf(server), WARM_UP * (SHARES.get(server.name) ?? 1)));
  for (let round = 0; round < effort.rounds; round++) {
    for (const server of servers) {
      samples.get(server.name)?.push(await load(server, test, token, amountOf(server), database));
    }
  }
  return { case: test, samples };
}

async function main(): Promise<void> {
  const unknown = [
    ...only.filter((id) => !options.overload && ![...cases, ...scaleCases, ...sipCases].some((test) => test.id === id)),
    ...databases.filter((name) => name !== 'sqlite' && name !== 'mariadb'),
    ...peers.filter((name) => !SHARES.has(name)),
  ];
  if (unknown.length > 0) throw new Error(`Unknown case, database or peer: ${unknown.join(', ')}`);
  if (!options['no-build']) build();
  if (options.scale) return benchmarkScale(databases, only, Number(options.dids));
  if (options.subscribers) return benchmarkSubscribers(databases);
  if (options.contention) return benchmarkContention(databases);
  if (options.overload) return benchmarkOverload(databases, options.only?.split(','));
  if (options.console) return benchmarkConsole(databases, Number(options.dids));
  if (options.import) return benchmarkImport(databases, Number(options.dids), options.quick ? 1 : 3);
  if (options.calls) return benchmarkCalls(Number(options.rows));
  if (options.simulate) return benchmarkSimulate(databases, Number(options.dids), options.quick ? 1 : 5);
  if (options.kamailio)
    return benchmarkKamailio({ rounds: effort.rounds, share: options.quick ? 0.25 : 1 }, only, versions);
  if (options.redials) return benchmarkRedials(Number(options.seconds));
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
