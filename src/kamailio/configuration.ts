import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { assertAddress, assertDirectory, assertReachable, assertSecret } from './config-values';

/** The values that a printed configuration contains. */
export interface KamailioOptions {
  /** Where Kamailio listens for SIP, over UDP and TCP, as host:port. */
  readonly sip: string;
  /** The database, as Kamailio's db_mysql takes it. */
  readonly databaseUrl: string;
  /** The directory of Kamailio's control socket. */
  readonly run: string;
  /** JSON-RPC over HTTP, with the token that callers send as X-Rpc-Token; absent if it is off. */
  readonly rpc?: { readonly address: string; readonly token: string };
  /** Worker processes for UDP, and as many for TCP. */
  readonly workers: number;
  /** Requests a second from one address; 0 is no limit. */
  readonly flood: number;
  /** Wrong digests until an address without a known user is banned, and until a user name is refused there; 0 disables. */
  readonly addressGuesses: number;
  readonly userGuesses: number;
  /** Requests a second from one user, and calls at once of one agent and of one gateway or peer; 0 is no limit. */
  readonly userRequests: number;
  /** New subscriptions of one user in an hour; 0 is no limit. */
  readonly userSubscriptions: number;
  readonly agentCalls: number;
  readonly gatewayCalls: number;
  /** The duration of a ban in seconds, from the first wrong digest. */
  readonly banSeconds: number;
}

/** For an office of hundreds of phones behind one address. */
export const LIMIT_DEFAULTS = {
  workers: 4,
  flood: 250,
  addressGuesses: 100,
  userGuesses: 20,
  banSeconds: 600,
  userRequests: 50,
  userSubscriptions: 2000,
  agentCalls: 20,
  gatewayCalls: 200,
};

/** The files of `templates/`, in the order in which they are printed. */
const TEMPLATES = [
  'kamailio',
  'modules',
  'requests',
  'registrar',
  'location',
  'limits',
  'authentication',
  'identity',
  'presented-caller',
  'calls',
  'within-call',
  'ended-calls',
  'transfers',
  'subscriptions',
  'number-calls',
  'gateway-addresses',
  'gateway-registrations',
  'gateway-sync',
  'rpc',
];

/** Returns a complete kamailio.cfg; throws InvalidInputError for a value that Kamailio could not parse. */
export function kamailioConfiguration({ sip, databaseUrl, run, rpc, ...limits }: KamailioOptions): string {
  assertAddress('sip', sip);
  assertReachable('sip', sip);
  assertDirectory('run', run);
  if (rpc) {
    assertAddress('rpc', rpc.address);
    assertSecret('rpc-token', rpc.token);
  }
  const values: Readonly<Record<string, string>> = {
    DBURL: databaseUrl,
    SIP: sip,
    RUN: run,
    WORKERS: String(limits.workers),
    FLOOD: String(limits.flood),
    // pike counts over two seconds.
    FLOOD_UNIT: String(Math.max(1, 2 * limits.flood)),
    ADDRESS_GUESSES: String(limits.addressGuesses),
    USER_GUESSES: String(limits.userGuesses),
    USER_REQUESTS_UNIT: String(2 * limits.userRequests),
    USER_SUBSCRIPTIONS: String(limits.userSubscriptions),
    AGENT_CALLS: String(limits.agentCalls),
    GATEWAY_CALLS: String(limits.gatewayCalls),
    BAN_SECONDS: String(limits.banSeconds),
    RPC_LISTEN: rpc ? `listen=tcp:${rpc.address}      # JSON-RPC over HTTP\n` : '',
    RPC_PORT: rpc?.address.split(':').at(-1) ?? '0',
    RPC_TOKEN: rpc?.token ?? '',
  };
  const template = TEMPLATES.map((name) => readFileSync(join(__dirname, 'templates', `${name}.cfg`), 'utf8')).join(
    '\n',
  );
  return template.replace(/@([A-Z_]+)@/g, (placeholder, name: string) => values[name] ?? placeholder);
}
