import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { InvalidInputError, quote } from '../../errors';
import {
  advertisedFor,
  assertAddress,
  assertDirectory,
  assertNumeric,
  assertReachable,
  assertSecret,
} from './config-values';
import { calledFor, OWN_NUMBER, rangeWith, writtenFor } from './routing';
import { WITH_TLS } from './views';
import { edges, ownRecord, ownRoute, PATTERNS } from './patterns';

/** The values that a printed configuration contains. */
export interface KamailioOptions extends Limits {
  /** The address at which Kamailio listens for SIP over UDP and TCP, as host:port. */
  readonly sip: string;
  /** The public address of a NAT in front of it, as a numeric address or address:port. Undefined if there is none. */
  readonly advertise?: string | undefined;
  /** The URL of the database, in the format of Kamailio's db_mysql. */
  readonly databaseUrl: string;
  /** The directory of Kamailio's control socket. */
  readonly run: string;
  /** JSON-RPC over HTTP. Callers send the token as X-Rpc-Token. Undefined if JSON-RPC is off. */
  readonly rpc?: { readonly address: string; readonly token: string } | undefined;
  /** TLS. Undefined if it is off. */
  readonly tls?:
    | {
        /** The address at which Kamailio listens for SIP over TLS, as host:port. */
        readonly address: string;
        /** The name of the file with the profiles, which is beside the configuration. */
        readonly profiles: string;
      }
    | undefined;
  /** The SIP addresses of the proxies that may send Path (RFC 3327), as address:port with a numeric address. */
  readonly edgeProxies: readonly string[];
  /** Whether calls are recorded. */
  readonly records: boolean;
  /** Whether transitions of registrations are recorded. */
  readonly transitions: boolean;
  /** Where all SIP messages are sent for traces (HEP version 3), as address:port with a numeric address. Undefined if nowhere. */
  readonly hep?: string | undefined;
}

/** A number of a configuration: the option of `sipgraph kamailio config`, what it is about, and its bounds. */
export interface Limit {
  readonly flags: string;
  readonly about: string;
  readonly usual: number;
  readonly least: number;
  readonly most: number;
  /** The least number that is not 0, if 0 is possible and others are not. */
  readonly leastPositive?: number;
}

/** The limits of a configuration. The usual ones suit an office with hundreds of phones behind one address. */
export const LIMITS = {
  workers: {
    ...{ flags: '--workers <number>', about: 'number of worker processes for UDP, and for TCP' },
    ...{ usual: 4, least: 1, most: 64 },
  },
  flood: limit('--flood', 250, 'requests per second from one address'),
  addressGuesses: limit('--address-guesses', 100, 'wrong digests before an address is banned'),
  userGuesses: limit('--user-guesses', 20, 'wrong digests before a user name is banned at an address'),
  banSeconds: { flags: '--ban-seconds <number>', about: 'duration of a ban', usual: 600, least: 1, most: 86_400 },
  userRequests: limit('--user-requests', 50, 'requests per second from one user'),
  userSubscriptions: limit('--user-subscriptions', 2000, 'new subscriptions per hour from one user'),
  agentCalls: limit('--agent-calls', 20, 'concurrent calls of one agent'),
  gatewayCalls: limit('--gateway-calls', 200, 'concurrent calls of one gateway or peer'),
  healthInterval: {
    flags: '--health-interval <seconds>',
    about: 'seconds between two checks of a gateway with OPTIONS, from 5 to 3600; 0 disables the checks',
    ...{ usual: 30, least: 0, most: 3600, leastPositive: 5 },
  },
} satisfies Record<string, Limit>;

/** A value for each of LIMITS. */
export type Limits = Readonly<Record<keyof typeof LIMITS, number>>;

function limit(option: string, usual: number, about: string): Limit {
  return { flags: `${option} <number>`, about: `${about}; 0 disables the limit`, usual, least: 0, most: 100_000 };
}

/** The files of `templates/` and its folders, in the order of the configuration. */
const TEMPLATES = [
  'kamailio',
  'modules',
  'records/log',
  'requests',
  'strict-headers',
  'destinations',
  'registrar',
  'location',
  'limits',
  'concurrent-calls',
  'call-records',
  'records/attempts',
  'registration-events',
  'limits/alerts',
  'limits/minutes',
  'authentication',
  'identity',
  'presented-caller',
  'calls',
  'within-call',
  'transfers',
  'subscriptions',
  'number-calls',
  'numbers/rings',
  'ways-out',
  'gateways/addresses',
  'gateways/refusals',
  'gateways/sources',
  'gateways/registrations',
  'gateways/health',
  'gateways/tests',
  'gateways/sync',
  'tls/connections',
  'tls/certificate',
];

/** Returns a complete kamailio.cfg. Throws InvalidInputError for a value that Kamailio could not parse. */
export function kamailioConfiguration({
  sip,
  advertise,
  databaseUrl,
  run,
  rpc,
  tls,
  edgeProxies,
  hep,
  ...limits
}: KamailioOptions): string {
  assertAddress('sip', sip);
  assertReachable('sip', sip);
  if (tls) {
    assertAddress('tls', tls.address);
    assertReachable('tls', tls.address);
    if (tls.address === sip) throw InvalidInputError.of('tls', `${quote(sip)} is the address for SIP without TLS`);
    assertDirectory('output', tls.profiles);
  }
  const own = { sip, tls: tls?.address };
  const advertised = advertise === undefined ? undefined : advertisedFor(advertise, own);
  const named = advertised ?? own;
  assertDirectory('run', run);
  for (const address of edgeProxies) {
    assertAddress('edge-proxy', address);
    assertNumeric('edge-proxy', address);
  }
  if (hep !== undefined) {
    assertAddress('hep', hep);
    // A look-up of a name would stop calls.
    assertNumeric('hep', hep);
  }
  if (rpc) {
    assertAddress('rpc', rpc.address);
    assertSecret('rpc-token', rpc.token);
  }
  const limitNames = Object.keys(LIMITS) as (keyof Limits)[]; // the keys of LIMITS
  const values: Readonly<Record<string, string>> = {
    DBURL: databaseUrl,
    SIP: sip,
    RUN: run,
    ...PATTERNS,
    ADVERTISED: named.sip,
    ADVERTISED_TLS: named.tls ?? '',
    ADVERTISE: advertising(advertised?.sip),
    ADVERTISE_TLS: advertising(advertised?.tls),
    RPORT: advertised
      ? 'local_rport=yes                   # for phones within the NAT, which may change the port, too\n'
      : '',
    OWN_ROUTE: ownRoute(own, ...(advertised ? [advertised] : [])),
    OWN_RECORD: ownRecord(named),
    EDGES: edges(edgeProxies),
    // The SQL by which explanations of calls write the same.
    OWN_NUMBER: inOneLine(OWN_NUMBER),
    CALLED: inOneLine(calledFor('o', 'called', 'is_number')),
    SHOWN: inOneLine(writtenFor('o', 'own')),
    DIVERTING: inOneLine(writtenFor('o', 'diverting')),
    RANGE: inOneLine(rangeWith('SUBSTR(range_first, 3)', '" + $var(range_key) + "')),
    DIVERTED: inOneLine(writtenFor('f', 'did')),
    USE_PATH: edgeProxies.length > 0 ? '1' : '0',
    ...Object.fromEntries(
      limitNames.map((name) => [name.replace(/[A-Z]/g, '_$&').toUpperCase(), String(limits[name])]),
    ),
    // pike counts requests in periods of two seconds.
    FLOOD_UNIT: String(Math.max(1, 2 * limits.flood)),
    USER_REQUESTS_UNIT: String(2 * limits.userRequests),
    // Milliseconds for which a result is valid: some checks may be late.
    HEALTH_VALIDITY: String(4000 * limits.healthInterval),
    TLS: tls?.address ?? '',
    PROFILES: tls?.profiles ?? '',
    TRANSPORTS: tls ? 'udp|tcp|tls' : 'udp|tcp',
    VIEWS: tls ? WITH_TLS : '',
    RPC_METHODS: tls ? '|tls\\.reload' : '',
    RECORDS: limits.records ? '1' : '0',
    TRANSITIONS: limits.transitions ? '1' : '0',
    HEP_MODULE: hep === undefined ? '' : 'loadmodule "siptrace.so"\n',
    HEP: hep === undefined ? '' : fillIn(template('records/traces'), { COLLECTOR: hep }),
    RPC_LISTEN: rpc ? `listen=tcp:${rpc.address}      # JSON-RPC over HTTP\n` : '',
    RPC_PORT: rpc?.address.split(':').at(-1) ?? '0',
    RPC_TOKEN: rpc?.token ?? '',
  };
  const parts = TEMPLATES.map((name) => withTls(template(name), tls !== undefined));
  return fillIn(withLines(parts.filter((part) => part !== '').join('\n')), values);
}

/** The files of a server's certificate. */
export interface Certificate {
  /** PEM files, as absolute paths: the chain of certificates, its key, and the certificate authorities of gateways. */
  readonly certificate: string;
  readonly key: string;
  readonly authorities: string;
}

/** Returns the profiles of Kamailio's module tls. Throws InvalidInputError for a path that Kamailio could not parse. */
export function tlsProfiles({ certificate, key, authorities }: Certificate): string {
  assertDirectory('tls-cert', certificate);
  assertDirectory('tls-key', key);
  assertDirectory('tls-ca', authorities);
  return fillIn(template('tls/profiles'), { CERTIFICATE: certificate, KEY: key, AUTHORITIES: authorities });
}

function template(name: string): string {
  return readFileSync(join(__dirname, 'templates', `${name}.cfg`), 'utf8');
}

/** The end of a line `listen` that advertises host:port. Only in quotes does Kamailio spell IPv6 as here. */
function advertising(address: string | undefined): string {
  return address?.replace(/^(.*):(\d+)$/, ' advertise "$1":$2') ?? '';
}

/** A string of Kamailio's configuration may end with its line. */
function inOneLine(sql: string): string {
  return sql.replace(/\s+/g, ' ');
}

/** Keeps the parts of a template for a configuration with TLS, or those for one without. */
function withTls(text: string, isOn: boolean): string {
  return text.replace(
    /^#!ifdef WITH_TLS\n([^]*?)(?:^#!else\n([^]*?))?^#!endif\n/gm,
    (_, secure: string, plain: string | undefined) => (isOn ? secure : (plain ?? '')),
  );
}

/**
 * Prints the lines of the log in spite of its level (templates/records/log.cfg). Their text is composed before, at that level, because
 * Kamailio would log what it cannot read of a sender.
 */
function withLines(text: string): string {
  return text.replace(
    /((?:\)|\belse)\s*)?xlog\("(L_[A-Z]+)", "((?:[^"\\]|\\.)*)\\n"\);/g,
    (_, condition: string | undefined, level: string, line: string) => {
      const printed = `pv_printf("$var(line)", "${line}"); setdebug("1"); xlog("${level}", "$var(line)\\n"); resetdebug();`;
      return condition === undefined ? printed : `${condition}{ ${printed} }`;
    },
  );
}

/** Replaces the placeholders of a template. Others, such as @RUN@ of a test, stay. */
function fillIn(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/@([A-Z_]+)@/g, (placeholder, name: string) => values[name] ?? placeholder);
}
