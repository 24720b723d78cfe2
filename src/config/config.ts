import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import type { BudgetSettings } from '../limits/budgets';
import type { TrustedProxies } from '../limits/trusted-proxies';
import type { DatabaseTarget } from './database-url';
import { conflictsIn, settings, type Settings } from './settings';

/** Where the resources are kept, and how many queries run there at once. */
export type DatabaseConfig = DatabaseTarget & {
  /** Connections to a database server; SQLite has one. */
  readonly poolSize: number;
  /** Queries without an index that run at once. */
  readonly heavyReads: number;
};

/** The whole configuration, checked once at startup. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** Proxies whose X-Forwarded-For is trusted. */
  readonly trustProxy: TrustedProxies | undefined;
  /** Budgets of each caller; undefined where there are none. */
  readonly budgets: BudgetSettings | undefined;
  /** The event loop delay (milliseconds) and memory (bytes) above which requests are refused; 0 is never. */
  readonly overload: { readonly delay: number; readonly memory: number | undefined };
  readonly database: DatabaseConfig;
  readonly migrate: boolean;
  readonly sampleData: boolean;
  readonly adminSecret: string | undefined;
  readonly jwtSecret: string | undefined;
  /** Previous secrets, whose tokens are still accepted. */
  readonly previousJwtSecrets: readonly string[];
  /** Lifetime of a token in seconds. */
  readonly tokenTtl: number;
  readonly playground: boolean;
  /** Introspection, OpenAPI, Swagger UI, and the playground, which needs introspection. */
  readonly discovery: boolean;
  readonly logLevel: string;
  readonly maxItemsPerPage: number;
  /** Bytes of a request's body. */
  readonly bodyLimit: number;
  /** Open connections; further ones are closed at once. */
  readonly maxConnections: number;
  readonly restHideSecrets: boolean;
  /** Which clients REST answers are written for. */
  readonly restProfile: 'spec' | 'routr1';
  /** Every status in a REST body is a number, instead of only those that the specification shows as numbers. */
  readonly restNumericStatus: boolean;
  /** Every write is refused. */
  readonly readOnly: boolean;
  /** Origins whose pages may use the graph from a browser. */
  readonly corsOrigins: readonly string[];
  /** Kamailio's JSON-RPC; undefined where it is not called. */
  readonly sipRpc: { readonly url: string; readonly token: string } | undefined;
  /** The Kamailio node that calls arrive at, as host:port, where there are several. */
  readonly sipNode: string | undefined;
  /** The password of Kamailio's database user; undefined where Kamailio is not set up at startup. */
  readonly kamailio: { readonly password: string } | undefined;
  /** Milliseconds that changes are kept for subscribers that reconnect. */
  readonly outboxKept: number;
  readonly legacyTokens: { readonly key: Buffer; readonly until: number } | undefined;
  /** The variables that `/system/info` shows, where they are set. */
  readonly systemEnv: readonly { readonly var: string; readonly value: string }[];
  readonly version: string;
}

/** The environment is wrong; the message lists every mistake. */
export class ConfigError extends Error {
  constructor(readonly mistakes: readonly string[]) {
    super(
      `The configuration has ${String(mistakes.length)} mistake(s):\n${mistakes.map((m) => `  - ${m}`).join('\n')}`,
    );
    this.name = 'ConfigError';
  }
}

/** The variables that `/system/info` shows (docs/rest-contract.md). */
const SYSTEM_VARIABLES = ['EXTERN_ADDR', 'LOCALNETS', 'REGISTRAR_INTF'] as const;

/** Reads the environment; nothing else does. An empty variable counts as absent. Throws ConfigError with every mistake. */
export function loadConfig(env: NodeJS.ProcessEnv): Config {
  const given = Object.keys(settings.shape).flatMap((name) => {
    const value = env[name];
    return value === undefined || value === '' ? [] : [[name, value] as const];
  });
  const set = Object.fromEntries(given);
  const { data, error } = settings.safeParse(set);
  const mistakes = [
    ...(error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`),
    ...conflictsIn(set),
  ];
  if (data === undefined || mistakes.length > 0) throw new ConfigError(mistakes);
  return configOf(data);
}

function configOf(env: Settings): Config {
  const { dialect } = env.DATABASE_URL;
  return {
    host: env.HOST,
    port: env.PORT,
    trustProxy: env.TRUST_PROXY,
    budgets: env.RATE_LIMIT ? budgetsOf(env) : undefined,
    overload: { delay: env.OVERLOAD_DELAY, memory: env.OVERLOAD_MEMORY },
    database: { ...env.DATABASE_URL, poolSize: env.DATABASE_POOL, heavyReads: env.DATABASE_HEAVY_READS },
    migrate: env.MIGRATE,
    sampleData: env.SAMPLE_DATA ?? dialect === 'sqlite',
    adminSecret: env.ADMIN_SECRET,
    jwtSecret: env.JWT_SECRET,
    previousJwtSecrets: env.JWT_SECRET_PREVIOUS === undefined ? [] : [env.JWT_SECRET_PREVIOUS],
    tokenTtl: env.TOKEN_TTL,
    playground: env.DISCOVERY && env.PLAYGROUND,
    discovery: env.DISCOVERY,
    logLevel: env.LOG_LEVEL,
    maxItemsPerPage: env.MAX_ITEMS_PER_PAGE,
    bodyLimit: env.BODY_LIMIT,
    maxConnections: env.MAX_CONNECTIONS,
    restHideSecrets: env.REST_HIDE_SECRETS,
    restProfile: env.REST_PROFILE,
    restNumericStatus: env.REST_STATUS === 'number' || env.REST_PROFILE === 'routr1',
    readOnly: env.READ_ONLY,
    corsOrigins: env.CORS_ORIGINS,
    outboxKept: env.OUTBOX_HOURS * 3_600_000,
    legacyTokens: legacyTokensOf(env),
    sipRpc: env.SIP_RPC_URL === undefined ? undefined : { url: env.SIP_RPC_URL, token: env.SIP_RPC_TOKEN },
    sipNode: env.SIP_NODE,
    kamailio: env.SIP_SERVER === 'kamailio' ? { password: env.KAMAILIO_PASSWORD ?? '' } : undefined,
    systemEnv: SYSTEM_VARIABLES.flatMap((name) => {
      const value = env[name];
      return value === undefined ? [] : [{ var: name, value }];
    }),
    version: packageVersion(),
  };
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

function legacyTokensOf({ LEGACY_JWT_SALT: key, LEGACY_JWT_UNTIL: until }: Settings): Config['legacyTokens'] {
  return key === undefined || until === undefined ? undefined : { key, until };
}

function packageVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(resolve(__dirname, '../../package.json'), 'utf8'));
  if (typeof manifest === 'object' && manifest !== null && 'version' in manifest) return String(manifest.version);
  throw new Error('package.json has no version');
}
