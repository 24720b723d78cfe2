import { NotSupportedError, UnavailableError } from '../../errors';

/** The current state of the SIP server. */
export interface SipServerState {
  readonly reachable: boolean;
  /** The name and version of the SIP server; null while it is unreachable. */
  readonly version: string | null;
  /** Seconds since the SIP server started; null if unknown. */
  readonly uptime: number | null;
}

/** The URL of the SIP server's JSON-RPC over HTTP, and the token that it requires. */
export interface RpcConfig {
  readonly url: string;
  readonly token: string;
}

// Milliseconds. The state is part of /readyz, and probes typically time out after a second.
const STATE_TIMEOUT = 500;
const TIMEOUT = 1000;
const RELOAD_TIMEOUT = 10_000;

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
    try {
      await this.call('tls.reload', [], RELOAD_TIMEOUT);
    } catch (error) {
      if (!(error instanceof RpcError)) throw new UnavailableError('The SIP server', { cause: error });
      throw new NotSupportedError(
        error.status === 403
          ? 'The SIP server does not allow a reload: it has no TLS, or another SIP_RPC_TOKEN'
          : 'The SIP server cannot use the new certificates and keeps those before: "sipgraph kamailio config" checks them',
      );
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

/** The server responded with an error. */
class RpcError extends Error {
  constructor(
    method: string,
    readonly status: number,
  ) {
    super(`${method} failed with HTTP ${String(status)}`);
  }
}
