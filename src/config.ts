import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';

import type { BudgetSettings } from './limits/budgets';
import { trustedProxies, type TrustedProxies } from './limits/trusted-proxies';

/** Where the resources live. */
export type DatabaseConfig = {
  /** Reads that no index bounds: how many run at once. */
  readonly heavyReads: number;
} & (
  | { readonly dialect: 'sqlite'; readonly file: string }
  | {
      readonly dialect: 'mysql';
      /** What TypeORM has to know when it compares schemas; at run time they are the same. */
      readonly product: 'mysql' | 'mariadb';
      readonly host: string;
      readonly port: number;
      readonly username: string;
      readonly password: string;
      readonly database: string;
      readonly poolSize: number;
      /** TLS; undefined where connections are not encrypted. */
      readonly tls: DatabaseTls | undefined;
    }
);

/** How connections to the database are encrypted. */
export interface DatabaseTls {
  /** Whether the server's certificate is checked: its chain, and the name of the host. */
  readonly verify: boolean;
  /** Certificates that are trusted in place of the system's, in PEM. */
  readonly ca: string | undefined;
}

/** Everything the environment can say, checked once at start. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** Which proxies are believed about the address of a caller (X-Forwarded-For). */
  readonly trustProxy: TrustedProxies | undefined;
  /** What each caller may use; undefined where there is no limit. */
  readonly budgets: BudgetSettings | undefined;
  /** Beyond which event loop delay, in milliseconds, and memory, in bytes, requests are refused; 0 is never. */
  readonly overload: { readonly delay: number; readonly memory: number | undefined };
  readonly database: DatabaseConfig;
  readonly migrate: boolean;
  readonly sampleData: boolean;
  readonly adminSecret: string | undefined;
  readonly jwtSecret: string | undefined;
  /** Secrets before it, whose tokens are still accepted. */
  readonly previousJwtSecrets: readonly string[];
  /** Seconds that a token lives. */
  readonly tokenTtl: number;
  readonly playground: boolean;
  /** What tells anybody about the API: introspection, OpenAPI, Swagger UI, and the playground, which needs introspection. */
  readonly discovery: boolean;
  readonly logLevel: string;
  readonly maxItemsPerPage: number;
  /** Bytes of a request's body. */
  readonly bodyLimit: number;
  /** Open connections; more are closed at once. */
  readonly maxConnections: number;
  readonly restHideSecrets: boolean;
  /** Whom REST answers are written for. */
  readonly restProfile: 'spec' | 'routr1';
  /** Every status of REST is a number, and not those alone that the specification shows so. */
  readonly restNumericStatus: boolean;
  /** Nothing can be changed. */
  readonly readOnly: boolean;
  /** Origins whose pages may use the graph from a browser. */
  readonly corsOrigins: readonly string[];
  /** Kamailio's JSON-RPC, where it is to be asked. */
  readonly sipRpc: { readonly url: string; readonly token: string } | undefined;
  /** The node of the SIP server that calls arrive at, as host:port, where there are several. */
  readonly sipNode: string | undefined;
  /** What is set up for at start: the password of Kamailio's database user. */
  readonly kamailio: { readonly password: string } | undefined;
  /** Milliseconds that changes are kept for subscribers who come back. */
  readonly outboxKept: number;
  readonly legacyTokens: { readonly key: Buffer; readonly until: number } | undefined;
  /** What `/system/info` shows: the variables of SPECIFICATION.md 2.11 that are set. */
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

/** Characters of a user's secret. */
export const SECRET_LENGTH = { min: 8, max: 100 } as const;

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];
const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** Reads the environment; the only place that does. Throws ConfigError with every mistake. */
export function loadConfig(env: NodeJS.ProcessEnv): Config {
  const mistakes: string[] = [];
  const get = (name: string): string | undefined => (env[name] === '' ? undefined : env[name]);

  const whole = (name: string, fallback: number, min: number, max: number): number => {
    const text = get(name);
    if (text === undefined) return fallback;
    const value = /^\d+$/.test(text) ? Number(text) : NaN;
    if (value >= min && value <= max) return value;
    mistakes.push(`${name}: "${text}" is not a whole number from ${String(min)} to ${String(max)}`);
    return fallback;
  };
  const oneOf = <T extends string>(name: string, fallback: T, values: readonly T[]): T => {
    const text = get(name) ?? fallback;
    const value = values.find((each) => each === text);
    if (value !== undefined) return value;
    mistakes.push(`${name}: "${text}" is not one of ${values.join(', ')}`);
    return fallback;
  };
  const flag = (name: string, fallback: boolean): boolean =>
    oneOf(name, String(fallback), ['true', 'false']) === 'true';
  const duration = (name: string, fallback: number): number => {
    const text = get(name);
    if (text === undefined) return fallback;
    const [, amount = '', unit = ''] = /^([1-9]\d{0,8})([smhd])$/.exec(text) ?? [];
    const seconds = Number(amount) * (UNITS[unit] ?? NaN);
    if (seconds <= 10 * 365 * 86_400) return seconds;
    mistakes.push(`${name}: "${text}" is not a duration such as 90s, 30m, 12h or 7d (at most 3650d)`);
    return fallback;
  };
  const database = (): DatabaseConfig => {
    const poolSize = whole('DATABASE_POOL', 10, 2, 1000);
    const heavyReads = whole('DATABASE_HEAVY_READS', 4, 2, 100);
    try {
      return { ...databaseConfig(get('DATABASE_URL') ?? 'sqlite:./data/sipgraph.db', poolSize), heavyReads };
    } catch (error) {
      mistakes.push(`DATABASE_URL: ${error instanceof Error ? error.message : String(error)}`);
      return { dialect: 'sqlite', file: '', heavyReads };
    }
  };
  // Secrets are not repeated in messages.
  const adminSecret = (): string | undefined => {
    const secret = get('ADMIN_SECRET');
    const { min, max } = SECRET_LENGTH;
    if (secret !== undefined && (secret.length < min || secret.length > max)) {
      mistakes.push(`ADMIN_SECRET: must have ${String(min)} to ${String(max)} characters`);
    }
    return secret;
  };
  const jwtSecret = (name: string): string | undefined => {
    const secret = get(name);
    if (secret !== undefined && Buffer.byteLength(secret) < 32) {
      mistakes.push(`${name}: is shorter than 32 bytes, the least that HS256 needs (RFC 7518, 3.2)`);
    }
    return secret;
  };
  const previousJwtSecrets = (): readonly string[] => {
    const secret = jwtSecret('JWT_SECRET_PREVIOUS');
    if (secret === undefined) return [];
    if (get('JWT_SECRET') === undefined) mistakes.push('JWT_SECRET: is required with JWT_SECRET_PREVIOUS');
    return [secret];
  };

  const corsOrigins = (): readonly string[] => {
    const origins = (get('CORS_ORIGINS') ?? '').split(',').flatMap((each) => each.trim() || []);
    for (const origin of origins) {
      if (origin === '*' || (URL.canParse(origin) && new URL(origin).origin === origin)) continue;
      mistakes.push(`CORS_ORIGINS: "${origin}" is not an origin such as https://app.example.org`);
    }
    return origins;
  };
  const legacyTokens = (): Config['legacyTokens'] => {
    const [salt, until] = [get('LEGACY_JWT_SALT'), get('LEGACY_JWT_UNTIL')];
    if (salt === undefined && until === undefined) return undefined;
    const end = Date.parse(until ?? '');
    if (until === undefined) mistakes.push('LEGACY_JWT_UNTIL: is required with LEGACY_JWT_SALT');
    else if (!/^\d{4}-\d\d-\d\d/.test(until) || Number.isNaN(end))
      mistakes.push(`LEGACY_JWT_UNTIL: "${until}" is not a date such as 2027-01-31`);
    if (salt === undefined) mistakes.push('LEGACY_JWT_SALT: is required with LEGACY_JWT_UNTIL');
    else if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2,3}={0,2})?$/.test(salt))
      mistakes.push('LEGACY_JWT_SALT: is not base64');
    else if (Buffer.from(salt, 'base64').length < 16) mistakes.push('LEGACY_JWT_SALT: is shorter than 16 bytes');
    return { key: Buffer.from(salt ?? '', 'base64'), until: end };
  };

  const sipNode = (): string | undefined => {
    const node = get('SIP_NODE');
    if (node !== undefined && !/^(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:]+\]):\d{1,5}$/.test(node))
      mistakes.push(`SIP_NODE: "${node}" is not host:port`);
    return node;
  };
  const sipRpc = (): Config['sipRpc'] => {
    const [url, token] = [get('SIP_RPC_URL'), get('SIP_RPC_TOKEN')];
    if (url === undefined) return undefined;
    // It may have a password in it: no message repeats it.
    if (!URL.canParse(url) || !/^https?:/.test(url)) mistakes.push('SIP_RPC_URL: is not an http or https URL');
    return { url, token: token ?? '' };
  };
  const kamailio = (): Config['kamailio'] => {
    if (oneOf('SIP_SERVER', 'none', ['none', 'kamailio']) === 'none') return undefined;
    const password = get('KAMAILIO_PASSWORD');
    if (password === undefined) mistakes.push('KAMAILIO_PASSWORD: is required with SIP_SERVER=kamailio');
    if (target.dialect === 'sqlite') mistakes.push('SIP_SERVER: kamailio needs MySQL or MariaDB in DATABASE_URL');
    return { password: password ?? '' };
  };

  const trustProxy = (): Config['trustProxy'] => {
    try {
      return trustedProxies(get('TRUST_PROXY') ?? 'false');
    } catch (error) {
      mistakes.push(`TRUST_PROXY: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
  };

  const budgets = (): BudgetSettings | undefined => {
    const settings = {
      requests: whole('RATE_LIMIT_REQUESTS', 12_000, 1, 1e9),
      work: whole('RATE_LIMIT_WORK', 1_000_000, 10_000, 1e12),
      anonymous: whole('RATE_LIMIT_ANONYMOUS', 3000, 1, 1e9),
      connections: whole('MAX_CONNECTIONS_PER_USER', 100, 1, 1e6),
      subscriptions: whole('MAX_SUBSCRIPTIONS_PER_USER', 500, 1, 1e6),
    };
    return oneOf('RATE_LIMIT', 'on', ['on', 'off']) === 'on' ? settings : undefined;
  };

  const discovery = oneOf('DISCOVERY', 'on', ['on', 'off']) === 'on';
  const target = database();
  const restProfile = oneOf<Config['restProfile']>('REST_PROFILE', 'spec', ['spec', 'routr1']);
  const config: Config = {
    host: get('HOST') ?? '127.0.0.1',
    port: whole('PORT', 4567, 0, 65_535),
    trustProxy: trustProxy(),
    budgets: budgets(),
    overload: {
      delay: whole('OVERLOAD_DELAY', 2000, 0, 60_000),
      memory: get('OVERLOAD_MEMORY') === undefined ? undefined : whole('OVERLOAD_MEMORY', 0, 0, 2 ** 50),
    },
    database: target,
    migrate: oneOf('MIGRATE', 'on', ['on', 'off']) === 'on',
    sampleData: flag('SAMPLE_DATA', target.dialect === 'sqlite'),
    adminSecret: adminSecret(),
    jwtSecret: jwtSecret('JWT_SECRET'),
    previousJwtSecrets: previousJwtSecrets(),
    tokenTtl: duration('TOKEN_TTL', 12 * 3600),
    playground: discovery && flag('PLAYGROUND', true),
    discovery,
    logLevel: oneOf('LOG_LEVEL', 'info', LOG_LEVELS),
    maxItemsPerPage: whole('MAX_ITEMS_PER_PAGE', 100, 1, 10_000),
    bodyLimit: whole('BODY_LIMIT', 256 * 1024, 1024, 64 * 1024 * 1024),
    maxConnections: whole('MAX_CONNECTIONS', 5000, 1, 1_000_000),
    restHideSecrets: flag('REST_HIDE_SECRETS', false),
    restProfile,
    // The older name, for the numbers alone.
    restNumericStatus: oneOf('REST_STATUS', 'mixed', ['mixed', 'number']) === 'number' || restProfile === 'routr1',
    readOnly: flag('READ_ONLY', false),
    corsOrigins: corsOrigins(),
    outboxKept: whole('OUTBOX_HOURS', 24, 1, 24 * 365) * 3_600_000,
    legacyTokens: legacyTokens(),
    sipRpc: sipRpc(),
    sipNode: sipNode(),
    kamailio: kamailio(),
    systemEnv: ['EXTERN_ADDR', 'LOCALNETS', 'REGISTRAR_INTF'].flatMap((name) => {
      const value = get(name);
      return value === undefined ? [] : [{ var: name, value }];
    }),
    version: packageVersion(),
  };
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  return config;
}

function databaseConfig(text: string, poolSize: number) {
  if (text.startsWith('sqlite:')) {
    const file = text.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, '');
    if (file === '' || file.includes(':memory:')) throw new Error('a file is needed, as in sqlite:./data/sipgraph.db');
    return { dialect: 'sqlite' as const, file: resolve(file) };
  }
  // The URL may hold a password, so no message repeats it.
  const expected = 'is neither sqlite:FILE nor mysql://USER:PASSWORD@HOST:PORT/DATABASE (or mariadb://...)';
  if (!URL.canParse(text)) throw new Error(expected);
  const url = new URL(text);
  const name = decodeURIComponent(url.pathname.slice(1));
  if (!['mysql:', 'mariadb:'].includes(url.protocol) || name === '') throw new Error(expected);
  return {
    dialect: 'mysql' as const,
    product: url.protocol === 'mariadb:' ? ('mariadb' as const) : ('mysql' as const),
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || 3306),
    username: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: name,
    poolSize,
    tls: databaseTls(url),
  };
}

/** `?ssl=verify` checks the server's certificate, `?ssl=require` encrypts alone; `ssl-ca` names a file of certificates. */
function databaseTls({ hostname, searchParams }: URL): DatabaseTls | undefined {
  const unknown = [...searchParams.keys()].find((name) => name !== 'ssl' && name !== 'ssl-ca');
  if (unknown !== undefined) throw new Error(`has the unknown parameter "${unknown}"; known are ssl and ssl-ca`);
  const [mode, file] = [searchParams.get('ssl'), searchParams.get('ssl-ca')];
  if (searchParams.size > new Set(searchParams.keys()).size) throw new Error('has a parameter twice');
  if (mode !== null && mode !== 'verify' && mode !== 'require')
    throw new Error(`ssl: "${mode}" is not one of verify, require`);
  if (file !== null && mode !== 'verify') throw new Error('ssl-ca: needs ssl=verify');
  if (mode === null) return undefined;
  // mysql2 would check the certificate of an address for the name localhost.
  if (mode === 'verify' && isIP(hostname.replace(/^\[|\]$/g, '')) !== 0)
    throw new Error('ssl=verify checks the name of the host: name it in place of its address');
  return { verify: mode === 'verify', ca: file === null ? undefined : certificatesIn(file) };
}

function certificatesIn(file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`ssl-ca: "${file}" cannot be read`, { cause: error });
  }
  if (!text.includes('-----BEGIN CERTIFICATE-----')) throw new Error(`ssl-ca: "${file}" has no certificate in PEM`);
  return text;
}

function packageVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(resolve(__dirname, '../package.json'), 'utf8'));
  if (typeof manifest === 'object' && manifest !== null && 'version' in manifest) return String(manifest.version);
  throw new Error('package.json has no version');
}
