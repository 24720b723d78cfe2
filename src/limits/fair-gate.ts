import { withoutStack } from '../errors';

/** The size of a gate. */
interface GateSize {
  /** The total weight inside. */
  readonly capacity: number;
  /** The most weight of one user inside. A heavier entry may enter alone. By default, half the capacity, rounded up. */
  readonly share?: number;
  /** The number of places in the queue. One user gets at most half of them. */
  readonly waiting: number;
}

/** The gate is full: the queue has no place, or the wait was too long. */
export class GateFullError extends Error {
  constructor(readonly reason: 'queue' | 'wait') {
    super(`The gate is full: ${reason}`);
  }
}

/** How a turn waits. */
export interface Wait {
  /** The longest wait, in milliseconds. */
  readonly milliseconds: number;
  readonly signal?: AbortSignal | undefined;
  /** Whether this continues what had its first turn: it is in front of the user's other turns. */
  readonly isFurther?: boolean;
}

interface Turn {
  readonly weight: number;
  /** When its wait ends, in milliseconds of the monotonic clock. */
  readonly deadline: number;
  readonly isFurther: boolean;
  readonly start: () => void;
  readonly refuse: (error: Error) => void;
}

/** The turns of a user that wait, the next one first. */
interface Lane {
  readonly turns: Turn[];
  /** A moving average of how long the user's turns take, in milliseconds. The latest turn counts one third. */
  took?: number;
}

/**
 * A semaphore with weights that is shared fairly: a free place goes to the waiting user who has the least inside. When
 * the queue is full, a new turn replaces the newest turn of the user with the most turns, unless that is the same user.
 * As soon as the pace of a user shows that turns cannot end in time, they are refused.
 */
export class FairGate {
  private inside = 0;
  private queued = 0;
  private readonly ofUser = new Map<string, number>();
  private readonly lanes = new Map<string, Lane>();
  private readonly share: number;

  constructor(private readonly size: GateSize) {
    this.share = size.share ?? Math.ceil(size.capacity / 2);
  }

  /** The weight inside. */
  get weight(): number {
    return this.inside;
  }

  /** The number of turns in the queue. */
  get waiting(): number {
    return this.queued;
  }

  /** Enters if that is possible without overtaking anyone, and returns whether it was. */
  tryEnter(user: string, weight = 1): boolean {
    const isNext = this.queued === 0 || !this.next();
    if (!isNext || !this.fits(weight) || !this.maySpend(user, weight)) return false;
    this.count(user, weight);
    return true;
  }

  /**
   * Waits for a place and enters. Throws GateFullError, and the reason of the signal if it is aborted meanwhile.
   */
  enter(user: string, weight: number, { milliseconds, signal, isFurther = false }: Wait): Promise<void> {
    const lane = this.lanes.get(user) ?? { turns: [] };
    const { turns } = lane;
    const deadline = performance.now() + milliseconds;
    const place = isFurther ? turns.filter((turn) => turn.isFurther).length : turns.length;
    const isFull = isFurther
      ? this.queued >= this.size.waiting && !this.makeRoom(0)
      : turns.length >= this.size.waiting / 2 ||
        this.endsAt(lane, place) > deadline ||
        (this.queued >= this.size.waiting && !this.makeRoom(turns.length + 1));
    if (isFull) return Promise.reject(withoutStack(() => new GateFullError('queue')));
    return new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
      };
      const turn: Turn = {
        weight,
        deadline,
        isFurther,
        start: () => {
          end();
          resolve();
        },
        refuse: (error) => {
          end();
          reject(error);
        },
      };
      const leave = (error: Error): void => {
        const waiting = this.lanes.get(user)?.turns ?? [];
        this.remove(user, waiting, waiting.indexOf(turn))?.refuse(error);
        // The turn may have been in the way of lighter ones.
        this.startAll();
      };
      const abort = (): void => leave(signal?.reason as Error); // the error of the permit
      const timer = setTimeout(() => leave(withoutStack(() => new GateFullError('wait'))), milliseconds);
      signal?.addEventListener('abort', abort);
      turns.splice(place, 0, turn);
      this.lanes.set(user, lane);
      this.queued++;
      this.startAll();
    });
  }

  /**
   * Leaves with the weight of the entry. `took` is how long it was inside, in milliseconds, where that tells a pace.
   */
  leave(user: string, weight = 1, took?: number): void {
    this.count(user, -weight);
    if (this.queued === 0) return;
    this.startAll();
    const lane = this.lanes.get(user);
    if (!lane || took === undefined) return;
    lane.took = lane.took === undefined ? took : (2 * lane.took + took) / 3;
    for (let place = 0, turn = lane.turns[0]; turn; turn = lane.turns[place]) {
      if (this.endsAt(lane, place) <= turn.deadline) place++;
      else this.remove(user, lane.turns, place)?.refuse(withoutStack(() => new GateFullError('queue')));
    }
  }

  /** When the turn at this place of the lane can be expected to end, at the earliest. */
  private endsAt({ took = 0 }: Lane, place: number): number {
    return performance.now() + (place * took) / this.share + took;
  }

  private startAll(): void {
    for (let user = this.next(); user !== undefined; user = this.next()) {
      const lane = this.lanes.get(user);
      const first = lane?.turns[0];
      if (!lane || !first || !this.fits(first.weight)) return;
      this.remove(user, lane.turns, 0);
      // Reinserting the lane moves it behind those of other users with as much inside.
      if (this.lanes.delete(user)) this.lanes.set(user, lane);
      this.count(user, first.weight);
      first.start();
    }
  }

  /** The waiting user whose turn is next, even if the turn must wait for others to leave. */
  private next(): string | undefined {
    let [found, least]: [string | undefined, number] = [undefined, Infinity];
    for (const [user, { turns }] of this.lanes) {
      const [first] = turns;
      const own = this.ofUser.get(user) ?? 0;
      if (first && own < least && this.maySpend(user, first.weight)) [found, least] = [user, own];
    }
    return found;
  }

  private fits(weight: number): boolean {
    return this.inside === 0 || this.inside + weight <= this.size.capacity;
  }

  private maySpend(user: string, weight: number): boolean {
    const own = this.ofUser.get(user);
    return own === undefined || own + weight <= this.share;
  }

  /**
   * Refuses the newest turn of the user with the most turns. Returns false if that user has at most `least` of them.
   */
  private makeRoom(least: number): boolean {
    let [user, longest]: [string, Turn[]] = ['', []];
    for (const [each, { turns }] of this.lanes) if (turns.length > longest.length) [user, longest] = [each, turns];
    if (longest.length <= least) return false;
    this.remove(user, longest, longest.length - 1)?.refuse(withoutStack(() => new GateFullError('queue')));
    return true;
  }

  private remove(user: string, turns: Turn[], index: number): Turn | undefined {
    const [turn] = index < 0 ? [] : turns.splice(index, 1);
    if (!turn) return undefined;
    this.queued--;
    if (turns.length === 0) this.lanes.delete(user);
    return turn;
  }

  private count(user: string, change: number): void {
    this.inside += change;
    const own = (this.ofUser.get(user) ?? 0) + change;
    if (own > 0) this.ofUser.set(user, own);
    else this.ofUser.delete(user);
  }
}
