import type { Database } from '../../database/database';
import { NotFoundError, NotSupportedError, RateLimitedError } from '../../errors';
import type { GatewayTest, SipServer } from './sip-server';

// Tests that this process runs at the same time.
const MAX_TESTS = 8;
// Seconds after which a refused test can be repeated.
const LATER = 2;

/** Tests whether the hosts of gateways respond now. */
export class GatewayTests {
  constructor(
    private readonly database: Database,
    private readonly sipServer: SipServer | undefined,
    /** The tests that are running, of all callers. */
    private readonly running: Set<object>,
  ) {}

  /**
   * Sends OPTIONS to the host of a gateway, and returns what came back within 2 s. Throws NotFoundError;
   * NotSupportedError if SIP_RPC_URL is not set, or the SIP server does not support the gateway's transport;
   * RateLimitedError if the host was tested less than 2 s ago, or many tests are running; and UnavailableError if the SIP
   * server does not respond.
   */
  async test(ref: string): Promise<GatewayTest> {
    const { sipServer, running } = this;
    if (!sipServer) throw new NotSupportedError('Tests of gateways need the SIP server: set SIP_RPC_URL');
    const [row] = await this.database.rows('SELECT transport FROM gateways WHERE ref = ?', [ref]);
    if (!row) throw new NotFoundError('Gateway', ref);
    if (running.size >= MAX_TESTS) throw new RateLimitedError('Too many gateways are being tested', LATER);
    const test = {};
    running.add(test);
    try {
      const result = await sipServer.testGateway(ref);
      if (result === 'BUSY') throw new RateLimitedError('The host of this gateway was tested just now', LATER);
      if (!result) throw new NotSupportedError(`The SIP server does not send over ${String(row[0])}`);
      return result;
    } finally {
      running.delete(test);
    }
  }
}
