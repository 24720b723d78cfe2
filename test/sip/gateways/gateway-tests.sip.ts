import { databases } from '../../support/databases/databases';
import { runCommand } from '../../support/command-line';
import { createGateway, createUser } from '../../support/factories';
import { Provider } from '../provider';
import { startStack, type Stack } from '../stack';

const [database] = databases.filter(({ name }) => name === 'MariaDB');
if (!database) throw new Error('MariaDB has to run');

const TEST = 'mutation($ref: String!) { testGateway(ref: $ref) { outcome address status reason roundTrip } }';

interface Result {
  readonly outcome: string;
  readonly address: string | null;
  readonly status: number | null;
  readonly reason: string | null;
  readonly roundTrip: number | null;
}

describe('The test of a gateway', () => {
  let stack: Stack;
  const opened: Provider[] = [];

  beforeAll(async () => {
    stack = await startStack(database);
  });

  afterAll(async () => {
    for (const each of opened) each.close();
    await stack.close();
  });

  async function provider(host: string, status?: string, elsewhere?: string): Promise<Provider> {
    const made = await Provider.open(host, status, elsewhere);
    opened.push(made);
    return made;
  }
  const gatewayAt = ({ host, port }: Pick<Provider, 'host' | 'port'>): Promise<string> =>
    createGateway(stack.app, { host, port });
  const testing = (ref: string) => stack.app.graphql<{ testGateway: Result }>(TEST, { ref });
  const result = async (ref: string): Promise<Result> => {
    const { data, errors } = await testing(ref);
    if (errors) throw new Error(JSON.stringify(errors));
    return data.testGateway;
  };
  const NOTHING = { status: null, reason: null, roundTrip: null };

  test.each([
    ['127.0.98.1', '200 OK', 200, 'OK'],
    ['127.0.98.2', '404 Not Found', 404, 'Not Found'],
    ['127.0.98.3', '503 Wartung, "später" | 5', 503, 'Wartung, "später" | 5'],
    ['127.0.98.4', `486 ${'x'.repeat(300)}`, 486, 'x'.repeat(100)],
    ['127.0.98.5', '299 ', 299, null],
  ])(
    'of %s, which responds %s, has the status, the reason, the round trip and the address',
    async (host, line, status, reason) => {
      const one = await provider(host, line);
      // Directly after it was created: its host is resolved first.
      const { roundTrip, ...rest } = await result(await gatewayAt(one));
      expect(rest).toEqual({ outcome: 'ANSWERED', address: `${host}:${String(one.port)}`, status, reason });
      expect(roundTrip).toBeGreaterThanOrEqual(0);
      expect(roundTrip).toBeLessThan(2000);
      expect(one.requests[0]).toMatch(/^OPTIONS sip:127\.0\.98\.\d:\d+ SIP\/2\.0\r\n/);
      expect(one.heard.size).toBe(1);
    },
  );

  test('says it for each enabled destination, if that is selected, also for one that is draining', async () => {
    const [host, other, third] = [
      await provider('127.0.98.20', '200 OK'),
      await provider('127.0.98.21', '404 Not Found'),
      await provider('127.0.98.22', '200 OK'),
    ];
    const at = ({ host: name, port }: Provider) => ({ host: name, port });
    const ref = await createGateway(stack.app, {
      ...at(host),
      destinations: [
        { host: '127.0.98.23', enabled: false },
        { ...at(other), draining: true },
        { ...at(third), transport: 'WSS' },
        { host: 'no-such-destination.invalid' },
      ],
    });
    const { data, errors } = await stack.app.graphql(
      `mutation ($ref: String!) { testGateway(ref: $ref) {
        outcome destinations { host port transport outcome address status reason } } }`,
      { ref },
    );
    expect(errors).toBeUndefined();
    const none = { address: null, status: null, reason: null };
    const answered = { address: `127.0.98.21:${String(other.port)}`, status: 404, reason: 'Not Found' };
    expect(data).toEqual({
      testGateway: {
        outcome: 'ANSWERED',
        destinations: [
          { ...at(other), transport: 'udp', outcome: 'ANSWERED', ...answered },
          { ...at(third), transport: 'wss', outcome: null, ...none },
          { host: 'no-such-destination.invalid', port: null, transport: 'udp', outcome: 'NO_ADDRESS', ...none },
        ],
      },
    });
    expect([host.heard.size, other.heard.size, third.heard.size]).toEqual([1, 1, 0]);
  });

  test('is refused by a dry run as it would be, and is not sent by one that would not be', async () => {
    const one = await provider('127.0.98.30', '200 OK');
    const { app } = stack;
    const dry = (ref: string) =>
      app.graphql(
        'mutation ($ref: String!) { testGateway(ref: $ref, dryRun: true) { outcome destinations { outcome } } }',
        { ref },
      );
    const at = { host: one.host, port: one.port };
    const destinations = ['TCP', 'SCTP', 'TLS'].map((transport) => ({ ...at, transport }));
    const { data, errors } = await dry(await createGateway(app, { ...at, destinations }));
    expect(errors).toBeUndefined();
    const outcomes = ['DRY_RUN', null, null].map((outcome) => ({ outcome }));
    expect(data).toEqual({ testGateway: { outcome: 'DRY_RUN', destinations: outcomes } });
    for (const transport of ['WS', 'TLS']) {
      const refused = await dry(await createGateway(app, { host: `dry-${transport}.test`, transport }));
      expect(refused.errors?.[0]).toMatchObject({
        message: `The SIP server does not send over ${transport.toLowerCase()}`,
        extensions: { code: 'NOT_SUPPORTED' },
      });
    }
    expect(one.heard.size).toBe(0);
  });

  test('whose host stays silent, or whose response comes from elsewhere, is SILENT after 2 s', async () => {
    for (const one of [await provider('127.0.98.6'), await provider('127.0.98.7', '200 OK', '127.0.98.8')]) {
      const ref = await gatewayAt(one);
      const start = Date.now();
      expect(await result(ref)).toEqual({ outcome: 'SILENT', address: `${one.host}:${String(one.port)}`, ...NOTHING });
      expect(Date.now() - start).toBeGreaterThanOrEqual(2000);
    }
  });

  test('whose host has no address in DNS is NO_ADDRESS', async () => {
    const ref = await createGateway(stack.app, { host: 'no-such-host.invalid' });
    expect(await result(ref)).toEqual({ outcome: 'NO_ADDRESS', address: null, ...NOTHING });
  });

  test('does not change the health, and goes to the present host', async () => {
    const [former, next] = [await provider('127.0.98.9', '200 OK'), await provider('127.0.98.10', '200 OK')];
    const ref = await gatewayAt(former);
    expect(await result(ref)).toMatchObject({ address: `127.0.98.9:${String(former.port)}` });
    await stack.app.graphql(
      'mutation($ref: String!, $port: Int) { updateGateway(ref: $ref, input: { port: $port }) { ref } }',
      { ref, port: next.port },
    );
    const { data } = await stack.app.graphql(`{ gateway(ref: "${ref}") { health { state checkedOn } } }`);
    expect(data).toEqual({ gateway: { health: { state: 'UNKNOWN', checkedOn: null } } });
    expect(await result(ref)).toMatchObject({ address: `127.0.98.9:${String(next.port)}` });
    expect([former.heard.size, next.heard.size]).toEqual([1, 0]);
  });

  test('of a host is refused for 2 s after the last one, also that of another gateway there', async () => {
    const one = await provider('127.0.98.11', '200 OK');
    const ref = await gatewayAt(one);
    const other = await createGateway(stack.app, {
      host: one.host,
      port: one.port,
      username: 'u',
      secret: 'trunk-secret',
      sendRegister: false,
    });
    await result(ref);
    for (const each of [ref, other])
      expect((await testing(each)).errors?.[0]).toMatchObject({
        message: 'The host of this gateway was tested just now; try again in 2 s',
        extensions: { code: 'RATE_LIMITED' },
      });
    await new Promise((resolve) => setTimeout(resolve, 3500));
    expect(await result(other)).toMatchObject({ outcome: 'ANSWERED' });
    expect(one.heard.size).toBe(2);
  });

  test('is also a command', async () => {
    const one = await provider('127.0.98.12', '200 OK');
    const ref = await gatewayAt(one);
    const environment = { DATABASE_URL: stack.url, SIP_RPC_URL: stack.rpcUrl, SIP_RPC_TOKEN: 'rpc-token' };
    const { code, out } = await runCommand(environment, 'test-gateway', ref);
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringMatching(
        new RegExp(`^200 OK from 127\\.0\\.98\\.12:${String(one.port)} after \\d+ ms\n$`),
      ) as string,
    });
  });

  test.each([
    ['a host instead of a gateway', 'POST', Buffer.from('127.0.98.13').toString('hex'), 404],
    ['SQL', 'POST', Buffer.from("' OR ''='").toString('hex'), 404],
    ['no hexadecimal digits', 'POST', "x' OR 1=1", 404],
    ['a part of a digit', 'POST', 'abc', 404],
    ['an unknown test', 'GET', 'abcd', 404],
    ['nothing', 'POST', '', 404],
  ])('cannot be asked for with %s, even by a caller with the token', async (_what, method, path, status) => {
    const url = new URL(`/test/${encodeURI(path)}`, stack.rpcUrl);
    const answer = await fetch(url, { method, headers: { 'x-rpc-token': 'rpc-token' } });
    expect(answer.status).toBe(status);
  });

  test('needs the token', async () => {
    const ref = await gatewayAt(await provider('127.0.98.14', '200 OK'));
    const url = new URL(`/test/${Buffer.from(ref).toString('hex')}`, stack.rpcUrl);
    expect((await fetch(url, { method: 'POST', headers: { 'x-rpc-token': 'guess' } })).status).toBe(403);
    expect(opened.at(-1)?.heard.size).toBe(0);
  });

  test('is refused for a transport that the SIP server does not support, for an unknown gateway, and for viewers', async () => {
    const { app } = stack;
    const tls = await createGateway(app, { host: 'tls.test', transport: 'WSS' });
    expect((await testing(tls)).errors?.[0]).toMatchObject({
      message: 'The SIP server does not send over wss',
      extensions: { code: 'NOT_SUPPORTED' },
    });
    expect((await testing('nobody')).errors?.[0]).toMatchObject({ extensions: { code: 'NOT_FOUND' } });
    const { token } = await createUser(app, 'VIEWER');
    const { errors } = await app.graphql(TEST, { ref: tls }, { token });
    expect(errors?.[0]).toMatchObject({ extensions: { code: 'FORBIDDEN' } });
  });

  test('fails with UNAVAILABLE while Kamailio is down', async () => {
    const ref = await gatewayAt(await provider('127.0.98.15', '200 OK'));
    await stack.stopKamailio();
    expect((await testing(ref)).errors?.[0]).toMatchObject({
      message: 'The SIP server cannot be reached; try again later',
      extensions: { code: 'UNAVAILABLE' },
    });
    await stack.startKamailio();
    expect(await result(ref)).toMatchObject({ outcome: 'ANSWERED' });
  });
});
