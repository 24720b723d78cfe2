import { setTimeout as pause } from 'node:timers/promises';

import { boundedCache } from '../../limits/bounded-cache';
import { endOfTurn } from '../../limits/event-loop';
import { places, type KeyedRead, type Reads, type Maintenance } from '../sql';
import { MAX_LAG, type Beat, type Replica } from './replica';

// Milliseconds between checks, and between the marks that show how far replicas are behind.
const INTERVAL = 1000;
// Milliseconds for which a mark is not written again.
const REUSED = 5000;
// Milliseconds that a write may end after the time limit of its request, rather more.
const LATE = 5000;
// The maximum number of users whose marks are remembered.
const MAX_MARKED = 10_000;
// The maximum number of marks in one statement.
const MAX_MARKS = 64;

const NOW = 'UNIX_TIMESTAMP() * 1000';
const BEAT = `SELECT ${NOW}, (SELECT marked_on FROM replica_marks WHERE name = '')`;
const WRITTEN_SET = { mariadb: '@@gtid_binlog_pos', mysql: '@@gtid_executed' } as const;

/** The primary, as replicas need it. */
interface Primary {
  readonly maintenance: Maintenance;
  readonly rowByKey: Reads['rowByKey'];
}

/**
 * The replicas that serve reads. A user who has written recently reads from a replica only once it has what the user
 * wrote, through any process: writes leave a mark in the database, and with it, a reader finds the GTID set of the
 * primary that a replica must have reached.
 */
export class Replicas {
  private readonly marked = boundedCache<string, number>(MAX_MARKED);
  private readonly recent: KeyedRead;
  /** Milliseconds for which the reads of a user who has written need the GTID set of the primary. */
  private readonly recency: number;
  private toMark = new Set<string>();
  private marking: Promise<void> | undefined;
  private isClosed = false;
  /** What to add to the monotonic clock for the time of the primary's clock. */
  private offset = Date.now() - performance.now();

  constructor(
    readonly all: readonly Replica[],
    product: 'mysql' | 'mariadb',
    private readonly primary: Primary,
    /** In milliseconds. */
    requestTimeout: number,
  ) {
    // The mark is written before the write, which a replica may receive late.
    this.recency = REUSED + requestTimeout + LATE + MAX_LAG * 1000;
    this.recent = {
      text: `SELECT name, marked_on > ${NOW} - ${String(this.recency)}, ${WRITTEN_SET[product]}
        FROM replica_marks WHERE name IN (?)`,
      values: [],
      keyColumn: 0,
    };
    void this.watch();
  }

  /** The consistency token of everything that was written until now: the time of the primary's clock. */
  get consistencyToken(): string {
    return this.now.toFixed();
  }

  /**
   * The replica for the reads of a user; undefined if none can be used, or none has what the user wrote, and what was
   * written before `consistencyToken`. A token that is not the time of an earlier write counts as a recent one.
   */
  async replicaFor(user: string, consistencyToken?: string): Promise<Replica | undefined> {
    const usable = this.all.filter(({ lag }) => lag !== undefined);
    // A user reads from one replica while it works: another one may be further behind.
    const replica = usable[hashOf(user) % usable.length];
    if (!replica) return undefined;
    const isRecent = consistencyToken !== undefined && !(Number(consistencyToken) < this.now - this.recency);
    // Any row of the marks has the GTID set of the primary, also the one that is written every second.
    const row = await this.primary.rowByKey(this.recent, isRecent ? '' : user);
    if (!isRecent && (!row || Number(row[1]) === 0)) return replica;
    const reached = String(row?.[2] ?? '');
    return reached !== '' && (await replica.hasReached(reached)) ? replica : undefined;
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

  private get now(): number {
    return performance.now() + this.offset;
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
    const [row] = await this.primary.maintenance.rows(BEAT, []);
    const beat = { now: Number(row?.[0]), mark: Number(row?.[1] ?? 0) };
    this.offset = beat.now - performance.now();
    if (beat.now - beat.mark >= INTERVAL) await this.write(['']);
    return beat;
  }

  private async write(names: readonly string[]): Promise<void> {
    const now = performance.now();
    for (let start = 0; start < names.length; start += MAX_MARKS) {
      const some = names.slice(start, start + MAX_MARKS);
      const rows = some.map(() => `(${places(1)}, ${NOW})`).join(', ');
      await this.primary.maintenance.transaction((transaction) =>
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
