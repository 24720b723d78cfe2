import { integer } from './format/format';
import type { PropertyOptions } from './options';

const MAX_CALLS = 100_000;
const MAX_CALLS_PER_SECOND = 10_000;

/** Declares the limit of concurrent calls. `of` says which calls count. */
export function maxCalls(path: string, of: string): PropertyOptions {
  return {
    path,
    format: integer(1, MAX_CALLS),
    about: `Maximum number of concurrent calls ${of}, including ringing calls. Emergency calls are never refused.`,
  };
}

/** Declares the limit of new calls in each second. `of` says which calls count. */
export function maxCallsPerSecond(path: string, of: string): PropertyOptions {
  return {
    path,
    format: integer(1, MAX_CALLS_PER_SECOND),
    about: `Maximum number of new calls ${of} in each second. Emergency calls are never refused.`,
  };
}
