import { setting } from './values';

/** The length of a user's secret in characters. */
export const SECRET_LENGTH = { min: 8, max: 100 } as const;

const HOST_PORT = /^(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:]+\]):\d{1,5}$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2,3}={0,2})?$/;

/** ADMIN_SECRET: text with the length of a user's secret. No message contains the value. */
export const adminSecret = setting((value) => {
  const { min, max } = SECRET_LENGTH;
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

/** An ISO 8601 date, in milliseconds since the epoch. */
export const date = setting((value) => {
  const time = Date.parse(value);
  if (/^\d{4}-\d\d-\d\d/.test(value) && !Number.isNaN(time)) return time;
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

/** `host` or `host:port` of a database server, as `host:port`. The default port is 3306. */
export const databaseHost = setting((value) => {
  const withPort = /^(?:[^:]+|\[.+\])$/.test(value) ? `${value}:3306` : value;
  if (HOST_PORT.test(withPort)) return withPort;
  throw new Error(`"${value}" is neither host nor host:port`);
});

/** An http or https URL. The URL can contain a password, so the message does not repeat it. */
export const httpUrl = setting((value) => {
  if (URL.canParse(value) && /^https?:/.test(value)) return value;
  throw new Error('is not an http or https URL');
});
