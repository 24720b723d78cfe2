import { randomBytes } from 'node:crypto';

import { createMariadb, mariadbMissing, type BenchDatabase } from '../databases';
import { median } from '../report';
import { startSipgraph, tokenOf } from '../servers';

/** Milliseconds of the database's CPU for a page or the counts of a day, and until a heavy read ends at the latest. */
const GOALS = { light: 250, ended: 9000 };
const DAY = 86_400_000;
const DAYS = 30;
const CHUNK = 500_000;
const ROUNDS = 5;

interface Query {
  readonly text: string;
  /** A heavy read may take longer, and may end with an error. */
  readonly isHeavy: boolean;
}

/** The queries, with the time of the last call. Each turn selects another `first`, so that no answer is shared. */
function queries(now: number): Readonly<Record<string, Query>> {
  const at = (days: number): string => new Date(now - days * DAY).toISOString();
  const day = `from: "${at(10)}", to: "${at(9)}"`;
  const page = (where: string, isHeavy = false): Query => ({
    text: `query ($first: Int!) { calls(first: $first, where: {${where}}) { nodes { id from to status begunOn } } }`,
    isHeavy,
  });
  const counts = (by: string, span: string, fields: string, isHeavy = false): Query => ({
    text: `query ($first: Int!) { callCounts(by: ${by}, first: $first, ${span}) { calls ${fields} } }`,
    isHeavy,
  });
  return {
    'the newest calls': page(''),
    'calls of a day': page(day),
    'calls of a gateway': page('gatewayRef: "gw7"'),
    'calls to a number': page('digits: "4930019999"'),
    'calls with a status': page('status: 486'),
    'a part of a frequent number': page('search: "4930"'),
    'a part of a rare number, in a day': page(`search: "9876543", ${day}`, true),
    'a part of no number, in all': page('search: "9999999999"', true),
    'counts of a day by hour': counts('HOUR', day, 'answered'),
    'counts of a day by gateway': counts('GATEWAY', day, 'answered'),
    'counts of a day by status': counts('STATUS', day, ''),
    'percentiles of a day by hour': counts('HOUR', day, 'postDialDelayP50 postDialDelayP95', true),
    'counts of a month by gateway': counts('GATEWAY', `from: "${at(DAYS)}", to: "${at(0)}"`, '', true),
  };
}

/** Measures what reads of this many calls of 30 days cost MariaDB. */
export async function benchmarkCalls(rows: number): Promise<void> {
  const missing = mariadbMissing();
  if (missing) {
    console.log(`\nMariaDB is skipped: ${missing}`);
    return;
  }
  const database = await createMariadb();
  const secret = randomBytes(16).toString('hex');
  try {
    const server = await startSipgraph({
      DATABASE_URL: database.url,
      JWT_SECRET: randomBytes(32).toString('hex'),
      ADMIN_SECRET: secret,
      CALLS_DAYS: String(2 * DAYS),
    });
    try {
      const token = await tokenOf(server, secret);
      const now = Date.now();
      await fill(database, rows, now);
      const table = [];
      for (const [name, { text, isHeavy }] of Object.entries(queries(now))) {
        const turns = [];
        let error = '';
        for (let turn = 0; turn < ROUNDS; turn++) {
          const before = await database.cpu();
          const begun = Date.now();
          const response = await fetch(`${server.url}/graphql`, {
            method: 'POST',
            headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
            body: JSON.stringify({ query: text, variables: { first: 30 - turn } }),
          });
          const { errors } = (await response.json()) as { readonly errors?: readonly { readonly message: string }[] };
          const cpu = ((await database.cpu()) - before) / 1000;
          turns.push({ cpu, time: Date.now() - begun });
          error ||= errors?.[0]?.message ?? '';
        }
        const [cpu, time] = [median(turns, 'cpu'), median(turns, 'time')];
        const isMet = isHeavy ? time <= GOALS.ended : cpu <= GOALS.light && error === '';
        if (!isMet) process.exitCode = 1;
        table.push({
          read: name,
          'CPU ms': Math.round(cpu),
          'time ms': Math.round(time),
          error,
          goal: isMet ? '' : 'missed',
        });
      }
      console.log(
        `\n${rows.toLocaleString('en')} calls of ${String(DAYS)} days on MariaDB; CPU time of the database; medians of ${String(ROUNDS)}\n`,
      );
      console.table(table);
    } finally {
      await server.stop();
    }
  } finally {
    await database.drop();
  }
}

/** Inserts the calls without indexes, and then creates these again. */
async function fill(database: BenchDatabase, rows: number, now: number): Promise<void> {
  const indexes = await database.rows(
    `SELECT index_name AS name, MAX(non_unique) AS repeats, GROUP_CONCAT(column_name ORDER BY seq_in_index) AS columns
     FROM information_schema.statistics
     WHERE table_schema = DATABASE() AND table_name = 'calls' AND index_name <> 'PRIMARY' GROUP BY index_name`,
  );
  await database.run(`ALTER TABLE calls ${indexes.map(({ name }) => `DROP INDEX ${String(name)}`).join(', ')}`);
  for (let done = 0; done < rows; done += CHUNK) {
    process.stderr.write(`MariaDB: ${String(done)} calls\n`);
    await database.run(
      `INSERT INTO calls (call_id, from_tag, dialog, node, begun, state, direction, from_uri, to_uri, called, caller, callee,
         number, source, gateway_ref, ringing, answered, ended, ended_by, status, reason)
       SELECT CONCAT(seq, '-', MD5(seq)), CONCAT('t', seq), CONCAT(seq % 997, '.', seq), 'node', begun, IF(seq % 4 = 0, 5, 4),
         IF(seq % 3 = 0, 'OUT', 'IN'), CONCAT('sip:+1', 2000000000 + (seq * 7919) % 800000000, '@carrier', seq % 20, '.test'),
         CONCAT('sip:', called, '@office.test'), called, IF(seq % 3 = 0, agent, NULL), IF(seq % 3 = 0, NULL, agent),
         CONCAT('tel:+49', 30000000 + seq % 20000), '192.0.2.1', CONCAT('gw', seq % 300), begun + 800,
         IF(seq % 4 = 0, NULL, begun + 5000), begun + 5000 + (seq % 600) * 1000, IF(seq % 2, 'CALLER', 'CALLEE'),
         IF(seq % 4 = 0, ELT(1 + seq % 5, 486, 480, 404, 503, 487), 200), 'OK'
       FROM (SELECT seq, ? + FLOOR(seq * ?) AS begun, CONCAT('+49', 30000000 + (seq * 104729) % 20000000) AS called,
         CONCAT('agent:ag', seq % 5000) AS agent FROM seq_${String(done + 1)}_to_${String(Math.min(done + CHUNK, rows))}) AS calls`,
      [now - DAYS * DAY, (DAYS * DAY) / rows],
    );
  }
  for (const { name, repeats, columns } of indexes) {
    process.stderr.write(`MariaDB: index ${String(name)}\n`);
    const unique = Number(repeats) === 0 ? 'UNIQUE' : '';
    await database.run(`CREATE ${unique} INDEX ${String(name)} ON calls (${String(columns)})`);
  }
  await database.analyse(['calls']);
}
