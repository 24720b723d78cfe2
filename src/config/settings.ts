import { z } from 'zod';

import { addressPolicy, trustedProxies } from '../limits/addresses';
import { databaseTarget, replicaTarget } from './database-url';
import {
  adminSecret,
  databaseHost,
  date,
  duration,
  homeCountry,
  hostPort,
  httpUrl,
  jwtSecret,
  legacySalt,
  numericHostPort,
  onOff,
  oneOf,
  origins,
  pause,
  secretLine,
  setting,
  share,
  traceUrl,
  trueFalse,
  whole,
} from './formats';

/**
 * Every environment variable that sipgraph reads. `prefault` is the default as text. `shown` describes a default that
 * is not fixed. `npm run schema` generates the table of docs/configuration.md from this list, in this order. Links in a
 * description are relative to docs/.
 */
export const settings = z.object({
  HOST: z.string().prefault('127.0.0.1').meta({ description: 'The address to listen on.' }),
  PORT: whole(0, 65_535).prefault('4567').meta({ description: 'The port to listen on; `0` picks a free one.' }),
  DATABASE_URL: setting(databaseTarget).prefault('sqlite:./data/sipgraph.db').meta({
    description:
      '`sqlite:FILE`, `mysql://USER:PASSWORD@HOST:PORT[,…]/DATABASE[?ssl=verify&ssl-ca=FILE]` or `mariadb://…`.',
  }),
  DATABASE_PREFERRED_HOST: databaseHost.optional().meta({
    description:
      'The host to use while it accepts writes, if `DATABASE_URL` names several ([docs](operating/clusters.md)).',
    shown: 'the first',
  }),
  DATABASE_READ_URL: setting(replicaTarget).optional().meta({
    description:
      'Replicas that serve reads: `mysql://USER:PASSWORD@HOST:PORT[,…]/DATABASE` ([docs](operating/clusters.md)).',
  }),
  // Three, because a migration uses two connections besides that of its lock.
  DATABASE_POOL: whole(3, 1000).prefault('10').meta({
    description:
      'Connections to MySQL or MariaDB for reads, and as many for writes, at least 3; up to 4 more for shared writes.',
  }),
  DATABASE_HEAVY_READS: whole(2, 100)
    .prefault('4')
    .meta({ description: 'Concurrent queries without an index ([docs](filters.md)).' }),
  MIGRATE: onOff()
    .prefault('on')
    .meta({ description: '`off`: do not migrate at startup, and refuse to start if a migration is missing.' }),
  SAMPLE_DATA: trueFalse()
    .optional()
    .meta({ description: 'Load sample resources on the first start.', shown: '`true` on SQLite, else `false`' }),
  ADMIN_SECRET: adminSecret.optional().meta({
    description: 'Secret of the user `admin`, which is created if no admin exists: 8 to 100 characters.',
    shown: 'generated, printed once',
  }),
  JWT_SECRET: jwtSecret.optional().meta({
    description: 'Key that signs tokens, at least 32 bytes.',
    shown: 'generated, stored in the database',
  }),
  JWT_SECRET_PREVIOUS: jwtSecret
    .optional()
    .meta({ description: 'The previous `JWT_SECRET`: its tokens are accepted until they expire.' }),
  TOKEN_TTL: duration().prefault('12h').meta({ description: 'Lifetime of a token: `90s`, `30m`, `12h`, `7d`.' }),
  CONSOLE: onOff().prefault('on').meta({ description: 'Serve the console ([docs](console.md)).' }),
  PLAYGROUND: trueFalse().prefault('true').meta({ description: 'Serve the playground.' }),
  DISCOVERY: onOff()
    .prefault('on')
    .meta({ description: '`off`: no introspection, no `/openapi.json`, no `/docs`, no playground.' }),
  REST_HIDE_SECRETS: trueFalse()
    .prefault('false')
    .meta({ description: 'Omit secrets from REST responses; otherwise operators and admins see them.' }),
  REST_PROFILE: oneOf('spec', 'routr1').prefault('spec').meta({
    description: '`routr1`: respond as Routr v1’s `rctl` and console expect ([docs](legacy-clients.md)).',
  }),
  REST_STATUS: oneOf('mixed', 'number')
    .prefault('mixed')
    .meta({ description: '`number`: every status in a REST body is a number. Superseded by `REST_PROFILE`.' }),
  READ_ONLY: trueFalse().prefault('false').meta({
    description: 'Refuse every write of a client with 405. Migrations and the first admin are written all the same.',
  }),
  CORS_ORIGINS: origins.prefault('').meta({
    description:
      'Origins (`https://a.example`, `*`) whose pages may use GraphQL and send `Authorization`; any page may use REST with `?token=`.',
  }),
  LEGACY_JWT_SALT: legacySalt
    .optional()
    .meta({ description: 'Accept tokens of a Routr v1 server with this salt (base64).' }),
  LEGACY_JWT_UNTIL: date.optional().meta({ description: 'The date until which tokens of Routr v1 are accepted.' }),
  SIP_SERVER: oneOf('none', 'kamailio')
    .prefault('none')
    .meta({ description: '`kamailio`: create Kamailio’s views and database user at startup.' }),
  KAMAILIO_PASSWORD: secretLine.optional().meta({ description: 'The password of Kamailio’s database user.' }),
  SIP_RPC_URL: httpUrl
    .optional()
    .meta({ description: 'URL of Kamailio’s JSON-RPC, which `sipServer`, `/readyz` and evictions use.' }),
  SIP_RPC_TOKEN: secretLine.prefault('').meta({ description: 'The token for Kamailio’s JSON-RPC.' }),
  SIP_NODE: hostPort
    .optional()
    .meta({ description: 'The Kamailio node that receives calls, as `host:port`, if there are several.' }),
  OUTBOX_HOURS: whole(1, 24 * 365)
    .prefault('24')
    .meta({ description: 'Hours for which changes are kept for subscribers that reconnect.' }),
  HISTORY_DAYS: whole(0, 36_500)
    .prefault('365')
    .meta({ description: 'Days for which the history of changes is kept; `0` keeps only what subscribers need.' }),
  SAMPLES: onOff().prefault('on').meta({
    description:
      'Store how many devices, trunks and numbers are in which state, every minute ([docs](live.md#the-state-over-time)).',
  }),
  CALLS_DAYS: whole(0, 3650).prefault('30').meta({
    description: 'Days for which calls are kept ([docs](kamailio/calls.md)); `0`: `kamailio config` records none.',
  }),
  CALLS_PRIVACY: onOff().prefault('off').meta({
    description:
      '`on`: viewers see shortened numbers of calls, and no addresses ([docs](kamailio/calls.md#who-sees-what)).',
  }),
  HEP_LISTEN: numericHostPort.optional().meta({
    description:
      'Where to receive the SIP messages of calls from Kamailio, to keep them for an hour, as host:port with an IP address; off by default ([docs](kamailio/calls.md#messages)).',
  }),
  TRACE_URL: traceUrl.optional().meta({
    description:
      'The URL of the trace of a call in a program such as Homer, with `{callId}`, `{begun}` and `{ended}` (milliseconds) in it ([docs](kamailio/calls.md#traces)).',
  }),
  LIVE_DAYS: whole(0, 365).prefault('7').meta({
    description:
      'Days for which events of registrations and the health of gateways are kept ([docs](live.md#the-past-of-registrations)); `0`: `kamailio config` records none.',
  }),
  WEBHOOK_ALLOW: setting(addressPolicy).prefault('').meta({
    description: 'Addresses and networks that webhooks may reach although they are not public ([docs](webhooks.md)).',
  }),
  HOME_COUNTRY: homeCountry.optional().meta({
    description: 'Where numbers without a country code are from, as `DE` or `US` ([docs](console.md#numbers)).',
  }),
  MAX_ITEMS_PER_PAGE: whole(1, 10_000).prefault('100').meta({ description: 'The largest `itemsPerPage` in REST.' }),
  BODY_LIMIT: whole(1024, 64 * 1024 * 1024)
    .prefault('262144')
    .meta({ description: 'The largest request body, and message over a WebSocket, in bytes.' }),
  MAX_CONNECTIONS: whole(1, 1_000_000)
    .prefault('5000')
    .meta({ description: 'The number of open connections above which new ones are closed.' }),
  MAX_CONNECTIONS_PER_NETWORK: whole(1, 1_000_000).optional().meta({
    description: 'The same limit for one IPv4 address or IPv6 /64 ([docs](operating/security.md)).',
    shown: 'half of `MAX_CONNECTIONS`',
  }),
  TRUST_PROXY: setting(trustedProxies).prefault('false').meta({
    description: 'Proxies whose `X-Forwarded-For` is trusted: a number of hops, or networks (`10.0.0.0/8,loopback`).',
  }),
  RATE_LIMIT: onOff().prefault('on').meta({
    description: '`off`: no limits on requests, work, connections and subscriptions ([docs](operating/security.md)).',
  }),
  RATE_LIMIT_REQUESTS: whole(1, 1e9).prefault('12000').meta({ description: 'Requests per minute and user.' }),
  RATE_LIMIT_ANONYMOUS: whole(1, 1e9)
    .prefault('3000')
    .meta({ description: 'Requests per minute and address without a valid token.' }),
  RATE_LIMIT_WORK: whole(10_000, 1e12)
    .prefault('1000000')
    .meta({ description: 'Objects per minute that a user may request.' }),
  MAX_CONNECTIONS_PER_USER: whole(1, 1e6)
    .prefault('100')
    .meta({ description: 'Open WebSockets and event streams per user.' }),
  MAX_SUBSCRIPTIONS_PER_USER: whole(1, 1e6).prefault('500').meta({ description: 'Open subscriptions per user.' }),
  MAX_REQUESTS: whole(2, 100_000).optional().meta({
    description:
      'Requests in progress; further ones wait up to 0.2 s, and then get 503 ([docs](operating/operations.md#overload)).',
    shown: '20 × `DATABASE_POOL`',
  }),
  MAX_OBJECTS: whole(1000, 1e9)
    .prefault('20000')
    .meta({ description: 'Objects that large requests in progress may return; further ones wait as above.' }),
  REQUEST_TIMEOUT: whole(1, 3600)
    .prefault('30')
    .meta({ description: 'Seconds after which a request gets 503 and its statements are cancelled.' }),
  OVERLOAD_DELAY: whole(0, 60_000)
    .prefault('2000')
    .meta({ description: 'Event loop delay in milliseconds above which requests get 503; `0` disables it.' }),
  OVERLOAD_MEMORY: whole(0, 2 ** 50)
    .optional()
    .meta({
      description: 'Memory in bytes above which requests get 503; `0` disables it.',
      shown: '90 % of the limit',
    }),
  DRAIN: pause().optional().meta({
    description: 'How long a shutdown still serves requests, while `/readyz` is 503: `0s` to `300s`, `200ms`.',
    shown: '`5s` in a container, else `0.2s`',
  }),
  LOG_LEVEL: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent')
    .prefault('info')
    .meta({ description: '`trace` `debug` `info` `warn` `error` `fatal` `silent`; `debug` logs each request.' }),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: httpUrl.optional().meta({
    description:
      'The URL of an OpenTelemetry collector that receives traces (OTLP, JSON); off by default ([docs](operating/operations.md#traces)).',
  }),
  OTEL_TRACES_SAMPLER_ARG: share()
    .prefault('0.01')
    .meta({ description: 'The share of requests that are traced, from 0 to 1.' }),
  EXTERN_ADDR: z.string().optional().meta({ description: 'Shown by `/system/info`.' }),
  LOCALNETS: z.string().optional().meta({ description: 'Shown by `/system/info`.' }),
  REGISTRAR_INTF: z.string().optional().meta({ description: 'Shown by `/system/info`.' }),
});

/** The converted settings. */
export type Settings = z.output<typeof settings>;

/** Returns the problems that involve more than one setting. `env` contains the variables that are set. */
export function conflictsIn(env: Readonly<Record<string, string>>): readonly string[] {
  const isSet = (name: string): boolean => env[name] !== undefined;
  const requiredWith = (name: string, where: string): readonly string[] => [`${name}: is required with ${where}`];
  const isKamailio = env['SIP_SERVER'] === 'kamailio';
  const isSqlite = !isSet('DATABASE_URL') || env['DATABASE_URL']?.startsWith('sqlite:') === true;
  return [
    ...(isSet('JWT_SECRET_PREVIOUS') && !isSet('JWT_SECRET') ? requiredWith('JWT_SECRET', 'JWT_SECRET_PREVIOUS') : []),
    ...(isSet('LEGACY_JWT_SALT') && !isSet('LEGACY_JWT_UNTIL')
      ? requiredWith('LEGACY_JWT_UNTIL', 'LEGACY_JWT_SALT')
      : []),
    ...(isSet('LEGACY_JWT_UNTIL') && !isSet('LEGACY_JWT_SALT')
      ? requiredWith('LEGACY_JWT_SALT', 'LEGACY_JWT_UNTIL')
      : []),
    ...(isKamailio && !isSet('KAMAILIO_PASSWORD') ? requiredWith('KAMAILIO_PASSWORD', 'SIP_SERVER=kamailio') : []),
    ...(isSet('DATABASE_READ_URL') && isSqlite ? ['DATABASE_READ_URL: needs MySQL or MariaDB in DATABASE_URL'] : []),
    ...(isKamailio && isSqlite ? ['SIP_SERVER: kamailio needs MySQL or MariaDB in DATABASE_URL'] : []),
  ];
}
