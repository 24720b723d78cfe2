import type { Database } from '../database/database';
import { groupBy, pad, places, type Row, type Sql, type Transaction } from '../database/sql';
import type { Viewer } from './role';

const DAY = 86_400_000;
/** Milliseconds between writes of what was counted. */
const INTERVAL = 10_000;
/** Maximum number of pairs of a caller and an element that are counted between two writes. */
const MAX_COUNTED = 10_000;
/** Maximum length of the name of an element, in characters. */
const MAX_NAME = 200;
/** The uses that are written in one transaction. */
const PART = 100;

/** How often an API token, or a user without one, has used a deprecated element of the graph. */
export interface DeprecatedUse {
  /** The element, such as `Gateway.host`. */
  readonly field: string;
  readonly count: number;
  /** The start of the last day in UTC, in milliseconds since the epoch. */
  readonly lastUsedOn: number;
}

interface Counted {
  readonly isToken: boolean;
  /** The ref of the API token, or of the user. */
  readonly ref: string;
  readonly field: string;
  count: number;
}

/**
 * Counts uses of deprecated elements, and stores them every few seconds without delaying a request. A caller has at most
 * one row for each deprecated element of the schema.
 */
export class DeprecatedUses {
  private counted = new Map<string, Counted>();
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();
  private writtenAt = -Infinity;

  constructor(
    private readonly database: Database,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  /** Counts one use of each of the elements. */
  note({ ref: userRef, apiToken }: Viewer, fields: readonly string[]): void {
    const ref = apiToken?.ref ?? userRef;
    for (const field of fields)
      this.add({ isToken: apiToken !== undefined, ref, field: field.slice(0, MAX_NAME), count: 1 });
    if (this.counted.size === 0 || this.timer) return;
    const wait = Math.max(0, this.writtenAt + INTERVAL - performance.now());
    this.timer = setTimeout(() => void this.write(), wait).unref();
  }

  /** Writes what is not written yet. */
  async close(): Promise<void> {
    clearTimeout(this.timer);
    await this.write();
  }

  private add(use: Counted): void {
    const key = `${use.ref} ${use.field}`;
    const known = this.counted.get(key);
    if (known) known.count += use.count;
    else if (this.counted.size < MAX_COUNTED) this.counted.set(key, use);
  }

  private write(): Promise<void> {
    return (this.writing = this.writing.then(() => this.writeCounted()));
  }

  private async writeCounted(): Promise<void> {
    this.timer = undefined;
    this.writtenAt = performance.now();
    if (this.counted.size === 0) return;
    const uses = [...this.counted.values()];
    this.counted = new Map();
    const today = Date.now() - (Date.now() % DAY);
    let written = 0;
    try {
      // In the same order in all processes, so that they do not wait for each other's rows.
      uses.sort((one, other) => (`${one.ref} ${one.field}` < `${other.ref} ${other.field}` ? -1 : 1));
      for (; written < uses.length; written += PART) {
        const part = uses.slice(written, written + PART);
        await this.database.maintenance.transaction(async (transaction) => {
          for (const use of part) await store(transaction, use, today);
        });
      }
    } catch (error) {
      this.onFailure(error);
      // They are written with the next ones.
      for (const use of uses.slice(written)) this.add(use);
    }
  }
}

const ADD = 'UPDATE deprecated_uses SET uses = uses + ?, used_on = ? WHERE subject = ? AND field = ?';

async function store(transaction: Transaction, { isToken, ref, field, count }: Counted, today: number): Promise<void> {
  const add = [count, today, ref, field] as const;
  if ((await transaction.run(ADD, add)).rows > 0) return;
  const insert = isToken
    ? 'INSERT INTO deprecated_uses (subject, field, uses, used_on, token_id) SELECT ?, ?, ?, ?, id FROM api_tokens WHERE ref = ?'
    : 'INSERT INTO deprecated_uses (subject, field, uses, used_on, user_id) SELECT ?, ?, ?, ?, id FROM users WHERE ref = ?';
  // Without a savepoint, which maintenance transactions do not support in group replication. If another process has
  // inserted the row meanwhile, the part is rolled back, and written with the next uses.
  await transaction.run(insert, [ref, field, count, today, ref]);
}

/** The uses by API tokens or users, by their refs, each in the order of the elements' names. */
export async function deprecatedUsesOf(
  sql: Sql,
  subjects: readonly string[],
): Promise<ReadonlyMap<string, readonly DeprecatedUse[]>> {
  if (subjects.length === 0) return new Map();
  const refs = pad(subjects, '');
  const rows = await sql.rows(
    `SELECT subject, field, uses, used_on FROM deprecated_uses WHERE subject IN (${places(refs.length)}) ORDER BY subject, field`,
    refs,
  );
  return new Map([...groupBy(rows, ([ref]) => String(ref))].map(([ref, group]) => [ref, group.map(toUse)]));
}

function toUse([, field, count, lastUsedOn]: Row): DeprecatedUse {
  return { field: String(field), count: Number(count), lastUsedOn: Number(lastUsedOn) };
}
