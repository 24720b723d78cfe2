import { databases } from '../../support/databases/databases';
import { eventually } from '../../support/eventually';
import { createAgent, createGateway } from '../../support/factories';
import { Phone } from '../phone';
import { startStack, type Stack } from '../stack';
import { fixture, freePort, startKamailio, type Kamailio } from '../support';

const [database] = databases.filter(({ name }) => name === 'MariaDB');
if (!database) throw new Error('MariaDB has to run');

describe('A second Kamailio on the same model', () => {
  let stack: Stack;
  let second: Kamailio;
  let provider: Kamailio;
  let sip: string;
  let gatewayRef: string;
  const target: string[] = [];
  const phones: Phone[] = [];

  beforeAll(async () => {
    stack = await startStack(database);
    for (const username of ['early', 'late', 'here', 'caller'])
      await createAgent(stack.app, { username, secret: 's', domains: ['one.test'] });
    const port = await freePort();
    provider = await startKamailio(await fixture('provider.cfg'), `127.0.0.1:${String(port)}`);
    const trunk = { host: '127.0.0.1', port, transport: 'UDP', username: 'trunk', secret: 'trunk-secret' };
    gatewayRef = await createGateway(stack.app, trunk);
    await register('early', stack.sip);
    sip = `127.0.0.1:${String(await freePort())}`;
    target.push('--schema', `${stack.schema}_b`, '--user', `${stack.schema}_b`);
    await stack.run('kamailio', 'install', ...target, '--password', 'second');
    const printed = ['kamailio', 'config', ...target, '--password', 'second', '--sip', sip, '--run', '/@RUN@'];
    second = await startKamailio(await stack.run(...printed), sip);
  });

  afterAll(async () => {
    for (const phone of phones) phone.close();
    await second.stop();
    await stack.run('kamailio', 'uninstall', ...target);
    await stack.close();
    await provider.stop();
  });

  async function register(user: string, server: string): Promise<Phone> {
    const phone = await Phone.open(server, '127.0.11.1');
    phones.push(phone);
    expect(await phone.registers(user, 'one.test')).toMatch(/^SIP\/2\.0 200/);
    return phone;
  }

  /** Sends a message to a user through a node, from a phone that registered there. Returns the response. */
  async function text(user: string, server: string, phone: Phone): Promise<string | undefined> {
    const caller = await Phone.open(server, '127.0.11.2');
    phones.push(caller);
    const asking = { method: 'MESSAGE', uri: `sip:${user}@one.test`, from: 'caller@one.test' };
    const answer = caller.proves(asking, { username: 'caller', secret: 's' });
    const heard = await phone.hears(/^MESSAGE/, 3);
    if (heard !== undefined) phone.answers(heard, '200 OK', 'x');
    return answer;
  }

  const nodes = async (): Promise<Readonly<Record<string, string>>> => {
    const { data } = await stack.app.graphql<{
      contacts: { nodes: readonly { addressOfRecord: string; node: string }[] };
    }>('{ contacts { nodes { addressOfRecord node } } }');
    return Object.fromEntries(data.contacts.nodes.map(({ addressOfRecord, node }) => [addressOfRecord, node]));
  };

  test('a phone is called where it is registered, and 480 by way of the other node', async () => {
    const [late, here] = [await register('late', stack.sip), await register('here', sip)];
    expect(await text('late', stack.sip, late)).toMatch(/^SIP\/2\.0 200/);
    expect(await text('here', sip, here)).toMatch(/^SIP\/2\.0 200/);
    expect(await text('late', sip, late)).toMatch(/^SIP\/2\.0 480/);
    expect(await text('here', stack.sip, here)).toMatch(/^SIP\/2\.0 480/);
    expect(await nodes()).toMatchObject({ 'sip:late@one.test': stack.sip, 'sip:here@one.test': sip });
  });

  test('it knows what was registered before it started', async () => {
    const [early] = phones;
    if (!early) throw new Error('early did not register');
    const caller = await Phone.open(sip, '127.0.11.2');
    phones.push(caller);
    const asking = { method: 'MESSAGE', uri: 'sip:early@one.test', from: 'caller@one.test' };
    void caller.proves(asking, { username: 'caller', secret: 's' });
    expect(await early.hears(/^MESSAGE/)).toBeDefined();
    expect(await nodes()).toMatchObject({ 'sip:early@one.test': stack.sip });
  });

  test('each node registers each gateway', async () => {
    for (const log of [stack.kamailio.log, second.log])
      await eventually(8, () => expect(log()).toContain(`gateway ${gatewayRef} refreshed`));
    const { body } = await stack.app.rest<{ gwRef: string }[]>('GET', '/registry');
    expect(body.data.map(({ gwRef }) => gwRef)).toEqual([gatewayRef]);
  });

  test('neither ends what is registered at the other when it stops', async () => {
    await second.stop();
    expect(await nodes()).toMatchObject({ 'sip:late@one.test': stack.sip, 'sip:here@one.test': sip });
  });
});
