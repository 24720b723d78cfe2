import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

import { insertAll } from '../data';
import { createMariadb, createSqlite, mariadbMissing, type BenchDatabase } from '../databases';
import { median } from '../report';
import { CREATED_ON, domain, gateway, gatewayRef, GATEWAYS } from '../rows';
import { startSipgraph, tokenOf, type BenchServer } from '../servers';

/** The goals: seconds of a simulation, milliseconds that another writer waits, and memory (RSS) in bytes. */
const GOALS = { seconds: 10, wait: 100, peak: 400_000_000 };
const CHANGES = 1000;
const AGENTS = 100_000;
const DOMAINS = 100;
const ROUTES = 1000;
/** Milliseconds between the writes of another writer. */
const PAUSE = 20;

const didRef = (index: number): string => `dd${String(index).padStart(7, '0')}`;

/** The plans that are simulated, each of 1,000 changes. */
const PLANS: Readonly<Record<string, (index: number, numbers: number) => object>> = {
  'all kinds': (index, numbers) => {
    const did = didRef(1 + ((index * 997) % numbers));
    const agent = `ag${String(1 + ((index * 97) % AGENTS))}`;
    const changes = [
      { update: { ref: did, did: { gatewayRef: gatewayRef(1 + (index % GATEWAYS)) } } },
      { update: { ref: did, did: { aorLink: `sip:user${String(index)}@domain1.sip.local` } } },
      { update: { ref: did, did: { enabled: false } } },
      { delete: { kind: 'DID', ref: did } },
      {
        create: {
          number: {
            telUrl: `tel:+4930${String(100_000 + index)}`,
            gatewayRef: gatewayRef(1),
            aorLink: 'sip:user1@domain1.sip.local',
          },
        },
      },
      { update: { ref: agent, agent: { enabled: false } } },
      { update: { ref: agent, agent: { username: `renamed${String(index)}` } } },
      { update: { ref: gatewayRef(1 + index), gateway: { draining: true } } },
      { create: { peer: { username: `peer${String(index)}`, secret: 'secret', name: 'A PBX' } } },
      { update: { ref: `dm${String(1 + (index % DOMAINS)).padStart(6, '0')}`, domain: { enabled: index % 20 > 9 } } },
    ];
    return changes[index % changes.length] ?? {};
  },
  gateways: (index) => ({ update: { ref: gatewayRef(1 + index), gateway: { draining: true } } }),
  agents: (index) => ({ update: { ref: `ag${String(1 + index)}`, agent: { enabled: false } } }),
  domains: (index) => ({
    update: {
      ref: `dm${String(1 + (index % DOMAINS)).padStart(6, '0')}`,
      domain: { enabled: Math.floor(index / DOMAINS) % 2 === 1 },
    },
  }),
  routes: (index) => ({ update: { ref: `rt${String(1 + index)}`, route: { enabled: false } } }),
  numbers: (index, numbers) => ({
    update: { ref: didRef(1 + ((index * 997) % numbers)), did: { gatewayRef: gatewayRef(1 + (index % GATEWAYS)) } },
  }),
};
const SIMULATE = `mutation ($changes: [ChangeInput!]!) {
  simulate(changes: $changes) { calls { examined counts { stops starts moves other } waysOutCount lostWaysCount } }
}`;
const WRITE = 'mutation ($input: UpdatePeerInput!) { updatePeer(ref: "other", input: $input) { ref } }';
const APPLY = 'mutation ($change: ChangeInput!) { applyChanges(changes: [$change]) { request } }';
/** Milliseconds after which a simulation holds locks, on servers that have locks. */
const LOCKED = 200;

/** Writes before the first simulation. */
const WARM_UP = 20;

interface Subject {
  readonly server: BenchServer;
  readonly token: string;
}

/** Simulates 1,000 changes with this many numbers, beside another writer, and one of a resource in the plan. */
export async function benchmarkSimulate(databases: readonly string[], numbers: number, rounds: number): Promise<void> {
  for (const name of databases) {
    const missing = name === 'mariadb' ? mariadbMissing() : undefined;
    if (missing) console.log(`\nMariaDB is skipped: ${missing}`);
    else await measureOn(name === 'mariadb' ? createMariadb : createSqlite, numbers, rounds);
  }
}

async function measureOn(create: () => Promise<BenchDatabase>, numbers: number, rounds: number): Promise<void> {
  const database = await create();
  const secret = randomBytes(16).toString('hex');
  const environment = { DATABASE_URL: database.url, JWT_SECRET: randomBytes(32).toString('hex'), ADMIN_SECRET: secret };
  const rows: Figures[] = [];
  const refused: string[] = [];
  try {
    // Creates the tables. The peak of the memory must not count it.
    await (await startSipgraph(environment)).stop();
    process.stderr.write(`${database.name}: filling ${String(numbers)} DIDs\n`);
    await fill(database, numbers);
    for (const plan of Object.keys(PLANS)) {
      const server = await startSipgraph(environment);
      try {
        rows.push(await measure({ server, token: await tokenOf(server, secret) }, plan, numbers, rounds));
      } catch (error) {
        refused.push(`${plan}: ${String(error)}`);
      } finally {
        await server.stop();
      }
    }
  } finally {
    await database.drop();
  }
  const of = numbers.toLocaleString('en');
  console.log(
    `\n${database.name}: simulations of ${String(CHANGES)} changes with ${of} DIDs, medians, beside another writer\n`,
  );
  console.table(rows);
  const missed = rows.flatMap((row) => [
    ...(row.seconds > GOALS.seconds ? [`${row.plan}: ${String(row.seconds)} s, goal ${String(GOALS.seconds)}`] : []),
    ...(row['longest wait ms'] > GOALS.wait
      ? [`${row.plan}: a writer waits ${String(row['longest wait ms'])} ms, goal ${String(GOALS.wait)}`]
      : []),
    ...(row['of the plan ms'] > GOALS.wait
      ? [`${row.plan}: a writer of the plan waits ${String(row['of the plan ms'])} ms, goal ${String(GOALS.wait)}`]
      : []),
    ...(row['peak MB'] > GOALS.peak / 1e6
      ? [`${row.plan}: ${String(row['peak MB'])} MB, goal ${String(GOALS.peak / 1e6)}`]
      : []),
  ]);
  const above = [...refused, ...missed];
  console.log(above.length === 0 ? 'All goals are met.' : `Above their goals:\n${above.join('\n')}`);
  if (above.length > 0) process.exitCode = 1;
}

interface Figures {
  readonly plan: string;
  readonly seconds: number;
  readonly 'longest wait ms': number;
  /** The longest wait of a writer of a resource in the plan. */
  readonly 'of the plan ms': number;
  readonly 'peak MB': number;
  readonly examined: number;
  readonly effects: string;
}

async function measure(subject: Subject, plan: string, numbers: number, rounds: number): Promise<Figures> {
  const changes = Array.from({ length: CHANGES }, (_, index) => PLANS[plan]?.(index, numbers));
  const first: Update = PLANS[plan]?.(0, numbers) ?? {}; // an update, in each plan
  // The first writes of a process take longer, whether or not something is simulated.
  for (let turn = 0; turn < WARM_UP; turn++) await send(subject, WRITE, { input: { name: `Before ${String(turn)}` } });
  const samples: { readonly seconds: number; readonly wait: number; readonly own: number }[] = [];
  let found: Answer['simulate']['calls'] | undefined;
  for (let round = 0; round < rounds; round++) {
    const isOver = new AbortController();
    const start = performance.now();
    const simulating = send<Answer>(subject, SIMULATE, { changes }).finally(() => {
      isOver.abort();
    });
    const [{ simulate, seconds }, wait, own] = await Promise.all([
      simulating.then((answer) => ({ ...answer, seconds: (performance.now() - start) / 1000 })),
      longestWrite(subject, isOver.signal),
      writeOfPlan(subject, first, round),
    ]);
    samples.push({ seconds, wait, own });
    found = simulate.calls;
  }
  process.stderr.write(`${plan} done\n`);
  return {
    plan,
    seconds: Number(median(samples, 'seconds').toFixed(2)),
    'longest wait ms': Math.round(Math.max(...samples.map(({ wait }) => wait))),
    'of the plan ms': Math.round(Math.max(...samples.map(({ own }) => own))),
    'peak MB': Math.round((await subject.server.peak()) / 1e6),
    examined: found?.examined ?? 0,
    effects: JSON.stringify({ ...found?.counts, out: found?.waysOutCount, lost: found?.lostWaysCount }),
  };
}

interface Update {
  readonly update?: Readonly<Record<string, unknown>>;
}

interface Answer {
  readonly simulate: {
    readonly calls: {
      readonly examined: number;
      readonly counts: Readonly<Record<string, number>>;
      readonly waysOutCount: number;
      readonly lostWaysCount: number;
    };
  };
}

/** Writes one resource again and again until the signal. Returns the milliseconds of the slowest write. */
async function longestWrite(subject: Subject, signal: AbortSignal): Promise<number> {
  let longest = 0;
  for (let turn = 0; !signal.aborted; turn++) {
    const start = performance.now();
    await send(subject, WRITE, { input: { name: `Another ${String(turn)}` } });
    longest = Math.max(longest, performance.now() - start);
    await pause(PAUSE);
  }
  return longest;
}

/** Writes a resource of the plan once while it is simulated. Returns the milliseconds that it takes. */
async function writeOfPlan(subject: Subject, { update = {} }: Update, round: number): Promise<number> {
  await pause(LOCKED);
  const [kind = ''] = Object.keys(update).filter((name) => name !== 'ref');
  const start = performance.now();
  await send(subject, APPLY, {
    change: { update: { ref: update['ref'], [kind]: { note: `Round ${String(round)}` } } },
  });
  return performance.now() - start;
}

async function send<T>({ server, token }: Subject, query: string, variables: object): Promise<T> {
  const response = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await response.json()) as { readonly data: T; readonly errors?: unknown }; // GraphQL over HTTP
  if (errors) throw new Error(JSON.stringify(errors));
  return data;
}

/** Fills the tables: agents in domains, numbers that lead to them at 1,000 gateways, and routes through some of the numbers. */
async function fill(database: BenchDatabase, numbers: number): Promise<void> {
  const times = { created_on: String(CREATED_ON), modified_on: String(CREATED_ON) };
  const [user, host] = [`CONCAT('user', ${oneOf(AGENTS)})`, `CONCAT('domain', ${oneOf(DOMAINS)}, '.sip.local')`];
  const tel = (start: string): string => `CONCAT('${start}', ${padded('n')})`;
  await insertAll(database, 'domains', DOMAINS, (index) => domain(index));
  await insertAll(database, 'gateways', GATEWAYS, (index) => gateway(index));
  await insertSome(database, 'agents', AGENTS, {
    ...{ id: 'n', ref: `CONCAT('ag', n)`, ...times, name: `CONCAT('Agent ', n)`, username: user, secret: `'secret'` },
  });
  await insertSome(database, 'agent_domains', AGENTS, {
    ...{ agent_id: 'n', domain_id: oneOf(DOMAINS), position: '0', username: user },
  });
  const aor = { aor_user: user, aor_host: host, aor_link: `CONCAT('sip:', ${user}, '@', ${host})` };
  await insertSome(database, 'numbers', numbers, {
    ...{ id: 'n', ref: `CONCAT('dd', ${padded('n')})`, ...times, kind: `'DID'`, gateway_id: oneOf(GATEWAYS) },
    ...{ tel_url: tel('tel:+1404'), tel_digits: tel('1404'), digits_key: tel('111404'), ...aor },
  });
  // Numbers that are shown in calls that leave.
  await insertSome(database, 'numbers', GATEWAYS, {
    ...{ id: `n + ${String(numbers)}`, ref: `CONCAT('nu', n)`, ...times, kind: `'Number'`, gateway_id: 'n' },
    ...{ tel_url: tel('tel:+1405'), tel_digits: tel('1405'), digits_key: tel('111405'), ...aor },
  });
  await insertAll(database, 'routes', ROUTES, (index) => ({
    ...{ id: index, ref: `rt${String(index)}`, created_on: CREATED_ON, modified_on: CREATED_ON, name: 'A route' },
    ...{ domain_id: (index % DOMAINS) + 1, prefix: `+${String(Math.floor(index / DOMAINS))}` },
  }));
  await insertAll(database, 'route_numbers', ROUTES, (index) => ({
    ...{ route_id: index, number_id: numbers + ((index - 1) % GATEWAYS) + 1, position: 0 },
  }));
  await insertAll(database, 'peers', 1, () => ({
    ...{ ref: 'other', created_on: CREATED_ON, modified_on: CREATED_ON },
    ...{ name: 'Another', username: 'other', secret: 'secret' },
  }));
  await database.analyse(['agents', 'agent_domains', 'numbers']);
}

/** Inserts rows with the numbers `n` from 1. The columns are SQL. */
async function insertSome(
  database: BenchDatabase,
  table: string,
  count: number,
  columns: Readonly<Record<string, string>>,
): Promise<void> {
  const digit = `(SELECT 0 AS d${Array.from({ length: 9 }, (_, one) => ` UNION ALL SELECT ${String(one + 1)}`).join('')})`;
  const places = Array.from({ length: String(count - 1).length }, (_, place) => `t${String(place)}`);
  const sum = places.map((place, power) => `${String(10 ** power)} * ${place}.d`).join(' + ');
  const rows = `SELECT 1 + ${sum} AS n FROM ${places.map((place) => `${digit} ${place}`).join(' CROSS JOIN ')}`;
  await database.run(
    `INSERT INTO ${table} (${Object.keys(columns).join(', ')})
     SELECT ${Object.values(columns).join(', ')} FROM (${rows}) q WHERE n <= ${String(count)} ORDER BY n`,
  );
}

const padded = (number: string): string => `SUBSTR(CONCAT('0000000', ${number}), -7)`;
const oneOf = (count: number): string => `(((n - 1) % ${String(count)}) + 1)`;
