import { hashOf } from '../../src/changes/chain';
import { startApp, type TestApp } from '../support/app';
import { runCommand } from '../support/command-line';
import { eventually } from '../support/eventually';
import { createGateway } from '../support/factories';
import { newMetrics } from '../support/metrics';
import { onEachDriver } from '../support/databases/on-each-database';
import { once, startReceiver, type Receiver } from '../support/receiver';
import { measureDestination, measureGateway, runSql, type Measured } from '../support/databases/sql';
import { transports, type Subscription } from '../support/subscriptions';

const PATIENCE = 30;
const [transport] = transports;
const HOOKS = { WEBHOOK_ALLOW: '127.0.0.0/8' };

onEachDriver(
  'Changes of the health of gateways',
  (subject) => {
    const open: (() => Promise<unknown>)[] = [];

    afterEach(async () => {
      for (const close of open.splice(0).reverse()) await close();
    });

    /** A gateway with a host of its own, whose health can be stored. */
    async function gateway(
      measured: Omit<Measured, 'host'> = {},
    ): Promise<{ readonly ref: string; readonly measure: (next: Omit<Measured, 'host'>) => Promise<void> }> {
      const host = `${Math.random().toString(36).slice(2)}.test`;
      const ref = await createGateway(subject().app, { host });
      const measure = (next: Omit<Measured, 'host'>) => measureGateway(subject().url, ref, { host, ...next });
      await measure(measured);
      return { ref, measure };
    }

    async function listen(since?: string): Promise<Subscription> {
      const { app } = subject();
      const query = `subscription($since: String) {
        gatewayHealthChanged(since: $since) { gatewayRef state cursor gateway { health { state } } } }`;
      const subscription = await transport.subscribe(app.url, await app.token(), query, { since });
      open.push(() => subscription.close());
      return subscription;
    }
    const told = async (subscription: Subscription): Promise<Readonly<Record<string, unknown>>> => {
      const { data } = await subscription.next();
      return data?.['gatewayHealthChanged'] as Readonly<Record<string, unknown>>; // of the query above
    };

    /** Creates a webhook for gateways that go down and come up, after this many seconds. */
    async function receiving(
      after: number,
      app: TestApp = subject().app,
      {
        events = 'GATEWAY_DOWN, GATEWAY_UP',
        refs,
      }: { readonly events?: string; readonly refs?: readonly string[] } = {},
    ): Promise<Receiver> {
      const receiver = await startReceiver();
      const { data, errors } = await app.graphql<{ made: { secret: string; webhook: { ref: string } } }>(
        `mutation($url: String!, $after: Int, $refs: [String!]) {
          made: createWebhook(url: $url, events: [${events}], after: $after, refs: $refs) { secret webhook { ref } } }`,
        { url: receiver.url, after, refs },
      );
      if (errors) throw new Error(JSON.stringify(errors));
      receiver.trust(data.made.secret);
      open.push(
        () => app.graphql('mutation($ref: String!) { deleteWebhook(ref: $ref) }', { ref: data.made.webhook.ref }),
        () => receiver.stop(),
      );
      return receiver;
    }
    const messages = ({ accepted }: Receiver): readonly (readonly [string, unknown])[] =>
      accepted.map(({ type, data }) => [type, data['gatewayRef']]);
    const watched = (ref: string, state: string) =>
      eventually(PATIENCE, async () =>
        expect(await runSql(subject().url, 'SELECT state FROM watched_health WHERE gw_ref = ?', [ref])).toEqual([
          [state],
        ]),
      );

    test('are delivered to subscribers, once each, and not for checks that find the same', async () => {
      const { ref, measure } = await gateway({ state: 'UNKNOWN' });
      const changes = await listen();
      await measure({ state: 'UP' });
      expect(await told(changes)).toMatchObject({ gatewayRef: ref, state: 'UP', gateway: { health: { state: 'UP' } } });
      await measure({ state: 'UP', checkedOn: Date.now() });
      await measure({ state: 'DOWN' });
      expect(await told(changes)).toMatchObject({ gatewayRef: ref, state: 'DOWN' });
      // Nothing is known of the new host.
      await subject().app.graphql(
        'mutation($ref: String!) { updateGateway(ref: $ref, input: { port: 5099 }) { ref } }',
        {
          ref,
        },
      );
      const last = await told(changes);
      expect(last).toMatchObject({ gatewayRef: ref, state: 'UNKNOWN' });
      expect(changes.heard).toEqual([]);
      await measure({ state: 'UP', port: 5099 });
      const again = await listen(String(last['cursor']));
      expect(await told(again)).toMatchObject({ gatewayRef: ref, state: 'UP' });
      await subject().app.rest('DELETE', `/gateways/${ref}`);
      expect(await told(again)).toMatchObject({ gatewayRef: ref, state: 'UNKNOWN', gateway: null });
    });

    test('are sent to webhooks after the time `after`, by one of two processes, so that a flap is silent', async () => {
      const [steady, flapping, already] = [await gateway(), await gateway(), await gateway({ state: 'DOWN' })];
      const other = await startApp({ DATABASE_URL: subject().url, ...HOOKS });
      open.push(() => other.close());
      // Longer than the interval of the poll, so that the webhook knows which gateways are down already.
      await new Promise((resolve) => setTimeout(resolve, 1100));
      const receiver = await receiving(8, other);
      await watched(steady.ref, 'UP');
      await Promise.all([steady.measure({ state: 'DOWN' }), flapping.measure({ state: 'DOWN' })]);
      await watched(flapping.ref, 'DOWN');
      await flapping.measure({ state: 'UP' });
      await eventually(PATIENCE, () => expect(messages(receiver)).toEqual([['gateway.down', steady.ref]]));
      expect(receiver.accepted[0]?.data).toEqual({
        gatewayRef: steady.ref,
        since: expect.stringMatching(/^20.*Z$/) as string,
      });
      // Neither what is not known, nor another process, is a change.
      await steady.measure({ state: 'DOWN', secondsLeft: -1 });
      await eventually(PATIENCE, async () =>
        expect(await runSql(subject().url, 'SELECT state FROM watched_health WHERE gw_ref = ?', [steady.ref])).toEqual(
          [],
        ),
      );
      await runSql(subject().url, "UPDATE webhook_lease SET holder = 'a process that died', until_on = 0");
      await Promise.all([steady.measure({ state: 'UP' }), already.measure({ state: 'UP' })]);
      await eventually(PATIENCE, () => expect(once(receiver.accepted)).toHaveLength(3));
      const ups = messages(receiver).slice(1).toSorted();
      expect(ups).toEqual([steady.ref, already.ref].toSorted().map((ref) => ['gateway.up', ref]));
    });

    describe('of destinations, while the host of the gateway is up,', () => {
      const QUERY = `subscription($since: String) { destinationHealthChanged(since: $since) {
        gatewayRef state cursor gateway { health { state } } destination { host port transport state since lastStatus } } }`;
      const since = Date.parse('2026-03-01T10:00:00.000Z');
      const shown = { host: 'two.test', port: 5070, transport: 'tcp' };
      const place = { ...shown, since };

      async function withDestination(): Promise<string> {
        const { ref } = await gateway();
        const { errors } = await subject().app.graphql(
          `mutation($ref: String!) { updateGateway(ref: $ref, input: { destinations: [
            { host: "two.test", port: 5070, transport: TCP }, { host: "three.test" }] }) { ref } }`,
          { ref },
        );
        if (errors) throw new Error(JSON.stringify(errors));
        return ref;
      }
      const heard = async (since?: string): Promise<() => Promise<unknown>> => {
        const { app } = subject();
        const changes = await transport.subscribe(app.url, await app.token(), QUERY, { since });
        open.push(() => changes.close());
        return async () => (await changes.next()).data?.['destinationHealthChanged'];
      };
      const seen = (ref: string, state: string) =>
        eventually(PATIENCE, async () =>
          expect(
            await runSql(subject().url, 'SELECT state FROM watched_destinations WHERE gw_ref = ? AND host = ?', [
              ...[ref, place.host],
            ]),
          ).toEqual([[state]]),
        );

      test('are delivered to subscribers, with the destination, once each', async () => {
        const { app, url } = subject();
        const ref = await withDestination();
        const gatewayChanges = await listen();
        const next = await heard();
        await measureDestination(url, ref, { host: 'three.test' });
        expect(await next()).toMatchObject({
          gatewayRef: ref,
          state: 'UP',
          destination: { host: 'three.test', port: null, transport: 'udp', lastStatus: 404 },
        });
        await measureDestination(url, ref, place);
        const begun = new Date(since).toISOString();
        expect(await next()).toMatchObject({
          gatewayRef: ref,
          state: 'UP',
          gateway: { health: { state: 'UP' } },
          destination: { ...shown, state: 'UP', since: begun, lastStatus: 404 },
        });
        // A check that finds the same is no event.
        await measureDestination(url, ref, { ...place, checkedOn: Date.now() });
        await measureDestination(url, ref, { ...place, state: 'DOWN' });
        const down = (await next()) as { readonly cursor: string }; // of the query above
        expect(down).toMatchObject({
          gatewayRef: ref,
          state: 'DOWN',
          destination: { ...shown, state: 'DOWN', since: begun, lastStatus: null },
        });
        await measureDestination(url, ref, { ...place, state: 'DOWN', secondsLeft: -1 });
        expect(await next()).toMatchObject({ state: 'UNKNOWN', destination: { ...shown, since: null } });
        await measureDestination(url, ref, place);
        expect(await next()).toMatchObject({ state: 'UP' });
        await app.rest('DELETE', `/gateways/${ref}`);
        const ends = [await next(), await next()];
        expect(ends).toMatchObject([
          { gatewayRef: ref, state: 'UNKNOWN', gateway: null },
          { gatewayRef: ref, state: 'UNKNOWN', gateway: null },
        ]);
        const again = await heard(down.cursor);
        expect(await again()).toMatchObject({ gatewayRef: ref, state: 'UNKNOWN', destination: { host: place.host } });
        expect(gatewayChanges.heard.map(({ data }) => data?.['gatewayHealthChanged'])).not.toContainEqual(
          expect.objectContaining({ gatewayRef: ref, state: 'DOWN' }),
        );
      });

      test('are sent to webhooks that want them, after the time `after`, and not to others', async () => {
        const { app, url } = subject();
        const [ref, other] = [await withDestination(), await withDestination()];
        // Nothing is watched before somebody wants to know.
        const ofAll = await receiving(0);
        await Promise.all([ref, other].map((each) => measureDestination(url, each, place)));
        await Promise.all([ref, other].map((each) => seen(each, 'UP')));
        const events = 'DESTINATION_DOWN, DESTINATION_UP';
        const receiver = await receiving(1, app, { events, refs: [ref] });
        await Promise.all([ref, other].map((each) => measureDestination(url, each, { ...place, state: 'DOWN' })));
        await eventually(PATIENCE, () => expect(messages(receiver)).toEqual([['destination.down', ref]]));
        expect(receiver.accepted[0]?.data).toEqual({
          gatewayRef: ref,
          ...shown,
          lastStatus: null,
          since: expect.stringMatching(/^20.*Z$/) as string,
        });
        // One that is down already is told when it is up.
        const late = await receiving(0, app, { events });
        await measureDestination(url, ref, { ...place, state: 'DOWN', secondsLeft: -1 });
        await seen(ref, 'UNKNOWN');
        await Promise.all([ref, other].map((each) => measureDestination(url, each, place)));
        await eventually(PATIENCE, () => {
          expect(messages(receiver)).toEqual([
            ['destination.down', ref],
            ['destination.up', ref],
          ]);
          expect(messages(late).toSorted()).toEqual([ref, other].toSorted().map((each) => ['destination.up', each]));
        });
        expect(receiver.accepted[1]?.data).toMatchObject({ ...shown, lastStatus: 404 });
        expect(ofAll.accepted).toEqual([]);
        const states = () => runSql(url, "SELECT 1 FROM webhook_states WHERE subject LIKE 'Destination %'");
        expect(await states()).toHaveLength(3);
        await Promise.all([ref, other].map((each) => app.rest('DELETE', `/gateways/${each}`)));
        await eventually(PATIENCE, async () => expect(await states()).toEqual([]));
      });
    });

    test('of 300 gateways that flap while the receiver is away do not pile up: each state is told once', async () => {
      const { app, url } = subject();
      const refs = Array.from({ length: 300 }, (_, index) => `gw-many-${String(index)}`);
      for (const ref of refs)
        await createGateway(app, { ref, host: 'many.test', username: ref, secret: 'trunk-secret' });
      const all = async (state: string): Promise<void> => {
        await runSql(url, "DELETE FROM gateway_health WHERE host = 'many.test'");
        const now = Date.now();
        await runSql(
          url,
          `INSERT INTO gateway_health (gw_ref, host, port, transport, state, since, checked_on, misses, answers, expires_at)
           SELECT ref, host, 0, 'udp', '${state}', ${String(now)}, ${String(now)}, 0, 0, ${String(now + 600_000)}
           FROM gateways WHERE host = 'many.test'`,
        );
        await eventually(PATIENCE, async () =>
          expect(
            Number(
              (
                await runSql(url, "SELECT COUNT(*) FROM watched_health WHERE gw_ref LIKE 'gw-many-%' AND state = ?", [
                  state,
                ])
              )[0]?.[0],
            ),
          ).toBe(300),
        );
      };
      const receiver = await receiving(0);
      await all('UP');
      await receiver.stop();
      for (const state of ['DOWN', 'UP', 'DOWN', 'UP', 'DOWN', 'UP', 'DOWN']) await all(state);
      const [[waiting] = []] = await runSql(url, 'SELECT COUNT(*) FROM webhook_deliveries WHERE is_open = 1');
      expect(Number(waiting)).toBeLessThanOrEqual(1000);
      await receiver.start();
      await runSql(url, 'UPDATE webhook_deliveries SET next_on = 0');
      await eventually(120, () => {
        const last = new Map(messages(receiver).map(([type, ref]) => [ref, type]));
        expect(refs.filter((ref) => last.get(ref) === 'gateway.down')).toHaveLength(300);
      });
    }, 240_000);

    test('are no entries of the history, even if a version that does not know them has given one a hash', async () => {
      const { app, url } = subject();
      const { measure } = await gateway();
      const changes = await listen();
      await measure({ state: 'DOWN' });
      await told(changes);
      const verify = async () => (await runCommand({ DATABASE_URL: url }, 'history', 'verify')).code;
      expect(await verify()).toBe(0);
      await createGateway(app);
      expect(await verify()).toBe(0);
      // As that version does.
      const columns = 'id, at, kind, ref, did, who, who_ref, api_token, way, address, request, details';
      const [[chained, head] = []] = await runSql(url, 'SELECT chained, hash FROM history_head');
      await measure({ state: 'UP' });
      await told(changes);
      const rows = await runSql(url, `SELECT ${columns} FROM changes WHERE id > ${String(chained)} ORDER BY id`);
      let hash = String(head);
      for (const row of rows) {
        hash = hashOf(hash, row as Parameters<typeof hashOf>[1]); // as the columns are
        await runSql(url, 'INSERT INTO history_hashes (id, hash) VALUES (?, ?)', [Number(row[0]), hash]);
      }
      expect(rows.map(([, , kind]) => kind)).toContain('Health');
      await runSql(url, 'UPDATE history_head SET chained = ?, hash = ?', [Number(rows.at(-1)?.[0]), hash]);
      await createGateway(app);
      expect(await verify()).toBe(0);
    });

    test('are in the metrics and on the command line', async () => {
      const { url } = subject();
      await runSql(url, 'DELETE FROM gateway_health');
      const { ref } = await gateway({ state: 'DOWN' });
      const environment = { DATABASE_URL: url };
      const health = JSON.parse((await runCommand(environment, 'health', '--json')).out) as {
        gateways: readonly { state: string; count: number }[];
      };
      const [up, down, unknown] = health.gateways;
      expect([up, down]).toEqual([
        { state: 'UP', count: 0 },
        { state: 'DOWN', count: 1 },
      ]);
      // Counts are cached for 15 s.
      const app = await startApp({ DATABASE_URL: url });
      const text = await newMetrics(app.url, await app.token());
      await app.close();
      for (const [state, count] of [
        ['up', 0],
        ['down', 1],
        ['unknown', unknown?.count],
      ] as const)
        expect(text).toContain(`sipgraph_gateways{health="${state}"} ${String(count)}\n`);
      expect((await runCommand(environment, 'health')).out).toMatch(/HEALTH +GATEWAYS\nDOWN +1\n/);
      expect((await runCommand(environment, 'health', '--gateway', ref)).out).not.toContain('HEALTH');
      const trunks = JSON.parse((await runCommand(environment, 'trunks', '--state', 'DOWN', '--json')).out) as {
        trunks: readonly object[];
      };
      expect(trunks).toMatchObject({
        trunks: [{ state: 'DOWN', ref, health: 'DOWN', roundTrip: null, lastStatus: null, since: expect.any(String) }],
      });
    });
  },
  HOOKS,
);
