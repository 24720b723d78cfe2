import type { Cancellable, OwnTransaction } from '../../database/sql';
import { InvalidInputError } from '../../errors';
import { endOfTurn, LongWork } from '../../limits/event-loop';

// Milliseconds for which a dry run may hold locks.
const MAX_LOCKED = 3000;
// Milliseconds that a simulation may take for which not all other writers wait.
const MAX_SIMULATING = 10_000;

/** Whose time is limited. */
interface Limited {
  /** The argument of the request. */
  readonly field?: string;
  /** Whether it may take longer if only writers of the same resources wait for it, or nobody. */
  readonly isSimulation?: boolean;
}

/**
 * Returns a function to call between the parts of a transaction that begins now: it processes other requests, because
 * SQLite's statements block the process. For a dry run that holds locks, `advice` says what to do if it takes too long:
 * then it throws InvalidInputError. A command has no request and no limit.
 */
export function limitPace(
  { isSerial, isAside = false }: Pick<OwnTransaction, 'isSerial' | 'isAside'>,
  request: Cancellable | undefined,
  advice?: string,
  { field = 'dryRun', isSimulation = false }: Limited = {},
): () => Promise<void> {
  const started = performance.now();
  const work = isSimulation ? new LongWork(request) : undefined;
  const most = isAside || (isSimulation && !isSerial) ? MAX_SIMULATING : MAX_LOCKED;
  return async () => {
    await endOfTurn();
    await work?.pause();
    if (request && advice && performance.now() - started > most) throw tooLong(field, most, advice);
  };
}

function tooLong(field: string, most: number, advice: string): InvalidInputError {
  return InvalidInputError.of(field, `locked resources for longer than ${String(most / 1000)} s; ${advice}`);
}
