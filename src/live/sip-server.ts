import { UnavailableError } from '../errors';

/** What is known of the SIP server now. */
export interface SipServerState {
  readonly reachable: boolean;
  /** As it names itself; null while it cannot be reached. */
  readonly version: string | null;
  /** Seconds that it runs. */
  readonly uptime: number | null;
}

/** Where the SIP server takes JSON-RPC over HTTP, and what has to be known there. */
export interface RpcConfig {
  readonly url: string;
  readonly token: string;
}

// A server that hangs is as good as one that is away; in milliseconds. Probes have a second, as a rule.
const STATE_TIMEOUT = 500;
const TIMEOUT = 1000;

/** Talks to Kamailio (its module jsonrpcs); nothing of the API waits for it but what is about it. */
export class SipServer {
  constructor(private readonly rpc: RpcConfig) {}

  /** Never throws: a server that cannot be reached is a state, too. */
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

  /** Ends the bindings of an address of record, as `1001@sip.local`, in its memory and in `location`, where it has any. */
  async evict(addressOfRecord: string): Promise<void> {
    try {
      await this.call('ul.rm', ['location', addressOfRecord]);
    } catch (error) {
      if (error instanceof RpcError && error.status === 404) return;
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
    const { result, error } = (await answer.json()) as { readonly result?: unknown; readonly error?: unknown };
    if (!answer.ok || error !== undefined) throw new RpcError(method, answer.status);
    return result;
  }
}

/** It answered, and did not do it. */
class RpcError extends Error {
  constructor(
    method: string,
    readonly status: number,
  ) {
    super(`${method} was refused with HTTP ${String(status)}`);
  }
}
