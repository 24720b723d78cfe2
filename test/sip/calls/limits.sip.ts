import { databases } from '../../support/databases/databases';
import { eventually } from '../../support/eventually';
import { createAgent, createPeer } from '../../support/factories';
import { runSql } from '../../support/databases/sql';
import { type Phone, headersOf, id } from '../phone';
import { openPhones } from '../phones/open-phones';
import { startStack, type Stack } from '../stack';

const [database] = databases.filter(({ name }) => name === 'MariaDB');
if (!database) throw new Error('MariaDB has to run');

const LIMITS = ['--user-requests', '5', '--user-subscriptions', '4'];

describe('One user cannot take what is there for all', () => {
  let stack: Stack;
  const open = openPhones(() => stack);

  beforeAll(async () => {
    stack = await startStack(database, { config: LIMITS });
    for (const username of ['anna', 'bert', 'dora'])
      await createAgent(stack.app, { username, secret: 's', domains: ['one.test'] });
  });

  afterAll(() => stack.close());

  async function bertAt(host: string): Promise<Phone> {
    const bert = await open(host);
    await bert.registers('bert', 'one.test', ['Contact: *', 'Expires: 0']);
    expect(await bert.registers('bert', 'one.test')).toMatch(/^SIP\/2\.0 200/);
    return bert;
  }

  const contactOf = (phone: Phone): string => `Contact: <${phone.contact('x')}>`;
  const occurrences = (text: string): number => stack.kamailio.log().split(text).length - 1;
  /** Waits until the limit no longer counts earlier requests of the user. */
  const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 3000));

  test('a user has so many requests a second, wherever they are sent from', async () => {
    const bert = await bertAt('127.0.7.4');
    await settled();
    const send = async (username: string, host: string): Promise<string | undefined> => {
      const phone = await open(host);
      const asking = { method: 'MESSAGE', uri: 'sip:bert@one.test', from: `${username}@one.test` };
      return phone.proves(asking, { username, secret: 's' });
    };
    /** Responds to all messages until none has arrived for a second. */
    const answerAll = async (): Promise<void> => {
      for (let heard = await bert.hears(/^MESSAGE/, 1); heard !== undefined; heard = await bert.hears(/^MESSAGE/, 1))
        bert.answers(heard, '200 OK', 'x');
    };
    const sent = async (username: string): Promise<string | undefined> =>
      (await Promise.all([send(username, '127.0.7.20'), answerAll()]))[0];
    const at = Array.from({ length: 20 }, (_, index) => `127.0.7.${String(20 + (index % 4))}`);
    const [answers] = await Promise.all([Promise.all(at.map((host) => send('dora', host))), answerAll()]);
    const codes = answers.map((answer) => answer?.slice(8, 11));
    expect(codes.filter((code) => code === '503').length).toBeGreaterThanOrEqual(5);
    expect(codes).toContain('200');
    const refused = answers.find((answer) => answer?.startsWith('SIP/2.0 503'));
    expect(headersOf(refused, 'Retry-After')).toEqual(['Retry-After: 2']);
    expect(await sent('anna')).toMatch(/^SIP\/2\.0 200/);
    await settled();
    expect(await sent('dora')).toMatch(/^SIP\/2\.0 200/);
  });

  test('the limit begins anew each time that it ends', async () => {
    const bert = await bertAt('127.0.7.10');
    bert.handle((message) => {
      if (message.startsWith('MESSAGE')) bert.answers(message, '200 OK', 'x');
    });
    const refused = async (): Promise<number> => {
      const codes = await Promise.all(
        Array.from({ length: 24 }, async (_, index) => {
          const phone = await open(`127.0.7.${String(40 + (index % 4))}`);
          const asking = { method: 'MESSAGE', uri: 'sip:bert@one.test', from: 'dora@one.test' };
          return (await phone.proves(asking, { username: 'dora', secret: 's' }))?.slice(8, 11);
        }),
      );
      return codes.filter((code) => code === '503').length;
    };
    // Kamailio removes what has expired every 20 s, so at most one of these turns begins without the former count.
    for (let turn = 0; turn < 3; turn++) {
      await settled();
      expect(await refused()).toBeGreaterThanOrEqual(5);
    }
    bert.handle(undefined);
  });

  test('a peer with the ref of an agent has requests of its own', async () => {
    const bert = await bertAt('127.0.7.9');
    const [[refOfDora] = []] = await runSql(stack.url, "SELECT ref FROM agents WHERE username = 'dora'");
    await createPeer(stack.app, { username: 'twin', secret: 's' });
    await runSql(stack.url, "UPDATE peers SET ref = ? WHERE username = 'twin'", [String(refOfDora)]);
    bert.handle((message) => {
      if (message.startsWith('MESSAGE')) bert.answers(message, '200 OK', 'x');
    });
    const send = async (username: string): Promise<string | undefined> => {
      const phone = await open('127.0.7.24');
      const asking = { method: 'MESSAGE', uri: 'sip:bert@one.test', from: `${username}@one.test` };
      return (await phone.proves(asking, { username, secret: 's' }))?.slice(8, 11);
    };
    // They are counted for two seconds.
    await eventually(20, async () => {
      expect(await Promise.all([send('dora'), send('twin')])).toEqual(['200', '200']);
      const counts = stack.kamailio.control('htable.dump', 'rates');
      for (const kind of ['agent', 'peer']) expect(counts).toContain(`${kind}:${String(refOfDora)}`);
    });
    bert.handle(undefined);
  });

  test('a user begins so many subscriptions in an hour', async () => {
    const [bert, anna] = [await bertAt('127.0.7.5'), await open('127.0.7.6')];
    await settled();
    const codes = [];
    for (let turn = 0; turn < 6; turn++) {
      const asking = { method: 'SUBSCRIBE', uri: 'sip:bert@one.test', from: 'anna@one.test', to: 'bert@one.test' };
      const own = { fromTag: id(), headers: ['Event: presence', 'Expires: 600', contactOf(anna)] };
      const answer = anna.proves({ ...asking, ...own }, { username: 'anna', secret: 's' });
      const heard = await bert.hears(/^SUBSCRIBE/, 3);
      if (heard !== undefined) bert.answers(heard, '200 OK', id(), [contactOf(bert), 'Expires: 600']);
      codes.push((await answer)?.slice(8, 11));
    }
    expect(codes).toEqual(['200', '200', '200', '200', '503', '503']);
  });

  test('what a user notifies others of counts as its requests', async () => {
    const [bert, dora] = [await bertAt('127.0.7.11'), await open('127.0.7.12')];
    await settled();
    const [callId, fromTag, toTag] = [id(), id(), id()];
    const asking = { uri: 'sip:bert@one.test', from: 'dora@one.test', to: 'bert@one.test', callId, fromTag };
    const headers = ['Event: presence', 'Expires: 600', contactOf(dora)];
    const answer = dora.proves({ ...asking, method: 'SUBSCRIBE', headers }, { username: 'dora', secret: 's' });
    bert.answers((await bert.hears(/^SUBSCRIBE/)) ?? '', '200 OK', toTag, [contactOf(bert), 'Expires: 600']);
    expect(await answer).toMatch(/^SIP\/2\.0 200/);
    await settled();
    dora.handle((message) => {
      if (message.startsWith('NOTIFY')) dora.answers(message, '200 OK', 'x');
    });
    const codes: string[] = [];
    bert.handle((message) => codes.push(message.slice(8, 11)));
    for (let cseq = 1; cseq <= 20; cseq++)
      bert.says({
        ...{ method: 'NOTIFY', uri: dora.contact('x'), from: asking.to, to: asking.from, callId, cseq },
        ...{ fromTag: toTag, toTag: fromTag },
        headers: [`Route: <sip:${stack.sip};lr>`, 'Event: presence', 'Subscription-State: active', contactOf(bert)],
      });
    await eventually(5, () => expect(codes).toHaveLength(20));
    expect(codes).toContain('200');
    expect(codes.filter((code) => code === '503').length).toBeGreaterThanOrEqual(10);
    // They may be somebody else's behind the same NAT.
    bert.handle(undefined);
    expect(await bert.registers('bert', 'one.test')).toMatch(/^SIP\/2\.0 200/);
  });

  test.each([
    ['a Call-ID', { callId: 'x'.repeat(256) }],
    ['a From tag', { fromTag: 'x'.repeat(129) }],
    ['a From URI', { from: `${'x'.repeat(250)}@one.test` }],
  ])('%s that no call can be stored with is refused', async (_, long) => {
    const phone = await open('127.0.7.7');
    const asking = { method: 'INVITE', uri: 'sip:bert@one.test', from: 'anna@one.test', ...long };
    expect(await phone.asks(asking)).toMatch(/^SIP\/2\.0 400 Call-ID, From or To Too Long/);
  });

  test('a user name that nobody can have is not remembered as guessed at', async () => {
    const phone = await open('127.0.7.8');
    const asking = { method: 'REGISTER', uri: 'sip:one.test', from: 'anna@one.test', headers: [contactOf(phone)] };
    const before = occurrences('authentication failed');
    for (const length of [321, 3000])
      expect(await phone.proves(asking, { username: 'x'.repeat(length), secret: 's' })).toMatch(/^SIP\/2\.0 401/);
    expect(occurrences('authentication failed')).toBe(before);
    expect(await phone.proves(asking, { username: 'x'.repeat(320), secret: 's' })).toMatch(/^SIP\/2\.0 401/);
    await eventually(5, () => expect(occurrences('authentication failed')).toBe(before + 1));
  });
});
