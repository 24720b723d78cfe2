import { OverloadedError, withoutStack } from '../errors';
import { FairGate, GateFullError } from './fair-gate';
import { Ticket } from './ticket';

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
// Seconds. Random, so that refused clients do not return all at once.
const RETRY_AFTER = { min: 1, max: 3 };

/**
 * Admits requests of users, fairly and only as many as the process can carry. Further requests wait briefly, and are
 * then refused. Large requests need a second place, by their number of objects, so that they do not delay small ones and
 * their results fit into the memory.
 */
export class Admission {
  /** How many requests were refused, and how many exceeded the time limit. */
  readonly counts = { refused: 0, late: 0 };
  readonly requests: FairGate;
  readonly large: FairGate;
  /** Open tickets, in the order in which their time ends. */
  private readonly open = new Set<Ticket>();
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
  enter(user: string): Ticket | Promise<Ticket> {
    const ticket = new Ticket(this, user);
    const waiting = ticket.enter();
    return waiting ? waiting.then(() => ticket) : ticket;
  }

  /** Returns a ticket for a request that needs no place and has no time limit. */
  exempt(): Ticket {
    return new Ticket(this, '');
  }

  /** Watches the time limit of a ticket, from now. */
  watch(ticket: Ticket): void {
    ticket.end = performance.now() + this.settings.timeout;
    this.open.add(ticket);
  }

  forget(ticket: Ticket): void {
    this.open.delete(ticket);
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
    for (const ticket of this.open) {
      if (ticket.end > now) return;
      if (ticket.expire()) this.counts.late++;
    }
  }
}
