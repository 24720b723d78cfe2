import { databases } from '../../support/databases/databases';
import { eventually } from '../../support/eventually';
import { createAgent, createDid, createDomain, createGateway, createNumber, createPeer } from '../../support/factories';
import { startStack, type Stack } from '../stack';
import { ask, freePort, sipp } from '../support';

const [database] = databases.filter(({ name }) => name === 'MariaDB');
if (!database) throw new Error('MariaDB has to run');

describe('Calls and texts', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStack(database);
  });

  afterAll(() => stack.close());

  /** Creates an agent and registers its phone. Returns the port of the phone. */
  async function phoneOf(username: string, domain = 'one.test'): Promise<number> {
    const port = await freePort();
    await createAgent(stack.app, { username, secret: 's', domains: [domain] });
    const contact = `sip:${username}@127.0.0.1:${String(port)}`;
    await eventually(5, async () => expect(await stack.register(username, domain, 's', { contact, port })).toBe(true));
    return port;
  }

  /** One side waits, and the other side sends half a second later. Both scenarios must succeed. */
  async function both(waits: Promise<boolean>, speaks: () => Promise<boolean>): Promise<boolean> {
    const [waited, spoke] = await Promise.all([
      waits,
      new Promise((resolve) => setTimeout(resolve, 500)).then(() => speaks()),
    ]);
    return waited && spoke;
  }

  const answer = (port: number): Promise<boolean> => sipp('answer', stack.sip, { port });
  const dial = (user: string, secret: string, domain: string, target: string): Promise<boolean> =>
    sipp('dial', stack.sip, { user, secret, keys: { domain, target } });
  /** A provider calls a number, at the contact that was registered with it or at the number. */
  const provide = (to: string, user: string, from?: string): Promise<boolean> =>
    sipp('call', stack.sip, { keys: { to, target: `sip:${user}@${stack.sip}` }, ...(from !== undefined && { from }) });

  test('agents call each other, with their secrets', async () => {
    const phone = await phoneOf('gina');
    await createAgent(stack.app, { username: 'fred', secret: 's', domains: ['one.test'] });
    expect(await both(answer(phone), () => dial('fred', 's', 'one.test', 'sip:gina@one.test'))).toBe(true);
    expect(await dial('fred', 'wrong', 'one.test', 'sip:gina@one.test')).toBe(false);
    expect(await dial('fred', 's', 'one.test', 'sip:nobody@one.test')).toBe(false);
    expect(await dial('fred', 's', 'one.test', 'sip:gina@elsewhere.test')).toBe(false);
  });

  test('a call finds a phone behind a NAT', async () => {
    const port = await freePort();
    await createAgent(stack.app, { username: 'nina', secret: 's', domains: ['one.test'] });
    expect(await stack.register('nina', 'one.test', 's', { contact: 'sip:nina@10.0.0.9:5060', port })).toBe(true);
    await createAgent(stack.app, { username: 'fritz', secret: 's', domains: ['one.test'] });
    const answers = sipp('answer', stack.sip, { port, inside: '10.0.0.9' });
    // Its response also contains 10.0.0.9, but ACK and BYE must reach it.
    expect(await both(answers, () => dial('fritz', 's', 'one.test', 'sip:nina@one.test'))).toBe(true);
  });

  test('users whose names differ in case are two', async () => {
    const phones = [await phoneOf('Tom'), await phoneOf('tom')] as const;
    const { data } = await stack.app.graphql<{ agents: { nodes: { username: string; contacts: unknown[] }[] } }>(
      '{ agents(where: { username: { in: ["Tom", "tom"] } }) { nodes { username contacts { uri } } } }',
    );
    expect(data.agents.nodes).toEqual(
      phones.map((port, at) => {
        const username = ['Tom', 'tom'][at] ?? '';
        return { username, contacts: [{ uri: `sip:${username}@127.0.0.1:${String(port)}` }] };
      }),
    );
    await createAgent(stack.app, { username: 'tim', secret: 's', domains: ['one.test'] });
    expect(await both(answer(phones[0]), () => dial('tim', 's', 'one.test', 'sip:Tom@One.test'))).toBe(true);
  });

  test('a deleted agent is not called any more', async () => {
    await phoneOf('dead');
    const { data } = await stack.app.graphql<{ agents: { nodes: { ref: string }[] } }>(
      '{ agents(where: { username: { eq: "dead" } }) { nodes { ref } } }',
    );
    await stack.app.rest('DELETE', `/agents/${data.agents.nodes[0]?.ref ?? ''}`);
    await createAgent(stack.app, { username: 'dave', secret: 's', domains: ['one.test'] });
    expect(await stack.isBound('dead@one.test')).toBe(true);
    expect(await dial('dave', 's', 'one.test', 'sip:dead@one.test')).toBe(false);
  });

  test.each(['INVITE', 'MESSAGE'])('a stranger whose %s looks like part of a call gets no further', async (method) => {
    const provided = await freePort();
    const from = 'From: <sip:x@x.test>;tag=a';
    const answered = await ask(stack.sip, '127.0.0.31', [
      `${method} sip:+1900@127.0.0.1:${String(provided)} SIP/2.0`,
      ...[`Route: <sip:${stack.sip};lr>`, from, `To: <sip:+1900@127.0.0.1>;tag=b`, `CSeq: 1 ${method}`],
      'Contact: <sip:x@127.0.0.31>',
    ]);
    expect(answered).toBe('SIP/2.0 481 Call/Transaction Does Not Exist');
  });

  test("a domain's access control list is for those who call it, too", async () => {
    await createDomain(stack.app, { domainUri: 'shut.test', accessControlList: { deny: ['127.0.0.7'] } });
    const phone = await phoneOf('ida', 'shut.test');
    await createAgent(stack.app, { username: 'otto', secret: 's', domains: ['one.test'] });
    const call = (from: string): Promise<boolean> =>
      sipp('dial', stack.sip, {
        user: 'otto',
        secret: 's',
        keys: { domain: 'one.test', target: 'sip:ida@shut.test' },
        from,
      });
    expect(await call('127.0.0.7')).toBe(false);
    expect(await both(answer(phone), () => call('127.0.0.1'))).toBe(true);
  });

  test('a number without digits is nobody’s call', async () => {
    await phoneOf('ivan');
    const gatewayRef = await createGateway(stack.app, { host: '127.0.0.8', transport: 'UDP' });
    await createDid(stack.app, { gatewayRef, telUrl: 'tel:#', aorLink: 'sip:ivan@one.test' });
    expect(await provide('someone', 'someone', '127.0.0.8')).toBe(false);
  });

  test('a peer calls an agent', async () => {
    const phone = await phoneOf('greta');
    await createPeer(stack.app, { username: 'pbx', secret: 's' });
    expect(await both(answer(phone), () => dial('pbx', 's', 'one.test', 'sip:greta@one.test'))).toBe(true);
  });

  test('an agent is called, and not a peer with the same number', async () => {
    const number = '+4930801';
    const phone = await phoneOf(number);
    await createPeer(stack.app, { username: number, secret: 's', contactAddr: '127.0.0.1:9' });
    await createAgent(stack.app, { username: 'ada', secret: 's', domains: ['one.test'] });
    expect(await both(answer(phone), () => dial('ada', 's', 'one.test', `sip:${number}@one.test`))).toBe(true);
  });

  test('agents send texts to each other', async () => {
    const phone = await phoneOf('mike');
    await createAgent(stack.app, { username: 'lena', secret: 's', domains: ['one.test'] });
    const keys = { domain: 'one.test', target: 'sip:mike@one.test' };
    const send = (): Promise<boolean> => sipp('message', stack.sip, { user: 'lena', secret: 's', keys });
    expect(await both(sipp('receive', stack.sip, { port: phone }), send)).toBe(true);
  });

  test.each(['DID', 'Number'])(
    'a call to a %s of a gateway without credentials comes from its host alone',
    async (kind) => {
      const phone = await phoneOf(`of-${kind.toLowerCase()}`);
      const [digits, create, port] = kind === 'DID' ? ['4930111', createDid, 1] : ['4930222', createNumber, 2];
      const gatewayRef = await createGateway(stack.app, { host: 'localhost', port, transport: 'UDP' });
      const aorLink = `sip:of-${kind.toLowerCase()}@one.test`;
      await create(stack.app, { gatewayRef, telUrl: `tel:+${digits}`, aorLink });
      // The host is resolved in the background.
      await new Promise((resolve) => setTimeout(resolve, 6000));
      expect(await both(answer(phone), () => provide(`+${digits}`, `+${digits}`))).toBe(true);
      expect(await provide(`+${digits}`, `+${digits}`, '127.0.0.2')).toBe(false);
      expect(await provide('+49309', '+49309')).toBe(false);
    },
  );

  test("a call to a number through another gateway's registration, or from that gateway, is refused", async () => {
    const [one, other] = await Promise.all([
      createGateway(stack.app, { host: '127.0.0.1', transport: 'UDP' }),
      createGateway(stack.app, { host: '127.0.0.2', transport: 'UDP' }),
    ]);
    await phoneOf('olaf');
    await createDid(stack.app, { gatewayRef: one, telUrl: 'tel:+4930333', aorLink: 'sip:olaf@one.test' });
    // The refs are the user parts of the contacts that were registered at the providers.
    expect(await provide('+4930333', other)).toBe(false);
    expect(await provide('+4930333', other, '127.0.0.2')).toBe(false);
    expect(await provide('+4930333', '+4930333', '127.0.0.2')).toBe(false);
  });

  test("a domain's egress policy sends calls out through its number's gateway", async () => {
    const provided = await freePort();
    const gatewayRef = await createGateway(stack.app, { host: '127.0.0.1', port: provided, transport: 'UDP' });
    const numberRef = await createNumber(stack.app, { gatewayRef, telUrl: 'tel:+4930123456' });
    await createDomain(stack.app, { domainUri: 'out.test', egressPolicy: { rule: '^[+]?[0-9]+$', numberRef } });
    await phoneOf('hans', 'out.test');
    const call = (target: string): Promise<boolean> => dial('hans', 's', 'out.test', target);
    expect(await both(answer(provided), () => call('sip:+33123456789@out.test'))).toBe(true);
    expect(await call('sip:nobody@out.test')).toBe(false);
  });

  test("a provider that asks for the gateway's credentials gets them", async () => {
    const provided = await freePort();
    const gatewayRef = await createGateway(stack.app, {
      host: '127.0.0.1',
      port: provided,
      transport: 'UDP',
      sendRegister: false,
      username: 'customer',
      secret: 'secret of the customer',
    });
    const numberRef = await createNumber(stack.app, { gatewayRef, telUrl: 'tel:+4930123457' });
    await createDomain(stack.app, { domainUri: 'paid.test', egressPolicy: { rule: '^[0-9]+$', numberRef } });
    await phoneOf('paul', 'paid.test');
    const call = (): Promise<boolean> => dial('paul', 's', 'paid.test', 'sip:33123456789@paid.test');
    const keys = { customer: 'customer', password: 'secret of the customer' };
    expect(await both(sipp('provide', stack.sip, { port: provided, keys }), call)).toBe(true);
    const others = { ...keys, password: 'another' };
    expect(await both(sipp('provide', stack.sip, { port: provided, keys: others }), call)).toBe(false);
  });
});
