import { minutesByPrefix } from './format/daily-minutes';
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

/** Declares the limit of minutes a day by prefix. `of` says which calls count. */
export function dailyMinutes(path: string, of: string): PropertyOptions {
  return {
    path,
    format: minutesByPrefix(),
    about: `Minutes a day (UTC) of answered calls ${of} to numbers that begin with a prefix, as \`+1900=60\`; at most 16. Every entry that matches the dialed number limits the call. Emergency calls are never refused.`,
  };
}
