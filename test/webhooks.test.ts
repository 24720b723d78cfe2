// Longer than 150 lines, because it tests each event, and receivers that are down, slow, lying and restarted.
import { createClient, type Client } from '../clients/typescript/src/index';
import { fetchToken, startApp } from './support/app';
import { eventually } from './support/eventually';
import { createAgent, createDid, createDomain, createGateway } from './support/factories';
import { onEachDatabase } from './support/on-each-database';
import { once, startReceiver, type Receiver } from './support/receiver';
import { registerContact, registerGateway, runSql } from './support/sql';

type Input = Omit<Parameters<Client['createWebhook']>[0], 'url' | 'events'> & {
  readonly url?: string;
  readonly events?: Parameters<Client['createWebhook']>[0]['events'];
};

const failing = (code: string, rest: object = {}): object => ({ code, ...rest });
const PATIENCE = 30;

onEachDatabase(
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
      await eventually(9, () => expect(other.receiver.accepted).toHaveLength(6));
      expect(silent.receiver.requests()).toBe(1);
      await eventually(PATIENCE, async () =>
        expect((await deliveries(silent.ref)).at(-1)?.outcome).toBe('no complete response within 10 s'),
      );
    }, 60_000);

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

    test('after a day without success, the webhook is paused with the reason, and continues when it is resumed', async () => {
      const { app, url } = subject();
      const { receiver, ref } = await receiving();
      receiver.respond((_message, response) => response.writeHead(410).end());
      const gateway = await createGateway(app);
      await eventually(PATIENCE, async () => expect((await deliveries(ref))[0]?.attempts).toBeGreaterThan(0));
      const webhook = async () => (await client.webhooks()).webhooks.find((each) => each.ref === ref);
      await eventually(PATIENCE, async () => {
        const yesterday = Date.now() - 86_400_000;
        await runSql(url, 'UPDATE webhook_deliveries SET failing_since = ?, next_on = 0 WHERE is_open = 1', [
          yesterday,
        ]);
        expect((await webhook())?.pausedOn).not.toBeNull();
      });
      expect((await webhook())?.pausedReason).toBe('no success for 24 hours; the last attempt: status 410');
      await rename(gateway, 'renamed while it was paused');
      receiver.respond(undefined);
      expect((await client.resumeWebhook({ ref })).resumeWebhook).toMatchObject({ ref, pausedOn: null });
      await eventually(PATIENCE, () =>
        expect(receiver.accepted.map(({ type }) => type)).toEqual(['resource.created', 'resource.updated']),
      );
    });

    test('a delivery can be repeated, with the same id, and a ping shows what the receiver answers', async () => {
      const { receiver, ref } = await receiving();
      await createGateway(subject().app);
      await eventually(PATIENCE, async () => expect((await deliveries(ref))[0]?.deliveredOn).toBeTruthy());
      const id = receiver.accepted[0]?.id ?? '';
      expect(await client.redeliver({ id })).toEqual({ redeliver: id });
      await eventually(PATIENCE, () => expect(receiver.accepted.map((each) => each.id)).toEqual([id, id]));
      expect((await client.pingWebhook({ ref })).pingWebhook).toEqual({ delivered: true, outcome: 'status 204' });
      expect(receiver.accepted.at(-1)).toMatchObject({ type: 'ping', data: { webhook: ref } });
      receiver.trust(`whsec_${Buffer.from('a secret of somebody else').toString('base64')}`);
      expect((await client.pingWebhook({ ref })).pingWebhook).toEqual({ delivered: false, outcome: 'status 401' });
      await expect(client.redeliver({ id: 'msg_x' })).rejects.toMatchObject(failing('NOT_FOUND', { fields: ['id'] }));
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
      const { webhook } = (await strict.createWebhook({ url, events: ['RESOURCE_CHANGED'], kinds: [] })).createWebhook;
      const { pingWebhook } = await strict.pingWebhook({ ref: webhook.ref });
      expect(pingWebhook.delivered).toBe(false);
      expect(pingWebhook.outcome).toMatch(/^the address (127\.0\.0\.1|::1) \(loopback\) is not public/);
      expect(receiver.requests()).toBe(0);
      await strict.deleteWebhook({ ref: webhook.ref });
      await receiver.stop();
      await app.close();
    });

    test.each<[string, object, string]>([
      ['no events', { events: [] }, 'events'],
      ['no refs', { refs: [] }, 'refs'],
      ['101 refs', { refs: Array.from({ length: 101 }, String) }, 'refs'],
      ['states of all numbers', { events: ['NUMBER_STOPPED'] }, 'refs'],
      ['a negative time', { after: -1 }, 'after'],
      ['a note of 501 characters', { note: 'x'.repeat(501) }, 'note'],
    ])('createWebhook refuses %s', async (_what, wrong, field) => {
      const input = { url: 'https://receiver.test/', events: ['RESOURCE_CHANGED'] as const, ...wrong };
      await expect(client.createWebhook(input)).rejects.toMatchObject(failing('BAD_USER_INPUT', { fields: [field] }));
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
      }
      await expect(createClient(`${app.url}/graphql`, { token }).webhooks()).resolves.toBeDefined();
    });
  },
  { WEBHOOK_ALLOW: '127.0.0.1' },
);
