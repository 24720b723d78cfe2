import { databases } from '../../support/databases/databases';
import { createAgent } from '../../support/factories';
import { id, type Asking } from '../phone';
import { openPhones } from '../phones/open-phones';
import { startStack, type Stack } from '../stack';

const [database] = databases.filter(({ name }) => name === 'MariaDB');
if (!database) throw new Error('MariaDB has to run');

describe('Subscriptions', () => {
  let stack: Stack;
  const phoneAt = openPhones(() => stack);

  beforeAll(async () => {
    stack = await startStack(database);
    for (const username of ['anna', 'bert', 'eve']) {
      await createAgent(stack.app, { username, secret: 's', domains: ['one.test'] });
    }
  });

  afterAll(() => stack.close());

  /** A phone at 127.0.6.1 subscribes to a phone at 127.0.6.2, which responds. */
  async function subscription(status: string, user = 'anna') {
    const [subscriber, notifier] = [await phoneAt('127.0.6.1'), await phoneAt('127.0.6.2')];
    expect(await notifier.registers('bert', 'one.test', ['Contact: *', 'Expires: 0'])).toMatch(/^SIP\/2\.0 200/);
    expect(await notifier.registers('bert', 'one.test')).toMatch(/^SIP\/2\.0 200/);
    const [callId, fromTag, toTag] = [id(), id(), id()];
    const users = { from: `${user}@one.test`, to: 'bert@one.test' };
    const own = ['Event: presence', 'Expires: 600', `Contact: <${subscriber.contact(user)}>`];
    const initial: Asking = { ...users, method: 'SUBSCRIBE', uri: 'sip:bert@one.test', callId, fromTag, headers: own };
    const answer = subscriber.proves(initial, { username: user, secret: 's' });
    const heard = (await notifier.hears(/^SUBSCRIBE/)) ?? '';
    notifier.answers(heard, status, toTag, [`Contact: <${notifier.contact('bert')}>`, 'Expires: 600']);
    expect(await answer).toMatch(new RegExp(`^SIP/2\\.0 ${status}`));
    const route = [`Route: <sip:${stack.sip};lr>`];
    const within: Asking = {
      ...initial,
      uri: notifier.contact('bert'),
      toTag,
      cseq: 20,
      headers: [...route, ...own],
    };
    const notify: Asking = {
      method: 'NOTIFY',
      uri: subscriber.contact(user),
      from: users.to,
      to: users.from,
      callId,
      fromTag: toTag,
      toTag: fromTag,
      cseq: 1,
      headers: [...route, 'Event: presence', 'Subscription-State: active', `Contact: <${notifier.contact('bert')}>`],
    };
    return { subscriber, notifier, initial, within, notify };
  }

  /** Whether a NOTIFY arrives, and its response, too. */
  async function notifies({ subscriber, notifier, notify }: Awaited<ReturnType<typeof subscription>>, cseq: number) {
    const answer = notifier.asks({ ...notify, cseq });
    const heard = await subscriber.hears(/^NOTIFY/, 3);
    if (heard !== undefined) subscriber.answers(heard, '200 OK', 'x');
    return ((await answer) ?? '').startsWith('SIP/2.0 200');
  }

  test('go on by NOTIFY, and by a SUBSCRIBE that is authenticated anew', async () => {
    const made = await subscription('200 OK');
    expect(await notifies(made, 1)).toBe(true);
    const { subscriber, notifier, within } = made;
    expect(await subscriber.asks(within)).toMatch(/^SIP\/2\.0 407/);
    const again = subscriber.proves({ ...within, cseq: 30 }, { username: 'anna', secret: 's' });
    notifier.answers((await notifier.hears(/^SUBSCRIBE/)) ?? '', '200 OK', 'x', ['Expires: 600']);
    expect(await again).toMatch(/^SIP\/2\.0 200/);
    expect(await notifies(made, 2)).toBe(true);
  });

  test('are told of by a NOTIFY that overtakes the answer', async () => {
    const [subscriber, notifier] = [await phoneAt('127.0.6.1'), await phoneAt('127.0.6.2')];
    await notifier.registers('bert', 'one.test', ['Contact: *', 'Expires: 0']);
    await notifier.registers('bert', 'one.test');
    const asking = { from: 'anna@one.test', to: 'bert@one.test', callId: id(), fromTag: id() };
    const headers = ['Event: presence', `Contact: <${subscriber.contact('anna')}>`];
    void subscriber.proves(
      { ...asking, method: 'SUBSCRIBE', uri: 'sip:bert@one.test', headers },
      { username: 'anna', secret: 's' },
    );
    expect(await notifier.hears(/^SUBSCRIBE/)).toBeDefined();
    notifier.says({
      method: 'NOTIFY',
      uri: subscriber.contact('anna'),
      from: asking.to,
      to: asking.from,
      callId: asking.callId,
      fromTag: 'early',
      toTag: asking.fromTag,
      headers: [`Route: <sip:${stack.sip};lr>`, 'Event: presence', 'Subscription-State: active'],
    });
    expect(await subscriber.hears(/^NOTIFY/)).toBeDefined();
  });

  test.each([
    ['refused', '489 Bad Event', 'SUBSCRIBE'] as const,
    ...['MESSAGE', 'INVITE', 'INFO', 'REFER'].map((method) => ['accepted', '200 OK', method] as const),
  ])('that are %s (%s) open no door for a %s', async (_, status, method) => {
    const { subscriber, notifier, within } = await subscription(status);
    expect(await subscriber.asks({ ...within, method })).toMatch(/^SIP\/2\.0 481/);
    expect(await notifier.hears(new RegExp(`^${method}`), 0.3)).toBeUndefined();
  });

  test.each<[string, Partial<Asking>]>([
    ['another tag', { toTag: 'any' }],
    ['another From', { from: 'boss@one.test' }],
  ])('have no request with %s', async (_, change) => {
    const { subscriber, notifier, within, notify } = await subscription('200 OK');
    expect(await subscriber.asks({ ...within, ...change })).toMatch(/^SIP\/2\.0 481/);
    const changed = change.from === undefined ? { ...notify, toTag: 'any' } : { ...notify, ...change };
    expect(await notifier.asks(changed)).toMatch(/^SIP\/2\.0 481/);
  });

  test('are not replaced by somebody who knows their Call-ID and tag', async () => {
    const made = await subscription('200 OK');
    const eve = await phoneAt('127.0.6.3');
    const { method, callId, fromTag, uri } = made.initial;
    const headers = ['Event: presence', `Contact: <${eve.contact('eve')}>`];
    const asking = { method, callId, fromTag, uri, from: 'eve@one.test', to: 'bert@one.test', headers };
    const answer = eve.proves(asking as Asking, { username: 'eve', secret: 's' });
    const heard = (await made.notifier.hears(/^SUBSCRIBE/)) ?? '';
    made.notifier.answers(heard, '200 OK', made.within.toTag ?? '', ['Expires: 600']);
    expect(await answer).toMatch(/^SIP\/2\.0 200/);
    expect(await notifies(made, 5)).toBe(true);
  });

  test('are not prolonged by an agent that was deleted', async () => {
    await createAgent(stack.app, { username: 'dead', secret: 's', domains: ['one.test'] });
    const { subscriber, notifier, within } = await subscription('200 OK', 'dead');
    const { data } = await stack.app.graphql<{ agents: { nodes: { ref: string }[] } }>(
      '{ agents(where: { username: { eq: "dead" } }) { nodes { ref } } }',
    );
    await stack.app.rest('DELETE', `/agents/${data.agents.nodes[0]?.ref ?? ''}`);
    expect(await subscriber.proves(within, { username: 'dead', secret: 's' })).toMatch(/^SIP\/2\.0 407/);
    expect(await notifier.hears(/^SUBSCRIBE/, 0.3)).toBeUndefined();
  });
});
