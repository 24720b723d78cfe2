import { eventually } from '../support/eventually';
import { runSql } from '../support/databases/sql';
import type { Entry } from './ledger';
import type { Heard, Subscriber } from './subscriber';

/** What a run has left behind. */
export interface Outcome {
  /** The URLs of the database on all servers. The first one is that of a server which accepts writes. */
  readonly databases: readonly string[];
  /** What is known of each number, by ref. */
  readonly entries: ReadonlyMap<string, Entry>;
  readonly subscribers: readonly Subscriber[];
  /** The position in the changes after which the subscribers began. */
  readonly cursor: string;
}

/**
 * Fails unless the database contains what was acknowledged, created once, and each subscriber heard each change of the
 * history once and in order.
 */
export async function expectLedger({ databases, entries, subscribers, cursor }: Outcome): Promise<void> {
  await eventually(20, async () => {
    for (const rows of await onAll(databases, 'SELECT COUNT(*) FROM unnumbered_entries')) expect(rows).toEqual([[0]]);
  });
  const [first = ''] = databases;
  const history = await runSql(
    first,
    `SELECT id, did, kind, ref FROM changes
     WHERE kind NOT IN ('Contact', 'Registration', 'User', 'ApiToken', 'SigningKey') ORDER BY id`,
  );
  const after = numberIn(cursor);
  const expected = history.filter(([id]) => Number(id) > after).map((row) => row.join(' '));
  for (const { heard, wrong } of subscribers) {
    await eventually(20, () => expect(heard).toHaveLength(expected.length));
    expect(heard.map(textOf)).toEqual(expected);
    expect(wrong).toEqual([]);
  }
  const numbers = await runSql(first, 'SELECT ref, aor_link FROM numbers');
  const stored = new Map(numbers.map(([ref, aor]) => [String(ref), String(aor)]));
  const lost = [...entries].filter(([ref, states]) => !states.has(stored.get(ref) ?? 'absent'));
  expect(lost).toEqual([]);
  const created = history.filter(([, event, kind]) => event === 'CREATED' && kind === 'Number');
  expect(new Set(created.map(([, , , ref]) => ref)).size).toBe(created.length);
}

/** Fails unless all servers soon have the same rows. Nobody may write meanwhile. */
export async function expectEqual(databases: readonly string[]): Promise<void> {
  const [first = ''] = databases;
  const tables = await runSql(first, 'SHOW TABLES');
  await eventually(20, async () => {
    for (const [table] of tables) {
      const [rows, ...others] = await onAll(databases, `SELECT * FROM ${String(table)} ORDER BY 1, 2`);
      for (const other of others) expect([table, other]).toEqual([table, rows]);
    }
  });
}

/** The rows of a statement on each server. */
function onAll(databases: readonly string[], text: string): Promise<readonly (readonly (readonly unknown[])[])[]> {
  return Promise.all(databases.map((database) => runSql(database, text)));
}

/** The number of the change in a cursor. */
function numberIn(cursor: string): number {
  return Number(Buffer.from(cursor, 'base64url').toString().split(':')[1]);
}

function textOf({ cursor, event, kind, ref }: Heard): string {
  return [numberIn(cursor), event, kind, ref].join(' ');
}
