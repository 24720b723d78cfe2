import { databases } from '../../support/databases/databases';
import { eventually } from '../../support/eventually';
import { createAgent, createDid, createGateway } from '../../support/factories';
import { transports } from '../../support/subscriptions';
import { startStack, type Stack } from '../stack';
import { fixture, freePort, startKamailio, type Kamailio } from '../support';

const [database] = databases.filter(({ name }) => name === 'MariaDB');
if (!database) throw new Error('MariaDB has to run');

describe('Why a number rings, of real registrations', () => {
  let stack: Stack;
  let provider: Kamailio;
  let port: number;

  beforeAll(async () => {
    stack = await startStack(database);
    port = await freePort();
    provider = await startKamailio(await fixture('provider.cfg'), `127.0.0.1:${String(port)}`);
  });

  afterAll(async () => {
    await stack.close();
    await provider.stop();
  });

  const verdict = async (telUrl: string): Promise<{ state: string; summary: string }> => {
    const { data } = await stack.app.graphql<{ explainNumber: { state: string; summary: string } }>(
      'query($telUrl: String!) { explainNumber(telUrl: $telUrl) { state summary } }',
      { telUrl },
    );
    return data.explainNumber;
  };

  test('the verdict turns when a phone registers and when it expires, and subscribers are told', async () => {
    const gatewayRef = await createGateway(stack.app, { host: '127.0.0.1', transport: 'UDP' });
    await createAgent(stack.app, { username: 'anna', secret: 's', domains: ['one.test'] });
    await createDid(stack.app, { gatewayRef, telUrl: 'tel:+17066041487', aorLink: 'sip:anna@one.test' });
    expect(await verdict('17066041487')).toEqual({
      state: 'NOT_REGISTERED',
      summary: 'agent anna@one.test exists but is not registered',
    });
    const [transport] = transports;
    const changes = await transport.subscribe(
      stack.app.url,
      await stack.app.token(),
      'subscription { contactsChanged(aor: "sip:anna@one.test") { event contacts { uri } } }',
    );
    expect(await stack.register('anna', 'one.test', 's', { seconds: 6 })).toBe(true);
    expect(await verdict('17066041487')).toEqual({
      state: 'REACHABLE',
      summary: 'rings agent anna@one.test on 1 device',
    });
    expect(await changes.next()).toEqual({
      data: { contactsChanged: { event: 'REGISTERED', contacts: [{ uri: 'sip:anna@127.0.0.1:5999' }] } },
    });
    // Kamailio clears the row some seconds after its end.
    await eventually(8, async () => expect((await verdict('17066041487')).state).toMatch(/^(EXPIRED|NOT_REGISTERED)$/));
    expect(await changes.next(10)).toEqual({ data: { contactsChanged: { event: 'ENDED', contacts: [] } } });
    await changes.close();
  });

  test("the verdict turns with the gateway's registration at its provider", async () => {
    const [transport] = transports;
    const changes = await transport.subscribe(
      stack.app.url,
      await stack.app.token(),
      'subscription { registrationsChanged { state gateway { name } } }',
    );
    const gatewayRef = await createGateway(stack.app, {
      name: 'Trunk',
      host: '127.0.0.1',
      port,
      transport: 'UDP',
      username: 'trunk',
      secret: 'wrong',
    });
    await createAgent(stack.app, { username: 'ben', secret: 's', domains: ['one.test'] });
    await createDid(stack.app, { gatewayRef, telUrl: 'tel:+17066041488', aorLink: 'sip:ben@one.test' });
    expect(await stack.register('ben', 'one.test', 's')).toBe(true);
    await eventually(10, async () =>
      expect(await verdict('17066041488')).toEqual({
        state: 'GATEWAY_REFUSED',
        summary: 'gateway Trunk is refused by 127.0.0.1: 401 Unauthorized',
      }),
    );
    expect(await changes.next()).toEqual({
      data: { registrationsChanged: { state: 'REFUSED', gateway: { name: 'Trunk' } } },
    });
    const secret = { kind: 'Gateway', spec: { credentials: { secret: 'trunk-secret' } } };
    await stack.app.rest('PUT', `/gateways/${gatewayRef}`, { body: secret });
    await eventually(10, async () => expect((await verdict('17066041488')).state).toBe('REACHABLE'));
    expect(await changes.next()).toMatchObject({ data: { registrationsChanged: { state: 'REGISTERED' } } });
    await changes.close();
  });
});
