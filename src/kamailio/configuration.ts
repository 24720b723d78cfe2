import { AUTHENTICATION } from './authentication';
import { CALLS } from './calls';
import { GATEWAY_ADDRESSES } from './gateway-addresses';
import { GATEWAY_REGISTRATIONS } from './gateway-registrations';
import { IDENTITY } from './identity';
import { LIMITS } from './limits';
import { NUMBER_CALLS } from './number-calls';
import { assertAddress, assertDirectory, assertReachable, assertSecret } from './printable';
import { REQUESTS } from './requests';
import { SETTINGS } from './settings';
import { SUBSCRIPTIONS } from './subscriptions';

/** What a configuration is printed for. */
export interface KamailioOptions {
  /** Where SIP is spoken, as host:port, over UDP and TCP. */
  readonly sip: string;
  /** The database, as Kamailio's db_mysql takes it. */
  readonly databaseUrl: string;
  /** A directory for its control socket. */
  readonly run: string;
  /** JSON-RPC over HTTP, with the token that callers have to send as X-Rpc-Token; off where it is left out. */
  readonly rpc?: { readonly address: string; readonly token: string };
  /** How many processes take requests, for UDP and for TCP each. */
  readonly workers: number;
  /** Requests a second from one address; 0 is no limit. */
  readonly flood: number;
  /** Wrong digests until an address is banned on which nobody is known, and until a user name is refused there; 0 is never. */
  readonly addressGuesses: number;
  readonly userGuesses: number;
  /** How long that lasts, in seconds, from the first wrong digest on. */
  readonly banSeconds: number;
}

/** Sensible for an office of hundreds of phones behind one address. */
export const LIMIT_DEFAULTS = { workers: 4, flood: 250, addressGuesses: 100, userGuesses: 20, banSeconds: 600 };

/** A complete kamailio.cfg; throws InvalidInputError for what Kamailio could not read. */
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
    BAN_SECONDS: String(limits.banSeconds),
    RPC_LISTEN: rpc ? `listen=tcp:${rpc.address}      # JSON-RPC over HTTP\n` : '',
    RPC_ROUTE: rpc
      ? rpcRoute(rpc.address, rpc.token)
      : 'event_route[xhttp:request] { xhttp_reply("404", "Not Found", "text/plain", "no"); }\n',
  };
  const blocks = [
    LIMITS,
    AUTHENTICATION,
    IDENTITY,
    CALLS,
    SUBSCRIPTIONS,
    NUMBER_CALLS,
    GATEWAY_ADDRESSES,
    GATEWAY_REGISTRATIONS,
  ];
  const template = [SETTINGS, REQUESTS, ...blocks, '@RPC_ROUTE@'].join('\n');
  return template.replace(/@([A-Z_]+)@/g, (_, name: string) => values[name] ?? '');
}

function rpcRoute(address: string, token: string): string {
  const port = address.split(':').at(-1) ?? '';
  return String.raw`# JSON-RPC: a listener of its own, a token, and a list of what may be called (uac.reg_dump would show secrets).
event_route[xhttp:request] {
    if ($Rp != ${port} || $hdr(X-Rpc-Token) != "${token}") { xhttp_reply("403", "Forbidden", "text/plain", "no"); exit; }
    # As sipgraph writes it: Kamailio takes the first of several methods.
    if (!($rb =~ "^[{]\"jsonrpc\":\"2\.0\",\"method\":\"(core\.version|core\.uptime|ul\.lookup|ul\.rm)\",")) { xhttp_reply("403", "Forbidden", "text/plain", "method"); exit; }
    if ($hu =~ "^/RPC") { jsonrpc_dispatch(); exit; }
    xhttp_reply("404", "Not Found", "text/plain", "no");
}
`;
}
