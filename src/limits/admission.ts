import { setMaxListeners } from 'node:events';

import { OverloadedError, RequestTimeoutError, withoutStack } from '../errors';
import { afterOthers } from './event-loop';
import { FairGate, GateFullError } from './fair-gate';
import type { Span } from './tracer';

/** How many requests are processed at a time. */
export interface AdmissionSettings {
  /** Requests in progress. Ten times as many may wait. */
  readonly requests: number;
  /** Objects of large requests in progress. */
  readonly objects: number;
  /** Milliseconds after which a request is answered with 503. */
  readonly timeout: number;
}

/** A request that may return this many objects, or more, is large. */
export const LARGE = 1000;

const WAITING_PER_REQUEST = 10;
// Each has a parsed document and its variables.
const WAITING_LARGE = 100;
// Milliseconds between two searches for requests that are too late.
const SWEEP = 500;
// Milliseconds that a request may wait for places in total. Refusals should arrive within 500 ms.
const PATIENCE = 200;
// Milliseconds for which the place of a large request stays empty at most, so that other requests have their turn. Less
// than PATIENCE, so that a client may send one large request after the other.
const LONGEST_REST = 120;
// Seconds. Random, so that refused clients do not return all at once.
const RETRY_AFTER = { min: 1, max: 3 };

/**
 * Admits requests of users, fairly and only as many as the process can carry. Further requests wait briefly, and are
 * then refused. Large requests need a second place, by their number of objects, so that they do not delay small ones
 * and their results fit into the memory.
 */
export class Admission {
  /** How many requests were refused, and how many exceeded the time limit. */
  readonly counts = { refused: 0, late: 0 };
  readonly requests: FairGate;
  readonly large: FairGate;
  /** Open permits, in the order in which their time ends. */
  private readonly open = new Set<Permit>();
  private readonly sweeping: NodeJS.Timeout;

  constructor(private readonly settings: AdmissionSettings) {
    const { requests, objects } = settings;
    // Most requests are short, so a free place soon goes to another user. Few places need to be reserved for that.
    const reserved = Math.max(1, Math.floor(requests / 10));
    this.requests = new FairGate({
      capacity: requests,
      share: requests - reserved,
      waiting: requests * WAITING_PER_REQUEST,
    });
    this.large = new FairGate({ capacity: objects, waiting: WAITING_LARGE });
    this.sweeping = setInterval(() => this.sweep(), SWEEP).unref();
  }

  /** Admits a request. Throws OverloadedError. */
  enter(user: string): Permit | Promise<Permit> {
    const permit = new Permit(this, user);
    const waiting = permit.enter();
    return waiting ? waiting.then(() => permit) : permit;
  }

  /** Returns a permit for a request that needs no place and has no time limit. */
  exempt(): Permit {
    return new Permit(this, '');
  }

  /** Watches the time limit of a permit, from now. */
  watch(permit: Permit): void {
    permit.end = performance.now() + this.settings.timeout;
    this.open.add(permit);
  }

  forget(permit: Permit): void {
    this.open.delete(permit);
  }

  get seconds(): number {
    return this.settings.timeout / 1000;
  }

  /** Waits for a place. Returns undefined if there is one. Throws OverloadedError. */
  place(gate: FairGate, user: string, weight: number, patience: number): Promise<void> | undefined {
    if (gate.tryEnter(user, weight)) return undefined;
    return gate.enter(user, weight, { milliseconds: patience }).catch((error: unknown) => {
      if (!(error instanceof GateFullError)) throw error;
      this.counts.refused++;
      const { min, max } = RETRY_AFTER;
      throw withoutStack(() => new OverloadedError(min + Math.floor(Math.random() * (max - min + 1))));
    });
  }

  close(): void {
    clearInterval(this.sweeping);
  }

  private sweep(): void {
    const now = performance.now();
    for (const permit of this.open) {
      if (permit.end > now) return;
      if (permit.expire()) this.counts.late++;
    }
  }
}

/** The right of one request to be processed. */
export class Permit {
  /** When the time of the request ends, in milliseconds of the monotonic clock. Set by Admission. */
  end = 0;
  /** Undefined if the request is not traced. */
  span: Span | undefined;
  /** Closes the connection of a client that does not read its response. */
  cut: (() => void) | undefined;
  private place: 'none' | 'request' | 'large' = 'none';
  private weight = 1;
  private placed = 0;
  private patience = PATIENCE;
  private working = 0;
  private isClosed = false;
  private isLate = false;
  private isOver = false;
  private controller: AbortController | undefined;
  private giveUp: ((error: Error) => void) | undefined;

  constructor(
    private readonly admission: Admission,
    private readonly user: string,
  ) {}

  /** The error for further statements; undefined until the request is over. */
  get cancelledBy(): RequestTimeoutError | undefined {
    return this.isOver ? this.timeout() : undefined;
  }

  /** Aborted when the request is over: answered, late, or without a client. Created only for reads that need it. */
  get signal(): AbortSignal {
    if (!this.controller) {
      this.controller = new AbortController();
      // Each statement of a request that waits has one: the fields of an operation may have many at once.
      setMaxListeners(0, this.controller.signal);
    }
    if (this.isOver) this.controller.abort(this.timeout());
    return this.controller.signal;
  }

  /** How many other requests are in progress, without large ones. */
  get others(): number {
    return this.admission.requests.weight - (this.place === 'request' ? this.weight : 0);
  }

  /** Takes a place among the requests in progress. Returns undefined if it need not wait. Throws OverloadedError. */
  enter(): Promise<void> | undefined {
    this.admission.watch(this);
    return this.take('request', 1);
  }

  /** Takes a place again after `pause`; otherwise returns undefined. Throws OverloadedError. */
  resume(): Promise<void> | undefined {
    return this.place === 'none' && !this.isClosed ? this.take('request', 1) : undefined;
  }

  /** Exchanges the place for one among the large requests. Throws OverloadedError. */
  enlarge(objects: number): Promise<void> | undefined {
    this.pause();
    return this.take('large', objects);
  }

  /** Returns the result of the work, or throws RequestTimeoutError when the time of the request ends before. */
  within<T>(work: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.giveUp = reject;
      this.countWork(work).then(resolve, reject);
    });
  }

  /** Ends the request: its response was sent, or its client has gone. Its reads are cancelled. */
  close(): void {
    if (this.isClosed) return;
    this.detach();
    this.finish();
  }

  /** Ends the request, but not what it has started: a subscription goes on without a place and without a time limit. */
  detach(): void {
    this.isClosed = true;
    this.cut = undefined;
    this.admission.forget(this);
    if (this.working === 0) this.pause();
  }

  /** Ends the work of a request that is late, or else the connection. Returns whether there was work. */
  expire(): boolean {
    const { cut, giveUp, isLate } = this;
    this.admission.forget(this);
    this.admission.watch(this);
    // A response that was ready in time has the same time again to be read.
    this.isLate = true;
    if (isLate) {
      this.close();
      cut?.();
    }
    if (!giveUp) return false;
    this.giveUp = undefined;
    this.finish();
    giveUp(this.timeout());
    return true;
  }

  private finish(): void {
    this.isOver = true;
    this.controller?.abort(this.timeout());
  }

  private timeout(): RequestTimeoutError {
    return new RequestTimeoutError(this.admission.seconds);
  }

  private async countWork<T>(work: () => Promise<T>): Promise<T> {
    this.working++;
    try {
      return await work();
    } finally {
      this.working--;
      this.giveUp = undefined;
      if (this.isClosed && this.working === 0) this.pause();
    }
  }

  private take(place: 'request' | 'large', weight: number): Promise<void> | undefined {
    const gate = place === 'request' ? this.admission.requests : this.admission.large;
    const waiting = this.admission.place(gate, this.user, weight, this.patience);
    if (waiting) return this.wait(waiting, place, weight);
    this.sit(place, weight);
    return undefined;
  }

  private async wait(waiting: Promise<void>, place: 'request' | 'large', weight: number): Promise<void> {
    const startedAt = performance.now();
    try {
      await waiting;
    } catch (error) {
      this.close();
      throw error;
    }
    this.patience = Math.max(0, this.patience - (performance.now() - startedAt));
    this.sit(place, weight);
    // The client has gone while the request waited.
    if (this.isClosed) this.pause();
  }

  private sit(place: 'request' | 'large', weight: number): void {
    [this.place, this.weight] = [place, weight];
    if (place === 'large') this.placed = performance.now();
  }

  /** Gives the place back: at the end, and while the client sends the body, which may take long. */
  pause(): void {
    const { admission, user, place, weight } = this;
    this.place = 'none';
    if (place === 'request') admission.requests.leave(user, weight);
    if (place === 'large') {
      const took = performance.now() - this.placed;
      afterOthers(Math.min(took, LONGEST_REST), () => admission.large.leave(user, weight));
    }
  }
}
