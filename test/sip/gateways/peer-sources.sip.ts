import { databases } from '../../support/databases/databases';
import { eventually } from '../../support/eventually';
import {
  createAgent,
  createDid,
  createDomain,
  createGateway,
  createNumber,
  createPeer,
  createRoute,
} from '../../support/factories';
import { runSql } from '../../support/databases/sql';
import { openPhones } from '../phones/open-phones';
import { headersOf, id, Phone } from '../phone';
import { startStack, type Stack } from '../stack';

const [database] = databases.filter(({ name }) => name === 'MariaDB');
if (!database) throw new Error('MariaDB has to run');

const DID = '+4930500';

/**
 * The peer `big` has 127.0.3.0/24, `small` a part of it, and `late` the same parts as `small` and as the gateway `trunk`,
 * which has a part, too, and all of 127.0.0.0/16. The gateway's host is in the network of `big`.
 */
describe('A call from a network of a peer', () => {
  let stack: Stack;
  let provider: Phone;
  const invites: string[] = [];
  const phoneAt = openPhones(() => stack);
  const refs = new Map<string, string>();

  beforeAll(async () => {
    stack = await startStack(database);
    const { app } = stack;
    provider = await Phone.open(stack.sip, '127.0.4.9');
    provider.handle((message) => {
      if (!message.startsWith('INVITE')) return;
      invites.push(message);
      provider.answers(message, '486 Busy Here', 'p');
    });
    const out = await createGateway(app, { host: provider.host, port: provider.port });
    const number = (telUrl: string): Promise<string> => createNumber(app, { gatewayRef: out, telUrl });
    const main = await number('tel:+4930600');
    const sources = ['127.0.3.32/27', '127.0.3.65/26', '127.0.0.0/16'];
    const trunk = await createGateway(app, { host: '127.0.3.200', sources });
    await createDid(app, { gatewayRef: trunk, telUrl: `tel:${DID}`, aorLink: 'sip:anna@one.test' });
    const wide = await createGateway(app, { host: '127.0.6.1', sources: ['127.0.6.0/24', '127.0.6.60/32'] });
    await createDid(app, { gatewayRef: wide, telUrl: 'tel:4930333;phone-context=x.test', aorLink: 'sip:x@one.test' });
    const narrow = await createGateway(app, {
      host: '127.0.6.2',
      sources: ['127.0.7.0/24', '127.0.6.50', '127.0.6.60'],
    });
    await createDid(app, { gatewayRef: narrow, telUrl: 'tel:+4930333', aorLink: 'sip:anna@one.test' });
    await createPeer(app, { username: 'off', secret: 's', sources: ['127.0.5.48/28'], enabled: false });
    for (const [index, [username, networks]] of (
      [
        ['big', ['127.0.3.0/24', '2001:db8::/32']],
        ['small', ['127.0.3.16/28']],
        ['late', ['127.0.3.20/28', '127.0.3.64/26']],
      ] as const
    ).entries()) {
      const callerNumberRefs = [await number(`tel:+493060${String(index + 1)}`)];
      refs.set(username, await createPeer(app, { username, secret: 's', sources: networks, callerNumberRefs }));
    }
    const domainRef = await createDomain(app, { domainUri: 'out.test' });
    await createRoute(app, { domainRef, prefix: '', numberRefs: [main] });
    await createRoute(app, { domainRef, prefix: '112', emergency: true, numberRefs: [main] });
    await createAgent(app, { username: 'anna', domains: ['one.test'] });
    const accessControlList = { deny: ['127.0.3.0/24'], allow: ['127.0.3.2'] };
    const shut = await createDomain(app, { domainUri: 'shut.test', accessControlList });
    await createRoute(app, { domainRef: shut, prefix: '', numberRefs: [main] });
    const phone = await phoneAt('127.0.4.1');
    for (const domain of ['out.test', 'shut.test'])
      await eventually(15, async () =>
        expect(await phone.asks({ method: 'REGISTER', uri: `sip:${domain}`, from: `x@${domain}` })).toContain(domain),
      );
    await eventually(10, async () => expect(await call('127.0.3.1', 'x@out.test', '1@out.test')).toBe('486'));
  });

  afterAll(async () => {
    provider.close();
    await stack.close();
  });

  /** The status of a call from an address. */
  async function call(
    address: string,
    from: string,
    to: string,
    headers: readonly string[] = [],
  ): Promise<string | undefined> {
    invites.length = 0;
    const phone = await phoneAt(address);
    const asking = { method: 'INVITE', uri: `sip:${to}`, from, to, callId: id() };
    const contact = `Contact: <${phone.contact('x')}>`;
    const answer = await phone.asks({ ...asking, headers: [contact, ...headers] });
    phone.says({ ...asking, method: 'ACK' });
    return /^SIP\/2\.0 (\d+)/.exec(answer ?? '')?.[1];
  }

  test.each([
    ['is of that peer', '127.0.3.1', '+4930601@out.test', '+33123', '486', '+4930601'],
    ['is of the peer with the longest network', '127.0.3.17', '+4930602@out.test', '+33123', '486', '+4930602'],
    ['shows no number of the peer with a shorter one', '127.0.3.17', '+4930601@out.test', '+33123', '486', '+4930600'],
    ['is of the peer that was created first of two', '127.0.3.21', '+4930603@out.test', '+33123', '486', '+4930600'],
    ['may have the name of the peer in From', '127.0.3.1', 'big@out.test', '+33123', '486', '+4930600'],
    ['is challenged from another address', '127.0.4.1', '+4930601@out.test', '+33123', '407', undefined],
    ['is challenged if a gateway has a longer network', '127.0.3.40', '+4930601@out.test', '+33123', '407', undefined],
    ['is challenged if a gateway has the same network', '127.0.3.70', '+4930603@out.test', '+33123', '407', undefined],
    ['is challenged from the host of a gateway', '127.0.3.200', '+4930601@out.test', '+33123', '407', undefined],
    ['is challenged if From is an agent', '127.0.3.1', 'anna@one.test', DID, '407', undefined],
    ['is challenged if From is another peer', '127.0.3.1', 'small@out.test', '+33123', '407', undefined],
    ['is challenged if From is ambiguous', '127.0.3.1', 'x%40y@out.test', '+33123', '407', undefined],
    ['is denied by an access control list', '127.0.3.1', '+4930601@shut.test', '+33123', '403', undefined],
    ['is allowed by an access control list', '127.0.3.2', '+4930601@shut.test', '+33123', '486', '+4930601'],
    [
      'shows the number of the route to an emergency number',
      '127.0.3.1',
      '+4930601@out.test',
      '112',
      '486',
      '+4930600',
    ],
    ['of a disabled peer may call an emergency number', '127.0.5.50', '+4930601@out.test', '112', '486', '+4930600'],
    ['of a disabled peer may call nothing else', '127.0.5.50', '+4930601@out.test', '1120', '407', undefined],
    ['reaches a number of a gateway that has a shorter network', '127.0.3.1', '+33@out.test', DID, '480', undefined],
    ['reaches it as a peer, whose From is no agent', '127.0.3.17', 'anna@one.test', DID, '407', undefined],
    ['is of the gateway with a longer network', '127.0.3.40', 'anna@one.test', DID, '403', undefined],
    ['is of the gateway with the same network', '127.0.3.70', 'anna@one.test', DID, '403', undefined],
    ['is challenged if the peer is disabled', '127.0.5.50', 'x@out.test', '+33123', '407', undefined],
    ['is that of no gateway if the peer is disabled', '127.0.5.50', '+33@out.test', DID, '407', undefined],
    ['is of the gateway with the longest of its networks', '127.0.6.50', '+33@out.test', '+4930333', '480', undefined],
    ['is of the first gateway with its address alone', '127.0.6.60', '+33@out.test', '+4930333', '404', undefined],
    ['is of the only gateway with its address', '127.0.6.51', '+33@out.test', '+4930333', '404', undefined],
  ])('%s', async (_, address, from, number, status, shown) => {
    const to = `${number}@${from.split('@')[1] ?? ''}`;
    expect(await call(address, from, to)).toBe(status);
    const own = headersOf(invites[0], 'From')[0];
    expect(own === undefined ? undefined : /<sip:(.*)@127\.0\.4\.9/.exec(own)?.[1]).toBe(shown);
    const { data } = await stack.app.graphql<{ explainCall: { status: number | null; attempts: { from: string }[] } }>(
      'query ($from: String!, $to: String!, $source: String!) { explainCall(from: $from, to: $to, sourceAddress: $source) { status attempts { from } } }',
      { from, to, source: address },
    );
    const { explainCall } = data;
    // A user is assumed to know its secret.
    if (status === '407' && /^(anna|small)@/.test(from)) {
      expect(explainCall.status).not.toBe(407);
      return;
    }
    expect(explainCall.status ?? 486).toBe(Number(status));
    expect(/<sip:(.*)@127\.0\.4\.9/.exec(explainCall.attempts[0]?.from ?? '')?.[1]).toBe(shown);
  });

  test('is not of a gateway because it has credentials', async () => {
    const digest = 'Digest username="x", realm="one.test", nonce="n", uri="sip:x", response="r"';
    for (const header of ['Authorization', 'Proxy-Authorization'])
      expect(await call('127.0.3.17', 'anna@one.test', `${DID}@one.test`, [`${header}: ${digest}`])).toBe('407');
  });

  test('counts for the limits of the domain of its caller', async () => {
    const { data } = await stack.app.graphql<{ domains: { nodes: { ref: string }[] } }>(
      '{ domains(where: { domainUri: { eq: "out.test" } }) { nodes { ref } } }',
    );
    const limit = async (most: number | null): Promise<void> => {
      const mutation =
        'mutation ($ref: String!, $most: Int) { updateDomain(ref: $ref, input: { maxCallsPerSecond: $most }) { ref } }';
      const { errors } = await stack.app.graphql(mutation, { ref: data.domains.nodes[0]?.ref, most });
      expect(errors).toBeUndefined();
    };
    await limit(1);
    const calls = Array.from({ length: 4 }, (_, part) =>
      call(`127.0.3.${String(part + 1)}`, 'x@out.test', '1@out.test'),
    );
    expect(await Promise.all(calls)).toContain('503');
    await limit(null);
    expect(await call('127.0.3.1', 'x@out.test', '1@out.test')).toBe('486');
  });

  test('does not let anybody register, and other requests are challenged', async () => {
    const phone = await phoneAt('127.0.3.1');
    const asking = { uri: 'sip:out.test', from: 'big@out.test' };
    const headers = [`Contact: <${phone.contact('big')}>`];
    expect(await phone.asks({ ...asking, method: 'REGISTER', headers })).toMatch(/^SIP\/2\.0 401/);
    for (const method of ['MESSAGE', 'OPTIONS', 'SUBSCRIBE', 'REFER'])
      expect(await phone.asks({ ...asking, method, uri: 'sip:anna@one.test', headers })).toMatch(/^SIP\/2\.0 407/);
  });

  test('is challenged within seconds after the network was removed or the peer deleted', async () => {
    const { app } = stack;
    await app.graphql(`mutation { updatePeer(ref: "${refs.get('small') ?? ''}", input: { sources: null }) { ref } }`);
    // The network is that of the next one now.
    await eventually(10, async () => {
      expect(await call('127.0.3.21', '+4930603@out.test', '+33123@out.test')).toBe('486');
      expect(headersOf(invites[0], 'From')[0]).toContain('+4930603');
    });
    for (const username of ['late', 'big'])
      await app.graphql(`mutation { deletePeer(ref: "${refs.get(username) ?? ''}") }`);
    await eventually(10, async () =>
      expect(await call('127.0.3.21', '+4930603@out.test', '+33123@out.test')).toBe('407'),
    );
  });

  test('with all of IPv4 or IPv6 cannot be declared', async () => {
    for (const network of ['0.0.0.0/0', '::/0', '0.0.0.0/1', '8000::/1', '10.0.0.0/255.0.0.0', 'pbx.test']) {
      const input = { name: 'x', username: 'x', secret: 'x', sources: [network] };
      const { errors } = await stack.app.graphql(
        'mutation ($input: CreatePeerInput!) { createPeer(input: $input) { ref } }',
        { input },
      );
      expect(errors).toMatchObject([
        { message: expect.stringContaining(`"${network}"`) as string, extensions: { fields: ['sources'] } },
      ]);
    }
  });
});

test('An IPv6 address is in the network of a peer by its bits, however the network is written', async () => {
  const stack = await startStack(database, { host: '[::1]' });
  const phone = await Phone.open(stack.sip, '::1');
  try {
    const ref = await createPeer(stack.app, { username: 'six', secret: 's', sources: ['::1'] });
    const call = async (): Promise<string | undefined> => {
      const asking = { method: 'INVITE', uri: 'sip:1@one.test', from: 'x@one.test', to: '1@one.test', callId: id() };
      const answer = await phone.asks({ ...asking, headers: [`Contact: <${phone.contact('x')}>`] });
      phone.says({ ...asking, method: 'ACK' });
      return /^SIP\/2\.0 (\d+)/.exec(answer ?? '')?.[1];
    };
    for (const [network, status] of [
      ['0:0::1', '404'],
      ['::2/127', '407'],
      ['::/127', '404'],
      ['0:0:0:0:8000::/65', '407'],
      ['::/65', '404'],
      ['127.0.0.0/8', '407'],
      ['::2/126', '404'],
      ['8000::/1', '407'],
    ] as const) {
      // As earlier versions stored it, which accepted all prefixes but 0.
      await runSql(stack.url, 'UPDATE peers SET sources = ? WHERE ref = ?', [JSON.stringify([network]), ref]);
      // In effect within 3 s.
      await eventually(15, async () => expect([network, await call()]).toEqual([network, status]));
    }
  } finally {
    phone.close();
    await stack.close();
  }
}, 180_000);
