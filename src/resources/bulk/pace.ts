import type { Cancellable } from '../../database/sql';
import { InvalidInputError } from '../../errors';
import { endOfTurn } from '../../limits/event-loop';

// Milliseconds for which a dry run may hold locks.
const MAX_LOCKED = 3000;

/**
 * Returns a function to call between the parts of a transaction that begins now: it processes other requests, because
 * SQLite's statements block the process. For a dry run that holds locks, `advice` says what to do if it takes too long:
 * then it throws InvalidInputError. A command has no request and no limit.
 */
export function limitPace(request: Cancellable | undefined, advice?: string, field = 'dryRun'): () => Promise<void> {
  const started = performance.now();
  return async () => {
    await endOfTurn();
    if (request && advice && performance.now() - started > MAX_LOCKED) throw tooLong(field, advice);
  };
}

function tooLong(field: string, advice: string): InvalidInputError {
  const message = `locked resources for longer than ${String(MAX_LOCKED / 1000)} s; ${advice}`;
  return InvalidInputError.of(field, message);
}
