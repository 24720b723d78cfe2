import { createClient } from '../../../clients/typescript/src/index';
import { databases } from '../../support/databases/databases';
import { eventually } from '../../support/eventually';
import { createAgent } from '../../support/factories';
import { startReceiver } from '../../support/receiver';
import { answeredCall } from '../call';
import { openPhones, registeredPhone } from '../phones/open-phones';
import { startStack, type Stack } from '../stack';

const [database] = databases.filter(({ name }) => name === 'MariaDB');
if (!database) throw new Error('MariaDB has to run');

const MOST = 5;
/** The calls that are 80 % of the limit. */
const NEARLY = 4;

describe('A webhook of limits', () => {
  let stack: Stack;
  const open = openPhones(() => stack);

  beforeAll(async () => {
    stack = await startStack(database, { host: '127.0.0.1', env: { WEBHOOK_ALLOW: '127.0.0.1' } });
  });

  afterAll(() => stack.close());

  test('is received when a real call takes 80 % of the calls of an agent, and not before', async () => {
    const client = createClient(`${stack.app.url}/graphql`, { token: await stack.app.token() });
    const ref = await createAgent(stack.app, { username: 'anna', secret: 's', domains: ['one.test'], maxCalls: MOST });
    await createAgent(stack.app, { username: 'bert', secret: 's', domains: ['one.test'] });
    const receiver = await startReceiver();
    try {
      const events = ['LIMIT_NEARLY_REACHED', 'LIMIT_REACHED'] as const;
      const created = await client.createWebhook({ url: receiver.url, events });
      receiver.trust(created.createWebhook.secret);
      const bert = await registeredPhone(open, 'bert', 'one.test', '127.0.14.22');
      const phone = await open('127.0.14.21');
      const call = () =>
        answeredCall(
          { phone, from: 'anna@one.test', credentials: { username: 'anna', secret: 's' } },
          bert,
          'bert@one.test',
        );
      const calls = [];
      while (calls.length < NEARLY) calls.push(await call());
      await eventually(20, () => expect(receiver.accepted).not.toHaveLength(0));
      // The first one has the fourth call, so none was sent before.
      expect(receiver.accepted[0]).toMatchObject({
        type: 'limit.nearly_reached',
        data: { kind: 'Agent', ref, limit: 'MAX_CALLS', used: NEARLY, most: MOST, cursor: expect.any(String) },
      });
      for (const { fromCaller } of calls) {
        phone.says({ ...fromCaller, method: 'BYE', cseq: 3 });
        bert.answers((await bert.hears(/^BYE /)) ?? '', '200 OK', 'b');
        expect(await phone.hears(/^SIP\/2\.0 200/)).toBeDefined();
      }
      expect(receiver.accepted).toHaveLength(1);
    } finally {
      await receiver.stop();
    }
  });
});
