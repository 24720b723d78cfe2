import { existsSync } from 'node:fs';

import type { AdmissionSettings } from '../limits/admission';
import type { BudgetSettings } from '../limits/budgets';
import { CONTROL, escapeOf } from '../spelling/invisible';
import { addressText, type DatabaseTarget, type ServerTarget } from './database-url';
import { conflictsIn, settings, type Settings } from './settings';
import { packageVersion } from './version';

/** The database, and how many queries run at the same time. */
export type DatabaseConfig = DatabaseTarget & {
  /**
   * The maximum number of connections to a database server for reads, and the same number for writes. Ignored for
   * SQLite.
   */
  readonly poolSize: number;
  /** Maximum number of queries without an index that run at the same time. */
  readonly heavyReads: number;
  /** The requests that use the database. */
  readonly admission: AdmissionSettings;
  /** The replicas that serve reads, if any. */
  readonly replicas?: ServerTarget | undefined;
};

/** The validated configuration. Times are in milliseconds, unless a member says otherwise. */
export type Config = Readonly<ReturnType<typeof configOf>>;

/** The environment is invalid. The message lists every problem, with escapes for a carriage return and the like, which would hide its line. */
export class ConfigError extends Error {
  constructor(readonly problems: readonly string[]) {
    const lines = problems.map((each) => `  - ${each.replace(CONTROL, (found) => escapeOf(found.charCodeAt(0)))}`);
    super(`Invalid configuration, ${String(problems.length)} problem(s):\n${lines.join('\n')}`);
    this.name = 'ConfigError';
  }
}

// Requests in progress per connection for reads. They share statements, and most of their time is not the database's.
const REQUESTS_PER_CONNECTION = 20;

/** The variables that `/system/info` shows (docs/rest-contract.md). */
const SYSTEM_VARIABLES = ['EXTERN_ADDR', 'LOCALNETS', 'REGISTRAR_INTF'] as const;

/**
 * Reads and validates the environment. No other code reads the environment. An empty variable counts as unset. Throws
 * ConfigError.
 */
export function loadConfig(env: NodeJS.ProcessEnv): Config {
  const given = Object.keys(settings.shape).flatMap((name) => {
    const value = env[name];
    return value === undefined || value === '' ? [] : [[name, value] as const];
  });
  const set = Object.fromEntries(given);
  const { data, error } = settings.safeParse(set);
  const problems = [
    ...(error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`),
    ...conflictsIn(set),
  ];
  if (data === undefined || problems.length > 0) throw new ConfigError(problems);
  return configOf(data, isInContainer(env));
}

// Milliseconds. In a container, a load balancer or an orchestrator needs time to notice that the server is not ready.
const DRAIN_IN_CONTAINER = 5000;
const DRAIN = 200;

function configOf(env: Settings, inContainer: boolean) {
  const { dialect } = env.DATABASE_URL;
  const { LEGACY_JWT_SALT: key, LEGACY_JWT_UNTIL: until } = env;
  const { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: ratio } = env;
  const admission = {
    requests: env.MAX_REQUESTS ?? REQUESTS_PER_CONNECTION * env.DATABASE_POOL,
    objects: env.MAX_OBJECTS,
    timeout: env.REQUEST_TIMEOUT * 1000,
  };
  const database: DatabaseConfig = {
    ...databaseOf(env),
    poolSize: env.DATABASE_POOL,
    heavyReads: env.DATABASE_HEAVY_READS,
    admission,
    replicas: env.DATABASE_READ_URL,
  };
  return {
    host: env.HOST,
    port: env.PORT,
    /** Proxies whose X-Forwarded-For is trusted. */
    trustProxy: env.TRUST_PROXY,
    /** The budget of each caller; undefined if rate limits are off. */
    budgets: env.RATE_LIMIT ? budgetsOf(env) : undefined,
    /** The event loop delay and the memory (bytes) above which requests are refused; 0 disables a limit. */
    overload: { delay: env.OVERLOAD_DELAY, memory: env.OVERLOAD_MEMORY },
    admission,
    database,
    /** For how long a shutdown still serves requests. */
    drain: env.DRAIN ?? (inContainer ? DRAIN_IN_CONTAINER : DRAIN),
    migrate: env.MIGRATE,
    sampleData: env.SAMPLE_DATA ?? dialect === 'sqlite',
    adminSecret: env.ADMIN_SECRET,
    jwtSecret: env.JWT_SECRET,
    /** Previous secrets, whose tokens are still accepted. */
    previousJwtSecrets: env.JWT_SECRET_PREVIOUS === undefined ? [] : [env.JWT_SECRET_PREVIOUS],
    /** Lifetime of a token in seconds. */
    tokenTtl: env.TOKEN_TTL,
    console: env.CONSOLE,
    playground: env.DISCOVERY && env.PLAYGROUND,
    /** Introspection, OpenAPI, Swagger UI, and the playground, which needs introspection. */
    discovery: env.DISCOVERY,
    logLevel: env.LOG_LEVEL,
    /** Where numbers without a country code are from. */
    homeCountry: env.HOME_COUNTRY,
    maxItemsPerPage: env.MAX_ITEMS_PER_PAGE,
    /** The largest request body in bytes. */
    bodyLimit: env.BODY_LIMIT,
    /** The number of open connections above which new ones are closed. */
    maxConnections: env.MAX_CONNECTIONS,
    /** The same limit for one network; undefined means half of `maxConnections`. */
    maxConnectionsPerNetwork: env.MAX_CONNECTIONS_PER_NETWORK,
    restHideSecrets: env.REST_HIDE_SECRETS,
    /** Which clients REST responses are compatible with. */
    restProfile: env.REST_PROFILE,
    /** Whether every status in a REST body is a number, not only those that the specification shows as numbers. */
    restNumericStatus: env.REST_STATUS === 'number' || env.REST_PROFILE === 'routr1',
    /** Refuse every write. */
    readOnly: env.READ_ONLY,
    /** Origins that browsers may call the API from (CORS). */
    corsOrigins: env.CORS_ORIGINS,
    /** For how long changes are kept for subscribers that reconnect. */
    outboxKept: env.OUTBOX_HOURS * 3_600_000,
    /** For how long the history of changes is kept. */
    historyKept: Math.max(env.HISTORY_DAYS * 24, env.OUTBOX_HOURS) * 3_600_000,
    samples: env.SAMPLES,
    /** For how long calls are kept. 0: they are not recorded. */
    callsKept: env.CALLS_DAYS * 86_400_000,
    /** For how long transitions of registrations are kept. 0: they are not recorded. */
    liveKept: env.LIVE_DAYS * 86_400_000,
    /** Whether viewers see shortened numbers of calls. */
    callsPrivacy: env.CALLS_PRIVACY,
    /** Where messages of calls are received, as host:port; undefined if they are not kept. */
    hepListen: env.HEP_LISTEN,
    /** The URL of the trace of a call, with placeholders. */
    traceUrl: env.TRACE_URL,
    /** Which addresses webhooks may connect to. */
    webhookPolicy: env.WEBHOOK_ALLOW,
    legacyTokens: key === undefined || until === undefined ? undefined : { key, until },
    /** Kamailio's JSON-RPC; undefined if not configured. */
    sipRpc: env.SIP_RPC_URL === undefined ? undefined : { url: env.SIP_RPC_URL, token: env.SIP_RPC_TOKEN },
    /** The Kamailio node that receives calls, as host:port, if there are several nodes. */
    sipNode: env.SIP_NODE,
    /** The password of Kamailio's database user; undefined if startup does not set up Kamailio. */
    kamailio: env.SIP_SERVER === 'kamailio' ? { password: env.KAMAILIO_PASSWORD ?? '' } : undefined,
    /** Where traces are sent, and the share of requests that are traced; undefined if traces are off. */
    traces: endpoint === undefined ? undefined : { url: endpoint, ratio },
    /** The environment variables that `/system/info` shows, if they are set. */
    systemEnv: SYSTEM_VARIABLES.flatMap((name) => {
      const value = env[name];
      return value === undefined ? [] : [{ var: name, value }];
    }),
    version: packageVersion(),
  };
}

/** The database, with the preferred host first. Throws ConfigError if DATABASE_URL does not contain that host. */
function databaseOf({ DATABASE_URL: target, DATABASE_PREFERRED_HOST: preferred }: Settings): DatabaseTarget {
  if (preferred === undefined) return target;
  const [first, ...others] = target.dialect === 'mysql' ? target.hosts : [];
  const found = first && [first, ...others].find((address) => addressText(address) === preferred);
  if (!found || target.dialect === 'sqlite')
    throw new ConfigError([`DATABASE_PREFERRED_HOST: "${preferred}" is not a host of DATABASE_URL`]);
  return { ...target, hosts: [found, ...[first, ...others].filter((address) => address !== found)] };
}

function budgetsOf(env: Settings): BudgetSettings {
  return {
    requests: env.RATE_LIMIT_REQUESTS,
    work: env.RATE_LIMIT_WORK,
    anonymous: env.RATE_LIMIT_ANONYMOUS,
    connections: env.MAX_CONNECTIONS_PER_USER,
    subscriptions: env.MAX_SUBSCRIPTIONS_PER_USER,
  };
}

/**
 * Whether the process runs in a container, where a load balancer or an orchestrator usually sends the requests: in a
 * pod of Kubernetes, or in a container of Docker, Podman, LXC or systemd-nspawn.
 */
function isInContainer(env: NodeJS.ProcessEnv): boolean {
  // Kubernetes sets the first variable, Podman, LXC and systemd-nspawn set the second.
  const isSet = [env['KUBERNETES_SERVICE_HOST'], env['container']].some((value) => value !== undefined && value !== '');
  return isSet || ['/.dockerenv', '/run/.containerenv'].some((file) => existsSync(file));
}
