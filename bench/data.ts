import type { BenchDatabase } from './databases';

const GATEWAYS = 100;
const DIDS = 10_000;
const BATCH = 500;
const CREATED_ON = Date.UTC(2026, 0, 1);

/** Describes the contents of the tables. */
export const contents = `${DIDS.toLocaleString('en')} DIDs and as many Numbers on ${GATEWAYS} Gateways`;

/** The ref of the DID with this index, from 1. */
export function didRef(index: number): string {
  return `dd${index.toString(16).padStart(8, '0')}`;
}

/** Fills a migrated, empty database with DIDs and Numbers alternately, distributed evenly over the gateways. */
export async function fill(database: BenchDatabase): Promise<void> {
  const gateways = range(GATEWAYS).map((index) => gateway(index));
  await insert(database, 'gateways', gateways);
  // In an empty database, the row id of a gateway is its index.
  const numbers = range(DIDS).flatMap((index) => [number('DID', index), number('Number', index)]);
  for (let from = 0; from < numbers.length; from += BATCH) {
    await insert(database, 'numbers', numbers.slice(from, from + BATCH));
  }
  await database.analyse(['gateways', 'numbers']);
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

async function insertAll(
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

type Columns = Readonly<Record<string, string | number | null>>;

function gateway(index: number): Columns {
  const [host, username] = [`sip${index}.provider.net`, `trunk${index}`];
  return {
    id: index,
    ref: `gw${String(index).padStart(6, '0')}`,
    created_on: CREATED_ON + index,
    modified_on: CREATED_ON + index,
    extra: null,
    name: `Provider ${index}`,
    host,
    username,
    secret: `secret-${index}`,
    transport: 'udp',
    port: index % 2 === 0 ? 5060 : null,
    expires: index % 3 === 0 ? 3600 : null,
    send_register: index % 3 === 0 ? 1 : null,
    registries: index % 5 === 0 ? JSON.stringify([`registrar${index}.provider.net:5061`]) : null,
    identity: `${host}|${index % 2 === 0 ? '5060' : ''}|${username}`,
  };
}

function number(kind: 'DID' | 'Number', index: number, gateways = GATEWAYS): Columns {
  const digits = `${kind === 'DID' ? '1404' : '1405'}${String(index).padStart(7, '0')}`;
  const user = String(1000 + (index % 500));
  const placed = index % 2 === 0;
  return {
    ref: kind === 'DID' ? didRef(index) : `nu${index.toString(16).padStart(8, '0')}`,
    created_on: CREATED_ON + index,
    modified_on: CREATED_ON + index,
    extra: null,
    kind,
    gateway_id: ((index - 1) % gateways) + 1,
    geo_info_city: placed ? 'Columbus, GA' : null,
    geo_info_country: placed ? 'USA' : null,
    geo_info_country_isocode: placed ? 'US' : null,
    tel_url: `tel:+${digits}`,
    aor_link: `sip:${user}@sip.local`,
    tel_digits: digits,
    aor_user: user,
    aor_host: 'sip.local',
  };
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
