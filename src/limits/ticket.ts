import { RequestTimeoutError } from '../errors';
import type { Span } from './tracer';
import type { Admission } from './admission';
import { afterOthers } from './after-others';

/** Milliseconds that a request may wait for places in total. Refusals should arrive within 500 ms. */
const PATIENCE = 200;
// Milliseconds for which the place of a large request stays empty at most, so that other requests have their turn. Less
// than PATIENCE, so that a client may send one large request after the other.
const LONGEST_REST = 120;

/** The right of one request to be processed. */
export class Ticket {
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
  get over(): RequestTimeoutError | undefined {
    return this.isOver ? this.timeout() : undefined;
  }

  /** Aborted when the request is over: answered, late, or without a client. Created only for reads that need it. */
  get signal(): AbortSignal {
    this.controller ??= new AbortController();
    if (this.isOver) this.controller.abort(this.timeout());
    return this.controller.signal;
  }

  /** Takes a place among the requests in progress. Returns undefined if it need not wait. Throws OverloadedError. */
  enter(): Promise<void> | undefined {
    this.admission.watch(this);
    return this.take('request', 1);
  }

  /** Gives the place back while the client sends the body, which may take long. */
  pause(): void {
    this.giveBack();
  }

  /** Takes a place again after `pause`; otherwise returns undefined. Throws OverloadedError. */
  resume(): Promise<void> | undefined {
    return this.place === 'none' && !this.isClosed ? this.take('request', 1) : undefined;
  }

  /** Exchanges the place for one among the large requests. Throws OverloadedError. */
  enlarge(objects: number): Promise<void> | undefined {
    this.giveBack();
    return this.take('large', objects);
  }

  /** Returns the result of the work, or throws RequestTimeoutError when the time of the request ends before. */
  within<T>(work: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.giveUp = reject;
      this.finished(work).then(resolve, reject);
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
    if (this.working === 0) this.giveBack();
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

  private async finished<T>(work: () => Promise<T>): Promise<T> {
    this.working++;
    try {
      return await work();
    } finally {
      this.working--;
      this.giveUp = undefined;
      if (this.isClosed && this.working === 0) this.giveBack();
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
    const begun = performance.now();
    try {
      await waiting;
    } catch (error) {
      this.close();
      throw error;
    }
    this.patience = Math.max(0, this.patience - (performance.now() - begun));
    this.sit(place, weight);
    // The client has gone while the request waited.
    if (this.isClosed) this.giveBack();
  }

  private sit(place: 'request' | 'large', weight: number): void {
    [this.place, this.weight] = [place, weight];
    if (place === 'large') this.placed = performance.now();
  }

  private giveBack(): void {
    const { admission, user, place, weight } = this;
    this.place = 'none';
    if (place === 'request') admission.requests.leave(user, weight);
    if (place === 'large') {
      const took = performance.now() - this.placed;
      afterOthers(Math.min(took, LONGEST_REST), () => admission.large.leave(user, weight));
    }
  }
}
