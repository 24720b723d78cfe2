import { storeNoted } from '../../changes/outbox';
import type { Product } from '../../database/driver';
import type { OwnTransaction } from '../../database/sql';
import { ConflictError } from '../../errors';
import { FAILED, type Rehearser, type Simulation } from '../../sip/simulation/simulation';
import { watchedBy } from './figures';
import { extendPending, insertPending, type NewPending } from './pending-store';
import { Recorder } from './recorder';

/** What a confirmation depends on. */
export interface ConfirmationOptions {
  readonly product: Product;
  readonly simulation: Simulation;
  readonly row: Omit<NewPending, 'count' | 'watched' | 'scheduled'>;
  /** Whether the writes are a part of changes that wait already, with the id of the row. */
  readonly isPart: boolean;
  /** Throws LimitReachedError if too many sets of changes wait. */
  readonly assertRoom: (transaction: OwnTransaction) => Promise<void>;
}

/**
 * Makes what a service writes wait for a confirmation: the row that says so is written in the same transaction. `rehearse` rehearses the
 * writes, to know which numbers and gateways to watch, and makes them. It throws InvalidInputError if they could not be reverted, unless
 * they failed: what is wrong with them comes first.
 */
export function confirmation({ product, simulation, row, isPart, assertRoom }: ConfirmationOptions): Rehearser {
  const rehearse = async <T>(
    transaction: OwnTransaction,
    write: () => Promise<T>,
    pace: () => Promise<void>,
  ): Promise<T> => {
    const whole = async (): Promise<T> => {
      const written = await write();
      // What is undone must not be stored at the end.
      await storeNoted(transaction, 1);
      return written;
    };
    const recorder = new Recorder();
    const rehearsed = await recorder.rehearse(transaction, () => simulation.rehearse(transaction, whole, pace));
    if (Object.is(rehearsed, FAILED)) return rehearsed;
    recorder.assertRevertible();
    // Not before: the first read determines what the transaction sees.
    if (!isPart) await assertRoom(transaction);
    const watched = await watchedBy(transaction, simulation.last);
    const written = await recorder.rehearse(transaction, whole);
    if (Object.is(written, FAILED)) return written;
    // It may have seen what was committed meanwhile.
    recorder.assertRevertible();
    const { count } = recorder;
    if (count === 0) return written;
    if (!isPart) await insertPending(transaction, product, { ...row, count, watched });
    else if (!(await extendPending(transaction, product, { ...row, count, watched })))
      throw new ConflictError('partOf: the import does not wait for a confirmation any more', []);
    return written;
  };
  return { rehearse };
}
