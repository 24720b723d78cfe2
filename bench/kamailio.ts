import { existsSync } from 'node:fs';
import { delimiter } from 'node:path';

import { freePort, startKamailio, type Kamailio } from '../test/sip/support';
import { createMariadb, mariadbMissing, type BenchDatabase } from './databases';
import { AGENTS, copyToTables, fillModel, runKamailioCommand, SCHEMAS } from './kamailio-data';
import { openPhones, sipCases, type Phones, type SipCase } from './phones';
import { descendants } from './processes';

/** A Kamailio on one of the schemas. */
interface Side {
  readonly kamailio: Kamailio;
  readonly phones: Phones;
}

/** Per request: CPU time in microseconds, and statements. */
interface Cost {
  readonly database: number;
  readonly kamailio: number;
  readonly statements: number;
}

const GOAL = 1.25;
const PASSWORD = 'kamailio-secret';
const NO_LIMITS = ['flood', 'user-guesses', 'address-guesses', 'user-requests', 'agent-calls', 'gateway-calls'];

/**
 * Compares Kamailio on sipgraph's views with Kamailio on tables of the same rows, with the same configuration and the
 * same MariaDB server: the CPU time of both servers for each request.
 */
export async function benchmarkKamailio(rounds: number): Promise<void> {
  const missing = mariadbMissing() ?? kamailioMissing();
  if (missing !== undefined) throw new Error(missing);
  const opened: (() => Promise<void> | void)[] = [];
  try {
    const database = await createMariadb();
    opened.push(() => database.drop());
    const sides = await start(database, opened);
    const rows = [];
    for (const test of sipCases) rows.push(await compare(test, sides, database, rounds));
    console.log(
      `\n${database.name}, ${String(AGENTS)} agents: CPU µs of database and Kamailio for each request, means\n`,
    );
    console.table(rows);
  } finally {
    for (let close = opened.pop(); close; close = opened.pop()) await close();
  }
}

function kamailioMissing(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.some((folder) => existsSync(`${folder}/kamailio`)) ? undefined : 'kamailio is not on the PATH';
}

async function start(
  database: BenchDatabase,
  opened: (() => Promise<void> | void)[],
): Promise<Readonly<Record<keyof typeof SCHEMAS, Side>>> {
  runKamailioCommand(database, 'install', '--password', PASSWORD);
  await fillModel(database);
  await copyToTables(database);
  const startSide = async (schema: string): Promise<Side> => {
    const sip = `127.0.0.1:${String(await freePort())}`;
    const limits = NO_LIMITS.flatMap((name) => [`--${name}`, '0']);
    const places = ['--schema', schema, '--password', PASSWORD, '--sip', sip, '--run', '@RUN@', '--workers', '2'];
    const configuration = runKamailioCommand(database, 'config', ...places, ...limits);
    const kamailio = await startKamailio(configuration, sip, { memory: 128 });
    opened.push(() => kamailio.stop());
    const phones = await openPhones(sip);
    opened.push(() => {
      phones.close();
    });
    return { kamailio, phones };
  };
  return { views: await startSide(SCHEMAS.views), tables: await startSide(SCHEMAS.tables) };
}

/** Runs a case on both sides in turn, so that other load on the machine affects both. */
async function compare(
  test: SipCase,
  sides: Readonly<Record<keyof typeof SCHEMAS, Side>>,
  database: BenchDatabase,
  rounds: number,
): Promise<object> {
  const costs: Record<keyof typeof SCHEMAS, Cost[]> = { views: [], tables: [] };
  for (let round = 0; round <= rounds; round++) {
    for (const [name, other] of [
      ['views', 'tables'],
      ['tables', 'views'],
    ] as const) {
      // Its timers would count otherwise.
      sides[other].kamailio.freeze();
      const cost = await measure(test, sides[name].phones, database);
      sides[other].kamailio.goOn();
      // The first round is a warm-up.
      if (round > 0) costs[name].push(cost);
    }
  }
  const [views, tables] = [mean(costs.views), mean(costs.tables)];
  const sum = ({ database: one, kamailio: other }: Cost): number => one + other;
  return {
    case: `${test.id} ${test.title}`,
    'views: database': Math.round(views.database),
    Kamailio: Math.round(views.kamailio),
    statements: Number(views.statements.toFixed(1)),
    'tables: database': Math.round(tables.database),
    'Kamailio ': Math.round(tables.kamailio),
    ratio: Number((sum(views) / sum(tables)).toFixed(2)),
    goal: GOAL,
  };
}

async function measure(test: SipCase, phones: Phones, database: BenchDatabase): Promise<Cost> {
  const before = await read(database);
  await test.run(phones, test.amount);
  const after = await read(database);
  const each = (key: keyof Cost): number => (after[key] - before[key]) / test.amount;
  return { database: each('database'), kamailio: each('kamailio'), statements: each('statements') };
}

/** The counters of the running servers. */
async function read(database: BenchDatabase): Promise<Cost> {
  const [row] = await database.rows("SHOW GLOBAL STATUS LIKE 'Questions'");
  const processes = await descendants(process.pid);
  const cpu = (program: string): number =>
    processes.reduce((sum, { name, cpu: used }) => (name === program ? sum + used : sum), 0);
  return { database: cpu('mariadbd'), kamailio: cpu('kamailio'), statements: Number(row?.['Value']) };
}

function mean(costs: readonly Cost[]): Cost {
  const of = (key: keyof Cost): number => costs.reduce((sum, cost) => sum + cost[key], 0) / costs.length;
  return { database: of('database'), kamailio: of('kamailio'), statements: of('statements') };
}
