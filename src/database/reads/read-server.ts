import { BusyError, TooSlowError } from '../../errors';
import { FairGate, GateFullError } from '../../limits/fair-gate';
import { READ_TIMEOUT, type ReadDriver } from '../driver';
import { toDomainError } from '../errors';
import type { Reader, Row, SqlValue } from '../sql';
import { SharedReads } from './shared-reads';

// The maximum number of heavy reads in the queue.
const WAITING = 256;

/** How a server is read. */
export interface ReadServerOptions {
  readonly driver: ReadDriver;
  /** The number of heavy reads that run at a time. */
  readonly heavyReads: number;
  /** Whether to combine reads that differ only in their values. */
  readonly combines: boolean;
  /** Has the data epoch of the server (see `Reads.dataEpoch`). */
  readonly source: { readonly dataEpoch: object };
}

/**
 * A server that serves reads: the primary or a replica. Reads share statements. Heavy reads wait in a queue, and run a
 * few at a time, shared fairly among callers.
 */
export class ReadServer {
  readonly shared: SharedReads;
  readonly gate: FairGate;
  /** The signals of requests that had a turn. Their further reads go first, or what they read would be for nothing. */
  private readonly begun = new WeakSet<AbortSignal>();

  constructor(private readonly options: ReadServerOptions) {
    const { driver, combines, heavyReads } = options;
    this.shared = new SharedReads(driver.rows, combines);
    this.gate = new FairGate({ capacity: heavyReads, waiting: WAITING });
  }

  get dataEpoch(): object {
    return this.options.source.dataEpoch;
  }

  /**
   * Runs a heavy read (see `Reads.heavy`). Throws BusyError if the queue is full or too long for the pace of the
   * caller's reads, TooSlowError if the time limit ends in the queue, and the reason of the request's signal if it is
   * aborted.
   */
  async heavy({ id, charge, request }: Reader, text: string, values: readonly SqlValue[]): Promise<readonly Row[]> {
    charge?.();
    const end = performance.now() + READ_TIMEOUT;
    await this.enter(id, request?.signal);
    const start = performance.now();
    let took: number | undefined;
    try {
      const rows = await this.options.driver.heavy(text, values, Math.max(end - start, 1), request);
      took = performance.now() - start;
      return rows;
    } catch (error) {
      throw toDomainError(error);
    } finally {
      // One that was cancelled says nothing about the pace.
      this.gate.leave(id, 1, took);
    }
  }

  /**
   * Runs a heavy read for the service itself if no caller waits and a place stays free for the next one. Otherwise
   * returns undefined.
   */
  async spare(text: string, values: readonly SqlValue[]): Promise<readonly Row[] | undefined> {
    const { gate } = this;
    if (gate.waiting > 0 || gate.weight + 1 >= this.options.heavyReads || !gate.tryEnter('')) return undefined;
    try {
      return await this.options.driver.heavy(text, values, READ_TIMEOUT);
    } catch (error) {
      throw toDomainError(error);
    } finally {
      gate.leave('');
    }
  }

  private async enter(caller: string, signal?: AbortSignal): Promise<void> {
    const isFurther = signal !== undefined && this.begun.has(signal);
    try {
      await this.gate.enter(caller, 1, { milliseconds: READ_TIMEOUT, signal, isFurther });
    } catch (error) {
      if (!(error instanceof GateFullError)) throw error;
      throw error.reason === 'queue' ? new BusyError() : new TooSlowError();
    }
    if (signal) this.begun.add(signal);
  }
}
