import { isIP } from 'node:net';

import { z } from 'zod';

import { CONTROL } from '../spelling/invisible';
import { isCountry } from '../spelling/telephone';

/** The length of a user's secret in characters. */
export const SECRET_LENGTH = { min: 8, max: 100 } as const;

const HOST_PORT = /^(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:]+\]):\d{1,5}$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2,3}={0,2})?$/;
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

/** A secret on one line. No message contains the value. */
export const secretLine = setting((value) => {
  assertOneLine(value);
  return value;
});

/** Throws if a value has the line end of the file that it comes from, as one with the line ends of Windows. */
export function assertOneLine(value: string): void {
  if (value.search(CONTROL) >= 0) throw new Error('contains a line end or another control character');
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

/** The country whose rules apply to numbers without a country code. */
export const homeCountry = setting((value) => {
  if (isCountry(value)) return value;
  throw new Error(`"${value}" is not the code of a country (ISO 3166-1), such as DE or US`);
});

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

/** ADMIN_SECRET: text with the length of a user's secret. No message contains the value. */
export const adminSecret = setting((value) => {
  const { min, max } = SECRET_LENGTH;
  assertOneLine(value);
  if (value.length >= min && value.length <= max) return value;
  throw new Error(`must have ${String(min)} to ${String(max)} characters`);
});

/** A key for HS256. No message contains the value. */
export const jwtSecret = setting((value) => {
  if (Buffer.byteLength(value) >= 32) return value;
  throw new Error('is shorter than 32 bytes, the minimum for HS256 (RFC 7518, 3.2)');
});

/** A key in base64, decoded. No message contains the value. */
export const legacySalt = setting((value) => {
  if (!BASE64.test(value)) throw new Error('is not base64');
  const key = Buffer.from(value, 'base64');
  if (key.length < 16) throw new Error('is shorter than 16 bytes');
  return key;
});

const DATE = /^(\d{4}-\d\d-\d\d)(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d))?$/;

/**
 * Reads an ISO 8601 date in UTC, or a time with its zone, also as `date` and Python print it, in milliseconds since the epoch. NaN for
 * another text.
 */
export function timeOf(text: string): number {
  const [, day = ''] = DATE.exec(text) ?? [];
  const start = Date.parse(day);
  // `Date.parse` reads February 31 as a day of March.
  const isDay = !Number.isNaN(start) && new Date(start).toISOString().startsWith(day);
  return isDay ? Date.parse(text) : NaN;
}

/** An ISO 8601 date in UTC, or a time with its zone, in milliseconds since the epoch. */
export const date = setting((value) => {
  const time = timeOf(value);
  if (!Number.isNaN(time)) return time;
  throw new Error(`"${value}" is not a date such as 2027-01-31`);
});

/** A comma-separated list of web origins, or `*`. */
export const origins = setting((value) => {
  const list = value.split(',').flatMap((each) => each.trim() || []);
  const wrong = list.find((each) => each !== '*' && !(URL.canParse(each) && new URL(each).origin === each));
  if (wrong === undefined) return list;
  throw new Error(`"${wrong}" is not an origin such as https://app.example.org`);
});

/** `host:port`, with an IPv6 address in brackets. */
export const hostPort = setting((value) => {
  if (HOST_PORT.test(value)) return value;
  throw new Error(`"${value}" is not host:port`);
});

/** `host:port`, where the host is an IP address, in brackets if it is IPv6. */
export const numericHostPort = setting((value) => {
  const [, v6, v4, port] = /^(?:\[(.+)\]|([0-9.]+)):(\d{1,5})$/.exec(value) ?? [];
  if (isIP(v6 ?? v4 ?? '') !== 0 && Number(port) <= 65_535) return value;
  throw new Error(`"${value}" is not host:port with an IP address`);
});

/** `host` or `host:port` of a database server, as `host:port`. The default port is 3306. */
export const databaseHost = setting((value) => {
  const withPort = /^(?:[^:]+|\[.+\])$/.test(value) ? `${value}:3306` : value;
  if (HOST_PORT.test(withPort)) return withPort;
  throw new Error(`"${value}" is neither host nor host:port`);
});

/** An http or https URL. The URL can contain a password, so the message does not repeat it. */
export const httpUrl = setting((value) => {
  assertHttpUrl(value);
  return value;
});

/** The http or https URL of a trace, with `{callId}` in it. */
export const traceUrl = setting((value) => {
  assertHttpUrl(value.replace(/\{(callId|begun|ended)\}/g, '0'));
  if (!value.includes('{callId}')) throw new Error('does not contain {callId}');
  return value;
});

function assertHttpUrl(value: string): void {
  if (!URL.canParse(value) || !/^https?:/.test(value)) throw new Error('is not an http or https URL');
}
