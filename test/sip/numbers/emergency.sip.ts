import { databases } from '../../support/databases/databases';
import { eventually } from '../../support/eventually';
import { createPeer } from '../../support/factories';
import {
  change,
  changeEverythingElse,
  OFFICE,
  placeEmergency,
  SECRET,
  useUpMinutes,
  type Placed,
  type Places,
} from '../../support/emergency';
import { id, Phone } from '../phone';
import { startStack, type Stack } from '../stack';

const [database] = databases.filter(({ name }) => name === 'MariaDB');
if (!database) throw new Error('MariaDB has to run');

const ANNA = { username: 'anna', secret: SECRET };

describe('A call to 112', () => {
  let stack: Stack;
  let phone: Phone;
  let places: Places;
  let placed: readonly Placed[];
  /** The numbers that the gateway of the emergency route, and the other one, were asked for. */
  const called: Record<'emergency' | 'other', string[]> = { emergency: [], other: [] };
  const opened: Phone[] = [];

  beforeAll(async () => {
    stack = await startStack(database);
    phone = await Phone.open(stack.sip, '127.0.1.2');
    opened.push(phone);
    const open = async (name: 'emergency' | 'other', host: string) => {
      const provider = await Phone.open(stack.sip, host);
      opened.push(provider);
      provider.handle((message) => {
        const [, number] = /^INVITE sips?:([^@;]*)/.exec(message) ?? [];
        if (number !== undefined) called[name].push(number);
        if (/^(INVITE|REGISTER|OPTIONS)/.test(message)) provider.answers(message, '486 Busy Here', name);
      });
      return { host, port: provider.port };
    };
    places = { emergency: await open('emergency', '127.0.1.31'), other: await open('other', '127.0.1.32') };
    placed = await placeEmergency(stack.app, places);
    await new Promise((resolve) => setTimeout(resolve, 6000)); // Kamailio knows a new domain after at most 5 s
  });

  afterAll(async () => {
    for (const each of opened) each.close();
    await stack.close();
  });

  /** The status of a call of a user, and the numbers that the gateways were asked for. */
  async function dial(number: string, credentials = ANNA): Promise<unknown> {
    const [user = ''] = credentials.username.split('@');
    called.emergency.length = 0;
    called.other.length = 0;
    const asking = {
      method: 'INVITE',
      uri: `sip:${number}@${OFFICE}`,
      from: `${user}@${OFFICE}`,
      to: `${number}@${OFFICE}`,
    };
    const headers = [`Contact: <${phone.contact(user)}>`];
    const answer = await phone.proves({ ...asking, callId: id(), fromTag: id(), headers }, credentials);
    const unique = (numbers: readonly string[]): readonly string[] => [...new Set(numbers)];
    return [answer?.slice(8, 11), unique(called.emergency), unique(called.other)];
  }

  test.each([
    ['with a parameter of a number', '112;phone-context=+49', '486', ['112']],
    ['with a long parameter', `112;phone-context=${'x'.repeat(80)}.test`, '486', ['112']],
    ['but not with an escaped semicolon', '112%3Bphone-context=+49', '404', []],
  ])('leaves %s', async (_, number, status, asked) => {
    expect(await dial(number)).toEqual([status, asked, []]);
    const { data } = await stack.app.graphql<{ explainCall: { status: number | null; attempts: object[] } }>(
      'query ($to: String!) { explainCall(from: "anna@office.test", to: $to) { status attempts { requestUri } } }',
      { to: `sip:${number}@${OFFICE}` },
    );
    expect(data.explainCall.status).toBe(asked.length > 0 ? null : Number(status));
    expect(data.explainCall.attempts).toHaveLength(asked.length);
  });

  test('leaves if the agent is disabled and has the right secret, which cannot call anything else', async () => {
    const [caller] = placed.filter(({ role }) => role === 'caller');
    if (!caller) throw new Error('nobody calls');
    expect(await change(stack.app, caller, { enabled: false })).toBeUndefined();
    expect(await dial('112')).toEqual(['486', ['112'], []]);
    expect(await dial('112', { ...ANNA, secret: 'wrong' })).toEqual(['407', [], []]);
    expect(await dial('1400')).toEqual(['407', [], []]);
    expect(await dial('1')).toEqual(['407', [], []]);
    expect(await phone.registers('anna', OFFICE)).toMatch(/^SIP\/2\.0 401/);
    expect(await change(stack.app, caller, { enabled: true })).toBeUndefined();
    expect(await dial('1400')).toEqual(['486', [], ['1400']]);
  });

  test('leaves if the domain is disabled, whose users cannot call anything else', async () => {
    const [domain] = placed.filter(({ role }) => role === 'domain');
    if (!domain) throw new Error('there is no domain');
    const pbx = { username: 'pbx', secret: 'of the pbx' };
    const ref = await createPeer(stack.app, pbx);
    const realm = async (): Promise<string | undefined> => {
      const asking = { method: 'REGISTER', uri: `sip:${OFFICE}`, from: `anna@${OFFICE}` };
      return /realm="(.*?)"/.exec((await phone.asks(asking)) ?? '')?.[1];
    };
    expect(await change(stack.app, domain, { enabled: false })).toBeUndefined();
    expect(await dial('112')).toEqual(['486', ['112'], []]);
    await eventually(15, async () => expect(await realm()).toBe('peers'));
    for (const credentials of [ANNA, { ...ANNA, username: `anna@${OFFICE}` }, pbx])
      expect(await dial('112', credentials)).toEqual(['486', ['112'], []]);
    expect(await dial('112', { ...ANNA, secret: 'wrong' })).toEqual(['407', [], []]);
    expect(await dial('112', { username: 'nobody', secret: 's' })).toEqual(['407', [], []]);
    expect(await dial('1400')).toEqual(['407', [], []]);
    expect(await dial('1400', pbx)).toEqual(['403', [], []]);
    expect(await phone.registers('anna', OFFICE)).toMatch(/^SIP\/2\.0 401/);
    const { data } = await stack.app.graphql(
      `{ explainCall(from: "anna@${OFFICE}", to: "112@${OFFICE}") { outcome } }`,
    );
    expect(data).toEqual({ explainCall: { outcome: 'LEAVES' } });
    expect(await change(stack.app, domain, { enabled: true })).toBeUndefined();
    await stack.app.graphql('mutation ($ref: String!) { deletePeer(ref: $ref) }', { ref });
    await eventually(15, async () => expect(await dial('1400')).toEqual(['486', [], ['1400']]));
  }, 60_000);

  test('is that of an enabled peer if the agent with its name is disabled', async () => {
    const [caller] = placed.filter(({ role }) => role === 'caller');
    if (!caller) throw new Error('nobody calls');
    expect(await change(stack.app, caller, { enabled: false })).toBeUndefined();
    const ref = await createPeer(stack.app, { username: 'anna', secret: 'of the peer' });
    expect(await dial('112', { ...ANNA, secret: 'of the peer' })).toEqual(['486', ['112'], []]);
    expect(await dial('112')).toEqual(['407', [], []]);
    const { errors } = await stack.app.graphql('mutation ($ref: String!) { deletePeer(ref: $ref) }', { ref });
    expect(errors).toBeUndefined();
    expect(await dial('112')).toEqual(['486', ['112'], []]);
    expect(await change(stack.app, caller, { enabled: true })).toBeUndefined();
  });

  test('leaves if the peer is disabled and has the right secret, which cannot call anything else', async () => {
    const pbx = { username: 'pbx', secret: 'of the pbx' };
    const ref = await createPeer(stack.app, { ...pbx, enabled: false });
    expect(await dial('112', pbx)).toEqual(['486', ['112'], []]);
    expect(await dial('112', { ...pbx, secret: 'wrong' })).toEqual(['407', [], []]);
    expect(await dial('112', { ...pbx, username: `pbx@${OFFICE}` })).toEqual(['486', ['112'], []]);
    expect(await dial('1400', pbx)).toEqual(['407', [], []]);
    const { data } = await stack.app.graphql(
      `{ explainCall(from: "pbx@${OFFICE}", to: "112") { outcome steps { summary } } }`,
    );
    expect(data).toMatchObject({
      explainCall: {
        outcome: 'LEAVES',
        steps: expect.arrayContaining([
          { summary: `peer pbx is disabled, and may call only the emergency numbers of ${OFFICE}` },
        ]) as unknown,
      },
    });
    await stack.app.graphql('mutation ($ref: String!) { deletePeer(ref: $ref) }', { ref });
  });

  test('leaves by its emergency route, whatever all other fields of the model say', async () => {
    expect(await dial('112')).toEqual(['486', ['112'], []]);
    expect(await dial('1400')).toEqual(['486', [], ['1400']]);
    await useUpMinutes(stack.url, placed);
    for (let turn = 0; turn < 2; turn++) {
      await changeEverythingElse(stack.app, placed, places, turn);
      // What Kamailio keeps in memory changes within seconds.
      const end = Date.now() + 8000;
      while (Date.now() < end) {
        expect(await dial('112')).toEqual(['486', [expect.stringMatching(/^9?112$/)], []]);
        // A user has so many requests a second, also to emergency numbers.
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
      expect(await dial('1400')).toEqual([expect.stringMatching(/^4(03|07|80|86)$/), [], []]);
    }
  }, 120_000);
});
