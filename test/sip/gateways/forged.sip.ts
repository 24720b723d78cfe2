import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

import { databases } from '../../support/databases/databases';
import { answeredCall, routes, uriIn } from '../call';
import { openPhones, registeredPhone } from '../phones/open-phones';
import { id, lineOf, Phone } from '../phone';
import { startStack, type Stack } from '../stack';
import { createTrunk } from './trunk';

const [database] = databases.filter(({ name }) => name === 'MariaDB');
if (!database) throw new Error('MariaDB has to run');

const PROVIDER = '127.0.52.1';

/** The source address of a packet over UDP can be forged, so that the caller itself may have sent it. Here, it is that of the provider. */
describe('A provider that is called over TCP', () => {
  let stack: Stack;
  let server: Server;
  let connection: Socket;
  const open = openPhones(() => stack);

  beforeAll(async () => {
    stack = await startStack(database);
    server = createServer().listen(0, PROVIDER);
    await once(server, 'listening');
    await createTrunk(stack.app, {
      gateway: { host: PROVIDER, port: (server.address() as AddressInfo).port, transport: 'TCP' },
      aorLink: 'sip:anna@out.test',
      agents: [['anna', 'out.test']],
    });
  });

  afterAll(async () => {
    connection.destroy();
    server.close();
    await stack.close();
  });

  let provider: Phone | undefined;

  /** anna calls the provider. Returns the INVITE, and what anna gets in the end. */
  async function calling() {
    const anna = await open('127.0.52.2');
    const asking = { method: 'INVITE', uri: 'sip:+49301@out.test', from: 'anna@out.test', to: '+49301@out.test' };
    const own = { callId: id(), fromTag: id(), headers: [`Contact: <${anna.contact('anna')}>`] };
    const connected = provider ? undefined : once(server, 'connection');
    const answer = anna.proves({ ...asking, ...own }, { username: 'anna', secret: 's' });
    if (connected) {
      [connection] = (await connected) as [Socket];
      provider = new Phone(lineOf(connection));
    }
    if (!provider) throw new Error('no connection');
    const invite = (await provider.hears((text) => text.startsWith('INVITE') && text.includes(own.callId))) ?? '';
    const contact = `Contact: <sip:p@${PROVIDER}:${String((server.address() as AddressInfo).port)};transport=tcp>`;
    return { anna, provider, asking: { ...asking, ...own }, invite, contact, answer };
  }

  test('does not answer or refuse a call over UDP', async () => {
    const { anna, provider, asking, invite, contact, answer } = await calling();
    const forger = await open(PROVIDER);
    forger.answers(invite, '486 Busy Here', 'forged');
    forger.answers(invite, '200 OK', 'forged', [contact]);
    expect(await anna.hears(/^SIP\/2\.0 (200|486)/, 1)).toBeUndefined();
    provider.answers(invite, '404 Not Found', 'p');
    expect(await answer).toMatch(/^SIP\/2\.0 404/);
    anna.says({ ...asking, method: 'ACK', toTag: 'p', cseq: 2, headers: [] });
  });

  test('neither ends nor redirects a call over UDP', async () => {
    const { anna, provider, asking, invite, contact, answer } = await calling();
    provider.answers(invite, '200 OK', 'p', [contact]);
    const ok = await answer;
    const within = { ...asking, uri: uriIn(ok), toTag: 'p', headers: routes(ok) };
    anna.says({ ...within, method: 'ACK', cseq: 2 });
    expect(await provider.hears(/^ACK/)).toBeDefined();
    const forger = await open(PROVIDER);
    const update = anna.asks({ ...within, method: 'UPDATE', cseq: 3 });
    const heard = (await provider.hears(/^UPDATE/)) ?? '';
    forger.answers(heard, '200 OK', 'p', [`Contact: <${forger.contact('p')}>`]);
    expect(await anna.hears(/^SIP\/2\.0 200/, 0.5)).toBeUndefined();
    provider.answers(heard, '200 OK', 'p', [contact]);
    expect(await update).toMatch(/^SIP\/2\.0 200/);
    const back = { uri: uriIn(invite), from: asking.to, to: asking.from, callId: asking.callId };
    const ofProvider = { ...back, fromTag: 'p', toTag: asking.fromTag, headers: routes(invite) };
    for (const [cseq, method] of ['UPDATE', 'BYE'].entries())
      expect(await forger.asks({ ...ofProvider, method, cseq: 10 + cseq })).toMatch(/^SIP\/2\.0 481/);
    expect(await anna.hears(/^(UPDATE|BYE)/, 0.5)).toBeUndefined();
    provider.says({ ...ofProvider, method: 'BYE', cseq: 20 });
    const bye = await anna.hears(/^BYE/);
    expect(bye).toBeDefined();
    anna.answers(bye ?? '', '200 OK', 'x');
    expect(await provider.hears((text) => text.startsWith('SIP/2.0 200') && text.includes('20 BYE'))).toBeDefined();
  });
});

describe('A call through a gateway over UDP', () => {
  let stack: Stack;
  const open = openPhones(() => stack);

  beforeAll(async () => {
    stack = await startStack(database);
    await createTrunk(stack.app, {
      gateway: { host: PROVIDER, port: 5072 },
      aorLink: 'sip:anna@out.test',
      agents: [['anna', 'out.test']],
    });
  });

  afterAll(() => stack.close());

  test('is ended over UDP by a provider that began it over TCP, as with an INVITE that is too large for UDP (RFC 3261, 18.1.1)', async () => {
    const [host = '', port = ''] = stack.sip.split(':');
    const socket = connect({ host, port: Number(port), localAddress: PROVIDER });
    await once(socket, 'connect');
    const [overTcp, overUdp] = [new Phone(lineOf(socket)), await open(PROVIDER, 5072)];
    const anna = await registeredPhone(open, 'anna', 'out.test', '127.0.52.2');
    const { fromCaller } = await answeredCall(
      { phone: overTcp, from: '+33142@provider.example' },
      anna,
      `+4930100@${stack.sip}`,
    );
    const ended = overUdp.asks({ ...fromCaller, method: 'BYE', cseq: 9 });
    anna.answers((await anna.hears(/^BYE/)) ?? '', '200 OK', 'x');
    expect(await ended).toMatch(/^SIP\/2\.0 200/);
    socket.destroy();
  });

  test('is not ended by a BYE of somebody else with the address of the server', async () => {
    const [host = '', port = ''] = stack.sip.split(':');
    // Whoever opens a port last receives: this socket only sends.
    await stack.stopKamailio();
    const forger = createSocket({ type: 'udp4', reuseAddr: true }).bind(Number(port), host);
    await once(forger, 'listening');
    await stack.startKamailio();
    const [anna, provider] = [await open('127.0.52.2'), await open(PROVIDER, 5072)];
    const caller = { phone: anna, from: 'anna@out.test', credentials: { username: 'anna', secret: 's' } };
    const { fromCaller } = await answeredCall(caller, provider, '+49301@out.test');
    const { from, to = '', callId = '', fromTag = '', toTag = '' } = fromCaller;
    const forged = [
      'BYE sip:nobody@invalid SIP/2.0',
      `Via: SIP/2.0/UDP ${stack.sip};branch=z9hG4bKend.1.1.1.1.1`,
      ...['Max-Forwards: 70', `Route: <sip:${stack.sip};lr>`, `From: <sip:${from}>;tag=${fromTag}`],
      ...[`To: <sip:${to}>;tag=${toTag}`, `Call-ID: ${callId}`, 'CSeq: 50 BYE', 'Content-Length: 0', '', ''],
    ];
    forger.send(forged.join('\r\n'), Number(port), host);
    expect(await provider.hears(/^BYE/, 1)).toBeUndefined();
    const ended = anna.asks({ ...fromCaller, method: 'BYE', cseq: 60 });
    provider.answers((await provider.hears(/^BYE/)) ?? '', '200 OK', 'x');
    expect(await ended).toMatch(/^SIP\/2\.0 200/);
    forger.close();
  });
});
