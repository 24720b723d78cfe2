import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';

import { databases } from '../../support/databases/databases';
import { eventually } from '../../support/eventually';
import { createDid, createGateway } from '../../support/factories';
import { runSql } from '../../support/databases/sql';
import { transports } from '../../support/subscriptions';
import { Provider, responseTo } from '../provider';
import { startStack, type Stack } from '../stack';

const [database] = databases.filter(({ name }) => name === 'MariaDB');
if (!database) throw new Error('MariaDB has to run');

/** Seconds between two checks: the least that the command accepts. */
const INTERVAL = 5;

interface Health {
  readonly state: 'UP' | 'DOWN' | 'UNKNOWN';
  readonly since: string | null;
  readonly roundTrip: number | null;
  readonly lastStatus: number | null;
  readonly checkedOn: string | null;
}

describe('The health of a gateway', () => {
  let stack: Stack;
  const opened: { close: () => unknown }[] = [];

  beforeAll(async () => {
    stack = await startStack(database, { config: ['--health-interval', String(INTERVAL)] });
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

  const gatewayAt = ({ host, port }: Pick<Provider, 'host' | 'port'>, transport = 'UDP'): Promise<string> =>
    createGateway(stack.app, { host, port, transport });

  async function healthOf(ref: string): Promise<Health> {
    const { data } = await stack.app.graphql<{ readonly gateway: { readonly health: Health } }>(
      `{ gateway(ref: "${ref}") { health { state since roundTrip lastStatus checkedOn } } }`,
    );
    return data.gateway.health;
  }

  const becomes = (ref: string, state: Health['state']): Promise<void> =>
    eventually(45, async () => expect(await healthOf(ref)).toMatchObject({ state }));

  const time = expect.stringMatching(/^20.*Z$/) as string;
  const unknown = { state: 'UNKNOWN', since: null, roundTrip: null, lastStatus: null, checkedOn: null };

  test('is UP whatever final response comes, and DOWN if none comes, or one from elsewhere', async () => {
    const [ok, missing, busy, silent, forged] = [
      await provider('127.0.99.1', '200 OK'),
      await provider('127.0.99.2', '404 Not Found'),
      await provider('127.0.99.3', '503 Service Unavailable'),
      await provider('127.0.99.4'),
      await provider('127.0.99.5', '200 OK', '127.0.99.6'),
    ];
    const refs: string[] = [];
    for (const each of [ok, missing, busy, silent, forged]) refs.push(await gatewayAt(each));
    const [of200 = '', of404 = '', of503 = '', ofSilent = '', ofForged = ''] = refs;
    expect(await healthOf(ofSilent)).toEqual(unknown);
    await Promise.all([of200, of404, of503].map((ref) => becomes(ref, 'UP')));
    for (const [ref, lastStatus] of [
      [of200, 200],
      [of404, 404],
      [of503, 503],
    ] as const) {
      const health = await healthOf(ref);
      expect(health).toEqual({
        state: 'UP',
        since: time,
        roundTrip: expect.any(Number) as number,
        lastStatus,
        checkedOn: time,
      });
      expect(health.roundTrip).toBeLessThan(2000);
    }
    await Promise.all([ofSilent, ofForged].map((ref) => becomes(ref, 'DOWN')));
    const down = { state: 'DOWN', since: time, roundTrip: null, lastStatus: null, checkedOn: time };
    expect([await healthOf(ofSilent), await healthOf(ofForged)]).toEqual([down, down]);
    expect(silent.heard.size).toBeGreaterThanOrEqual(3);
    // The request of a check: from the address of Kamailio, and not sent again after 2 s.
    const [request = ''] = ok.requests;
    expect(request).toMatch(new RegExp(`^OPTIONS sip:127\\.0\\.99\\.1:${String(ok.port)} SIP/2\\.0\r\n`));
    expect(request).toContain(`Via: SIP/2.0/UDP ${stack.sip};`);
    expect(silent.requests.length).toBeLessThanOrEqual(3 * silent.heard.size);
  }, 90_000);

  test('stays UP after two misses, is DOWN after three, and UP again after two answers', async () => {
    const changing = await provider('127.0.99.7', '200 OK');
    const ref = await gatewayAt(changing);
    await becomes(ref, 'UP');
    const misses = async (): Promise<number> => {
      const [[count] = []] = await runSql(stack.url, 'SELECT misses FROM gateway_health WHERE gw_ref = ?', [ref]);
      return Number(count);
    };
    changing.status = undefined;
    await eventually(30, async () => expect(await misses()).toBe(2), 100);
    expect(await healthOf(ref)).toMatchObject({ state: 'UP', roundTrip: null, lastStatus: null });
    await becomes(ref, 'DOWN');
    expect(await misses()).toBe(3);
    const known = changing.heard.size;
    changing.status = '486 Busy Here';
    await eventually(
      30,
      async () => expect(await healthOf(ref)).toMatchObject({ state: 'DOWN', lastStatus: 486 }),
      100,
    );
    await becomes(ref, 'UP');
    expect(changing.heard.size - known).toBeGreaterThanOrEqual(2);
    expect(await misses()).toBe(0);
  }, 120_000);

  test('is UNKNOWN when its host has changed, and then that of the new one', async () => {
    const [former, next] = [await provider('127.0.99.8', '200 OK'), await provider('127.0.99.9', '200 OK')];
    const ref = await gatewayAt(former);
    await becomes(ref, 'UP');
    const { errors } = await stack.app.graphql(
      `mutation { updateGateway(ref: "${ref}", input: { host: "${next.host}", port: ${String(next.port)} }) { ref } }`,
    );
    expect(errors).toBeUndefined();
    expect(await healthOf(ref)).toEqual(unknown);
    await becomes(ref, 'UP');
    expect(next.heard.size).toBeGreaterThanOrEqual(2);
  }, 60_000);

  test('is measured over TCP, too', async () => {
    const server: Server = createServer((socket) => {
      socket.on('data', (data) => socket.write(responseTo(data.toString(), '200 OK')));
      socket.on('error', () => undefined);
    }).listen(0, '127.0.99.10');
    await once(server, 'listening');
    opened.push(server);
    const { port } = server.address() as AddressInfo; // it listens on a port
    await becomes(await gatewayAt({ host: '127.0.99.10', port }, 'TCP'), 'UP');
  }, 60_000);

  test('is UNKNOWN with a transport that Kamailio does not speak here, and DOWN without an address in DNS', async () => {
    const secure = await provider('127.0.99.11', '200 OK');
    const [ofSecure, nowhere] = [
      await gatewayAt(secure, 'TLS'),
      await createGateway(stack.app, { host: 'nowhere.invalid', transport: 'UDP' }),
    ];
    await becomes(nowhere, 'DOWN');
    expect(await healthOf(ofSecure)).toEqual(unknown);
    expect(secure.requests).toEqual([]);
  }, 90_000);

  test('of gateways with the same host is measured once', async () => {
    const shared = await provider('127.0.99.12', '200 OK');
    const refs: string[] = [];
    for (const username of ['one', 'two', 'three']) {
      const account = { username, secret: 'trunk-secret', sendRegister: false };
      refs.push(await createGateway(stack.app, { host: shared.host, port: shared.port, ...account }));
    }
    await Promise.all(refs.map((ref) => becomes(ref, 'UP')));
    const before = shared.heard.size;
    await new Promise((resolve) => setTimeout(resolve, 3 * INTERVAL * 1000));
    expect(shared.heard.size - before).toBeLessThanOrEqual(3);
  }, 90_000);

  test('of many gateways is measured evenly over the interval', async () => {
    const many: Provider[] = [];
    for (let last = 1; last <= 60; last++) many.push(await provider(`127.0.99.${String(100 + last)}`, '200 OK'));
    const refs: string[] = [];
    for (const each of many) refs.push(await gatewayAt(each));
    await Promise.all(refs.map((ref) => becomes(ref, 'UP')));
    const all = opened.flatMap((each) => (each instanceof Provider ? [...each.heard.values()] : []));
    const [[hosts] = []] = await runSql(stack.url, 'SELECT COUNT(DISTINCT host, port) FROM gateways');
    const perSecond = Math.floor(Number(hosts) / INTERVAL) + 1;
    for (const at of all) {
      // A second that begins between two runs has the checks of both, and on a busy machine some that are late.
      expect(all.filter((other) => other >= at && other < at + 1000).length).toBeLessThanOrEqual(2 * perSecond + 2);
    }
  }, 120_000);

  test('is measured by one node: not by this one while another has the lease', async () => {
    const watched = await provider('127.0.99.13', '200 OK');
    const ref = await gatewayAt(watched);
    await becomes(ref, 'UP');
    await runSql(stack.url, "UPDATE health_lease SET holder = '192.0.2.1:5060', expires_at = ?", [Date.now() + 35_000]);
    // It renews its lease every 4 s.
    await new Promise((resolve) => setTimeout(resolve, 6000));
    const before = watched.heard.size;
    await becomes(ref, 'UNKNOWN');
    expect(watched.heard.size).toBe(before);
    expect(await healthOf(ref)).toEqual({ ...unknown, checkedOn: time });
    // The lease of the other node ends, and this one goes on.
    await becomes(ref, 'UP');
  }, 120_000);

  test('is measured although another node had the lease before the clock was set back by a day', async () => {
    const watched = await provider('127.0.99.18', '200 OK');
    const ref = await gatewayAt(watched);
    await becomes(ref, 'UP');
    await runSql(stack.url, "UPDATE health_lease SET holder = '192.0.2.1:5060', expires_at = ?", [
      Date.now() + 86_400_000,
    ]);
    await eventually(30, async () =>
      expect(await runSql(stack.url, "SELECT id FROM health_lease WHERE holder = '192.0.2.1:5060'")).toEqual([]),
    );
    const before = watched.heard.size;
    await eventually(30, () => expect(watched.heard.size).toBeGreaterThan(before));
  }, 120_000);

  test('is UNKNOWN while Kamailio is stopped, and known again afterwards', async () => {
    const watched = await provider('127.0.99.14', '200 OK');
    const ref = await gatewayAt(watched);
    await becomes(ref, 'UP');
    await stack.stopKamailio();
    await becomes(ref, 'UNKNOWN');
    await stack.startKamailio();
    await becomes(ref, 'UP');
  }, 120_000);

  test('is part of an explanation, whose verdict stays', async () => {
    const silent = await provider('127.0.99.15');
    const gatewayRef = await gatewayAt(silent);
    await createDid(stack.app, { gatewayRef, telUrl: 'tel:+4930998', aorLink: 'sip:nobody@one.test' });
    await becomes(gatewayRef, 'DOWN');
    const { data } = await stack.app.graphql('{ explainNumber(telUrl: "+4930998") { state steps { state summary } } }');
    expect(data).toMatchObject({
      explainNumber: {
        state: 'TARGET_MISSING',
        steps: [
          {},
          { state: 'OK', summary: expect.stringMatching(/; its host has not responded to OPTIONS since 20/) as string },
          {},
          {},
          {},
          {},
        ],
      },
    });
  }, 90_000);

  test('is told to subscribers when a provider stops responding, and when it responds again', async () => {
    const [transport] = transports;
    const watched = await provider('127.0.99.16', '200 OK');
    const ref = await gatewayAt(watched);
    await becomes(ref, 'UP');
    const query = 'subscription { gatewayHealthChanged { gatewayRef state gateway { health { lastStatus } } } }';
    const changes = await transport.subscribe(stack.app.url, await stack.app.token(), query);
    opened.push({ close: () => changes.close() });
    const next = async (): Promise<unknown> => {
      for (;;) {
        const { data } = await changes.next(60);
        const change = data?.['gatewayHealthChanged'] as { readonly gatewayRef: string }; // of the query above
        if (change.gatewayRef === ref) return change;
      }
    };
    watched.status = undefined;
    expect(await next()).toMatchObject({ state: 'DOWN', gateway: { health: { lastStatus: null } } });
    watched.status = '404 Not Found';
    expect(await next()).toMatchObject({ state: 'UP', gateway: { health: { lastStatus: 404 } } });
  }, 120_000);

  test.each(['4', '1', '3601', '-1', 'x'])('has no interval of %s s', async (seconds) => {
    await expect(stack.run('kamailio', 'config', '--password', 'p', '--health-interval', seconds)).rejects.toThrow(
      /It must be (0, or )?an integer/,
    );
  });
});
