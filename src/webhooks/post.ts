import { getServers, promises as dns } from 'node:dns';
import { readFile } from 'node:fs/promises';
import { Agent, request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http';
import { Agent as SecureAgent, request as requestHttps } from 'node:https';
import { connect, isIP, type LookupFunction, type Socket, type TcpNetConnectOpts } from 'node:net';
import { connect as connectSecurely } from 'node:tls';

import ipaddr from 'ipaddr.js';

import type { AddressPolicy } from '../limits/addresses';

/** An address of a host. */
interface HostAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

// Milliseconds to wait for a name server, and the number of times that each is asked.
const PATIENCE = { timeout: 1500, tries: 2 };
const HOSTS = '/etc/hosts';
const LOOPBACK: readonly HostAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * Returns the addresses of a host, from /etc/hosts or else from the name servers of the system, until `signal` is
 * aborted. The system's own look-up is not used: each one occupies a thread, of which the process has four, until a
 * name server responds. Throws an Error with a `code`.
 */
async function addressesOf(host: string, signal: AbortSignal): Promise<readonly HostAddress[]> {
  const name = host.toLowerCase();
  const known = inHosts(await readFile(HOSTS, 'utf8').catch(() => ''), name);
  if (known.length > 0) return known;
  if (name === 'localhost') return LOOPBACK;
  const resolver = new dns.Resolver(PATIENCE);
  resolver.setServers(getServers());
  const cancel = (): void => resolver.cancel();
  signal.addEventListener('abort', cancel);
  try {
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const found = [...addresses(four, 4), ...addresses(six, 6)];
    if (found.length === 0 && four.status === 'rejected') throw four.reason;
    // Such as a name that is an alias of one without addresses.
    if (found.length === 0) throw Object.assign(new Error('no address'), { code: dns.NODATA, syscall: 'queryA' });
    return found;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

function addresses(result: PromiseSettledResult<readonly string[]>, family: 4 | 6): readonly HostAddress[] {
  return result.status === 'fulfilled' ? result.value.map((address) => ({ address, family })) : [];
}

/** The addresses of a name in the text of /etc/hosts. */
function inHosts(text: string, name: string): readonly HostAddress[] {
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/);
    return names.includes(name) ? [{ address, family: address.includes(':') ? 6 : 4 }] : [];
  });
}

/** The result of sending a message to a receiver. */
export interface Outcome {
  readonly isDelivered: boolean;
  /** The status, or why there is none, without anything that the receiver wrote. */
  readonly text: string;
  /** The status of the response; null without one. */
  readonly status: number | null;
  /** The beginning of the response's body on one line, without control characters. A stranger wrote it. */
  readonly body: string;
}

// Milliseconds for the whole exchange, including DNS.
const TIMEOUT = 10_000;
// Bytes of a response that are read. The status is all that counts; a longer response is cut off.
const MAX_RESPONSE = 16 * 1024;
// Bytes of the whole exchange, with headers and TLS, and milliseconds between two looks at them. Chunks of a body can
// have extensions, and interim responses can precede a response: both are no data of the body.
const MAX_RECEIVED = 256 * 1024;
const LOOK = 20;
// Interim responses, each of which takes as long as some kilobytes.
const MAX_INTERIM = 20;
// Bytes of a body that are kept.
const MAX_BODY = 500;

/**
 * Sends a message with POST. Connects only to an address that `policy` allows, which is checked after DNS on the
 * address that is connected to. Redirects are not followed. `stopped` aborts the exchange.
 */
export function post(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  { policy, stopped }: { readonly policy: AddressPolicy; readonly stopped?: AbortSignal | undefined },
): Promise<Outcome> {
  return new Promise((done) => {
    const fail = (text: string): void => done({ isDelivered: false, text, status: null, body: '' });
    const { protocol, hostname } = new URL(url);
    // Node does not look up an address, so this is the only check of one in the URL.
    const literal = hostname.replace(/^\[(.*)\]$/, '$1');
    if (isIP(literal) !== 0 && !policy(literal)) {
      fail(refusal(literal));
      return;
    }
    const controller = new AbortController();
    const { signal } = controller;
    const abort = (): void => controller.abort();
    const timer = setTimeout(abort, TIMEOUT);
    stopped?.addEventListener('abort', abort);
    if (stopped?.aborted) abort();
    const isSecure = protocol === 'https:';
    // Each connection is checked, so none is kept.
    const agent = isSecure ? new SecureAgent() : new Agent();
    // A socket of TLS counts only what it has decrypted, and nothing of a handshake.
    let connection: Socket | undefined;
    agent.createConnection = (target) => {
      connection = connect(target as TcpNetConnectOpts); // Node adds the host and the port
      return isSecure ? connectSecurely({ ...(target as object), socket: connection }) : connection;
    };
    const options: RequestOptions = {
      method: 'POST',
      agent,
      lookup: lookupWithin(policy, signal),
      headers: { ...headers, 'content-length': Buffer.byteLength(body), 'user-agent': 'sipgraph', connection: 'close' },
      signal,
    };
    const send = isSecure ? requestHttps : requestHttp;
    let isAnswered = false;
    const request = send(url, options, (response) => {
      isAnswered = true;
      const status = response.statusCode ?? 0;
      const isDelivered = status >= 200 && status < 300;
      afterBody(response, (body) => {
        done({ isDelivered, text: `status ${String(status)}`, status, body });
        request.destroy();
      });
    });
    let interim = 0;
    request.on('information', () => {
      if (++interim > MAX_INTERIM) request.destroy(new Error('the response is too long'));
    });
    const looks = setInterval(() => {
      if ((connection?.bytesRead ?? 0) > MAX_RECEIVED) request.destroy(new Error('the response is too long'));
    }, LOOK);
    request.on('error', (error) => fail(reasonOf(error)));
    request.on('close', () => {
      clearTimeout(timer);
      clearInterval(looks);
      stopped?.removeEventListener('abort', abort);
      // A response that switches protocols closes the request without an error.
      if (!isAnswered) fail('no response');
    });
    request.end(body);
  });
}

/** Calls `done` with the beginning of the body when the response has ended, is too long, or is cut off. */
function afterBody(response: IncomingMessage, done: (body: string) => void): void {
  let left = MAX_RESPONSE;
  let start = Buffer.alloc(0);
  const end = (): void => done(lineOf(start));
  response.on('data', (part: Buffer) => {
    if (start.length < MAX_BODY) start = Buffer.concat([start, part.subarray(0, MAX_BODY - start.length)]);
    left -= part.length;
    if (left < 0) end();
  });
  response.on('error', end);
  response.on('close', end);
}

function lineOf(text: Buffer): string {
  return text
    .toString()
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim();
}

/** Resolves a name, and returns only the addresses that `policy` allows. */
function lookupWithin(policy: AddressPolicy, signal: AbortSignal): LookupFunction {
  return (hostname, options, callback) => {
    const find = async (): Promise<readonly [HostAddress, ...HostAddress[]]> => {
      const found = await addressesOf(hostname, signal);
      const [first, ...others] = found.filter(({ address }) => policy(address));
      if (first) return [first, ...others];
      throw Object.assign(new Error(refusal(found[0]?.address ?? '')), { code: 'REFUSED' });
    };
    find().then(
      (allowed) => {
        if (options.all) callback(null, [...allowed]);
        else callback(null, allowed[0].address, allowed[0].family);
      },
      // An error of Node, or the one above.
      (error: unknown) => callback(error as NodeJS.ErrnoException, []),
    );
  };
}

function refusal(address: string): string {
  const range = ipaddr.isValid(address) ? ipaddr.process(address).range() : 'unknown';
  return `the address ${address} (${range}) is not public, and WEBHOOK_ALLOW does not name it`;
}

function reasonOf(error: Error & { readonly code?: unknown; readonly syscall?: unknown }): string {
  if (error.name === 'AbortError') return `no complete response within ${String(TIMEOUT / 1000)} s`;
  // Such as queryA. The code may be that of a name server which cannot be reached.
  if (String(error.syscall).startsWith('query')) return `the host was not found: ${String(error.code)}`;
  return typeof error.code === 'string' && error.code !== 'REFUSED' ? error.code : error.message.slice(0, 200);
}
