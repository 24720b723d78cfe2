import { HASHED, hashOf, LIVE } from '../changes/chain';
import type { Database } from '../database/database';
import type { Row } from '../database/sql';

/** What is wrong with the history, as a sentence, and the number of the entry. */
interface Tampering {
  readonly entry: number;
  readonly message: string;
}

/** The result of a verification. */
interface Verification {
  /** How many entries were verified. */
  readonly entries: number;
  /**
   * The number and the hash of the last entry. An operator who keeps them can tell later that nothing was rewritten.
   */
  readonly last: number;
  readonly hash: string;
  /** When the history starts, if earlier entries were deleted: the time of the first entry that is left. */
  readonly since: string | undefined;
  readonly problems: readonly Tampering[];
}

const PAGE = 500;
// The maximum number of problems that are reported.
const MAX_PROBLEMS = 100;

/**
 * Recomputes the hashes of the history, from the last deleted entry on, and reports entries that were changed, removed
 * or inserted. Reads page by page. Entries without a hash yet are not covered.
 */
export async function verifyHistory(
  database: Database,
  expected?: { entry: number; hash: string },
): Promise<Verification> {
  for (;;) {
    const before = await headOf(database);
    const result = await verify(database, before, expected);
    // Entries that are deleted meanwhile look like removed ones.
    if ((await headOf(database)).trimmed === before.trimmed) return result;
  }
}

interface Head {
  readonly chained: number;
  readonly hash: string;
  readonly trimmed: number;
  readonly anchor: string;
  /** The time of the last deleted entry, in milliseconds since the epoch; 0 if there is none. */
  readonly trimmedAt: number;
  /** The number up to which changes of the live tables, and of a version without a history, were deleted. */
  readonly liveTrimmed: number;
  /** The last number that was given to a change. */
  readonly numbered: number;
}

async function headOf(database: Database): Promise<Head> {
  const [row] = await database.rows(
    `SELECT h.chained, h.hash, h.trimmed, h.anchor, h.trimmed_at, c.trimmed, c.last
     FROM history_head h, change_head c WHERE h.id = 1 AND c.id = 1`,
    [],
  );
  if (!row) throw new Error('The history has no head: restore history_head from a backup');
  const [chained, hash, trimmed, anchor, trimmedAt, liveTrimmed, numbered] = row;
  return {
    chained: Number(chained),
    hash: String(hash),
    trimmed: Number(trimmed),
    anchor: String(anchor),
    trimmedAt: Number(trimmedAt),
    liveTrimmed: Number(liveTrimmed),
    numbered: Number(numbered),
  };
}

async function verify(
  database: Database,
  head: Head,
  expected: { readonly entry: number; readonly hash: string } | undefined,
): Promise<Verification> {
  const problems: Tampering[] = [];
  const report = (entry: number, message: string): void => {
    if (problems.length < MAX_PROBLEMS) problems.push({ entry, message: `entry ${String(entry)} ${message}` });
  };
  for (const row of await strays(database, head)) report(Number(row[0]), 'was inserted');
  let [previous, last, entries] = [head.anchor, head.trimmed, 0];
  let isSeen = false;
  let first: number | undefined;
  for await (const { entry, hash, id } of pairs(database, head)) {
    if (hash === undefined) {
      report(id, 'was inserted: it has no hash');
      continue;
    }
    if (!entry) report(id, 'is missing');
    else if (hashOf(previous, entry) !== hash)
      report(id, 'was changed, or the hash of an entry before it was: it does not fit its hash');
    if (expected?.entry === id) {
      isSeen = true;
      if (expected.hash !== hash) report(id, 'has another hash than expected');
    }
    if (entry) first ??= Number(entry[1]);
    [previous, last] = [hash, id];
    entries++;
  }
  if (previous !== head.hash)
    report(last, 'is the last one, but the history ends with another hash: later ones are missing');
  if (expected && expected.entry <= head.trimmed) assertAnchor(head, expected, report);
  else if (expected && !isSeen)
    report(expected.entry, 'is expected and missing: it was removed, or a backup from before it was restored');
  // The hash of the first entry covers its time. Whoever deletes entries can set the head to any time.
  const since = head.trimmed > 0 ? new Date(first ?? head.trimmedAt).toISOString() : undefined;
  return { entries, last, hash: previous, since, problems };
}

/** Reports an expected entry that was deleted, unless it is the last deleted one, whose hash is kept. */
function assertAnchor(
  { trimmed, anchor }: Head,
  expected: { readonly entry: number; readonly hash: string },
  report: (entry: number, message: string) => void,
): void {
  if (expected.hash === anchor) return;
  if (expected.entry === trimmed) report(trimmed, 'has another hash than expected');
  else
    report(expected.entry, `was deleted, like all up to entry ${String(trimmed)} (HISTORY_DAYS): expect a later one`);
}

/** Entries with numbers that no entry can have: deleted ones, and those that were not given yet. */
function strays(database: Database, { trimmed, liveTrimmed, numbered }: Head): Promise<readonly Row[]> {
  // Those of a version without a history have none of these columns, and are deleted like changes of the live tables.
  const isStray = `who IS NOT NULL OR who_ref IS NOT NULL OR api_token IS NOT NULL OR address IS NOT NULL
    OR way IS NOT NULL OR request IS NOT NULL OR details IS NOT NULL OR (id <= ? AND kind NOT IN (${LIVE}))`;
  return database.rows(
    `SELECT id FROM changes WHERE id > ? AND kind NOT IN (${LIVE})
     UNION ALL SELECT * FROM (SELECT id FROM changes WHERE id <= ? AND (${isStray}) ORDER BY id LIMIT ?) early`,
    [numbered, trimmed, liveTrimmed, MAX_PROBLEMS],
  );
}

interface Pair {
  readonly id: number;
  readonly entry: Row | undefined;
  readonly hash: string | undefined;
}

/** The entries of the history that have a hash or should have one, in order. */
async function* pairs(database: Database, { trimmed, chained }: Head): AsyncGenerator<Pair, void, undefined> {
  for (let start = trimmed; start < chained;) {
    const rows = await database.rows(`SELECT ${HASHED} FROM changes WHERE id > ? AND id <= ? ORDER BY id LIMIT ?`, [
      start,
      chained,
      PAGE,
    ]);
    const end = rows.length < PAGE ? chained : Number(rows.at(-1)?.[0]);
    const found = await database.rows('SELECT id, hash FROM history_hashes WHERE id > ? AND id <= ?', [start, end]);
    const hashes = new Map(found.map(([id, hash]) => [Number(id), String(hash)]));
    const entries = new Map(
      rows
        .filter((row) => hashes.has(Number(row[0])) || !LIVE.includes(`'${String(row[2])}'`))
        .map((row) => [Number(row[0]), row]),
    );
    const ids = [...new Set([...entries.keys(), ...hashes.keys()])].sort((a, b) => a - b);
    for (const id of ids) yield { id, entry: entries.get(id), hash: hashes.get(id) };
    start = end;
  }
}
