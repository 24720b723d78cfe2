import { getServers, setServers } from 'node:dns';
import { createServer, type AddressInfo } from 'node:net';

import { createClient, type Client } from '../../clients/typescript/src/index';
import { fetchToken, startApp } from '../support/app';
import { eventually } from '../support/eventually';
import { createAgent, createDid, createDomain, createGateway, createPeer } from '../support/factories';
import { onEachDriver } from '../support/databases/on-each-database';
import { startNameServer } from '../support/name-server';
import { once, startReceiver, type Receiver } from '../support/receiver';
import { insertChanges, registerContact, registerGateway, runSql } from '../support/databases/sql';

type Input = Omit<Parameters<Client['createWebhook']>[0], 'url' | 'events'> & {
  readonly url?: string;
  readonly events?: Parameters<Client['createWebhook']>[0]['events'];
};

const failing = (code: string, rest: object = {}): object => ({ code, ...rest });
const PATIENCE = 30;

onEachDriver(
  'Webhooks',
  (subject) => {
    let client: Client;
    const open: (() => Promise<unknown>)[] = [];

    /** A receiver with a webhook, by default for all changes of gateways. */
    async function receiving(input: Input = {}): Promise<{ receiver: Receiver; ref: string }> {
      const receiver = await startReceiver();
      const { secret, webhook } = (
        await client.createWebhook({ url: receiver.url, events: ['RESOURCE_CHANGED'], kinds: ['Gateway'], ...input })
      ).createWebhook;
      receiver.trust(secret);
      open.push(
        () => client.deleteWebhook({ ref: webhook.ref }),
        () => receiver.stop(),
      );
      return { receiver, ref: webhook.ref };
    }

    const rename = (ref: string, name: string) => client.updateGateway({ ref, input: { name } });
    const deliveries = async (ref: string) => (await client.webhookDeliveries({ ref })).webhookDeliveries;

    const watched = (gateway: string, state?: string) =>
      eventually(PATIENCE, async () => {
        const rows = await runSql(subject().url, 'SELECT state FROM watched_registrations WHERE gw_ref = ?', [gateway]);
        expect(rows).toEqual(state === undefined ? [] : [[state]]);
      });

    beforeAll(async () => {
      client = createClient(`${subject().app.url}/graphql`, { token: await subject().app.token() });
    });

    afterEach(async () => {
      for (const close of open.splice(0)) await close();
    });

    test('a change of a resource is sent as the Standard Webhooks say, signed with the secret', async () => {
      const { receiver, ref } = await receiving();
      const gateway = await createGateway(subject().app);
      await eventually(PATIENCE, () => expect(receiver.accepted).toHaveLength(1));
      expect(receiver.accepted[0]).toMatchObject({
        id: expect.stringMatching(/^msg_[\w-]{20}$/),
        type: 'resource.created',
        data: { kind: 'Gateway', ref: gateway, id: expect.any(String), cursor: expect.any(String) },
        headers: {
          'content-type': 'application/json',
          'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
          'webhook-signature': expect.stringMatching(/^v1,/),
        },
      });
      await eventually(5, async () =>
        expect(await deliveries(ref)).toMatchObject([
          { attempts: 1, outcome: 'status 204', deliveredOn: expect.any(String) },
        ]),
      );
      expect(JSON.stringify(await client.webhooks())).not.toContain('whsec_');
    });

    test('only the events, kinds and refs of the webhook are sent', async () => {
      const { app } = subject();
      const [one, other] = [await createGateway(app), await createGateway(app)];
      const { receiver } = await receiving({ refs: [other] });
      await rename(one, 'not sent');
      await createDomain(app);
      await rename(other, 'sent');
      await client.deleteGateway({ ref: other });
      await eventually(PATIENCE, () => expect(receiver.accepted).toHaveLength(2));
      expect(receiver.accepted.map(({ type, data }) => [type, data['ref']])).toEqual([
        ['resource.updated', other],
        ['resource.deleted', other],
      ]);
    });

    test('registrations of devices and gateways are sent', async () => {
      const { app, url } = subject();
      const gateway = await createGateway(app);
      const { receiver } = await receiving({ events: ['REGISTRATION_CHANGED', 'CONTACTS_CHANGED'] });
      await registerGateway(url, gateway);
      await registerContact(url, { username: 'hooked', domain: 'hook.test', contact: 'sip:hooked@10.0.0.1' });
      await eventually(PATIENCE, () => expect(receiver.accepted).toHaveLength(2));
      const told = receiver.accepted.map(({ type, data }) => [type, data['gatewayRef'] ?? data['addressOfRecord']]);
      expect(told.sort()).toEqual([
        ['contacts.changed', 'sip:hooked@hook.test'],
        ['registration.changed', gateway],
      ]);
    });

    test('a gateway is reported as lost and back only after the time `after`, so that a flap is silent', async () => {
      const { app, url } = subject();
      const [lost, flapping] = [await createGateway(app), await createGateway(app)];
      for (const each of [lost, flapping]) await registerGateway(url, each);
      const { receiver } = await receiving({ events: ['GATEWAY_LOST', 'GATEWAY_BACK'], after: 4 });
      const end = (ref: string) =>
        runSql(url, 'UPDATE gateway_registrations SET expires_at = 0 WHERE gw_ref = ?', [ref]);
      const begin = (ref: string) =>
        runSql(url, 'UPDATE gateway_registrations SET expires_at = ? WHERE gw_ref = ?', [Date.now() + 600_000, ref]);
      const seen = (ref: string, state: string) =>
        eventually(PATIENCE, async () => {
          const [row] = await runSql(url, 'SELECT state FROM webhook_states WHERE subject = ?', [
            `Registration ${ref}`,
          ]);
          expect(row?.[0]).toBe(state);
        });
      await Promise.all([end(lost), end(flapping)]);
      await seen(flapping, 'DOWN');
      await begin(flapping);
      await eventually(PATIENCE, () => expect(receiver.accepted).toHaveLength(1));
      await begin(lost);
      await eventually(PATIENCE, () => expect(receiver.accepted).toHaveLength(2));
      expect(receiver.accepted.map(({ type, data }) => [type, data['gatewayRef']])).toEqual([
        ['gateway.lost', lost],
        ['gateway.back', lost],
      ]);
    });

    test('a gateway that was lost is reported as back, even if its registration was removed in between', async () => {
      const { app, url } = subject();
      const gateway = await createGateway(app);
      await registerGateway(url, gateway);
      const { receiver, ref } = await receiving({
        events: ['GATEWAY_LOST', 'GATEWAY_BACK'],
        refs: [gateway],
        after: 0,
      });
      const told = (...types: string[]) =>
        eventually(PATIENCE, () => expect(receiver.accepted.map(({ type }) => type)).toEqual(types));
      await runSql(url, 'UPDATE gateway_registrations SET expires_at = 0 WHERE gw_ref = ?', [gateway]);
      await told('gateway.lost');
      await runSql(url, 'DELETE FROM gateway_registrations WHERE gw_ref = ?', [gateway]);
      await watched(gateway);
      await registerGateway(url, gateway);
      await told('gateway.lost', 'gateway.back');
      await client.deleteGateway({ ref: gateway });
      await eventually(PATIENCE, async () => {
        const states = 'SELECT s.id FROM webhook_states s JOIN webhooks w ON w.id = s.webhook_id WHERE w.ref = ?';
        expect(await runSql(url, states, [ref])).toEqual([]);
      });
    });

    test('a number that stops ringing, and rings again, is reported', async () => {
      const { app, url } = subject();
      await createDomain(app, { domainUri: 'ring.test' });
      await createAgent(app, { username: 'ringer', domains: ['ring.test'] });
      const did = await createDid(app, { aorLink: 'sip:ringer@ring.test' });
      const device = { username: 'ringer', domain: 'ring.test', contact: 'sip:ringer@10.0.0.1' };
      await registerContact(url, device);
      const { receiver } = await receiving({ events: ['NUMBER_STOPPED', 'NUMBER_BACK'], refs: [did], after: 0 });
      await eventually(PATIENCE, async () => {
        const [row] = await runSql(url, 'SELECT state FROM webhook_states WHERE subject = ?', [`DID ${did}`]);
        expect(row?.[0]).toBe('UP');
      });
      await runSql(url, "DELETE FROM location WHERE username = 'ringer'");
      await eventually(PATIENCE, () => expect(receiver.accepted).toHaveLength(1));
      await registerContact(url, device);
      await eventually(PATIENCE, () => expect(receiver.accepted).toHaveLength(2));
      expect(receiver.accepted.map(({ type, data }) => [type, data['kind'], data['ref']])).toEqual([
        ['number.stopped', 'DID', did],
        ['number.back', 'DID', did],
      ]);
    });

    test('a receiver that is down, lies and is restarted gets every event, in order for each resource', async () => {
      const { app } = subject();
      const { receiver, ref } = await receiving();
      await receiver.stop();
      const gateways = [await createGateway(app), await createGateway(app), await createGateway(app)];
      for (const gateway of gateways) await rename(gateway, 'renamed while it was down');
      await eventually(PATIENCE, async () =>
        expect(await deliveries(ref)).toContainEqual(expect.objectContaining({ outcome: 'ECONNREFUSED' })),
      );
      // It says that it failed, although it has the message, and then that it has not the time.
      let lies = 0;
      receiver.respond((_message, response) => response.writeHead(++lies % 3 === 0 ? 204 : 500).end());
      await receiver.start();
      for (const gateway of gateways) await client.deleteGateway({ ref: gateway });
      await eventually(PATIENCE, () => expect(lies).toBeGreaterThan(2));
      receiver.respond(undefined);
      await eventually(60, () => expect(once(receiver.accepted)).toHaveLength(9));
      for (const gateway of gateways) {
        const told = once(receiver.accepted).filter(({ data }) => data['ref'] === gateway);
        expect(told.map(({ type }) => type)).toEqual(['resource.created', 'resource.updated', 'resource.deleted']);
      }
    }, 120_000);

    test('a receiver that never answers holds up no other one, and its attempt ends after 10 seconds', async () => {
      const [silent, other] = [await receiving(), await receiving()];
      silent.receiver.respond(() => undefined);
      const gateway = await createGateway(subject().app);
      for (let i = 0; i < 5; i++) await rename(gateway, `name ${i}`);
      await eventually(9, () => {
        expect(other.receiver.accepted).toHaveLength(6);
        expect(silent.receiver.requests()).toBe(1);
      });
      await eventually(PATIENCE, async () =>
        expect((await deliveries(silent.ref)).at(-1)?.outcome).toBe('no complete response within 10 s'),
      );
    });

    test('a redirect is not followed, and a long response is not read to its end', async () => {
      const [redirecting, target, talking] = [await receiving(), await startReceiver(), await receiving()];
      open.push(() => target.stop());
      redirecting.receiver.respond((_message, response) => response.writeHead(307, { location: target.url }).end());
      let sent = 0;
      talking.receiver.respond((_message, response) => {
        response.writeHead(200);
        const more = (): void => {
          while (!response.destroyed && response.write('x'.repeat(65_536))) sent += 65_536;
          if (!response.destroyed) response.once('drain', more);
        };
        more();
      });
      await createGateway(subject().app);
      await eventually(PATIENCE, async () =>
        expect((await deliveries(redirecting.ref))[0]).toMatchObject({ outcome: 'status 307', deliveredOn: null }),
      );
      await eventually(PATIENCE, async () => expect((await deliveries(talking.ref))[0]?.outcome).toBe('status 200'));
      expect(target.requests()).toBe(0);
      expect(sent).toBeLessThan(50_000_000);
    });

    test('a receiver that switches protocols has not received the message', async () => {
      const server = createServer((socket) => {
        socket.on('error', () => undefined);
        socket.once('data', () => socket.end('HTTP/1.1 101 Ok\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n'));
      });
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
      const { port } = server.address() as AddressInfo; // it listens on a port
      const { ref } = await receiving({ url: `http://127.0.0.1:${String(port)}/` });
      const outcome = { delivered: false, outcome: 'no response' };
      // More of them than pings at the same time.
      for (let n = 0; n < 5; n++) expect((await client.pingWebhook({ ref })).pingWebhook).toMatchObject(outcome);
      await createGateway(subject().app);
      await eventually(PATIENCE, async () =>
        expect((await deliveries(ref))[0]).toMatchObject({ outcome: 'no response' }),
      );
      server.close();
    });

    test('a receiver that sends more than 20 interim responses is cut off', async () => {
      const server = createServer((socket) => {
        socket.on('error', () => undefined);
        socket.once('data', () => socket.end('HTTP/1.1 103 \r\n\r\n'.repeat(21) + 'HTTP/1.1 200 Ok\r\n\r\n'));
      });
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
      const { port } = server.address() as AddressInfo; // it listens on a port
      const { ref } = await receiving({ url: `http://127.0.0.1:${String(port)}/` });
      expect((await client.pingWebhook({ ref })).pingWebhook.outcome).toBe('the response is too long');
      server.close();
    });

    test.each([
      ['interim responses', '', `HTTP/1.1 103 Early Hints\r\nlink: <${'x'.repeat(8000)}>\r\n\r\n`],
      [
        'extensions of chunks',
        'HTTP/1.1 200 Ok\r\ntransfer-encoding: chunked\r\n\r\n',
        `1;${'x'.repeat(8000)}\r\na\r\n`,
      ],
      // Records with messages that a client has to ignore (RFC 5246, 7.4.1.1).
      ['a handshake of TLS', '', Buffer.concat([Buffer.from([22, 3, 3, 0x40, 0]), Buffer.alloc(0x4000)]), 'https'],
    ])('a receiver that sends %s without end is cut off', async (_what, start, more, scheme = 'http') => {
      let sent = 0;
      const server = createServer((socket) => {
        const send = (): void => {
          while (!socket.destroyed && socket.write(more)) sent += more.length;
        };
        socket.on('error', () => undefined).on('drain', send);
        socket.once('data', () => {
          socket.write(start);
          send();
        });
      });
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
      const { port } = server.address() as AddressInfo; // it listens on a port
      const { ref } = await receiving({ url: `${scheme}://127.0.0.1:${String(port)}/` });
      expect((await client.pingWebhook({ ref })).pingWebhook.outcome).toBe('the response is too long');
      expect(sent).toBeLessThan(50_000_000);
      server.close();
    });

    test('after a day without success for a message, the webhook is paused with the reason, also if others were delivered, and continues when it is resumed', async () => {
      const { app, url } = subject();
      const { receiver, ref } = await receiving();
      const gateway = 'gw-refused';
      receiver.respond(({ data }, response) => response.writeHead(data['ref'] === gateway ? 410 : 204).end());
      await createGateway(app, { ref: gateway });
      await eventually(PATIENCE, async () => expect((await deliveries(ref))[0]?.attempts).toBeGreaterThan(0));
      const { id = '' } = (await deliveries(ref))[0] ?? {};
      await createGateway(app);
      await eventually(PATIENCE, () => expect(receiver.accepted).toHaveLength(1));
      const webhook = async () => (await client.webhooks()).webhooks.find((each) => each.ref === ref);
      await eventually(PATIENCE, async () => {
        const yesterday = Date.now() - 86_400_000;
        await runSql(url, 'UPDATE webhook_deliveries SET failing_since = ?, next_on = 0 WHERE is_open = 1', [
          yesterday,
        ]);
        expect((await webhook())?.pausedOn).not.toBeNull();
      });
      const pausedReason = `the message ${id} has failed for 24 hours; the last attempt: status 410`;
      expect((await webhook())?.pausedReason).toBe(pausedReason);
      const { data } = await app.graphql(
        `{ history(first: 1, where: { kind: Webhook, ref: "${ref}" }) { nodes { who { username } changes { after } } } }`,
      );
      expect(data).toEqual({
        history: { nodes: [{ who: { username: 'system' }, changes: [{ after: pausedReason }] }] },
      });
      await rename(gateway, 'renamed while it was paused');
      receiver.respond(undefined);
      expect((await client.resumeWebhook({ ref })).resumeWebhook).toMatchObject({ ref, pausedOn: null });
      await eventually(PATIENCE, () =>
        expect(receiver.accepted.slice(1).map(({ type, data }) => [type, data['ref']])).toEqual([
          ['resource.created', gateway],
          ['resource.updated', gateway],
        ]),
      );
    });

    test('attempts are counted by hour and day, for all webhooks with one statement more', async () => {
      const { app, url } = subject();
      const { receiver, ref } = await receiving();
      await receiving();
      receiver.respond((_message, response) => response.writeHead(500).end());
      const gateway = await createGateway(app);
      await eventually(PATIENCE, async () => expect((await deliveries(ref))[0]?.attempts).toBeGreaterThanOrEqual(2));
      receiver.respond(undefined);
      await eventually(PATIENCE, () => expect(receiver.accepted).toHaveLength(1));
      await client.pingWebhook({ ref });
      await rename(gateway, 'counted');
      await eventually(PATIENCE, () => expect(receiver.accepted.filter(({ type }) => type !== 'ping')).toHaveLength(2));
      const counted = async (by: 'HOUR' | 'DAY') =>
        (await client.webhookAttempts({ by })).webhooks.find((each) => each.ref === ref)?.attempts ?? [];
      await eventually(PATIENCE, async () => {
        const hours = await counted('HOUR');
        expect(hours.reduce((sum, { succeeded }) => sum + succeeded, 0)).toBe(2);
        expect(hours.reduce((sum, { failed }) => sum + failed, 0)).toBeGreaterThanOrEqual(2);
      });
      const [[id] = []] = await runSql(url, 'SELECT id FROM webhooks WHERE ref = ?', [ref]);
      const now = Date.now();
      const hour = now - (now % 3_600_000);
      for (const hours of [5, 5, 40, 24 * 40])
        await runSql(url, 'INSERT INTO webhook_attempts (webhook_id, hour, succeeded, failed) VALUES (?, ?, 3, 4)', [
          Number(id),
          hour - hours * 3_600_000,
        ]);
      const [first] = await counted('HOUR');
      expect(first).toEqual({ from: new Date(hour - 5 * 3_600_000).toISOString(), succeeded: 6, failed: 8 });
      const days = await counted('DAY');
      expect(days.reduce((sum, { succeeded }) => sum + succeeded, 0)).toBe(3 * 3 + 2);
      expect(days[0]?.from).toMatch(/T00:00:00\.000Z$/);
    });

    test('a ping shows the status, the time, and the beginning of what the receiver wrote, as plain text', async () => {
      const { receiver, ref } = await receiving();
      receiver.respond((_message, response) => {
        setTimeout(
          () => response.writeHead(422).end(`no\u0000 <b>such</b>\r\n\u001b[31m\u202ething${'x'.repeat(2000)}`),
          50,
        );
      });
      const { pingWebhook } = await client.pingWebhook({ ref });
      expect(pingWebhook).toEqual({
        delivered: false,
        outcome: 'status 422',
        status: 422,
        roundTrip: expect.any(Number),
        body: expect.stringMatching(/^no <b>such<\/b> \[31m thingx{400,500}$/),
      });
      expect(pingWebhook.roundTrip).toBeGreaterThanOrEqual(50);
      await receiver.stop();
      expect((await client.pingWebhook({ ref })).pingWebhook).toMatchObject({
        outcome: 'ECONNREFUSED',
        status: null,
        body: '',
      });
    });

    test('a delivery can be repeated, with the same id, and a ping shows what the receiver answers', async () => {
      const { receiver, ref } = await receiving();
      await createGateway(subject().app);
      await eventually(PATIENCE, async () => expect((await deliveries(ref))[0]?.deliveredOn).toBeTruthy());
      const id = receiver.accepted[0]?.id ?? '';
      expect(await client.redeliver({ id })).toEqual({ redeliver: id });
      await eventually(PATIENCE, () => expect(receiver.accepted.map((each) => each.id)).toEqual([id, id]));
      expect((await client.pingWebhook({ ref })).pingWebhook).toMatchObject({ delivered: true, outcome: 'status 204' });
      expect(receiver.accepted.at(-1)).toMatchObject({ type: 'ping', data: { webhook: ref } });
      receiver.trust(`whsec_${Buffer.from('a secret of somebody else').toString('base64')}`);
      expect((await client.pingWebhook({ ref })).pingWebhook).toMatchObject({
        delivered: false,
        outcome: 'status 401',
      });
      await expect(client.redeliver({ id: 'msg_x' })).rejects.toMatchObject(failing('NOT_FOUND', { fields: ['id'] }));
    });

    test('updateWebhook changes what is sent and where, and pauses and continues', async () => {
      const { app, url } = subject();
      const { receiver, ref } = await receiving();
      const other = await startReceiver();
      open.push(() => other.stop());
      const [gateway, silent] = [await createGateway(app), await createGateway(app)];
      await eventually(PATIENCE, () => expect(receiver.accepted).toHaveLength(2));
      const changed = await client.updateWebhook({ ref, url: other.url, kinds: null, refs: [gateway], note: 'a note' });
      expect(changed.updateWebhook).toMatchObject({
        ref,
        url: other.url,
        kinds: null,
        refs: [gateway],
        note: 'a note',
      });
      expect((await client.updateWebhook({ ref, note: null, paused: true })).updateWebhook).toMatchObject({
        note: null,
        pausedOn: expect.any(String),
        pausedReason: 'paused by admin',
      });
      await rename(silent, 'not sent');
      await rename(gateway, 'while it is paused');
      const continued = (await client.updateWebhook({ ref, paused: false })).updateWebhook;
      expect(continued).toMatchObject({ pausedOn: null, pausedReason: null });
      await eventually(PATIENCE, () => expect(other.requests()).toBe(1));
      expect(other.accepted[0]?.data['ref']).toBe(gateway);
      expect(receiver.accepted).toHaveLength(2);
      // A webhook for registrations makes sipgraph look at them.
      await receiving({ events: ['REGISTRATION_CHANGED'] });
      await registerGateway(url, gateway, { secondsLeft: -1 });
      await watched(gateway, 'EXPIRED');
      const events = await client.updateWebhook({ ref, events: ['GATEWAY_LOST', 'GATEWAY_BACK'], after: 0 });
      expect(events.updateWebhook).toMatchObject({ events: ['GATEWAY_LOST', 'GATEWAY_BACK'], after: 0 });
      await runSql(url, 'UPDATE gateway_registrations SET expires_at = ? WHERE gw_ref = ?', [
        Date.now() + 600_000,
        gateway,
      ]);
      await eventually(PATIENCE, () => expect(other.accepted.map(({ type }) => type)).toContain('gateway.back'));
      // The gateway was lost already when the webhook was changed.
      expect(other.accepted.map(({ type }) => type)).not.toContain('gateway.lost');
    });

    test('a gateway that is lost while the webhook is paused is reported when it continues', async () => {
      const { app, url } = subject();
      const gateway = await createGateway(app);
      await registerGateway(url, gateway);
      // Makes sipgraph look at registrations.
      await receiving({ events: ['REGISTRATION_CHANGED'] });
      await watched(gateway, 'REGISTERED');
      const { receiver, ref } = await receiving({ events: ['GATEWAY_LOST'], after: 0 });
      await client.updateWebhook({ ref, paused: true });
      await runSql(url, 'UPDATE gateway_registrations SET expires_at = 0 WHERE gw_ref = ?', [gateway]);
      await watched(gateway, 'EXPIRED');
      await client.updateWebhook({ ref, paused: false });
      await eventually(PATIENCE, () =>
        expect(receiver.accepted.map(({ type, data }) => [type, data['gatewayRef']])).toEqual([
          ['gateway.lost', gateway],
        ]),
      );
    });

    test('after a time in which nobody watched registrations, a lost gateway is reported, and webhooks for each change pause', async () => {
      const { app, url } = subject();
      const gateway = await createGateway(app);
      await registerGateway(url, gateway);
      const { receiver } = await receiving({ events: ['GATEWAY_LOST'], refs: [gateway], after: 0 });
      const { ref } = await receiving({ events: ['CONTACTS_CHANGED'] });
      await watched(gateway, 'REGISTERED');
      await runSql(url, 'UPDATE gateway_registrations SET expires_at = 0 WHERE gw_ref = ?', [gateway]);
      // As if all processes had been stopped since then.
      await runSql(url, 'UPDATE live_watch SET watched_on = ?', [Date.now() - 30 * 86_400_000]);
      await eventually(PATIENCE, () => expect(receiver.accepted.map(({ type }) => type)).toEqual(['gateway.lost']));
      await eventually(PATIENCE, async () => {
        const paused = (await client.webhooks()).webhooks.find((each) => each.ref === ref);
        expect(paused?.pausedReason).toContain('not watched for longer than OUTBOX_HOURS');
      });
      await expect(client.resumeWebhook({ ref })).rejects.toMatchObject(
        failing('CURSOR_GONE', { fields: ['skipMissed'] }),
      );
      const { resumeWebhook } = await client.resumeWebhook({ ref, skipMissed: true });
      expect(resumeWebhook).toMatchObject({ pausedOn: null });
    });

    test('a webhook for changes of resources continues after OUTBOX_HOURS with what it has missed, and one for devices does not', async () => {
      const { app, url } = subject();
      const gateway = await createGateway(app);
      const { receiver, ref } = await receiving({ refs: [gateway] });
      const { ref: live } = await receiving({ events: ['RESOURCE_CHANGED', 'CONTACTS_CHANGED'], refs: [gateway] });
      for (const each of [ref, live]) await client.updateWebhook({ ref: each, paused: true });
      await rename(gateway, 'missed');
      // As if the live changes until now were deleted.
      await app.graphql('{ history(first: 1) { nodes { entry } } }'); // gives all changes their numbers
      await runSql(url, 'UPDATE change_head SET trimmed = last');
      await expect(client.resumeWebhook({ ref: live })).rejects.toMatchObject(
        failing('CURSOR_GONE', { fields: ['skipMissed'] }),
      );
      await client.resumeWebhook({ ref });
      await eventually(PATIENCE, () =>
        expect(receiver.accepted.map(({ type, data }) => [type, data['ref']])).toEqual([['resource.updated', gateway]]),
      );
    });

    test('a loss that ended meanwhile is not reported, even with thousands of changes between them', async () => {
      const { url } = subject();
      const gateway = await createGateway(subject().app);
      await registerGateway(url, gateway);
      const { receiver, ref } = await receiving({
        events: ['GATEWAY_LOST', 'GATEWAY_BACK'],
        refs: [gateway],
        after: 0,
      });
      await watched(gateway, 'REGISTERED');
      await client.updateWebhook({ ref, paused: true });
      // More than are read at a time.
      const others = Array<string>(11_000).fill("'Contact', 'sip:other@one.test', 'REGISTERED'");
      const registration = (state: string) => `'Registration', '${gateway}', '${state}'`;
      await insertChanges(url, [registration('EXPIRED'), ...others, registration('REGISTERED')]);
      await client.updateWebhook({ ref, paused: false });
      await runSql(url, 'UPDATE gateway_registrations SET expires_at = 0 WHERE gw_ref = ?', [gateway]);
      await watched(gateway, 'EXPIRED');
      await eventually(PATIENCE, () => expect(receiver.accepted.map(({ type }) => type)).toEqual(['gateway.lost']));
      const live = Date.now() + 300_000;
      await runSql(url, 'UPDATE gateway_registrations SET expires_at = ? WHERE gw_ref = ?', [live, gateway]);
      await eventually(PATIENCE, () =>
        expect(receiver.accepted.map(({ type }) => type)).toEqual(['gateway.lost', 'gateway.back']),
      );
    });

    test('for a time after a rotation, messages are signed with the new secret and the one before', async () => {
      const { receiver, ref } = await receiving();
      const rotated = (await client.rotateWebhookSecret({ ref, overlap: 60 })).rotateWebhookSecret;
      expect(rotated.secret).toMatch(/^whsec_/);
      expect(Date.parse(rotated.webhook.previousSecretUntil ?? '')).toBeGreaterThan(Date.now());
      const ping = async () => (await client.pingWebhook({ ref })).pingWebhook.outcome;
      expect(await ping()).toBe('status 204');
      expect(receiver.accepted.at(-1)?.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
      await expect(client.rotateWebhookSecret({ ref, overlap: 60 })).rejects.toMatchObject(
        failing('CONFLICT', { fields: ['overlap'] }),
      );
      expect(await ping()).toBe('status 204');
      const { url } = subject();
      await runSql(url, 'UPDATE webhooks SET previous_until = ? WHERE ref = ?', [Date.now() - 1, ref]);
      expect(await ping()).toBe('status 401');
      receiver.trust(rotated.secret);
      expect(await ping()).toBe('status 204');
      const replaced = (await client.rotateWebhookSecret({ ref, overlap: 0 })).rotateWebhookSecret;
      expect(replaced.webhook.previousSecretUntil).toBeNull();
      expect(await ping()).toBe('status 401');
      receiver.trust(replaced.secret);
      expect(await ping()).toBe('status 204');
      await client.rotateWebhookSecret({ ref, overlap: 60 });
      const again = (await client.rotateWebhookSecret({ ref, overlap: 0 })).rotateWebhookSecret;
      expect(again.webhook.previousSecretUntil).toBeNull();
      expect(await ping()).toBe('status 401');
      await expect(client.rotateWebhookSecret({ ref, overlap: 604_801 })).rejects.toMatchObject(
        failing('BAD_USER_INPUT', { fields: ['overlap'] }),
      );
      await expect(client.rotateWebhookSecret({ ref: 'none' })).rejects.toMatchObject(failing('NOT_FOUND'));
    });

    test('the history tells who created, changed, paused and deleted a webhook, without its secret and URL', async () => {
      const { app, url } = subject();
      const [secretPath, secret] = ['/token-of-the-receiver', 'whsec_'];
      const { webhook } = (
        await client.createWebhook({ url: `https://receiver.test${secretPath}`, events: ['CONTACTS_CHANGED'] })
      ).createWebhook;
      const { ref } = webhook;
      await client.updateWebhook({ ref, after: 90, paused: true });
      await client.updateWebhook({ ref, after: 90 });
      await client.rotateWebhookSecret({ ref });
      await client.deleteWebhook({ ref });
      const { data } = await app.graphql<{ history: { nodes: { event: string }[] } }>(
        `{ history(where: { kind: Webhook, ref: "${ref}" }) {
          nodes { event who { username } changes { field before after isSecret } }
        } }`,
      );
      const fingerprint = expect.stringMatching(/^[0-9a-f]{8}$/);
      const who = { username: 'admin' };
      expect(data.history.nodes).toMatchObject([
        { event: 'DELETED', who },
        {
          event: 'UPDATED',
          who,
          changes: [{ field: 'secret', before: fingerprint, after: fingerprint, isSecret: true }],
        },
        {
          event: 'UPDATED',
          changes: [
            { field: 'after', before: '60', after: '90' },
            { field: 'paused', before: null, after: 'paused by admin' },
          ],
        },
        {
          event: 'CREATED',
          who,
          changes: [
            { field: 'receiver', before: null, after: 'https://receiver.test' },
            { field: 'url', before: null, after: fingerprint, isSecret: true },
            { field: 'events', after: '["CONTACTS_CHANGED"]' },
            { field: 'after', after: '60' },
            { field: 'secret', after: fingerprint, isSecret: true },
          ],
        },
      ]);
      const stored = JSON.stringify(await runSql(url, 'SELECT details FROM changes'));
      for (const each of [secretPath, secret]) expect(stored).not.toContain(each);
    });

    test('of two replicas, one delivers, and the other one takes over', async () => {
      const { receiver } = await receiving();
      const second = await startApp({ DATABASE_URL: subject().url, WEBHOOK_ALLOW: '127.0.0.0/8' });
      const gateway = await createGateway(second);
      for (let i = 0; i < 10; i++) await rename(gateway, `name ${i}`);
      await eventually(PATIENCE, () => expect(receiver.accepted).toHaveLength(11));
      expect(once(receiver.accepted)).toHaveLength(11);
      await runSql(subject().url, "UPDATE webhook_lease SET holder = 'a process that died', until_on = 0");
      await rename(gateway, 'after the takeover');
      await eventually(PATIENCE, () => expect(once(receiver.accepted)).toHaveLength(12));
      await second.close();
    });

    test.each([
      'http://127.0.0.2/',
      'http://2130706434/',
      'http://0x7f.2/',
      'http://10.0.0.1/',
      'http://172.16.0.1/',
      'http://192.168.1.1/',
      'http://169.254.169.254/latest/meta-data/',
      'http://168.63.129.16/metadata',
      'http://100.100.100.200/',
      'http://0.0.0.0/',
      'http://255.255.255.255/',
      'http://224.0.0.1/',
      'http://[::1]/',
      'http://[::]/',
      'http://[::ffff:127.0.0.2]/',
      'http://[::ffff:a00:1]/',
      'http://[::127.0.0.2]/',
      'http://[fe80::1]/',
      'http://[fec0::1]/',
      'http://[fd00:ec2::254]/',
      'http://[64:ff9b::7f00:2]/',
      'http://[64:ff9b:1::7f00:2]/',
      'http://[2002:7f00:2::]/',
      'http://[2001:0:7f00:2::]/',
      'http://[ff02::1]/',
      'ftp://receiver.test/',
      'https://name:word@receiver.test/',
      'receiver.test',
      `https://receiver.test/${'x'.repeat(2000)}`,
    ])('a webhook cannot have the URL %.60s', async (url) => {
      const create = client.createWebhook({ url, events: ['RESOURCE_CHANGED'] });
      await expect(create).rejects.toMatchObject(failing('BAD_USER_INPUT', { fields: ['url'] }));
    });

    test('a name that leads to such an address is refused when it is connected to', async () => {
      const app = await startApp({ DATABASE_URL: subject().url });
      const strict = createClient(`${app.url}/graphql`, { token: await app.token() });
      const receiver = await startReceiver();
      const url = receiver.url.replace('127.0.0.1', 'localhost');
      const { webhook } = (await strict.createWebhook({ url, events: ['RESOURCE_CHANGED'], kinds: ['Peer'] }))
        .createWebhook;
      const { pingWebhook } = await strict.pingWebhook({ ref: webhook.ref });
      expect(pingWebhook.delivered).toBe(false);
      expect(pingWebhook.outcome).toMatch(/^the address (127\.0\.0\.1|::1) \(loopback\) is not public/);
      expect(receiver.requests()).toBe(0);
      await strict.deleteWebhook({ ref: webhook.ref });
      await receiver.stop();
      await app.close();
    });

    test('names that no name server answers for do not delay messages to other names', async () => {
      const names = await startNameServer('healthy.test');
      const system = getServers();
      setServers([names.address]);
      try {
        const dead = Array.from({ length: 8 }, (_, n) => `dead${String(n)}.test`);
        const lost = await Promise.all(dead.map((name) => receiving({ url: `http://${name}/hook` })));
        await createGateway(subject().app);
        await eventually(PATIENCE, () => expect(dead.filter((name) => !names.asked.has(name))).toEqual([]));
        const receiver = await startReceiver();
        open.push(() => receiver.stop());
        const url = receiver.url.replace('127.0.0.1', 'healthy.test');
        const events = ['RESOURCE_CHANGED'] as const;
        const { secret, webhook } = (await client.createWebhook({ url, events, kinds: ['Peer'] })).createWebhook;
        open.push(() => client.deleteWebhook({ ref: webhook.ref }));
        receiver.trust(secret);
        await createPeer(subject().app);
        await eventually(PATIENCE, () => expect(receiver.accepted).toHaveLength(1));
        await eventually(PATIENCE, async () => {
          for (const each of lost)
            expect((await deliveries(each.ref)).at(-1)?.outcome).toBe('the host was not found: ETIMEOUT');
        });
      } finally {
        setServers(system);
        names.close();
      }
    });

    test.each<[string, object, string]>([
      ['no events', { events: [] }, 'events'],
      ['no kinds', { kinds: [] }, 'kinds'],
      ['no refs', { refs: [] }, 'refs'],
      ['101 refs', { refs: Array.from({ length: 101 }, String) }, 'refs'],
      ['states of all numbers', { events: ['NUMBER_STOPPED'] }, 'refs'],
      ['states of a number that does not exist', { events: ['NUMBER_STOPPED'], refs: ['nope'] }, 'refs'],
      ['a rule for failed calls without their event', { failedCalls: { count: 1 } }, 'failedCalls'],
      ['a negative time', { after: -1 }, 'after'],
      ['a note of 501 characters', { note: 'x'.repeat(501) }, 'note'],
    ])('createWebhook refuses %s', async (_what, wrong, field) => {
      const input = { url: 'https://receiver.test/', events: ['RESOURCE_CHANGED'] as const, ...wrong };
      await expect(client.createWebhook(input)).rejects.toMatchObject(failing('BAD_USER_INPUT', { fields: [field] }));
    });

    test.each<[string, object, string]>([
      ['no URL', { url: null }, 'url'],
      ['another URL', { url: 'ftp://receiver.test' }, 'url'],
      ['the port 0', { url: 'https://receiver.test:0/' }, 'url'],
      ['no events', { events: null }, 'events'],
      ['no kinds', { kinds: [] }, 'kinds'],
      ['states of all numbers', { events: ['NUMBER_BACK'] }, 'refs'],
      ['states of a number that does not exist', { events: ['NUMBER_BACK'], refs: ['nope'] }, 'refs'],
      ['a time that is too long', { after: 86_401 }, 'after'],
    ])('updateWebhook refuses %s', async (_what, wrong, field) => {
      const { ref } = await receiving();
      const update = client.updateWebhook({ ref, ...wrong });
      await expect(update).rejects.toMatchObject(failing('BAD_USER_INPUT', { fields: [field] }));
      await expect(client.updateWebhook({ ref: 'none' })).rejects.toMatchObject(failing('NOT_FOUND'));
    });

    test('webhooks are for admins, and not for API tokens', async () => {
      const { app } = subject();
      await client.createUser({ input: { username: 'hook-operator', secret: 'long enough', role: 'OPERATOR' } });
      const operator = await fetchToken(app.url, 'hook-operator', 'long enough');
      const { token } = (await client.createApiToken({ name: 'x', role: 'ADMIN' })).createApiToken;
      const input = { url: 'https://receiver.test/', events: ['RESOURCE_CHANGED'] as const };
      for (const each of [operator, token]) {
        const other = createClient(`${app.url}/graphql`, { token: each });
        await expect(other.createWebhook(input)).rejects.toMatchObject(failing('FORBIDDEN'));
        await expect(other.updateWebhook({ ref: 'x' })).rejects.toMatchObject(failing('FORBIDDEN'));
        await expect(other.rotateWebhookSecret({ ref: 'x' })).rejects.toMatchObject(failing('FORBIDDEN'));
      }
      await expect(createClient(`${app.url}/graphql`, { token }).webhooks()).resolves.toBeDefined();
    });
  },
  { WEBHOOK_ALLOW: '127.0.0.1' },
  { webhooks: { numbersEvery: 500 } },
);
