import type { BenchDatabase } from './databases';
import { CREATED_ON, domain, DOMAINS, gateway, GATEWAYS, member, number, type Columns } from './rows';

export const DIDS = 10_000;
export const AGENTS = 1000;
const BATCH = 500;

/** Describes the contents of the tables. */
export const contents = `${DIDS.toLocaleString('en')} DIDs and as many Numbers on ${GATEWAYS.toLocaleString('en')} Gateways, ${AGENTS.toLocaleString('en')} Agents in ${DOMAINS} Domains`;

/** The row id of the DID with this index, in a database that `fill` filled: DIDs and Numbers alternate. */
export function didRow(index: number): number {
  return 2 * index - 1;
}

/** Fills a migrated, empty database with DIDs and Numbers alternately, distributed evenly over the gateways. */
export async function fill(database: BenchDatabase): Promise<void> {
  const gateways = range(GATEWAYS).map((index) => gateway(index));
  for (let from = 0; from < gateways.length; from += BATCH) {
    await insert(database, 'gateways', gateways.slice(from, from + BATCH));
  }
  const numbers = range(DIDS).flatMap((index) => [number('DID', index), number('Number', index)]);
  for (let from = 0; from < numbers.length; from += BATCH) {
    await insert(database, 'numbers', numbers.slice(from, from + BATCH));
  }
  await insert(
    database,
    'domains',
    range(DOMAINS).map((index) => domain(index)),
  );
  await fillAgents(database, AGENTS);
  // Each agent is in two domains, in this order.
  const members = range(AGENTS).flatMap((agent) => [member(agent, agent, 0), member(agent, agent + 1, 1)]);
  await insert(database, 'agent_domains', members);
  await database.analyse(['gateways', 'numbers', 'domains', 'agents', 'agent_domains']);
}

/** Inserts agents with distinct user names, without domains. */
export async function fillAgents(database: BenchDatabase, count: number): Promise<void> {
  await insertAll(database, 'agents', count, (index) => ({
    ref: `ag${index}`,
    created_on: CREATED_ON,
    modified_on: CREATED_ON,
    extra: null,
    name: `Agent ${index}`,
    username: `user${index}`,
    secret: 'secret',
    privacy: null,
    max_contacts: null,
  }));
}

/** Inserts DIDs, distributed evenly over this many gateways. */
export async function fillDids(database: BenchDatabase, count: number, gateways: number): Promise<void> {
  await insert(
    database,
    'gateways',
    range(gateways).map((index) => gateway(index)),
  );
  await insertAll(database, 'numbers', count, (index) => number('DID', index, gateways));
}

/** Inserts rows of a table in batches; the index is from 1. */
export async function insertAll(
  database: BenchDatabase,
  table: string,
  count: number,
  row: (index: number) => Columns,
): Promise<void> {
  for (let from = 0; from < count; from += BATCH) {
    const size = Math.min(BATCH, count - from);
    await insert(
      database,
      table,
      range(size).map((index) => row(from + index)),
    );
  }
  await database.analyse([table]);
}

async function insert(database: BenchDatabase, table: string, rows: readonly Columns[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  const places = `(${columns.map(() => '?').join(', ')})`;
  await database.run(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${rows.map(() => places).join(', ')}`,
    rows.flatMap((row) => Object.values(row)),
  );
}

function range(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}
