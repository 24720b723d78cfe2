import { databases } from '../support/databases';
import { createAgent, createDid, createGateway, createNumber } from '../support/factories';
import { headersOf, Phone } from './phone';
import { startStack, type Stack } from './stack';

const [database] = databases.filter(({ name }) => name === 'MariaDB');
if (!database) throw new Error('MariaDB has to run');

/** anna and bert are agents of one.test. The range is anna's, and one number inside is bert's. */
describe('A call to a range of numbers', () => {
  let stack: Stack;
  let provider: Phone;
  const phones = new Map<string, Phone>();

  beforeAll(async () => {
    stack = await startStack(database);
    provider = await Phone.open(stack.sip, '127.0.3.1');
    const gatewayRef = await createGateway(stack.app, { host: '127.0.3.1', transport: 'UDP' });
    const [telUrl, lastTelUrl] = ['tel:+4930700000', 'tel:+4930700999'];
    await createDid(stack.app, { gatewayRef, telUrl, lastTelUrl, aorLink: 'sip:anna@one.test' });
    await createNumber(stack.app, { gatewayRef, telUrl: 'tel:+4930700500', aorLink: 'sip:bert@one.test' });
    for (const [index, name] of ['anna', 'bert'].entries()) {
      await createAgent(stack.app, { username: name, secret: 's', domains: ['one.test'] });
      const phone = await Phone.open(stack.sip, `127.0.3.${String(11 + index)}`);
      expect(await phone.registers(name, 'one.test')).toMatch(/^SIP\/2\.0 200/);
      phones.set(name, phone);
    }
  });

  afterAll(async () => {
    provider.close();
    for (const phone of phones.values()) phone.close();
    await stack.close();
  });

  /** Who was called, with the INVITE; or else the response. */
  async function called(number: string, by: 'provider' | 'bert'): Promise<readonly [who: string, invite: string]> {
    for (const phone of phones.values()) phone.forget();
    const caller = by === 'provider' ? provider : (phones.get(by) ?? provider);
    const host = by === 'provider' ? stack.sip : 'one.test';
    const asking = {
      method: 'INVITE',
      uri: `sip:${number}@${host}`,
      from: by === 'provider' ? '+33123@provider.example' : `${by}@one.test`,
      to: `${number}@${host}`,
      headers: [`Contact: <${caller.contact('caller')}>`],
    };
    const answer = by === 'provider' ? caller.asks(asking) : caller.proves(asking, { username: by, secret: 's' });
    const heard = [...phones].map(async ([name, phone]): Promise<readonly [string, string]> => {
      const invite = await phone.hears(/^INVITE /, 10);
      if (invite === undefined) return new Promise<never>(() => undefined);
      phone.answers(invite, '486 Busy Here', name);
      return [name, invite];
    });
    const refused = answer.then(async (text): Promise<readonly [string, string]> => {
      if (text?.includes(' 486 ')) return new Promise<never>(() => undefined);
      return [/^SIP\/2\.0 (\d+)/.exec(text ?? '')?.[1] ?? '', ''];
    });
    const found = await Promise.race([...heard, refused]);
    await answer;
    return found;
  }

  test.each([
    ['+4930700000', 'anna'],
    ['+4930700999', 'anna'],
    ['+4930700123', 'anna'],
    ['004930700123', 'anna'],
    ['+4930700500', 'bert'],
  ])('of %s from its gateway rings %s, who sees the called number', async (number, who) => {
    const [name, invite] = await called(number, 'provider');
    expect(name).toBe(who);
    expect(headersOf(invite, 'To')[0]).toContain(`sip:${number}@`);
  });

  test.each(['+4930701000', '+4930699999', '+49307000', '+49307001234'])('does not have %s', async (number) => {
    expect((await called(number, 'provider'))[0]).toMatch(/^[45]/);
  });

  test('of an agent rings, too', async () => {
    expect((await called('+4930700123', 'bert'))[0]).toBe('anna');
  });

  test('is explained as it is made, and recorded with the called number', async () => {
    await called('+4930700124', 'provider');
    const { data } = await stack.app.graphql<{
      explainCall: { outcome: string; attempts: { requestUri: string }[]; steps: { summary: string }[] };
    }>(
      `{ explainCall(from: "+33123", to: "+4930700124", sourceAddress: "127.0.3.1") {
        outcome attempts { requestUri } steps { summary } } }`,
    );
    expect(data.explainCall.outcome).toBe('RINGS');
    expect(data.explainCall.steps.map(({ summary }) => summary)).toContain('DID tel:+4930700000 to tel:+4930700999');
  });
});
