import { createConnection, type ResultSetHeader } from 'mysql2/promise';

import { openSqlite } from '../../../src/database/sqlite/better-sqlite3';

/** Runs a statement without the application, as a SIP server or an operator would. Returns the rows as arrays. */
export async function runSql(
  url: string,
  text: string,
  values: readonly (string | number | null)[] = [],
): Promise<readonly (readonly unknown[])[]> {
  if (url.startsWith('sqlite:')) {
    const connection = openSqlite(url.slice('sqlite:'.length));
    // The application registers this function. SQLite explains a statement only if its functions exist.
    connection.function('regexp', { varargs: true }, () => null);
    try {
      const statement = connection.prepare(text);
      if (!statement.reader) {
        statement.run(...values);
        return [];
      }
      return statement.raw().all(...values) as unknown[][]; // `raw` gives arrays
    } finally {
      connection.close();
    }
  }
  const connection = await createConnection(url);
  try {
    const [rows] = await connection.query({ sql: text, rowsAsArray: true, values: [...values] });
    return Array.isArray(rows) ? (rows as unknown[][]) : []; // `rowsAsArray` makes it so
  } finally {
    await connection.end();
  }
}

/** Takes the next numbers of changes, as the sequencer does meanwhile, too. Returns the first of them. */
async function takeChangeNumbers(url: string, count: number): Promise<number> {
  if (url.startsWith('sqlite:')) {
    const [[last] = []] = await runSql(url, 'UPDATE change_head SET last = last + ? RETURNING last', [count]);
    return Number(last) - count + 1;
  }
  const connection = await createConnection(url);
  try {
    const update = 'UPDATE change_head SET last = LAST_INSERT_ID(last + ?)';
    const [{ insertId: last }] = await connection.query<ResultSetHeader>(update, [count]);
    return last - count + 1;
  } finally {
    await connection.end();
  }
}

/** Adds changes, as SQL for their kind, ref and event. */
export async function insertChanges(url: string, changes: readonly string[]): Promise<void> {
  const first = await takeChangeNumbers(url, changes.length);
  const rows = changes.map((each, n) => `(${first + n}, ${Date.now()}, ${each})`);
  for (let at = 0; at < rows.length; at += 1000)
    await runSql(url, `INSERT INTO changes (id, at, kind, ref, did) VALUES ${rows.slice(at, at + 1000).join(', ')}`);
}

/** Creates a binding as Kamailio's usrloc would. */
export async function registerContact(
  url: string,
  binding: {
    readonly username: string;
    readonly domain: string | null;
    readonly contact: string;
    readonly secondsLeft?: number;
    readonly asked?: number;
    readonly received?: string;
    readonly socket?: string;
    readonly q?: number;
  },
): Promise<void> {
  const { username, domain, contact, secondsLeft = 300, asked = 600, received = null, socket = null, q = 1 } = binding;
  const expires = Math.floor(Date.now() / 1000) + secondsLeft;
  await runSql(
    url,
    `INSERT INTO location (ruid, username, domain, contact, received, socket, expires, last_modified, q, user_agent)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'Phone/1.0')`,
    [`${contact}-${Math.random()}`, username, domain, contact, received, socket, expires, expires - asked, q],
  );
}

/** Stores the registration of a gateway, as the SIP server does when the provider grants it. */
export async function registerGateway(
  url: string,
  ref: string,
  registration: {
    readonly secondsAgo?: number;
    readonly secondsLeft?: number;
    readonly host?: string;
    readonly ip?: string;
  } = {},
): Promise<void> {
  const { secondsAgo = 0, secondsLeft = 300, host = 'sip.provider.net', ip = '198.51.100.7' } = registration;
  const now = Date.now();
  await runSql(
    url,
    `INSERT INTO gateway_registrations (gw_ref, username, host, ip, port, transport, expires, registered_on, expires_at)
     VALUES (?, 'trunk', ?, ?, 5060, 'udp', 600, ?, ?)`,
    [ref, host, ip, now - secondsAgo * 1000, now + secondsLeft * 1000],
  );
}

/** What the SIP server found when it checked the host of a gateway. Times are milliseconds since the epoch. */
export interface Measured {
  readonly state?: 'UP' | 'DOWN' | 'UNKNOWN';
  readonly host: string;
  readonly port?: number;
  readonly transport?: string;
  readonly since?: number;
  readonly checkedOn?: number;
  readonly secondsLeft?: number;
}

/** Stores the health of a gateway, as the SIP server does. */
export async function measureGateway(url: string, ref: string, measured: Measured): Promise<void> {
  await measure(url, 'gateway_health', ref, measured);
}

async function measure(url: string, table: string, ref: string, measured: Measured): Promise<void> {
  const { state = 'UP', host, port = 0, transport = 'udp', secondsLeft = 120 } = measured;
  const { since = Date.now(), checkedOn = Date.now() } = measured;
  const isUp = state === 'UP';
  // In one statement, as the SIP server writes it: between two, the health would be unknown.
  await runSql(
    url,
    `REPLACE INTO ${table} (gw_ref, host, port, transport, state, since, checked_on, answered_on, round_trip,
       last_status, misses, answers, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      ...[ref, host, port, transport, state, since, checkedOn, isUp ? checkedOn : null],
      ...[isUp ? 23 : null, isUp ? 404 : null, isUp ? 0 : 3, isUp ? 2 : 0, Date.now() + secondsLeft * 1000],
    ],
  );
}

/** Stores the health of a destination of a gateway, as the SIP server does. */
export async function measureDestination(url: string, ref: string, measured: Measured): Promise<void> {
  await measure(url, 'destination_health', ref, measured);
}

/** A call as the SIP server records it. Times are milliseconds since the epoch; the rest is null unless given. */
export interface StoredCall {
  readonly callId?: string;
  readonly fromTag?: string;
  readonly node?: string;
  /** 1 CALLING, 2 RINGING, 3 ANSWERED, 4 LOST, 5 FAILED, 6 ENDED. */
  readonly state?: number;
  readonly begun?: number;
  readonly [column: string]: string | number | null;
}

/** Stores a call as the SIP server does. Further members are columns of the table. Returns its row id. */
export async function storeCall(url: string, call: StoredCall = {}): Promise<number> {
  const { callId = `call-${Math.random()}`, fromTag = 't', node = '127.0.0.1:5060', state = 6, ...columns } = call;
  const row = { call_id: callId, from_tag: fromTag, dialog: '1.1', node, begun: Date.now(), state, ...columns };
  const names = Object.keys(row);
  const marks = names.map(() => '?').join(', ');
  await runSql(url, `INSERT INTO calls (${names.join(', ')}) VALUES (${marks})`, Object.values(row));
  const [[rowId] = []] = await runSql(url, 'SELECT MAX(id) FROM calls WHERE call_id = ?', [callId]);
  return Number(rowId);
}

/** A transition of a registration as the SIP server records it. The rest is null unless given. */
export interface StoredEvent {
  readonly event?: string;
  /** Milliseconds since the epoch. */
  readonly at?: number;
  /** Such as `1001@one.test`. */
  readonly of?: string;
  readonly [column: string]: string | number | null | undefined;
}

/** Stores a transition as the SIP server does. Further members are columns of the table. */
export async function storeRegistrationEvent(url: string, { of, ...given }: StoredEvent): Promise<void> {
  const [username = null, domain = null] = of?.split('@') ?? [];
  const event = { event: 'REGISTERED', at: Date.now(), username, domain, node: '127.0.0.1:5060', ...given };
  const names = Object.keys(event);
  const marks = names.map(() => '?').join(', ');
  const values = Object.values(event).map((value) => value ?? null);
  await runSql(url, `INSERT INTO registration_events (${names.join(', ')}) VALUES (${marks})`, values);
}

/** Stores that a node of the SIP server records transitions since a time, in milliseconds since the epoch. */
export async function storeRegistrar(url: string, since: number, node = '127.0.0.1:5060'): Promise<void> {
  await runSql(
    url,
    `INSERT INTO registration_nodes (node, since, seen_on, registered, moved, unregistered, expired, refused, lost, unrecorded)
     VALUES (?, ?, ?, 5, 4, 3, 2, 1, 7, 6)`,
    [node, since, Date.now()],
  );
}

/** Moves all entries of the history back in time, so that what was created by them existed earlier. */
export async function ageHistory(url: string, milliseconds: number): Promise<void> {
  // In the order in which entries move, so that none is left out.
  for (const table of ['unnumbered_entries', 'changes'])
    await runSql(url, `UPDATE ${table} SET at = at - ?`, [milliseconds]);
}
