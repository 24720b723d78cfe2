import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { kamailioConfiguration, LIMITS, type Limits } from '../../../src/sip/kamailio/configuration';

const OPTIONS = {
  edgeProxies: [],
  sip: '127.0.0.1:5060',
  databaseUrl: 'mysql://kamailio:p@127.0.0.1:3306/kamailio',
  records: true,
  transitions: true,
  ...(Object.fromEntries(Object.entries(LIMITS).map(([name, { usual }]) => [name, usual])) as unknown as Limits),
};
const NO_LIMITS = {
  flood: 0,
  addressGuesses: 0,
  userGuesses: 0,
  userRequests: 0,
  userSubscriptions: 0,
  agentCalls: 0,
  gatewayCalls: 0,
  healthInterval: 0,
};
const RPC = { address: '127.0.0.1:5080', token: '@TOKEN@ #! $si;' };

describe('The configuration for Kamailio', () => {
  let directory: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sipgraph-config-'));
  });

  afterAll(() => rm(directory, { recursive: true }));

  test.each([
    ['with JSON-RPC', { ...OPTIONS, rpc: RPC }],
    ['without JSON-RPC', OPTIONS],
    ['without limits, and without records', { ...OPTIONS, ...NO_LIMITS, records: false, transitions: false }],
    ['for an IPv6 address', { ...OPTIONS, sip: '[::1]:5060' }],
  ])('%s is accepted by `kamailio -c -M 32`', async (_case, options) => {
    const file = join(directory, 'kamailio.cfg');
    await writeFile(file, kamailioConfiguration({ ...options, run: directory }));
    expect(() =>
      execFileSync('kamailio', ['-c', '-f', file, '-M', '32', '-Y', directory], { stdio: 'pipe' }),
    ).not.toThrow();
  });

  test('has no placeholder left', () => {
    const text = kamailioConfiguration({ ...OPTIONS, rpc: { ...RPC, token: 'secret' }, run: directory });
    expect(text.match(/@[A-Z_]+@/g)).toBeNull();
  });
});
