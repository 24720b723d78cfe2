import { setTimeout } from 'node:timers/promises';

import { createClient, type Client } from '../../clients/typescript/src/index';
import { eventually } from '../support/eventually';
import { createAgent, createDid, createDomain, createGateway } from '../support/factories';
import { onEachDriver } from '../support/databases/on-each-database';
import { once, startReceiver, type Receiver } from '../support/receiver';
import { measureDestination, registerContact, registerGateway, runSql, storeCall } from '../support/databases/sql';

const PATIENCE = 30;
const FAILED = 5;
// Longer than a webhook takes to send what it has to.
const SILENCE = 3000;

onEachDriver(
  'Webhooks that continue',
  (subject) => {
    let client: Client;
    const open: (() => Promise<unknown>)[] = [];

    async function receiving(
      input: Omit<Parameters<Client['createWebhook']>[0], 'url'>,
    ): Promise<Receiver & { readonly ref: string }> {
      const receiver = await startReceiver();
      const { secret, webhook } = (await client.createWebhook({ url: receiver.url, after: 0, ...input })).createWebhook;
      receiver.trust(secret);
      open.push(
        () => client.deleteWebhook({ ref: webhook.ref }),
        () => receiver.stop(),
      );
      return { ...receiver, ref: webhook.ref };
    }
    const pause = ({ ref }: { readonly ref: string }) => client.updateWebhook({ ref, paused: true });
    const skip = ({ ref }: { readonly ref: string }) => client.resumeWebhook({ ref, skipMissed: true });
    const told = ({ accepted }: Receiver, ...types: string[]) =>
      eventually(PATIENCE, () => expect(accepted.map(({ type }) => type)).toEqual(types));

    beforeAll(async () => {
      client = createClient(`${subject().app.url}/graphql`, { token: await subject().app.token() });
    });

    afterEach(async () => {
      for (const close of open.splice(0)) await close();
    });

    test('and skip what they missed are told that a gateway came back, or was lost, meanwhile', async () => {
      const { app, url } = subject();
      const gateway = await createGateway(app);
      await registerGateway(url, gateway);
      const end = (at: number) =>
        runSql(url, 'UPDATE gateway_registrations SET expires_at = ? WHERE gw_ref = ?', [at, gateway]);
      // Of two webhooks, one is never paused.
      const events = ['GATEWAY_LOST', 'GATEWAY_BACK'] as const;
      const [receiver, other] = [await receiving({ events }), await receiving({ events })];
      await end(0);
      await told(receiver, 'gateway.lost');
      await pause(receiver);
      await end(Date.now() + 600_000);
      await told(other, 'gateway.lost', 'gateway.back');
      await skip(receiver);
      await told(receiver, 'gateway.lost', 'gateway.back');
      await pause(receiver);
      await end(0);
      await told(other, 'gateway.lost', 'gateway.back', 'gateway.lost');
      await skip(receiver);
      await told(receiver, 'gateway.lost', 'gateway.back', 'gateway.lost');
      // What ended while the webhook was paused is not told.
      await pause(receiver);
      await end(Date.now() + 600_000);
      await told(other, 'gateway.lost', 'gateway.back', 'gateway.lost', 'gateway.back');
      await end(0);
      await eventually(PATIENCE, () => expect(other.accepted).toHaveLength(5));
      await skip(receiver);
      await setTimeout(SILENCE);
      expect(receiver.accepted).toHaveLength(3);
    });

    test('and skip what they missed are told that a destination stopped responding meanwhile', async () => {
      const { app, url } = subject();
      const gateway = await createGateway(app);
      const place = { host: 'two.test', port: 5070, transport: 'tcp' };
      await client.updateGateway({ ref: gateway, input: { destinations: [{ ...place, transport: 'TCP' }] } });
      const input = { events: ['DESTINATION_DOWN', 'DESTINATION_UP'] as const, refs: [gateway] };
      const [receiver, other] = [await receiving(input), await receiving(input)];
      await measureDestination(url, gateway, place);
      await eventually(PATIENCE, async () =>
        expect(await runSql(url, 'SELECT state FROM watched_destinations WHERE gw_ref = ?', [gateway])).toContainEqual([
          'UP',
        ]),
      );
      await pause(receiver);
      await measureDestination(url, gateway, { ...place, state: 'DOWN' });
      await told(other, 'destination.down');
      await skip(receiver);
      await told(receiver, 'destination.down');
    });

    test('and skip what they missed are not told about it: registrations that nobody looked at, and failed calls', async () => {
      const { app, url } = subject();
      const gateway = await createGateway(app);
      const receiver = await receiving({ events: ['REGISTRATION_CHANGED', 'CONTACTS_CHANGED', 'CALL_FAILED'] });
      await pause(receiver);
      await setTimeout(1100);
      const now = Date.now();
      for (let n = 0; n < 3; n++) await storeCall(url, { state: FAILED, begun: now, ended: now, status: 503 });
      await registerGateway(url, gateway);
      await registerContact(url, { username: 'missed', domain: 'hook.test', contact: 'sip:missed@10.0.0.1' });
      await skip(receiver);
      await setTimeout(SILENCE);
      expect(receiver.accepted).toEqual([]);
      // What happens from then on is told.
      await storeCall(url, { state: FAILED, begun: now, ended: Date.now(), status: 503 });
      await told(receiver, 'call.failed');
      expect(receiver.accepted[0]?.data['count']).toBe(1);
      await registerContact(url, { username: 'seen', domain: 'hook.test', contact: 'sip:seen@10.0.0.1' });
      await told(receiver, 'call.failed', 'contacts.changed');
    });

    test('send at most four messages at the same time, each of them once, with those that were being sent when they were paused', async () => {
      const { app } = subject();
      const receiver = await receiving({ events: ['RESOURCE_CHANGED'], kinds: ['Gateway'] });
      const waiting: (() => void)[] = [];
      receiver.respond((_message, response) => waiting.push(() => response.writeHead(204).end()));
      for (let n = 0; n < 6; n++) await createGateway(app);
      await eventually(PATIENCE, () => expect(waiting).toHaveLength(4));
      for (let n = 0; n < 2; n++) {
        await pause(receiver);
        await setTimeout(700); // the dispatcher looks for webhooks
        await client.resumeWebhook({ ref: receiver.ref });
        await setTimeout(700);
      }
      expect(receiver.requests()).toBe(4);
      receiver.respond(undefined);
      for (const respond of waiting) respond();
      await eventually(PATIENCE, () => expect(receiver.accepted).toHaveLength(6));
      expect(once(receiver.accepted)).toHaveLength(6);
    });

    test('are not told that a number has stopped if it rings again', async () => {
      const { app, url } = subject();
      await createDomain(app, { domainUri: 'again.test' });
      await createAgent(app, { username: 'again', domains: ['again.test'] });
      const did = await createDid(app, { aorLink: 'sip:again@again.test' });
      const device = { username: 'again', domain: 'again.test', contact: 'sip:again@10.0.0.1' };
      await registerContact(url, device);
      const receiver = await receiving({ events: ['NUMBER_STOPPED', 'NUMBER_BACK'], refs: [did], after: 30 });
      const seen = (state: string) =>
        eventually(PATIENCE, async () =>
          expect(await runSql(url, 'SELECT state FROM webhook_states WHERE subject = ?', [`DID ${did}`])).toEqual([
            [state],
          ]),
        );
      await seen('UP');
      await runSql(url, "DELETE FROM location WHERE username = 'again'");
      await seen('DOWN');
      await pause(receiver);
      await registerContact(url, device);
      await runSql(url, 'UPDATE webhook_states SET since = since - 60000 WHERE subject = ?', [`DID ${did}`]);
      await client.resumeWebhook({ ref: receiver.ref });
      await setTimeout(SILENCE);
      expect(receiver.accepted).toEqual([]);
    });

    describe('after the clock was set back by an hour', () => {
      const { now } = Date;
      const setBack = () => jest.spyOn(Date, 'now').mockImplementation(() => now() - 3_600_000);

      afterEach(() => jest.restoreAllMocks());

      test('are served by a process that stood by', async () => {
        const { app, url } = subject();
        const receiver = await receiving({ events: ['RESOURCE_CHANGED'], kinds: ['Gateway'] });
        const hold = (seconds: number) =>
          runSql(url, "UPDATE webhook_lease SET holder = 'another process', until_on = ?", [
            Math.floor(now() / 1000) + seconds,
          ]);
        await hold(8);
        await setTimeout(3000); // the process renews its lease
        await createGateway(app);
        expect(receiver.requests()).toBe(0);
        setBack();
        await hold(1);
        await eventually(PATIENCE, () => expect(receiver.requests()).toBeGreaterThan(0));
      });

      test('are served although a process that died meanwhile had the lease until then', async () => {
        const { app, url } = subject();
        const receiver = await receiving({ events: ['RESOURCE_CHANGED'], kinds: ['Gateway'] });
        await runSql(url, "UPDATE webhook_lease SET holder = 'a process that died', until_on = ?", [
          Math.floor(now() / 1000) + 3600,
        ]);
        await createGateway(app);
        await told(receiver, 'resource.created');
      });

      test('get a message that would be sent again only then, and those after it', async () => {
        const { app, url } = subject();
        const receiver = await receiving({ events: ['RESOURCE_CHANGED'], kinds: ['Gateway'] });
        receiver.respond((_, response) => response.writeHead(503).end());
        const ref = await createGateway(app);
        await eventually(PATIENCE, async () =>
          expect(await runSql(url, 'SELECT attempts FROM webhook_deliveries WHERE is_open = 1')).toEqual([[1]]),
        );
        await runSql(url, 'UPDATE webhook_deliveries SET next_on = ? WHERE is_open = 1', [now() + 86_400_000]);
        receiver.respond(undefined);
        await client.updateGateway({ ref, input: { note: 'x' } });
        await told(receiver, 'resource.created', 'resource.updated');
      });

      test('are told of a state that began before', async () => {
        const { app, url } = subject();
        const gateway = await createGateway(app);
        await registerGateway(url, gateway);
        const receiver = await receiving({ events: ['GATEWAY_LOST'], after: 600 });
        await runSql(url, 'UPDATE gateway_registrations SET expires_at = 0 WHERE gw_ref = ?', [gateway]);
        const of = 'subject = ? AND state = ?';
        const values = [`Registration ${gateway}`, 'DOWN'];
        await eventually(PATIENCE, async () =>
          expect(await runSql(url, `SELECT told FROM webhook_states WHERE ${of}`, values)).toEqual([['UP']]),
        );
        await runSql(url, `UPDATE webhook_states SET since = ? WHERE ${of}`, [now() + 86_400_000, ...values]);
        await told(receiver, 'gateway.lost');
      });

      test('are told that a call has failed', async () => {
        const { url } = subject();
        const receiver = await receiving({ events: ['CALL_FAILED'] });
        const time = Date.now();
        await setTimeout(1000); // the process looks for failed calls
        setBack();
        await storeCall(url, { state: FAILED, begun: time, ended: time + 1000, status: 503 });
        await eventually(PATIENCE, () => expect(receiver.requests()).toBeGreaterThan(0));
      });
    });
  },
  { WEBHOOK_ALLOW: '127.0.0.1' },
  // Numbers are seldom looked at, so that a test sees what is known of them when a webhook continues.
  { webhooks: { numbersEvery: 6000, failedCallsEvery: 300 } },
);
