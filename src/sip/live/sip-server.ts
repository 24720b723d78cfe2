import { setTimeout as pause } from 'node:timers/promises';

import { NotSupportedError, UnavailableError } from '../../errors';
import { MISLEADING } from '../../spelling/invisible';

/** The current state of the SIP server. */
export interface SipServerState {
  readonly reachable: boolean;
  /** The name and version of the SIP server; null while it is unreachable. */
  readonly version: string | null;
  /** Seconds since the SIP server started; null if unknown. */
  readonly uptime: number | null;
}

/**
 * What came back: a response; none within 2 s; or nothing was sent, because the host has no address in DNS, or because it
 * could not be reached.
 */
export type TestOutcome = 'ANSWERED' | 'SILENT' | 'NO_ADDRESS' | 'NOT_SENT' | 'DRY_RUN';

/** The result of an OPTIONS request to a gateway (RFC 3261, 11). */
export interface GatewayTest {
  readonly outcome: TestOutcome;
  /** The address and port to which the request was sent; null without one. */
  readonly address: string | null;
  /** The status code and the reason phrase of the response; null without one. */
  readonly status: number | null;
  readonly reason: string | null;
  /** Milliseconds until the response; null without one. */
  readonly roundTrip: number | null;
}

/** The URL of the SIP server's JSON-RPC over HTTP, and the token that it requires. */
interface RpcConfig {
  readonly url: string;
  readonly token: string;
}

// Milliseconds. The state is part of /readyz, and probes typically time out after a second.
const STATE_TIMEOUT = 500;
const TIMEOUT = 1000;
const RELOAD_TIMEOUT = 10_000;
// Milliseconds between looks for the result of a test, and for which the SIP server may take: the answer has 2 s, and the
// host of a new gateway is resolved within some seconds.
const LOOK = 50;
const PATIENCE = 8000;
// Bytes of a response, decompressed. All that is asked for here takes a few hundred; parsing megabytes of nested JSON blocks
// the event loop for seconds.
const MAX_RESPONSE = 16 * 1024;

/** A client for Kamailio's JSON-RPC (module jsonrpcs). */
export class SipServer {
  constructor(private readonly rpc: RpcConfig) {}

  /** Returns the state. Never throws: if the server does not respond, `reachable` is false. */
  async state(): Promise<SipServerState> {
    try {
      const [version, uptime] = await Promise.all(
        ['core.version', 'core.uptime'].map((method) => this.call(method, [], STATE_TIMEOUT)),
      );
      const seconds = typeof uptime === 'object' && uptime !== null && 'uptime' in uptime ? Number(uptime.uptime) : NaN;
      return { reachable: true, version: String(version).trim(), uptime: Number.isNaN(seconds) ? null : seconds };
    } catch {
      return { reachable: false, version: null, uptime: null };
    }
  }

  /**
   * Makes the SIP server remove the bindings of an address of record (`1001@sip.local`), if any, from its memory and
   * from `location`. Throws UnavailableError if the SIP server does not respond or reports an error.
   */
  async evict(addressOfRecord: string): Promise<void> {
    try {
      await this.call('ul.rm', ['location', addressOfRecord]);
    } catch (error) {
      if (error instanceof RpcError && error.status === 404) return;
      throw new UnavailableError('The SIP server', { cause: error });
    }
  }

  /**
   * Makes the SIP server read its certificates again, for new connections. Open ones stay. Throws UnavailableError if the
   * SIP server does not respond, and NotSupportedError if it has no TLS, or keeps its certificates because the new ones
   * cannot be used.
   */
  async reloadCertificates(): Promise<void> {
    const reload = (): Promise<unknown> => this.call('tls.reload', [], RELOAD_TIMEOUT);
    try {
      // Kamailio may compare new certificates with freed memory of a former reload, and refuse them once.
      await reload().catch((error: unknown) => {
        if (error instanceof RpcError && error.status !== 403) return reload();
        throw error;
      });
    } catch (error) {
      if (!(error instanceof RpcError)) throw new UnavailableError('The SIP server', { cause: error });
      throw new NotSupportedError(
        error.status === 403
          ? 'The SIP server does not allow a reload: it has no TLS, or another SIP_RPC_TOKEN'
          : 'The SIP server cannot use the new certificates and keeps those before: "sipgraph kamailio config" checks them',
      );
    }
  }

  /**
   * Sends OPTIONS to the host of a gateway, or to one of its destinations, counted from 1, and waits for the response. The SIP
   * server looks up the host. Returns undefined if it does not send to the gateway, because it does not support its transport, and BUSY if the host was tested less
   * than 2 s ago. Throws UnavailableError if the SIP server does not respond, and NotSupportedError if its configuration
   * is of an earlier version.
   */
  async testGateway(ref: string, destination?: number): Promise<GatewayTest | 'BUSY' | undefined> {
    const end = performance.now() + PATIENCE;
    let path = `${Buffer.from(ref).toString('hex')}${destination === undefined ? '' : `/${String(destination)}`}`;
    let address: string | null = null;
    let method = 'POST';
    while (performance.now() < end) {
      const { status, text } = await this.test(method, path);
      if (status === 404 && text === 'gateway') return undefined;
      if (status === 429) return 'BUSY';
      // The host of a new gateway is not resolved yet.
      if (status !== 200 && status !== 409) throw refusalOf(status, text);
      const reply = status === 200 ? replyOf(text) : {};
      address = reply.address ?? address;
      const { outcome, status: responded = null, roundTrip = null, reason } = reply;
      if (outcome) return { outcome, address, status: responded, roundTrip, reason: phraseOf(reason) };
      if (reply.test !== undefined) [method, path] = ['GET', reply.test];
      await pause(LOOK);
    }
    throw new UnavailableError('The SIP server', undefined, 'has not resolved the host of the gateway');
  }

  /**
   * Whether the SIP server can test the host or a destination of a gateway: whether it supports the transport. Nothing is sent to
   * the provider. A configuration of an earlier version does not say it.
   */
  async canTest(ref: string, destination = 0): Promise<boolean> {
    const { status, text } = await this.test('GET', `${Buffer.from(ref).toString('hex')}/${String(destination)}`);
    if (status !== 200 && status !== 404) throw refusalOf(status, text);
    return text !== 'gateway';
  }

  private async test(method: string, path: string): Promise<{ readonly status: number; readonly text: string }> {
    try {
      const answer = await fetch(new URL(`/test/${path}`, this.rpc.url), {
        method,
        headers: { 'x-rpc-token': this.rpc.token },
        signal: AbortSignal.timeout(TIMEOUT),
      });
      return { status: answer.status, text: await textOf(answer) };
    } catch (error) {
      throw new UnavailableError('The SIP server', { cause: error });
    }
  }

  private async call(method: string, params: readonly string[], timeout = TIMEOUT): Promise<unknown> {
    const answer = await fetch(this.rpc.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-rpc-token': this.rpc.token },
      body: JSON.stringify({ jsonrpc: '2.0', method, params, id: 1 }),
      signal: AbortSignal.timeout(timeout),
    });
    const { result, error } = JSON.parse(await textOf(answer)) as RpcReply;
    if (!answer.ok || error !== undefined) throw new RpcError(method, answer.status);
    return result;
  }
}

/** A response of JSON-RPC 2.0. */
interface RpcReply {
  readonly result?: unknown;
  readonly error?: unknown;
}

/** Reads a response. Throws if it is too long. */
async function textOf({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  // The body of a response of fetch has bytes.
  for await (const part of (body ?? []) as AsyncIterable<Uint8Array>) {
    length += part.length;
    if (length > MAX_RESPONSE) throw new Error(`a response of more than ${String(MAX_RESPONSE)} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

/** What the SIP server says about a test that has begun. The reason phrase is in hexadecimal digits. */
type TestReply = Partial<GatewayTest> & { readonly test?: string };

/** Throws UnavailableError if a proxy, or another server, has responded in place of the configuration that sipgraph prints. */
function replyOf(text: string): TestReply {
  try {
    const reply = JSON.parse(text) as TestReply | null;
    if (typeof reply === 'object' && reply !== null) return reply;
  } catch {
    // The same as for other JSON.
  }
  throw new UnavailableError('The SIP server', undefined, 'has sent a response that sipgraph cannot read');
}

/** A configuration of an earlier version refuses the path, as it would a method that it does not know. */
function refusalOf(status: number, text: string): Error {
  return (status === 403 && text === 'method') || (status === 404 && text === 'no')
    ? new NotSupportedError(
        'Tests need the configuration of this version in Kamailio: print it with sipgraph kamailio config',
      )
    : new UnavailableError('The SIP server', { cause: new RpcError('test', status) });
}

/** A reason phrase, without control characters. A provider sends it. */
function phraseOf(hexadecimal: string | null | undefined): string | null {
  if (!/^([0-9a-f]{2})+$/i.test(hexadecimal ?? '')) return null;
  return Buffer.from(hexadecimal ?? '', 'hex')
    .toString()
    .replace(MISLEADING, ' ')
    .trim();
}

/** The server responded with an error. */
class RpcError extends Error {
  constructor(
    method: string,
    readonly status: number,
  ) {
    super(`${method} failed with HTTP ${String(status)}`);
  }
}
