import { databases } from '../../support/databases/databases';
import { eventually } from '../../support/eventually';
import {
  createAgent,
  createDid,
  createDomain,
  createGateway,
  createNumber,
  createRoute,
} from '../../support/factories';
import { Party } from '../party';
import { id, Phone } from '../phone';
import { startStack, type Stack } from '../stack';

const [database] = databases.filter(({ name }) => name === 'MariaDB');
if (!database) throw new Error('MariaDB has to run');

const HERE = 'numbers.test';
const CLEO = 'cleo;x=1';

/** anna and CLEO are agents of HERE. The gateway at 127.0.4.1 has a number of anna's, and one of cleo's in the format of Germany. */
describe('A number with parameters', () => {
  let stack: Stack;
  let provider: Phone;
  /** From where the provider calls. */
  let outside: Phone;
  let inside: Phone;
  const parties: Party[] = [];
  const called: string[] = [];

  beforeAll(async () => {
    stack = await startStack(database);
    provider = await Phone.open(stack.sip, '127.0.4.1');
    outside = await Phone.open(stack.sip, '127.0.4.1');
    inside = await Phone.open(stack.sip, '127.0.4.2');
    provider.handle((message) => {
      const [, uri] = /^INVITE (\S+) /.exec(message) ?? [];
      if (uri === undefined) return;
      called.push(uri);
      provider.answers(message, '486 Busy Here', 'p');
    });
    const gatewayRef = await createGateway(stack.app, {
      ...{ host: '127.0.4.1', port: provider.port, transport: 'UDP', numberFormat: 'DE' },
    });
    const domainRef = await createDomain(stack.app, { domainUri: HERE });
    for (const username of ['anna', CLEO]) await createAgent(stack.app, { username, secret: 's', domains: [HERE] });
    await createDid(stack.app, { gatewayRef, telUrl: 'tel:+4930111', aorLink: `sip:anna@${HERE}` });
    await createDid(stack.app, { gatewayRef, telUrl: 'tel:+4930112', aorLink: `sip:${CLEO}@${HERE}` });
    const numberRefs = [await createNumber(stack.app, { gatewayRef, telUrl: 'tel:+4930113' })];
    await createRoute(stack.app, { domainRef, prefix: '+', numberRefs });
    for (const [index, name] of ['anna', CLEO].entries()) {
      const party = await Party.open(name, stack.sip, `127.0.4.${String(11 + index)}`);
      parties.push(party);
      await eventually(15, async () => expect(await party.phone.registers(name, HERE)).toMatch(/^SIP\/2\.0 200/));
      party.script = ['486 Busy Here'];
      party.listen();
    }
    // Formats of numbers are read every few seconds.
    await eventually(15, async () =>
      expect(await call('+33123@provider.test', `030111@${stack.sip}`)).toEqual(ringing('anna')),
    );
  });

  afterAll(async () => {
    for (const phone of [provider, outside, inside, ...parties.map((party) => party.phone)]) phone.close();
    await stack.close();
  });

  /**
   * The status of a call, the Request-URIs of its INVITEs, and the same as explainCall says. Without a user who proves the call, it
   * comes from the provider.
   */
  async function call(from: string, to: string, username?: string): Promise<object> {
    called.length = 0;
    for (const party of parties) party.heard.length = 0;
    const caller = username === undefined ? outside : inside;
    const headers = [`Contact: <${caller.contact('caller')}>`];
    const asking = { method: 'INVITE', uri: `sip:${to}`, from, to, callId: id(), headers };
    const answer = await (username === undefined
      ? caller.asks(asking)
      : caller.proves(asking, { username, secret: 's' }));
    const rang = parties.flatMap((party) => party.of('INVITE').map((invite) => invite.split(' ')[1]));
    const { data, errors } = await stack.app.graphql<{
      explainCall: { status: number | null; attempts: { requestUri: string }[] };
    }>(
      `query ($from: String!, $to: String!, $source: String) {
        explainCall(from: $from, to: $to, sourceAddress: $source) { status attempts { requestUri } } }`,
      { from: `sip:${from}`, to: `sip:${to}`, source: caller.host },
    );
    expect(errors).toBeUndefined();
    const { status, attempts } = data.explainCall;
    return {
      status: Number(answer?.slice(8, 11)),
      invited: [...rang, ...new Set(called)],
      said: status ?? attempts.map(({ requestUri }) => requestUri),
    };
  }

  /** What `call` returns of a call to an agent. */
  function ringing(name: string): object {
    const uris = parties.flatMap((party) => (party.name === name ? [party.phone.contact(name)] : []));
    return { status: 486, invited: uris, said: uris };
  }

  test.each([
    ['that was ported', '+4930111;npdi', 'anna'],
    ['with a routing number', '+4930111;rn=+4930112;npdi', 'anna'],
    ['in the format of the gateway', '030111;phone-context=+49', 'anna'],
    ['with an escaped plus', '%2B4930111;npdi', 'anna'],
    ['of an agent whose name has a semicolon', '+4930112;npdi', CLEO],
  ])('%s rings if its provider calls it', async (_, number, name) => {
    expect(await call('+33123@provider.test', `${number}@${stack.sip}`)).toEqual(ringing(name));
  });

  test.each([
    ['an escaped semicolon begins no parameter', '+33123@provider.test', '+4930111%3Bnpdi', 407],
    ['a provider may not call as an agent with parameters', `anna;x=1@${HERE}`, '+4930111', 403],
    ['a provider may not call as an agent whose name has a semicolon', `${CLEO}@${HERE}`, '+4930111', 403],
  ])('%s', async (_, from, number, status) => {
    expect(await call(from, `${number}@${stack.sip}`)).toEqual({ status, invited: [], said: status });
  });

  test('is that number if a phone dials it', async () => {
    expect(await call(`anna@${HERE}`, `+4930112;npdi@${HERE}`, 'anna')).toEqual(ringing(CLEO));
    const uri = `sip:030999@127.0.4.1:${String(provider.port)};transport=udp`;
    expect(await call(`anna@${HERE}`, `+4930999;npdi@${HERE}`, 'anna')).toEqual({
      ...{ status: 486, invited: [uri], said: [uri] },
    });
  });

  test('is no reason why an agent whose name has a semicolon could not call and be called', async () => {
    expect(await call(`anna@${HERE}`, `${CLEO}@${HERE}`, 'anna')).toEqual(ringing(CLEO));
    expect(await call(`${CLEO}@${HERE}`, `anna@${HERE}`, CLEO)).toEqual(ringing('anna'));
  });
});
