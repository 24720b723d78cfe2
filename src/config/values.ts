import { z } from 'zod';

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };
const MAX_PAUSE = 300_000; // milliseconds
const MAX_SECONDS = 3650 * 86_400;

/** A setting that `read` converts from text. `read` throws an Error that says what is wrong. */
export function setting<T>(read: (text: string) => T) {
  return z.string().transform((text, context) => {
    try {
      return read(text);
    } catch (error) {
      context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) });
      return z.NEVER;
    }
  });
}

/** Any text. */
export function text() {
  return setting((value) => value);
}

/** A whole number in decimal digits, from `min` to `max`. */
export function whole(min: number, max: number) {
  return setting((value) => {
    const number = /^\d+$/.test(value) ? Number(value) : NaN;
    if (number >= min && number <= max) return number;
    throw new Error(`"${value}" is not a whole number from ${String(min)} to ${String(max)}`);
  });
}

/** A decimal number from 0 to 1. */
export function share() {
  return setting((value) => {
    if (/^(?:0|1|[01]?\.\d{1,9})$/.test(value) && Number(value) <= 1) return Number(value);
    throw new Error(`"${value}" is not a number from 0 to 1, such as 0.01`);
  });
}

/** One of the given words. */
export function oneOf<const T extends readonly string[]>(...values: T) {
  return setting((value): T[number] => {
    if (values.includes(value)) return value;
    throw new Error(`"${value}" is not one of ${values.join(', ')}`);
  });
}

/** `on` or `off`, as a boolean. */
export function onOff() {
  return oneOf('on', 'off').transform((value) => value === 'on');
}

/** `true` or `false`, as a boolean. */
export function trueFalse() {
  return oneOf('true', 'false').transform((value) => value === 'true');
}

/** A duration such as `90s`, `30m`, `12h` or `7d`, in seconds; at most 3650 days. */
export function duration() {
  return setting((value) => {
    const [, amount = '', unit = ''] = /^([1-9]\d{0,8})([smhd])$/.exec(value) ?? [];
    const seconds = Number(amount) * (UNITS[unit] ?? NaN);
    if (seconds <= MAX_SECONDS) return seconds;
    throw new Error(`"${value}" is not a duration such as 90s, 30m, 12h or 7d (at most 3650d)`);
  });
}

/** A short time such as `5s`, `0.2s` or `200ms`, in milliseconds; at most 300 seconds. */
export function pause() {
  return setting((value) => {
    const [, amount = '', unit] = /^(\d{1,6}(?:\.\d{1,3})?)(ms|s)$/.exec(value) ?? [];
    const milliseconds = amount === '' ? NaN : Number(amount) * (unit === 's' ? 1000 : 1);
    if (milliseconds <= MAX_PAUSE) return milliseconds;
    throw new Error(`"${value}" is not a time such as 5s, 0.2s or 200ms (at most 300s)`);
  });
}
