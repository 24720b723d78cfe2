import { randomBytes } from 'node:crypto';

import { cases } from '../cases';
import { fill } from '../data';
import { createMariadb, createSqlite, mariadbMissing, type BenchDatabase } from '../databases';
import { CONNECTIONS, load, type Sample } from '../load';
import { median } from '../report';
import { startSipgraph, tokenOf, type BenchServer } from '../servers';

type Figures = Pick<Sample, 'cpu' | 'rate'>;

const ROUNDS = 7;
const CREATES = 1000;

/**
 * Measures creates of one kind by 16 clients of one process, and by 16 clients of each of two processes on one
 * database.
 */
export async function benchmarkContention(databases: readonly string[]): Promise<void> {
  const rows: object[] = [];
  for (const name of databases) {
    const missing = name === 'mariadb' ? mariadbMissing() : undefined;
    if (missing) console.log(`\nMariaDB is skipped: ${missing}`);
    else rows.push(...(await measureOn(name === 'mariadb' ? createMariadb : createSqlite)));
  }
  console.log('\nCreates of one kind at the same time, medians; CPU time of server and database\n');
  console.table(rows);
}

async function measureOn(create: () => Promise<BenchDatabase>): Promise<readonly object[]> {
  const database = await create();
  const servers: BenchServer[] = [];
  try {
    const secret = randomBytes(16).toString('hex');
    const environment = {
      DATABASE_URL: database.url,
      JWT_SECRET: randomBytes(32).toString('hex'),
      ADMIN_SECRET: secret,
    };
    const first = await startSipgraph(environment);
    servers.push(first);
    await fill(database);
    const token = await tokenOf(first, secret);
    servers.push(await startSipgraph(environment));
    const rows: object[] = [];
    for (const test of cases.filter(({ creates }) => creates)) {
      const [one, two]: [Figures[], Figures[]] = [[], []];
      // The first round is a warm-up.
      for (let round = 0; round <= ROUNDS; round++) {
        for (const [count, samples] of [
          [1, one],
          [2, two],
        ] as const) {
          const before = await database.cpu();
          const taken = await Promise.all(servers.slice(0, count).map((server) => load(server, test, token, CREATES)));
          const created = Math.ceil(CREATES / CONNECTIONS) * CONNECTIONS * count;
          const cpu =
            taken.reduce((sum, sample) => sum + sample.cpu, 0) / count + ((await database.cpu()) - before) / created;
          const rate = taken.reduce((sum, sample) => sum + sample.rate, 0);
          if (round > 0) samples.push({ cpu, rate });
        }
      }
      rows.push({
        database: database.name,
        case: `${test.id} ${test.title}`,
        'creates/s, 1 process': Math.round(median(one, 'rate')),
        'creates/s, 2 processes': Math.round(median(two, 'rate')),
        'CPU µs, 1 process': Math.round(median(one, 'cpu')),
        'CPU µs, 2 processes': Math.round(median(two, 'cpu')),
      });
    }
    return rows;
  } finally {
    for (const server of servers) await server.stop();
    await database.drop();
  }
}
