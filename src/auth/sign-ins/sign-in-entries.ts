import type { Actor, Channel } from '../../changes/actor';
import { storeChanges, type NewChange } from '../../changes/outbox';
import type { Database } from '../../database/database';
import type { Origin } from '../security-events';
import { USER_KIND, type Account } from '../user-store';

// Milliseconds between looks for repeated sign-ins, and between two entries on the same user, address and way.
const INTERVAL = 1000;
const WINDOW = 60_000;
const MAX_KEYS = 10_000;

/** Sign-ins that are counted together. */
interface Counted {
  change: NewChange;
  count: number;
  /** When the next entry may be written, in milliseconds of the monotonic clock. */
  due: number;
}

/** Where a sign-in came from. */
export interface SignInOrigin extends Origin {
  readonly channel: Channel;
  /** The User-Agent header. It is stored with the session, and in no entry. */
  readonly userAgent?: string | undefined;
}

/**
 * Writes sign-ins to the history, at most one entry a minute for the same user, address and way, with their number.
 * Failed ones are counted for each user and way, and together for names without a user; attempts from several addresses
 * are stored without one. Sign-ins do not wait for their entry; entries that cannot be written are written later.
 */
export class SignInEntries {
  private readonly counted = new Map<string, Counted>();
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  noteSuccess(
    { ref, username }: Pick<Account, 'ref' | 'username'>,
    { channel, address, requestId }: SignInOrigin,
  ): void {
    const actor: Actor = { channel, username, userRef: ref, address, requestId };
    this.add(`in ${ref} ${channel} ${address}`, { kind: USER_KIND, ref, event: 'SIGNED_IN', actor });
  }

  /** `ref` is undefined if no user has the name. */
  noteFailure(ref: string | undefined, { channel, address }: SignInOrigin): void {
    const actor: Actor = { channel, username: '', address };
    this.add(`failed ${ref ?? ''} ${channel}`, { kind: USER_KIND, ref: ref ?? '', event: 'SIGN_IN_FAILED', actor });
  }

  /** Writes what is not written yet. */
  async close(): Promise<void> {
    clearTimeout(this.timer);
    await this.write(true);
  }

  private add(key: string, change: NewChange): void {
    const known = this.counted.get(key);
    if (known) {
      if (known.count === 0) known.change = change;
      else if (known.change.actor?.address !== change.actor?.address) known.change = fromSeveral(change);
      known.count++;
      return; // the timer runs
    }
    if (this.counted.size >= MAX_KEYS) return;
    this.counted.set(key, { change, count: 1, due: 0 });
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.write(false), 0).unref();
  }

  private write(isLast: boolean): Promise<void> {
    this.timer = undefined;
    return (this.writing = this.writing.then(() => this.writeDue(isLast)));
  }

  private async writeDue(isLast: boolean): Promise<void> {
    const now = performance.now();
    const due = [...this.counted].filter(([, each]) => isLast || each.due <= now);
    const told = due.map(([, each]) => ({ each, count: each.count })).filter(({ count }) => count > 0);
    for (const [key, { count }] of due) if (count === 0) this.counted.delete(key);
    try {
      const changes = told.map(({ each, count }) => ({ ...each.change, details: { count } }));
      if (changes.length > 0)
        await this.database.maintenance.transaction((transaction) =>
          storeChanges({ ...transaction, isSerial: this.database.isSerial }, changes),
        );
      for (const { each, count } of told) {
        each.count -= count;
        each.due = now + WINDOW;
      }
    } catch (error) {
      this.onFailure(error);
      for (const { each } of told) each.due = now + WINDOW;
    }
    if (this.counted.size > 0) this.timer ??= setTimeout(() => void this.write(false), INTERVAL).unref();
  }
}

/** A change that stands for attempts from several addresses. */
function fromSeveral({ actor, ...change }: NewChange): NewChange {
  return actor === undefined ? change : { ...change, actor: { channel: actor.channel, username: actor.username } };
}
