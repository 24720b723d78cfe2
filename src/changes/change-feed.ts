import type { Logger } from 'pino';

import type { Database } from '../database/database';
import type { Change } from './change';
import type { ChangeLog } from './change-log';
import { Listener, type Listening } from './listener';
import type { LiveWatch } from './live-watch';

// Milliseconds: how soon a change of another process is seen; this one's own are at once.
const INTERVAL = 300;
const TIDY_INTERVAL = 10 * 60_000;
const AT_ONCE = 1000;

/** Tells all listeners of this process what changes, with one reader of the outbox for all of them. */
export class ChangeFeed {
  private readonly listeners = new Map<Listener, Listening>();
  private readonly tidying: NodeJS.Timeout;
  private tidied: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  /** The change up to which all were told; undefined while nobody listens. */
  private position: number | undefined;
  private starting: Promise<number> | undefined;
  private reading: Promise<void> | undefined;
  private looking: Promise<void> | undefined;
  private again = false;
  /** What cannot be read now: an outage is told once, not each time that it is noticed. */
  private readonly away = new Set<'outbox' | 'live tables'>();
  private closed = false;

  constructor(
    database: Database,
    private readonly log: ChangeLog,
    private readonly watch: LiveWatch,
    private readonly logger: Logger,
  ) {
    database.onCommit(() => {
      if (this.position !== undefined) this.readSoon(0);
    });
    const tidy = (): void => {
      this.tidied = this.tidy().catch((error: unknown) => this.complain(error));
    };
    tidy();
    this.tidying = setInterval(tidy, TIDY_INTERVAL).unref();
  }

  /** How many listen now. */
  get size(): number {
    return this.listeners.size;
  }

  /** Where the changes stand now: a listener that goes on from here misses nothing of what comes. */
  async now(): Promise<number> {
    await this.watch.look();
    return this.log.last();
  }

  /** Begins to listen; throws InvalidInputError where what was missed is not there any more. */
  async listen(listening: Listening): Promise<Listener> {
    if (listening.since !== undefined) await this.log.assertComplete('since', listening.since);
    if (listening.live) {
      await this.watch.look();
      if (listening.since !== undefined) await this.watch.assertComplete('since', listening.since);
    }
    const position = this.position ?? (await (this.starting ??= this.start()));
    // From here on without a pause: what is told after this position is pushed, what came before is read.
    const upTo = this.position ?? position;
    const after = listening.since ?? upTo;
    // Another replica's cursor may be ahead of what was read here.
    const wanted = (change: Change): boolean => change.id > after && listening.wanted(change);
    const listener = new Listener(this.log, { ...listening, wanted }, { after, upTo }, (left) => this.leave(left));
    if (this.closed) await listener.return();
    else if (!listener.over) {
      this.listeners.set(listener, listening);
      // The last one may have left meanwhile, and reading stopped.
      if (this.position === undefined) {
        this.position = upTo;
        this.readSoon(0);
      }
    }
    return listener;
  }

  async close(): Promise<void> {
    this.closed = true;
    clearInterval(this.tidying);
    for (const listener of [...this.listeners.keys()]) await listener.return();
    await Promise.all([this.reading, this.looking, this.tidied]);
  }

  /** Looks, too, so that a subscriber can go on from a cursor of a time when nobody listened. */
  private async tidy(): Promise<void> {
    await this.watch.look();
    await this.log.trim();
  }

  private async start(): Promise<number> {
    try {
      this.position = await this.log.last();
      this.readSoon(INTERVAL);
      return this.position;
    } finally {
      this.starting = undefined;
    }
  }

  private leave(listener: Listener): void {
    this.listeners.delete(listener);
    if (this.listeners.size > 0) return;
    this.position = undefined;
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private readSoon(milliseconds: number): void {
    if (this.reading) {
      this.again ||= milliseconds === 0;
      return;
    }
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.turn(), milliseconds).unref();
  }

  private async turn(): Promise<void> {
    this.reading = this.trying('outbox', this.read());
    await this.reading;
    this.reading = undefined;
    const soon = this.again ? 0 : INTERVAL;
    this.again = false;
    if (this.position !== undefined) this.readSoon(soon);
  }

  /** Beside the reading: whoever locks the SIP server's tables keeps nobody from hearing of resources. */
  private look(): void {
    this.looking ??= this.trying('live tables', this.watch.look()).finally(() => (this.looking = undefined));
  }

  private async trying(what: 'outbox' | 'live tables', work: Promise<void>): Promise<void> {
    try {
      await work;
      this.away.delete(what);
    } catch (error) {
      if (!this.away.has(what)) this.complain(error);
      this.away.add(what);
    }
  }

  private async read(): Promise<void> {
    const now = Date.now();
    for (const listener of [...this.listeners.keys()]) listener.endIfStalled(now);
    if ([...this.listeners.values()].some(({ live }) => live)) this.look();
    for (;;) {
      if (this.position === undefined) return;
      const changes = await this.log.between(this.position, Number.MAX_SAFE_INTEGER, AT_ONCE);
      for (const change of changes) this.tell(change);
      if (changes.length < AT_ONCE) return;
    }
  }

  private tell(change: Change): void {
    // Nobody listens any more, or began to after this was told.
    if (this.position === undefined || change.id <= this.position) return;
    this.position = change.id;
    for (const listener of [...this.listeners.keys()]) listener.push(change);
  }

  /** Nothing is lost while the database is away: reading goes on from where it stopped. */
  private complain(error: unknown): void {
    if (!this.closed) this.logger.warn({ err: error }, 'changes cannot be read');
  }
}
