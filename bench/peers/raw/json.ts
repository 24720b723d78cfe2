import type { Value } from '../database';

const QUOTE = 34;
const BACKSLASH = 92;
const DAY = 86_400_000;

/** A value of a text column as JSON. Most texts have nothing to escape. */
export function quoted(value: Value | undefined): string {
  const text = value as string; // the columns are NOT NULL
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    // Half a surrogate pair is escaped, too.
    if (code < 32 || code === QUOTE || code === BACKSLASH || (code >= 0xd800 && code <= 0xdfff)) {
      return JSON.stringify(text);
    }
  }
  return `"${text}"`;
}

/** A value of a text column that may be null as JSON. */
export function quotedOrNull(value: Value | undefined): string {
  return value === null ? 'null' : quoted(value);
}

let day = NaN;
let date = '';

/**
 * Milliseconds since the epoch as JSON, as `Date.toISOString` writes them. The date is remembered for the next call.
 */
export function timestamp(value: Value | undefined): string {
  const time = value as number; // the columns have times
  const days = Math.floor(time / DAY);
  if (days !== day) {
    day = days;
    date = new Date(time).toISOString().slice(0, 11);
  }
  const rest = time - days * DAY;
  const seconds = Math.floor(rest / 1000);
  const minutes = Math.floor(seconds / 60);
  const milliseconds = rest - seconds * 1000;
  const zeros = milliseconds < 10 ? '00' : milliseconds < 100 ? '0' : '';
  return `"${date}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}:${two(seconds % 60)}.${zeros}${milliseconds}Z"`;
}

function two(number: number): string {
  return number < 10 ? `0${number}` : `${number}`;
}
