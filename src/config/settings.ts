import { z } from 'zod';

import { trustedProxies } from '../limits/trusted-proxies';
import { databaseTarget } from './database-url';
import { duration, onOff, oneOf, setting, text, trueFalse, whole } from './values';

/** Characters of a user's secret. */
export const SECRET_LENGTH = { min: 8, max: 100 } as const;

const HOST_PORT = /^(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:]+\]):\d{1,5}$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2,3}={0,2})?$/;

/** No message repeats a secret. */
const adminSecret = setting((value) => {
  const { min, max } = SECRET_LENGTH;
  if (value.length >= min && value.length <= max) return value;
  throw new Error(`must have ${String(min)} to ${String(max)} characters`);
});
const jwtSecret = setting((value) => {
  if (Buffer.byteLength(value) >= 32) return value;
  throw new Error('is shorter than 32 bytes, the least that HS256 needs (RFC 7518, 3.2)');
});
const legacySalt = setting((value) => {
  if (!BASE64.test(value)) throw new Error('is not base64');
  const key = Buffer.from(value, 'base64');
  if (key.length < 16) throw new Error('is shorter than 16 bytes');
  return key;
});
const date = setting((value) => {
  const time = Date.parse(value);
  if (/^\d{4}-\d\d-\d\d/.test(value) && !Number.isNaN(time)) return time;
  throw new Error(`"${value}" is not a date such as 2027-01-31`);
});
const origins = setting((value) => {
  const list = value.split(',').flatMap((each) => each.trim() || []);
  const wrong = list.find((each) => each !== '*' && !(URL.canParse(each) && new URL(each).origin === each));
  if (wrong === undefined) return list;
  throw new Error(`"${wrong}" is not an origin such as https://app.example.org`);
});
const hostPort = setting((value) => {
  if (HOST_PORT.test(value)) return value;
  throw new Error(`"${value}" is not host:port`);
});
/** The URL can contain a password: the message does not repeat it. */
const httpUrl = setting((value) => {
  if (URL.canParse(value) && /^https?:/.test(value)) return value;
  throw new Error('is not an http or https URL');
});

/**
 * Every variable of the environment that sipgraph reads. `prefault` is the default, as text; `shown` describes one that is
 * not fixed. `npm run schema` writes the README's table from this, in this order.
 */
export const settings = z.object({
  HOST: text().prefault('127.0.0.1').meta({ description: 'The address to listen on.' }),
  PORT: whole(0, 65_535).prefault('4567').meta({ description: 'The port to listen on; `0` picks a free one.' }),
  DATABASE_URL: setting(databaseTarget).prefault('sqlite:./data/sipgraph.db').meta({
    description: '`sqlite:FILE`, `mysql://USER:PASSWORD@HOST:PORT/DATABASE[?ssl=verify&ssl-ca=FILE]` or `mariadb://…`.',
  }),
  DATABASE_POOL: whole(2, 1000).prefault('10').meta({ description: 'Connections to MySQL or MariaDB.' }),
  DATABASE_HEAVY_READS: whole(2, 100)
    .prefault('4')
    .meta({ description: 'Queries without an index that run at once ([docs](docs/filters.md)).' }),
  MIGRATE: onOff()
    .prefault('on')
    .meta({ description: '`off`: do not migrate at startup; refuse to start where a migration is missing.' }),
  SAMPLE_DATA: trueFalse()
    .optional()
    .meta({ description: 'Load sample resources on the first start.', shown: '`true` on SQLite, else `false`' }),
  ADMIN_SECRET: adminSecret.optional().meta({
    description: 'Secret of the user `admin`, created where no admin exists: 8 to 100 characters.',
    shown: 'generated, printed once',
  }),
  JWT_SECRET: jwtSecret.optional().meta({
    description: 'Key that signs tokens, at least 32 bytes.',
    shown: 'generated, kept in the database',
  }),
  JWT_SECRET_PREVIOUS: jwtSecret
    .optional()
    .meta({ description: 'The previous `JWT_SECRET`: its tokens are accepted until they expire.' }),
  TOKEN_TTL: duration().prefault('12h').meta({ description: 'Lifetime of a token: `90s`, `30m`, `12h`, `7d`.' }),
  PLAYGROUND: trueFalse().prefault('true').meta({ description: 'Serve the playground.' }),
  DISCOVERY: onOff()
    .prefault('on')
    .meta({ description: '`off`: no introspection, no `/openapi.json`, no `/docs`, no playground.' }),
  REST_HIDE_SECRETS: trueFalse()
    .prefault('false')
    .meta({ description: 'REST shows secrets to nobody, instead of to operators and admins.' }),
  REST_PROFILE: oneOf('spec', 'routr1')
    .prefault('spec')
    .meta({
      description: '`routr1` answers as Routr v1’s `rctl` and console expect ([docs](docs/legacy-clients.md)).',
    }),
  REST_STATUS: oneOf('mixed', 'number')
    .prefault('mixed')
    .meta({ description: 'Older than `REST_PROFILE`; `number` makes every status in a REST body a number.' }),
  READ_ONLY: trueFalse().prefault('false').meta({ description: 'Refuse every write with 405.' }),
  CORS_ORIGINS: origins.prefault('').meta({
    description: 'Origins whose pages may send a token in a header, as `https://a.example`; `*` is any.',
  }),
  LEGACY_JWT_SALT: legacySalt
    .optional()
    .meta({ description: 'Accept tokens of a Routr v1 server with this salt (base64).' }),
  LEGACY_JWT_UNTIL: date.optional().meta({ description: 'The date until which they are accepted.' }),
  SIP_SERVER: oneOf('none', 'kamailio')
    .prefault('none')
    .meta({ description: '`kamailio`: create Kamailio’s views and database user at startup.' }),
  KAMAILIO_PASSWORD: text().optional().meta({ description: 'The password of that database user.' }),
  SIP_RPC_URL: httpUrl
    .optional()
    .meta({ description: 'Kamailio’s JSON-RPC: for `sipServer`, `/readyz` and evictions.' }),
  SIP_RPC_TOKEN: text().prefault('').meta({ description: 'The token for it.' }),
  SIP_NODE: hostPort
    .optional()
    .meta({ description: 'The Kamailio that calls arrive at, as `host:port`, where there are several.' }),
  OUTBOX_HOURS: whole(1, 24 * 365)
    .prefault('24')
    .meta({ description: 'How long changes are kept for subscribers that reconnect.' }),
  MAX_ITEMS_PER_PAGE: whole(1, 10_000).prefault('100').meta({ description: 'The largest `itemsPerPage` of REST.' }),
  BODY_LIMIT: whole(1024, 64 * 1024 * 1024)
    .prefault('262144')
    .meta({ description: 'Bytes of a request’s body.' }),
  MAX_CONNECTIONS: whole(1, 1_000_000)
    .prefault('5000')
    .meta({ description: 'Open connections; further ones are closed at once.' }),
  TRUST_PROXY: setting(trustedProxies).prefault('false').meta({
    description: 'Proxies whose `X-Forwarded-For` is trusted: how many, or networks (`10.0.0.0/8,loopback`).',
  }),
  RATE_LIMIT: onOff()
    .prefault('on')
    .meta({ description: '`off`: no budgets of requests, work and subscriptions ([docs](docs/security.md)).' }),
  RATE_LIMIT_REQUESTS: whole(1, 1e9).prefault('12000').meta({ description: 'Requests per minute of a user.' }),
  RATE_LIMIT_ANONYMOUS: whole(1, 1e9)
    .prefault('3000')
    .meta({ description: 'Requests per minute of an address without a valid token.' }),
  RATE_LIMIT_WORK: whole(10_000, 1e12)
    .prefault('1000000')
    .meta({ description: 'Objects per minute that a user may ask for.' }),
  MAX_CONNECTIONS_PER_USER: whole(1, 1e6)
    .prefault('100')
    .meta({ description: 'WebSockets and event streams of a user.' }),
  MAX_SUBSCRIPTIONS_PER_USER: whole(1, 1e6).prefault('500').meta({ description: 'Subscriptions of a user.' }),
  OVERLOAD_DELAY: whole(0, 60_000)
    .prefault('2000')
    .meta({ description: 'Event loop delay in milliseconds above which requests get 503; `0` is never.' }),
  OVERLOAD_MEMORY: whole(0, 2 ** 50)
    .optional()
    .meta({ description: 'Memory in bytes above which requests get 503; `0` is never.', shown: '90 % of the limit' }),
  LOG_LEVEL: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent')
    .prefault('info')
    .meta({ description: '`trace` `debug` `info` `warn` `error` `fatal` `silent`; `debug` logs each request.' }),
  EXTERN_ADDR: text().optional().meta({ description: 'Shown by `/system/info`.' }),
  LOCALNETS: text().optional().meta({ description: 'Shown by `/system/info`.' }),
  REGISTRAR_INTF: text().optional().meta({ description: 'Shown by `/system/info`.' }),
});

/** The settings, converted. */
export type Settings = z.output<typeof settings>;

/** Settings that are wrong only together; `env` has those that are set. */
export function conflictsIn(env: Readonly<Record<string, string>>): readonly string[] {
  const isSet = (name: string): boolean => env[name] !== undefined;
  const required = (name: string, where: string): readonly string[] => [`${name}: is required with ${where}`];
  const isKamailio = env['SIP_SERVER'] === 'kamailio';
  const isSqlite = !isSet('DATABASE_URL') || env['DATABASE_URL']?.startsWith('sqlite:') === true;
  return [
    ...(isSet('JWT_SECRET_PREVIOUS') && !isSet('JWT_SECRET') ? required('JWT_SECRET', 'JWT_SECRET_PREVIOUS') : []),
    ...(isSet('LEGACY_JWT_SALT') && !isSet('LEGACY_JWT_UNTIL') ? required('LEGACY_JWT_UNTIL', 'LEGACY_JWT_SALT') : []),
    ...(isSet('LEGACY_JWT_UNTIL') && !isSet('LEGACY_JWT_SALT') ? required('LEGACY_JWT_SALT', 'LEGACY_JWT_UNTIL') : []),
    ...(isKamailio && !isSet('KAMAILIO_PASSWORD') ? required('KAMAILIO_PASSWORD', 'SIP_SERVER=kamailio') : []),
    ...(isKamailio && isSqlite ? ['SIP_SERVER: kamailio needs MySQL or MariaDB in DATABASE_URL'] : []),
  ];
}
