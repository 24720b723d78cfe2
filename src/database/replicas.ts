import { setTimeout as pause } from 'node:timers/promises';

import { LRUCache } from 'lru-cache';

import { endOfTurn } from './end-of-turn';
import type { Beat, Replica } from './replica';
import { places, type KeyedRead, type Reads, type Upkeep } from './sql';

// Milliseconds between checks, and between the marks that show how far replicas are behind.
const INTERVAL = 1000;
// Milliseconds for which the reads of a user who has written need the position of the primary. Longer than a mark is
// reused, a write takes, and a replica may be behind.
const RECENT = 30_000;
// Milliseconds for which a mark is not written again.
const REUSED = 5000;
// The maximum number of users whose marks are remembered.
const MAX_MARKED = 10_000;
// The maximum number of marks in one statement.
const MAX_MARKS = 64;

const NOW = 'UNIX_TIMESTAMP() * 1000';
const BEAT = `SELECT ${NOW}, (SELECT marked_on FROM replica_marks WHERE name = '')`;
const POSITION = { mariadb: '@@gtid_binlog_pos', mysql: '@@gtid_executed' } as const;

/** The primary, as replicas need it. */
interface Primary {
  readonly upkeep: Upkeep;
  readonly rowByKey: Reads['rowByKey'];
}

/**
 * The replicas that serve reads. A user who has written recently reads from a replica only once it has what the user
 * wrote, through any process: writes leave a mark in the database, and with it, a reader finds the position of the
 * primary that a replica must have reached.
 */
export class Replicas {
  private readonly marked = new LRUCache<string, number>({ max: MAX_MARKED });
  private readonly recent: KeyedRead;
  private toMark = new Set<string>();
  private marking: Promise<void> | undefined;
  private isClosed = false;

  constructor(
    readonly all: readonly Replica[],
    product: 'mysql' | 'mariadb',
    private readonly primary: Primary,
  ) {
    this.recent = {
      text: `SELECT name, marked_on > ${NOW} - ${String(RECENT)}, ${POSITION[product]}
        FROM replica_marks WHERE name IN (?)`,
      values: [],
      keyColumn: 0,
    };
    void this.watch();
  }

  /** The replica for the reads of a user; undefined if none can be used, or none has what the user wrote. */
  async replicaFor(user: string): Promise<Replica | undefined> {
    const usable = this.all.filter(({ lag }) => lag !== undefined);
    // A user reads from one replica while it works: another one may be further behind.
    const replica = usable[hashOf(user) % usable.length];
    if (!replica) return undefined;
    const row = await this.primary.rowByKey(this.recent, user);
    if (!row || Number(row[1]) === 0) return replica;
    const position = String(row[2] ?? '');
    return position !== '' && (await replica.hasReached(position)) ? replica : undefined;
  }

  /** Must be called before a user writes, or hears of a change: the user's later reads will see it. */
  async mark(user: string): Promise<void> {
    if ((this.marked.get(user) ?? -Infinity) > performance.now() - REUSED) return;
    this.toMark.add(user);
    await (this.marking ??= endOfTurn().then(() => {
      const users = [...this.toMark].sort();
      this.toMark = new Set();
      this.marking = undefined;
      return this.write(users);
    }));
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all(this.all.map((replica) => replica.close()));
  }

  private async watch(): Promise<void> {
    for (;;) {
      if (this.isClosed) return;
      const beat = await this.beat().catch(() => undefined);
      await Promise.all(this.all.map((replica) => replica.check(beat)));
      await pause(INTERVAL, undefined, { ref: false });
    }
  }

  /** Returns the mark that replicas should have by now, and writes the next one unless another process just did. */
  private async beat(): Promise<Beat> {
    const [row] = await this.primary.upkeep.rows(BEAT, []);
    const beat = { now: Number(row?.[0]), mark: Number(row?.[1] ?? 0) };
    if (beat.now - beat.mark >= INTERVAL) await this.write(['']);
    return beat;
  }

  private async write(names: readonly string[]): Promise<void> {
    const now = performance.now();
    for (let start = 0; start < names.length; start += MAX_MARKS) {
      const some = names.slice(start, start + MAX_MARKS);
      const rows = some.map(() => `(${places(1)}, ${NOW})`).join(', ');
      await this.primary.upkeep.transaction((transaction) =>
        transaction.run(
          `INSERT INTO replica_marks (name, marked_on) VALUES ${rows} ON DUPLICATE KEY UPDATE marked_on = ${NOW}`,
          some,
        ),
      );
      for (const name of some) this.marked.set(name, now);
    }
  }
}

/** Distributes users among replicas. */
function hashOf(text: string): number {
  let hash = 0;
  for (const character of text) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 2 ** 31;
  return hash;
}
