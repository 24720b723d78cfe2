import { databases } from '../../support/databases/databases';
import { eventually } from '../../support/eventually';
import { createAgent, createDid, createGateway, createNumber } from '../../support/factories';
import { runSql } from '../../support/databases/sql';
import { Party } from '../party';
import { headersOf, id, Phone } from '../phone';
import { startStack, type Stack } from '../stack';

const [database] = databases.filter(({ name }) => name === 'MariaDB');
if (!database) throw new Error('MariaDB has to run');

/** anna, bert and cleo are agents of one.test. The range is anna's, and two numbers inside are bert's: the first, and one more. */
describe('A call to a range of numbers', () => {
  let stack: Stack;
  let provider: Phone;
  let cleo: Phone;
  let gatewayRef: string;
  const parties: Party[] = [];

  beforeAll(async () => {
    stack = await startStack(database);
    provider = await Phone.open(stack.sip, '127.0.3.1');
    cleo = await Phone.open(stack.sip, '127.0.3.2');
    gatewayRef = await createGateway(stack.app, { host: '127.0.3.1', transport: 'UDP' });
    const [telUrl, lastTelUrl] = ['tel:+4930700000', 'tel:+4930700999'];
    await createDid(stack.app, { gatewayRef, telUrl, lastTelUrl, aorLink: 'sip:anna@one.test' });
    for (const inside of [telUrl, 'tel:+4930700500'])
      await createNumber(stack.app, { gatewayRef, telUrl: inside, aorLink: 'sip:bert@one.test' });
    for (const username of ['anna', 'bert', 'cleo'])
      await createAgent(stack.app, { username, secret: 's', domains: ['one.test'] });
    for (const [index, name] of ['anna', 'bert'].entries()) {
      const party = await Party.open(name, stack.sip, `127.0.3.${String(11 + index)}`);
      parties.push(party);
      expect(await party.phone.registers(name, 'one.test')).toMatch(/^SIP\/2\.0 200/);
      party.script = ['486 Busy Here'];
      party.listen();
    }
  });

  afterAll(async () => {
    provider.close();
    cleo.close();
    for (const { phone } of parties) phone.close();
    await stack.close();
  });

  /** Calls a number. Returns the status, and the INVITEs by who received them. */
  async function calls(number: string, caller = provider): Promise<readonly [status: string, heard: object]> {
    for (const party of parties) party.heard.length = 0;
    const isProvider = caller === provider;
    const host = isProvider ? stack.sip : 'one.test';
    const asking = {
      method: 'INVITE',
      uri: `sip:${number}@${host}`,
      from: isProvider ? '+33123@provider.example' : 'cleo@one.test',
      to: `${number}@${host}`,
      callId: id(),
      headers: [`Contact: <${caller.contact('caller')}>`],
    };
    const answer = await (isProvider ? caller.asks(asking) : caller.proves(asking, { username: 'cleo', secret: 's' }));
    const heard = parties.flatMap((party) =>
      party.of('INVITE').map((invite) => [party.name, /sip:([^@]*)@/.exec(headersOf(invite, 'To')[0] ?? '')?.[1]]),
    );
    return [/^SIP\/2\.0 (\d+)/.exec(answer ?? '')?.[1] ?? '', Object.fromEntries(heard) as object];
  }

  test.each([
    ['+4930700000', 'bert'],
    ['+4930700001', 'anna'],
    ['+4930700999', 'anna'],
    ['+4930700123', 'anna'],
    ['004930700123', 'anna'],
    ['+4930700500', 'bert'],
  ])('of %s from its gateway rings %s, who sees the called number', async (number, name) => {
    expect(await calls(number)).toEqual(['486', { [name]: number }]);
  });

  test.each(['+4930701000', '+4930699999', '+49307000', '+49307001234'])('does not have %s', async (number) => {
    expect(await calls(number)).toEqual(['407', {}]);
    expect(await calls(number, cleo)).toEqual(['404', {}]);
  });

  test.each([
    ['+49-30-700-123', 'anna'],
    ['+4930700500', 'bert'],
  ])('of %s from an agent rings %s', async (number, name) => {
    const [status, heard] = await calls(number, cleo);
    expect([status, Object.keys(heard)]).toEqual(['486', [name]]);
  });

  test('is explained as it is made, and recorded with the called number', async () => {
    await calls('+4930700124');
    const { data } = await stack.app.graphql<{
      explainCall: { outcome: string; steps: readonly { summary: string }[] };
    }>(`{ explainCall(from: "+33123", to: "+4930700124", sourceAddress: "127.0.3.1") { outcome steps { summary } } }`);
    expect(data.explainCall.outcome).toBe('RINGS');
    expect(data.explainCall.steps.map(({ summary }) => summary)).toContain('DID tel:+4930700000 to tel:+4930700999');
    await eventually(15, async () =>
      expect(await runSql(stack.url, "SELECT gateway_ref FROM calls WHERE number = '4930700124'")).toEqual([
        [gatewayRef],
      ]),
    );
  });

  test('as dialed comes before one after a leading 00, whatever the references of the gateways are', async () => {
    const dialed = Array.from({ length: 5 }, (_, at) => `0049308${String(at)}005`);
    for (const number of dialed)
      for (const [prefix, user] of [
        ['', 'anna'],
        ['+', 'bert'],
      ] as const) {
        const first = `tel:${prefix === '' ? number : number.replace(/^00/, prefix)}`.replace(/5$/, '1');
        const range = { telUrl: first, lastTelUrl: first.replace(/1$/, '9'), aorLink: `sip:${user}@one.test` };
        await createNumber(stack.app, { ...range, gatewayRef: await createGateway(stack.app) });
      }
    for (const number of dialed) expect(Object.keys((await calls(number, cleo))[1])).toEqual(['anna']);
  });
});
