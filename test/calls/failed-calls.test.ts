import { createClient, type Client } from '../../clients/typescript/src/index';
import { eventually } from '../support/eventually';
import { onEachDatabase } from '../support/databases/on-each-database';
import { startReceiver, type Receiver } from '../support/receiver';
import { runSql, storeCall } from '../support/databases/sql';

type Rule = NonNullable<Parameters<Client['createWebhook']>[0]['failedCalls']>;

const PATIENCE = 40;
const FAILED = 5;

onEachDatabase(
  'Webhooks for failed calls',
  (subject) => {
    let client: Client;
    const open: (() => Promise<unknown>)[] = [];

    async function receiving(
      failedCalls?: Partial<Rule>,
      refs?: string[],
    ): Promise<Receiver & { readonly ref: string }> {
      const receiver = await startReceiver();
      const input = { url: receiver.url, events: ['CALL_FAILED'] as const, ...(refs && { refs }) };
      const made = await client.createWebhook({ ...input, ...(failedCalls && { failedCalls }) });
      const { secret, webhook } = made.createWebhook;
      receiver.trust(secret);
      open.push(
        () => client.deleteWebhook({ ref: webhook.ref }),
        () => receiver.stop(),
      );
      return { ...receiver, ref: webhook.ref };
    }

    const fail = (call: object = {}) => {
      const ended = Date.now();
      return storeCall(subject().url, { state: FAILED, begun: ended - 20_000, ended, status: 503, ...call });
    };

    /** How many failed calls each message has. */
    const counts = ({ accepted }: Receiver) => accepted.map(({ type, data }) => [type, data['count']]);

    /** Ends the time between two messages. */
    const endPeriod = ({ ref }: { readonly ref: string }) =>
      runSql(
        subject().url,
        'UPDATE webhook_failures SET told_on = 1 WHERE webhook_id = (SELECT id FROM webhooks WHERE ref = ?)',
        [ref],
      );

    beforeAll(async () => {
      client = createClient(`${subject().app.url}/graphql`, { token: await subject().app.token() });
    });

    afterEach(async () => {
      for (const close of open.splice(0)) await close();
      await runSql(subject().url, 'DELETE FROM calls');
    });

    test('a failed call is told once, with its id, and those that fail in the minute after it are told together', async () => {
      await fail();
      const receiver = await receiving();
      const rowId = await fail();
      await eventually(PATIENCE, () => expect(receiver.accepted).toHaveLength(1));
      expect(receiver.accepted[0]).toMatchObject({
        type: 'call.failed',
        data: {
          count: 1,
          since: expect.any(String),
          until: expect.any(String),
          calls: [Buffer.from(`Call:${String(rowId)}`).toString('base64url')],
        },
      });
      // One that the SIP server could not record at once, one that rang for long, one that was answered, and one that rings.
      await fail({ begun: Date.now() - 170_000, ended: Date.now() });
      const later = await storeCall(subject().url, { state: 2, begun: Date.now() - 5000 });
      await storeCall(subject().url, { state: 6, ended: Date.now() });
      await runSql(subject().url, 'UPDATE calls SET state = 5, ended = ? WHERE id = ?', [Date.now(), later]);
      await eventually(PATIENCE, async () => {
        const [[untold] = []] = await runSql(subject().url, 'SELECT untold FROM webhook_failures');
        expect(String(untold)).toMatch(/,2\]\]$/);
      });
      expect(receiver.accepted).toHaveLength(1);
      await endPeriod(receiver);
      await eventually(PATIENCE, () =>
        expect(counts(receiver)).toEqual([
          ['call.failed', 1],
          ['call.failed', 2],
        ]),
      );
    });

    test('only calls that meet all conditions of the rule count, and only if enough of them fail', async () => {
      const rule = { gatewayRef: 'gw1', minStatus: 500, reason: 'CAUSE=34', direction: 'OUT', count: 3, minutes: 5 };
      const receiver = await receiving(rule as Partial<Rule>);
      const meant = { gateway_ref: 'gw1', direction: 'OUT', reason: 'No', reason_header: 'Q.850;cause=34' };
      for (const other of [
        { gateway_ref: 'gw2' },
        { direction: 'IN' },
        { status: 486 },
        { status: null },
        { reason_header: 'Q.850;cause=16' },
      ])
        await fail({ ...meant, ...other });
      await fail(meant);
      await fail(meant);
      await eventually(PATIENCE, async () => {
        const [[untold] = []] = await runSql(subject().url, 'SELECT untold FROM webhook_failures');
        expect(String(untold)).toMatch(/,2\]\]$/);
      });
      expect(receiver.accepted).toEqual([]);
      await fail(meant);
      await eventually(PATIENCE, () => expect(counts(receiver)).toEqual([['call.failed', 3]]));
      expect((receiver.accepted[0]?.data['calls'] as string[]).length).toBe(3);
      expect((await client.webhooks()).webhooks.find(({ ref }) => ref === receiver.ref)).toMatchObject({
        failedCalls: { ...rule, agentRef: null, peerRef: null, digits: null },
      });
    });

    test.each<[string, Partial<Rule> | undefined, string[] | undefined, object]>([
      ['an agent that called', { agentRef: 'ag1' }, undefined, { caller: 'agent:ag1' }],
      ['a peer that was called', { peerRef: 'pr1' }, undefined, { callee: 'peer:pr1' }],
      ['a number', { digits: '4930100' }, undefined, { number: '4930100' }],
      ['a domain', { domainRef: 'dm1' }, undefined, { domain_ref: 'dm1' }],
      ['a route', { routeRef: 'rt1' }, undefined, { route_ref: 'rt1' }],
      ['a gateway of `refs`', undefined, ['gw7'], { gateway_ref: 'gw7' }],
      ['an agent of `refs`', undefined, ['gw7', 'ag7'], { callee: 'agent:ag7' }],
      ['a domain of `refs`', undefined, ['dm7'], { domain_ref: 'dm7' }],
      ['a route of `refs`', undefined, ['rt7'], { route_ref: 'rt7' }],
    ])('the failed calls of %s are told', async (_what, rule, refs, meant) => {
      const receiver = await receiving(rule, refs);
      await fail();
      await fail({ caller: 'agent:other', callee: 'peer:other', number: '4930', gateway_ref: 'gw8' });
      await fail(meant);
      await eventually(PATIENCE, () => expect(counts(receiver)).toEqual([['call.failed', 1]]));
    });

    test('another rule begins to count anew, and a change of something else does not', async () => {
      const receiver = await receiving({ count: 2, minutes: 10 });
      await fail();
      const untold = async () => (await runSql(subject().url, 'SELECT untold FROM webhook_failures'))[0]?.[0];
      await eventually(PATIENCE, async () => expect(await untold()).toMatch(/,1\]\]$/));
      await client.updateWebhook({ ref: receiver.ref, note: 'the same rule' });
      expect(await untold()).toMatch(/,1\]\]$/);
      await client.updateWebhook({ ref: receiver.ref, failedCalls: { count: 2, minutes: 11 } });
      expect(await untold()).toBe('[]');
      await client.updateWebhook({ ref: receiver.ref, events: ['RESOURCE_CHANGED'] });
      expect(await untold()).toBeUndefined();
    });

    test('as many webhooks as there may be are told, each of them for as many resources as it may have', async () => {
      const refs = Array.from({ length: 100 }, (_, n) => `gw${String(n)}`);
      const { webhooks } = await client.webhooks();
      const receivers: Receiver[] = [];
      for (let n = webhooks.length; n < 50; n++) receivers.push(await receiving(undefined, refs));
      await fail({ gateway_ref: 'gw99' });
      await eventually(PATIENCE, () => {
        expect(receivers.map(counts)).toEqual(receivers.map(() => [['call.failed', 1]]));
      });
    });

    test.each<[string, Partial<Rule>, string]>([
      ['no calls', { count: 0 }, 'count'],
      ['more than a day', { minutes: 1441 }, 'minutes'],
      ['a status of success', { minStatus: 200 }, 'minStatus'],
      ['an empty reason', { reason: '' }, 'reason'],
      ['a reference of 65 characters', { gatewayRef: 'x'.repeat(65) }, 'gatewayRef'],
    ])('a rule with %s is refused', async (_what, rule, field) => {
      const input = { url: 'https://receiver.test/', events: ['CALL_FAILED'] as const };
      await expect(client.createWebhook({ ...input, failedCalls: rule })).rejects.toMatchObject({
        code: 'BAD_USER_INPUT',
        fields: [`failedCalls.${field}`],
      });
    });

    test('calls are found by a lowest status and by a part of their reason', async () => {
      await fail({ callId: 'server', reason: 'Service Unavailable' });
      await fail({ callId: 'busy', status: 486, reason: 'Busy', reason_header: 'Q.850;cause=17' });
      const found = async (where: object) => {
        const { data } = await subject().app.graphql<{ calls: { nodes: { callId: string }[] } }>(
          'query ($where: CallWhere) { calls(where: $where) { nodes { callId } } }',
          { where },
        );
        return data.calls.nodes.map(({ callId }) => callId);
      };
      expect(await found({ minStatus: 500 })).toEqual(['server']);
      expect(await found({ reason: 'CAUSE=17' })).toEqual(['busy']);
      expect(await found({ reason: 'unavail', minStatus: 400 })).toEqual(['server']);
    });
  },
  { WEBHOOK_ALLOW: '127.0.0.1' },
  { webhooks: { failedCallsEvery: 300 } },
);
