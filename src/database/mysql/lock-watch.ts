import { setTimeout } from 'node:timers/promises';

import { gaveWay } from '../errors';
import type { Row, Transaction } from '../sql';

// Milliseconds between two looks at the server.
const INTERVAL = 10;
// Needs no privilege, unlike the tables that say who waits for whom.
const WAITING = "SHOW GLOBAL STATUS LIKE 'Innodb_row_lock_current_waits'";
// Without the privilege PROCESS, a user sees its own sessions.
const RUNNING = `SELECT id, info FROM information_schema.processlist
  WHERE db = DATABASE() AND command IN ('Query', 'Execute') AND id <> CONNECTION_ID()`;

/** The locks of a session. */
interface Holder {
  readonly session: number;
  /** The smallest number of transactions on the server that were seen waiting: the others may wait for these locks. */
  fewest: number;
  /** The statements of other sessions that ran at the last look, while more than the fewest transactions waited. */
  suspects: ReadonlySet<string>;
  isInTheWay: boolean;
}

/**
 * Ends transactions that are rolled back anyway as soon as others wait for their locks. The server counts the transactions that wait,
 * but not for whom. So a transaction also ends if another one of this database runs a statement for 10 ms while anybody on the server
 * waits; it is then tried again.
 */
export class LockWatch {
  private readonly holders = new Set<Holder>();
  private isWatching = false;

  constructor(private readonly rows: (text: string) => Promise<readonly Row[]>) {}

  /**
   * Runs `work`, whose statements fail with the error of `gaveWay` once others wait for the locks of the transaction, until `undone`
   * has ended them.
   */
  async during<T>(session: number, transaction: Transaction, work: (within: Transaction) => Promise<T>): Promise<T> {
    const holder: Holder = { session, fewest: await this.waiting(), suspects: new Set(), isInTheWay: false };
    const assertFree = (): void => {
      if (holder.isInTheWay) throw gaveWay();
    };
    this.holders.add(holder);
    void this.watch();
    try {
      return await work({
        ...transaction,
        rows: async (...given) => {
          assertFree();
          return transaction.rows(...given);
        },
        run: async (...given) => {
          assertFree();
          return transaction.run(...given);
        },
        undone: async (step) => {
          const result = await transaction.undone(step);
          this.holders.delete(holder);
          holder.isInTheWay = false;
          return result;
        },
      });
    } finally {
      this.holders.delete(holder);
    }
  }

  private async watch(): Promise<void> {
    if (this.isWatching) return;
    this.isWatching = true;
    while (this.holders.size > 0) {
      await setTimeout(INTERVAL);
      // Of a server that cannot be reached, the transactions fail, too.
      await this.look().catch(() => undefined);
    }
    this.isWatching = false;
  }

  private async look(): Promise<void> {
    const waiting = await this.waiting();
    const sessions = [...this.holders].map(({ session }) => session);
    let running: ReadonlySet<string> | undefined;
    for (const holder of this.holders) {
      const { suspects } = holder;
      holder.fewest = Math.min(holder.fewest, waiting);
      holder.suspects = waiting > holder.fewest ? (running ??= await this.running(sessions)) : new Set();
      if ([...holder.suspects].some((each) => suspects.has(each))) holder.isInTheWay = true;
    }
  }

  /** How many transactions on the server wait for locks. */
  private async waiting(): Promise<number> {
    const [row] = await this.rows(WAITING);
    return Number(row?.[1] ?? 0);
  }

  /** The statements that run in this database, without those of some sessions. */
  private async running(except: readonly number[]): Promise<ReadonlySet<string>> {
    const rows = await this.rows(RUNNING);
    return new Set(
      rows.flatMap(([id, text]) => (except.includes(Number(id)) ? [] : [`${String(id)} ${String(text)}`])),
    );
  }
}
