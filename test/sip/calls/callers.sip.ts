import { createHash } from 'node:crypto';

import { databases } from '../../support/databases/databases';
import { eventually } from '../../support/eventually';
import { createDomain, createGateway, createNumber, createPeer, createRoute } from '../../support/factories';
import { openPhones } from '../phones/open-phones';
import { headersOf, id, Phone } from '../phone';
import { startStack, type Stack } from '../stack';

const [database] = databases.filter(({ name }) => name === 'MariaDB');
if (!database) throw new Error('MariaDB has to run');

/** What the provider offers, and prefers (RFC 8760, 2.4). */
const CHALLENGES = ['Digest realm="provider", nonce="n0", algorithm=SHA-256', 'Digest realm="provider", nonce="n1"'];
const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

/** The parameters of the digest in a request. */
function digestIn(request: string): Readonly<Record<string, string>> {
  const [header = ''] = [...headersOf(request, 'Proxy-Authorization'), ...headersOf(request, 'Authorization')];
  return Object.fromEntries(
    [...header.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value] as const),
  );
}

/**
 * A provider in Germany whose server is 127.0.2.13, where nobody listens: everything goes to its proxy at 127.0.2.14. Its
 * digests are of the user `auth`, rather with SHA-256 than with MD5, and it expects From at from.test and 9 before the called number.
 */
describe('A provider with quirks', () => {
  let stack: Stack;
  let proxy: Phone;
  const heard: string[] = [];
  const refs = new Map<string, string>();
  const phoneAt = openPhones(() => stack);
  const of = (method: string): readonly string[] => heard.filter((each) => each.startsWith(`${method} `));

  beforeAll(async () => {
    stack = await startStack(database);
    proxy = await Phone.open(stack.sip, '127.0.2.14');
    proxy.handle((message) => {
      if (message.startsWith('SIP/2.0')) return;
      heard.push(message);
      const isProved = digestIn(message)['username'] !== undefined;
      const contact = headersOf(message, 'Contact')[0] ?? '';
      if (message.startsWith('REGISTER')) {
        if (isProved) proxy.answers(message, '200 OK', 'r', [`${contact};expires=600`]);
        else
          proxy.answers(
            message,
            '401 Unauthorized',
            'r',
            CHALLENGES.map((each) => `WWW-Authenticate: ${each}`),
          );
      }
      if (!message.startsWith('INVITE')) return;
      if (isProved) proxy.answers(message, '486 Busy Here', 'i');
      else
        proxy.answers(
          message,
          '407 Proxy Authentication Required',
          'i',
          CHALLENGES.map((each) => `Proxy-Authenticate: ${each}`),
        );
    });
    const { app } = stack;
    const gatewayRef = await createGateway(app, {
      host: '127.0.2.13',
      username: 'line',
      secret: 'the secret',
      authUsername: 'auth',
      outboundProxy: `127.0.2.14:${String(proxy.port)}`,
      fromDomain: 'from.test',
      numberFormat: 'DE',
      technicalPrefix: '9',
    });
    const number = (telUrl: string): Promise<string> =>
      createNumber(app, { gatewayRef, telUrl, aorLink: 'sip:nobody@one.test' });
    const main = await number('tel:+4930100');
    const range = { telUrl: 'tel:+4930200', lastTelUrl: 'tel:+4930299', aorLink: 'sip:nobody@one.test' };
    const local = await number('tel:040-1234567');
    const localRange = { telUrl: 'tel:0402100', lastTelUrl: 'tel:0402199', aorLink: 'sip:nobody@one.test' };
    const own = [
      await number('tel:+4930101'),
      await number('tel:+4930102'),
      await createNumber(app, { gatewayRef, ...range }),
      await number('tel:0401234568;phone-context=out.test'),
      await createNumber(app, { gatewayRef, ...localRange }),
    ];
    refs.set('gateway', gatewayRef);
    const domainRef = await createDomain(app, { domainUri: 'out.test' });
    await createRoute(app, { domainRef, prefix: '', numberRefs: [main] });
    await createRoute(app, { domainRef, prefix: '+44', numberRefs: [local] });
    await createPeer(app, { username: 'pbx', secret: 's', callerNumberRefs: own });
    const asking = { method: 'REGISTER', uri: 'sip:out.test', from: 'nobody@out.test' };
    const phone = await phoneAt('127.0.2.2');
    await eventually(15, async () => expect(await phone.asks(asking)).toContain('realm="out.test"'));
  });

  afterAll(async () => {
    proxy.close();
    await stack.close();
  });

  beforeEach(() => {
    heard.length = 0;
  });

  /** A call of the PBX, whose final response it returns. */
  async function dial(number: string, from: string, headers: readonly string[]): Promise<string | undefined> {
    const phone = await phoneAt('127.0.2.2');
    const asking = { method: 'INVITE', uri: `sip:${number}@out.test`, from, to: `${number}@out.test`, callId: id() };
    const contact = `Contact: <${phone.contact('pbx')}>`;
    return phone.proves({ ...asking, headers: [contact, ...headers] }, { username: 'pbx', secret: 's' });
  }

  test('receives REGISTER at its outbound proxy, with the authentication user', async () => {
    // The first one may have arrived before.
    await stack.app.graphql(
      `mutation { updateManyGateways(filter: "$.*", set: { expires: 900 }, expectedCount: 1) { count } }`,
    );
    await eventually(20, () => {
      const proved = of('REGISTER').find((each) => digestIn(each)['username'] === 'auth') ?? '';
      expect(proved).toMatch(/^REGISTER sip:127\.0\.2\.13 /);
      expect(headersOf(proved, 'From')[0]).toContain('sip:line@127.0.2.13');
    });
    const query = '{ gateways { nodes { registration { state } } } }';
    await eventually(10, async () => {
      expect((await stack.app.graphql(query)).data).toEqual({
        gateways: { nodes: [{ registration: { state: 'REGISTERED' } }] },
      });
    });
  });

  test.each([
    ['in From', '+4930101@out.test', [], '030101'],
    ['in From, escaped', '%2B4930101@out.test', [], '030101'],
    ['in P-Preferred-Identity', 'pbx@out.test', ['P-Preferred-Identity: <sip:+49-30-102@out.test>'], '030102'],
    ['in a tel URI', 'pbx@out.test', ['P-Preferred-Identity: <tel:004930102>'], '030102'],
    ['in P-Preferred-Identity before From', '+4930101@out.test', ['P-Preferred-Identity: <tel:+4930102>'], '030102'],
    ['inside a range', '+4930242@out.test', [], '030242'],
    ['that it may not show', '+4930999@out.test', ['P-Preferred-Identity: <sip:+4930998@out.test>'], '030100'],
    ['in P-Asserted-Identity only', 'pbx@out.test', ['P-Asserted-Identity: <tel:+4930101>'], '030100'],
    ['with SQL', 'pbx@out.test', [`P-Preferred-Identity: <sip:1')%20OR%20('1'='1@out.test>`], '030100'],
  ])('receives a call of a peer with a number %s', async (_, from, headers, shown) => {
    expect(await dial('+33123', from, headers)).toMatch(/^SIP\/2\.0 486/);
    const invites = of('INVITE');
    for (const invite of invites) {
      expect(invite).toMatch(/^INVITE sip:90033123@127\.0\.2\.13;transport=udp /);
      expect(headersOf(invite, 'From')[0]).toMatch(new RegExp(`^From: <sip:${shown}@from\\.test>;tag=`));
      expect(invite).not.toMatch(/^(P-Preferred-Identity|P-Asserted-Identity):/im);
    }
    const { username, realm = '', nonce = '', uri = '', response } = digestIn(invites.at(-1) ?? '');
    const [ha1, ha2] = [md5(`auth:${realm}:the secret`), md5(`INVITE:${uri}`)];
    expect({ username, response }).toEqual({ username: 'auth', response: md5(`${ha1}:${nonce}:${ha2}`) });
  });

  test.each([
    ['+4930102', '030102'],
    ['004930299', '030299'],
    ['0401234568', '0401234568'],
    ['0402142', '0402142'],
  ])('receives the diverting number %s in its format', async (number, written) => {
    const headers = [`Diversion: <sip:${number}@pbx.test>;reason=no-answer`];
    expect(await dial('+4989123', 'pbx@out.test', headers)).toMatch(/^SIP\/2\.0 486/);
    const [invite = ''] = of('INVITE');
    expect(invite).toMatch(/^INVITE sip:9089123@/);
    expect(headersOf(invite, 'Diversion')).toEqual([`Diversion: <sip:${written}@127.0.2.13>;reason=no-answer`]);
  });

  test.each(['E164', 'E164_NO_PLUS', 'DE'])(
    'receives a local number with its digits in the format %s',
    async (format) => {
      const { errors } = await stack.app.graphql(
        'mutation ($ref: String!, $format: String) { updateGateway(ref: $ref, input: { numberFormat: $format }) { ref } }',
        { ref: refs.get('gateway'), format },
      );
      expect(errors).toBeUndefined();
      for (const [from, shown] of [
        ['pbx', '0401234567'],
        ['0401234568', '0401234568'],
        ['040-2142', '0402142'],
      ] as const) {
        heard.length = 0;
        expect(await dial('+44123', `${from}@out.test`, [])).toMatch(/^SIP\/2\.0 486/);
        expect(headersOf(of('INVITE').at(-1) ?? '', 'From')[0]).toMatch(`From: <sip:${shown}@from.test>;tag=`);
      }
    },
  );

  test('calls from its outbound proxy, and not from its host', async () => {
    const asking = { method: 'INVITE', uri: `sip:+4930100@${stack.sip}`, from: '+33123@127.0.2.13' };
    const headers = ['Contact: <sip:provider@127.0.2.14>'];
    for (const [host, status] of [
      ['127.0.2.14', '404'],
      ['127.0.2.13', '407'],
    ] as const)
      expect(await (await phoneAt(host)).asks({ ...asking, headers })).toMatch(new RegExp(`^SIP/2\\.0 ${status}`));
  });
});
