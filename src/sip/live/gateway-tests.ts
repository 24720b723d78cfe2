import type { Database } from '../../database/database';
import { NotFoundError, NotSupportedError, RateLimitedError } from '../../errors';
import type { Destination } from '../../model/format/destination';
import type { GatewayTest, SipServer } from './sip-server';
import { storedDestinations } from './stored';

// Tests that this process runs at the same time.
const MAX_TESTS = 8;
// Seconds after which a refused test can be repeated.
const LATER = 2;

/** The result of a test of a destination. Null in `outcome`: it was tested less than 2 s ago, or the transport is not supported. */
export interface DestinationTest extends Omit<GatewayTest, 'outcome'> {
  readonly host: string;
  readonly port: number | null;
  readonly transport: string;
  readonly outcome: GatewayTest['outcome'] | null;
}

/** How a test runs. */
interface TestOptions {
  /** Check everything, and send nothing. */
  readonly dryRun?: boolean;
}

const DRY_RUN = { outcome: 'DRY_RUN', address: null, status: null, reason: null, roundTrip: null } as const;
const NOT_TESTED = { outcome: null, address: null, status: null, reason: null, roundTrip: null };

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
  async test(ref: string, { dryRun = false }: TestOptions = {}): Promise<GatewayTest> {
    const { transport } = await this.gateway(ref);
    return this.run(async (sipServer) => {
      const result = await (dryRun ? dryTest(sipServer, ref) : sipServer.testGateway(ref));
      if (result === 'BUSY') throw new RateLimitedError('The host of this gateway was tested just now', LATER);
      if (!result) throw new NotSupportedError(`The SIP server does not send over ${transport}`);
      return result;
    });
  }

  /**
   * Sends OPTIONS to each enabled destination of a gateway, and returns what came back. `spend` charges the user for so many
   * tests. Throws as `test` does.
   */
  async testDestinations(
    ref: string,
    spend: (tests: number) => void,
    { dryRun = false }: TestOptions = {},
  ): Promise<readonly DestinationTest[]> {
    const { transport, destinations } = await this.gateway(ref);
    const tested = destinations.flatMap((each, index) => (each.enabled === false ? [] : [{ each, place: index + 1 }]));
    spend(tested.length);
    if (tested.length === 0) return [];
    return this.run((sipServer) =>
      Promise.all(
        tested.map(async ({ each, place }) => {
          const result = await (dryRun ? dryTest(sipServer, ref, place) : sipServer.testGateway(ref, place));
          const at = { host: each.host, port: each.port ?? null, transport: each.transport ?? transport };
          return { ...at, ...(result === undefined || result === 'BUSY' ? NOT_TESTED : result) };
        }),
      ),
    );
  }

  private async gateway(
    ref: string,
  ): Promise<{ readonly transport: string; readonly destinations: readonly Destination[] }> {
    const [row] = await this.database.rows('SELECT transport, destinations FROM gateways WHERE ref = ?', [ref]);
    if (!row) throw new NotFoundError('Gateway', ref);
    return { transport: String(row[0]), destinations: storedDestinations(row[1]) };
  }

  /** Runs a test, unless many are running. */
  private async run<T>(made: (sipServer: SipServer) => Promise<T>): Promise<T> {
    const { sipServer, running } = this;
    if (!sipServer) throw new NotSupportedError('Tests of gateways need the SIP server: set SIP_RPC_URL');
    if (running.size >= MAX_TESTS) throw new RateLimitedError('Too many gateways are being tested', LATER);
    const test = {};
    running.add(test);
    try {
      return await made(sipServer);
    } finally {
      running.delete(test);
    }
  }
}

async function dryTest(sipServer: SipServer, ref: string, destination?: number): Promise<typeof DRY_RUN | undefined> {
  return (await sipServer.canTest(ref, destination)) ? DRY_RUN : undefined;
}
