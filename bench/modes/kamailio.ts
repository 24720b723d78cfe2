import { existsSync } from 'node:fs';
import { basename, delimiter, resolve } from 'node:path';

import { freePort, startKamailio, type Kamailio } from '../../test/sip/support';
import { createBeside, createMariadb, mariadbMissing, type BenchDatabase } from '../databases';
import { AGENTS, copyToTables, fillModel, OWN, runKamailioCommand, runKamailioCommandOf } from './kamailio-data';
import { openPhones, sipCases, type Phones, type SipCase } from './phones';
import { cpuOf, descendants } from '../processes';

/** A Kamailio that is compared. */
interface Side {
  readonly name: string;
  readonly kamailio: Kamailio;
  readonly phones: Phones;
  /** The cost of a second without requests. */
  idle: Cost;
}

/** What a side reads, and which version wrote its configuration. */
interface SideOf {
  readonly name: string;
  readonly database: BenchDatabase;
  readonly schema: string;
  /** The user that reads the schema, if not the one of the same name. */
  readonly user?: string;
  /** The directory of the version, with its build. */
  readonly directory?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** How many rounds there are, and the share of the requests of each case that a round has. */
interface Effort {
  readonly rounds: number;
  readonly share: number;
}

/** Per request: CPU time in microseconds, and statements. */
interface Cost {
  readonly database: number;
  readonly kamailio: number;
  readonly statements: number;
}

/** The side that is compared with each of the others, and how much more its requests may cost than theirs. */
const OURS = 'views';
const GOALS: Readonly<Record<string, number>> = { unrecorded: 1.1 };
const GOAL = 1.2;
/** A time in which each timer runs. */
const IDLE_SECONDS = 6;
const NOTHING: Cost = { database: 0, kamailio: 0, statements: 0 };
const PASSWORD = 'kamailio-secret';
const NO_LIMITS = ['flood', 'user-guesses', 'address-guesses', 'user-requests', 'agent-calls', 'gateway-calls'];

/**
 * Compares Kamailio on sipgraph's views, on one MariaDB server, with Kamailio on tables of the same rows, with Kamailio
 * without records of calls, and with other versions, whose directories with their builds are given: the CPU time of both
 * servers for each request.
 */
export async function benchmarkKamailio(
  { rounds, share }: Effort,
  only: readonly string[],
  others: readonly string[],
): Promise<void> {
  const missing = mariadbMissing() ?? kamailioMissing();
  if (missing !== undefined) throw new Error(missing);
  const opened: (() => Promise<void> | void)[] = [];
  try {
    const database = await createMariadb();
    opened.push(() => database.drop());
    const sides: Side[] = [];
    for (const of of await prepare(database, others)) sides.push(await start(of, opened));
    // All processes of a Kamailio have connected to the database. Its timers would count while another side is measured.
    await new Promise((done) => setTimeout(done, 5000));
    for (const { kamailio } of sides) kamailio.freeze();
    for (const side of sides) {
      side.kamailio.goOn();
      side.idle = await rest(database);
      side.kamailio.freeze();
    }
    console.log('A second without requests, of both servers:');
    console.table(sides.map(({ name, idle }) => ({ side: name, ...rounded(idle) })));
    console.log(`\n${database.name}, ${String(AGENTS)} agents: CPU µs of each request, medians of the rounds\n`);
    for (const test of sipCases.filter(({ id }) => only.includes(id))) {
      const rows = await compare({ ...test, amount: test.amount * share }, sides, database, rounds);
      console.log(`${test.id} ${test.title}`);
      console.table(rows);
    }
  } finally {
    for (let close = opened.pop(); close; close = opened.pop()) await close();
  }
}

function kamailioMissing(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.some((folder) => existsSync(`${folder}/kamailio`)) ? undefined : 'kamailio is not on the PATH';
}

/** Creates the schemas, all with the same resources. */
async function prepare(database: BenchDatabase, others: readonly string[]): Promise<readonly SideOf[]> {
  const own = ['kamailio', 'kamailio_unrecorded'] as const;
  for (const schema of own)
    runKamailioCommand(database, 'install', '--schema', schema, '--user', schema, '--password', PASSWORD);
  await fillModel(database);
  const sides: SideOf[] = [
    { name: OURS, database, schema: own[0] },
    // The tables belong to the user of the views.
    { name: 'tables', database, schema: await copyToTables(database), user: own[0] },
    { name: 'unrecorded', database, schema: own[1], env: { CALLS_DAYS: '0' } },
  ];
  for (const [index, path] of others.entries()) {
    const directory = resolve(path);
    const schema = `kamailio_other${String(index)}`;
    const other = await createBeside(database, `sipgraph_other${String(index)}`);
    const target = ['--schema', schema, '--user', schema, '--password', PASSWORD];
    runKamailioCommandOf({ directory }, other, 'install', ...target);
    await fillModel(other);
    sides.push({ name: basename(directory), database: other, schema, directory });
  }
  return sides;
}

async function start(
  { name, database, schema, user = schema, directory = OWN, env = {} }: SideOf,
  opened: (() => Promise<void> | void)[],
): Promise<Side> {
  const sip = `127.0.0.1:${String(await freePort())}`;
  const limits = NO_LIMITS.flatMap((limit) => [`--${limit}`, '0']);
  const target = ['--schema', schema, '--user', user, '--password', PASSWORD];
  const places = ['--sip', sip, '--run', '/@RUN@', '--workers', '2'];
  const configuration = runKamailioCommandOf({ directory, env }, database, 'config', ...target, ...places, ...limits);
  const kamailio = await startKamailio(configuration, sip, { memory: 128 });
  // A Kamailio that was stopped may not end by itself.
  opened.push(() => kamailio.crash());
  const phones = await openPhones(sip);
  opened.push(() => {
    phones.close();
  });
  return { name, kamailio, phones, idle: NOTHING };
}

/** Runs a case on all sides in turn, so that other load on the machine affects all. */
async function compare(
  test: SipCase,
  sides: readonly Side[],
  database: BenchDatabase,
  rounds: number,
): Promise<readonly object[]> {
  const costs = new Map<string, Cost[]>(sides.map(({ name }) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const { name, kamailio, phones, idle } of round % 2 === 0 ? sides : sides.toReversed()) {
      kamailio.goOn();
      const cost = await measure(test, phones, database, idle).catch((error: unknown) => {
        throw new Error(`Kamailio of ${name}:\n${kamailio.log().slice(-2000)}`, { cause: error });
      });
      kamailio.freeze();
      // The first round is a warm-up.
      if (round > 0) costs.get(name)?.push(cost);
    }
  }
  const medians = sides.map(({ name }) => ({ name, ...median(costs.get(name) ?? []) }));
  const ours = medians.find(({ name }) => name === OURS);
  return medians.map(({ name, ...cost }) => ({
    side: name,
    ...rounded(cost),
    ...(ours &&
      name !== OURS && {
        'ours / this': ratio(sum(ours), sum(cost)),
        'of Kamailio': ratio(ours.kamailio, cost.kamailio),
        goal: GOALS[name] ?? GOAL,
      }),
  }));
}

function rounded({ database, kamailio, statements }: Cost): object {
  return {
    database: Math.round(database),
    Kamailio: Math.round(kamailio),
    statements: Number(statements.toFixed(1)),
  };
}

function sum({ database, kamailio }: Cost): number {
  return database + kamailio;
}

function ratio(one: number, other: number): number {
  return Number((one / other).toFixed(2));
}

/** Runs a case. What the timers of the servers cost meanwhile, as in `idle`, does not count. */
async function measure(test: SipCase, phones: Phones, database: BenchDatabase, idle: Cost): Promise<Cost> {
  const { spent, seconds } = await spentBy(database, async () => {
    await test.run(phones, test.amount);
    // Records are written four times a second.
    await new Promise((done) => setTimeout(done, 300));
  });
  return costOf((key) => (spent[key] - seconds * idle[key]) / test.amount);
}

/** The cost of a second without requests. */
async function rest(database: BenchDatabase): Promise<Cost> {
  const { spent, seconds } = await spentBy(
    database,
    () => new Promise((done) => setTimeout(done, IDLE_SECONDS * 1000)),
  );
  return costOf((key) => spent[key] / seconds);
}

/** What the servers spend while `work` runs, and how long it takes. */
async function spentBy(
  database: BenchDatabase,
  work: () => Promise<void>,
): Promise<{ readonly spent: Cost; readonly seconds: number }> {
  const [before, started] = [await read(database), performance.now()];
  await work();
  const [after, seconds] = [await read(database), (performance.now() - started) / 1000];
  return { spent: costOf((key) => after[key] - before[key]), seconds };
}

function costOf(each: (key: keyof Cost) => number): Cost {
  return { database: each('database'), kamailio: each('kamailio'), statements: each('statements') };
}

/** The counters of the running servers. */
async function read(database: BenchDatabase): Promise<Cost> {
  const [row] = await database.rows("SHOW GLOBAL STATUS LIKE 'Questions'");
  const processes = await descendants(process.pid);
  const of = (program: string) => processes.filter(({ name }) => name === program);
  return {
    database: of('mariadbd').reduce((sum, { cpu }) => sum + cpu, 0),
    kamailio: await cpuOf(of('kamailio')),
    statements: Number(row?.['Value']),
  };
}

function median(costs: readonly Cost[]): Cost {
  const of = (key: keyof Cost): number => {
    const sorted = costs.map((cost) => cost[key]).toSorted((one, other) => one - other);
    return sorted[Math.floor(sorted.length / 2)] ?? 0;
  };
  return costOf(of);
}
