import { createHash } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { eventually } from '../../support/eventually';
import { createAgent, createDid, createDomain, createGateway, createNumber, createPeer } from '../../support/factories';
import { registerGateway, runSql } from '../../support/databases/sql';
import { ownMariaDb, type OwnServer } from '../../support/databases/own-server';
import { Phone, digest } from '../phone';
import { startStack, type Stack } from '../stack';
import { ask, exchange, freePort, sipp } from '../support';

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

describe('Strangers, and others who are not whom they seem', () => {
  let mariaDb: OwnServer;
  let stack: Stack;

  beforeAll(async () => {
    // With this mode, a backslash in a string is not an escape.
    mariaDb = await ownMariaDb('--sql-mode=STRICT_TRANS_TABLES,NO_BACKSLASH_ESCAPES');
    stack = await startStack(mariaDb);
  });

  afterAll(async () => {
    await stack.close();
    await mariaDb.remove();
  });

  /** Sends a request, and sends it again with a digest of this name after the challenge. Returns the response. */
  async function signed(
    [method, uri]: readonly [string, string],
    headers: readonly string[],
    name: string,
    secretOf: (realm: string) => string,
  ): Promise<string> {
    const request = (cseq: number): string[] => [`${method} ${uri} SIP/2.0`, ...headers, `CSeq: ${cseq} ${method}`];
    const challenge = await exchange(stack.sip, '127.0.0.1', request(1));
    const parameter = (of: string): string => new RegExp(`${of}="([^"]*)"`).exec(challenge)?.[1] ?? '';
    const [nonce, realm] = [parameter('nonce'), parameter('realm')];
    const response = md5(`${secretOf(realm)}:${nonce}:00000001:c:auth:${md5(`${method}:${uri}`)}`);
    const header = challenge.startsWith('SIP/2.0 407') ? 'Proxy-Authorization' : 'Authorization';
    const digest = `username="${name}", realm="${realm}", nonce="${nonce}", uri="${uri}", response="${response}"`;
    return exchange(stack.sip, '127.0.0.1', [
      ...request(2),
      `${header}: Digest ${digest}, qop=auth, nc=00000001, cnonce="c"`,
    ]);
  }

  const fromTo = (from: string, to: string): string[] => [`From: <sip:${from}>;tag=a`, `To: <sip:${to}>`];
  const secret =
    (user: string, text = 's') =>
    (realm: string): string =>
      md5(`${user}:${realm}:${text}`);

  test.each(['REGISTER', 'MESSAGE'])('the %s of a namesake of another domain is refused', async (method) => {
    for (const domain of ['one.test', 'two.test']) {
      await createAgent(stack.app, { username: `twin-${method}`, secret: `of ${domain}`, domains: [domain] });
    }
    const own = `twin-${method}@one.test`;
    const uri = method === 'REGISTER' ? 'sip:one.test' : 'sip:someone@one.test';
    const headers = [...fromTo(own, own), 'Contact: <sip:thief@127.0.0.1:5999>'];
    const other = `twin-${method}@two.test`;
    const refused = await signed([method, uri], headers, other, () => md5(`${other}:two.test:of two.test`));
    expect(refused).toMatch(/^SIP\/2\.0 403 Domain does not match\r\n/);
    const accepted = await signed([method, uri], headers, own, () => md5(`${own}:one.test:of one.test`));
    expect(accepted).toMatch(method === 'REGISTER' ? /^SIP\/2\.0 200 / : /^SIP\/2\.0 404 /);
  });

  test('what a stranger writes into a header is no SQL', async () => {
    const port = await freePort();
    await createAgent(stack.app, { username: 'victim', secret: 's', domains: ['one.test'] });
    const contact = `sip:victim@127.0.0.1:${String(port)}`;
    expect(await stack.register('victim', 'one.test', 's', { contact })).toBe(true);
    const hex = (text: string): string => `0x${Buffer.from(text).toString('hex')}`;
    const columns = [hex('sip:victim@one.test'), hex('x'), hex('127.0.0.33'), hex('x')].join();
    const answer = await ask(stack.sip, '127.0.0.33', [
      `MESSAGE sip:')UNION/**/SELECT/**/${columns}#@one.test SIP/2.0`,
      ...fromTo('x@x.test', 'x@x.test'),
      'CSeq: 1 MESSAGE',
    ]);
    expect(answer).toMatch(/^SIP\/2\.0 407 /);
  });

  test.each(['PRACK', 'UPDATE', 'BYE'])('a %s that belongs to no call is refused', async (method) => {
    const headers = ['From: <sip:127.0.0.31>;tag=a', 'To: <sip:victim@one.test>', `CSeq: 1 ${method}`];
    expect(await ask(stack.sip, '127.0.0.31', [`${method} sip:victim@one.test SIP/2.0`, ...headers])).toBe(
      'SIP/2.0 405 Method Not Allowed',
    );
  });

  test('who somebody is, is said by nobody but From', async () => {
    const phone = await Phone.open(stack.sip);
    await createAgent(stack.app, { username: 'called', secret: 's', domains: ['one.test'] });
    await createAgent(stack.app, { username: 'liar', secret: 's', domains: ['one.test'] });
    expect(await phone.registers('called', 'one.test')).toMatch(/^SIP\/2\.0 200/);
    const said = signed(
      ['MESSAGE', 'sip:called@one.test'],
      [
        ...[`Route: <sip:${stack.sip};lr>`, ...fromTo('liar@one.test', 'called@one.test'), 'X-Gateway: trusted'],
        ...['P-Asserted-Identity: <sip:boss@one.test>', 'Remote-Party-ID: <sip:boss@one.test>'],
      ],
      'liar',
      secret('liar'),
    ).catch(() => undefined);
    const text = await phone.hears(/^MESSAGE/);
    expect(text).toMatch(/^MESSAGE sip:called@127/);
    expect(text).not.toMatch(/^(Route|X-Gateway|P-Asserted-Identity|Remote-Party-ID):/m);
    await said;
    phone.close();
  });

  const second = 'Via: SIP/2.0/UDP 127.0.0.9:5060;branch=z9hG4bKother';
  const parties = 'From: <sip:a@b>;tag=1\r\nTo: <sip:a@b>;tag=2';

  test('no response of a stranger ends Kamailio, however its Via is written', async () => {
    const [host = '', port = ''] = stack.sip.split(':');
    const responses = (transport: string): string[] => {
      const via = `SIP/2.0/${transport} ${stack.sip}`;
      return [
        ...[0, 1, 2, 3, 4, 5].map((length) => `Via: ${via};branch=${'z'.repeat(length)}\r\n${second}\r\n${parties}`),
        `Via: ${via};branch=z9hG4bKlong;branch=z\r\n${second}\r\n${parties}`,
        `Via: ${via};branch="z"\r\n${second}\r\n${parties}`,
        `Via:\r\n ${via}\r\n ;branch\r\n =\r\n z\r\n${second}\r\n${parties}`,
        `v: ${via};branch=z\r\n${second}\r\n${parties}`,
        `VIA  : ${via};BRANCH = z\r\n${second}\r\n${parties}`,
        `via: ${via};branch=z, ${second.slice(5)}\r\n${parties}`,
        `${parties}\r\nVersion: x\r\nv: ${via};branch=z\r\n${second}`,
        `Via: ${via};branch=z9hG4bK.cs1234\r\n${second}\r\n${parties}`,
        `Via: ${via};branch=z\r\n${second}`,
        `Via: ${via};branch=z\r\n${parties}`,
        parties,
      ];
    };
    const texts = (transport: string): string[] =>
      responses(transport).flatMap((headers) =>
        ['INVITE', 'CANCEL'].flatMap((method) =>
          ['', '\r\n\r\n'].map((before) =>
            [
              ...[`${before}SIP/2.0 200 OK`, headers, 'Call-ID: x', `CSeq: 1 ${method}`, 'Content-Length: 0', '', ''],
            ].join('\r\n'),
          ),
        ),
      );
    const udp = createSocket('udp4').bind(0, '127.0.0.34');
    const tcp = connect({ host, port: Number(port), localAddress: '127.0.0.34' });
    await Promise.all([once(udp, 'listening'), once(tcp, 'connect')]);
    for (const text of texts('UDP')) udp.send(text, Number(port), host);
    tcp.write(texts('TCP').join(''));
    // The image of a process that ends is written first.
    await sleep(3000);
    udp.close();
    tcp.destroy();
    expect(stack.kamailio.log()).not.toContain('exited by a signal');
    const options = [`OPTIONS sip:${stack.sip} SIP/2.0`, ...fromTo('a@b', `a@${stack.sip}`), 'CSeq: 1 OPTIONS'];
    expect(await ask(stack.sip, '127.0.0.34', options)).toBe('SIP/2.0 200 OK');
  });

  test('a header with which a module of Kamailio marks the next CSeq changes nothing', async () => {
    const [caller, callee] = [await Phone.open(stack.sip, '127.0.0.35'), await Phone.open(stack.sip, '127.0.0.36')];
    for (const username of ['marks', 'marked']) {
      await createAgent(stack.app, { username, secret: 's', domains: ['one.test'] });
    }
    expect(await callee.registers('marked', 'one.test')).toMatch(/^SIP\/2\.0 200/);
    const uri = 'sip:marked@one.test';
    const asking = { method: 'INVITE', uri, from: 'marks@one.test', to: 'marked@one.test', callId: 'marks' };
    const headers = [`Contact: <${caller.contact('marks')}>`];
    const challenge = (await caller.asks({ ...asking, headers })) ?? '';
    caller.says({ ...asking, method: 'ACK' });
    const lines = [
      ...[`INVITE ${uri} SIP/2.0`, 'CSeq: 2 INVITE', 'P-K-CSeq-Auth: 5'],
      ...[`Via: SIP/2.0/UDP ${caller.host}:${String(caller.port)};branch=z9hG4bKmarks`, 'Max-Forwards: 70'],
      ...[...fromTo('marks@one.test', 'marked@one.test'), 'Call-ID: marks', ...headers],
      ...[digest(challenge, 'INVITE', uri, { username: 'marks', secret: 's' }), 'Content-Length: 0', '', ''],
    ];
    caller.send(lines.join('\r\n'));
    const invite = (await callee.hears(/^INVITE/)) ?? '';
    expect(stack.kamailio.log()).not.toContain('exited by a signal');
    expect(invite).toMatch(/^CSeq: 2 INVITE\r$/m);
    callee.answers(invite, '486 Busy Here', 'x');
    expect(await caller.hears(/^SIP\/2\.0 486/)).toMatch(/^CSeq: 2 INVITE\r$/m);
    caller.close();
    callee.close();
  });

  test('an agent who is not registered is not called outside', async () => {
    const provided = await freePort();
    const gatewayRef = await createGateway(stack.app, { host: '127.0.0.1', port: provided, transport: 'UDP' });
    const numberRef = await createNumber(stack.app, { gatewayRef, telUrl: 'tel:+4930123456' });
    await createDomain(stack.app, { domainUri: 'out.test', egressPolicy: { rule: '^[0-9]+$', numberRef } });
    for (const username of ['110', 'caller']) {
      await createAgent(stack.app, { username, secret: 's', domains: ['out.test'] });
    }
    await eventually(8, async () => expect(await stack.register('caller', 'out.test', 's')).toBe(true));
    const call = (user: string): Promise<string> =>
      signed(
        ['INVITE', `sip:${user}@out.test`],
        [...fromTo('caller@out.test', `${user}@out.test`), 'Contact: <sip:caller@127.0.0.1:5999>'],
        'caller',
        secret('caller'),
      );
    expect(await call('110')).toMatch(/^SIP\/2\.0 480 Temporarily Unavailable\r\n/);
    const answers = sipp('answer', stack.sip, { port: provided });
    await new Promise((resolve) => setTimeout(resolve, 500));
    const ringing = await call('112');
    expect(ringing).toMatch(/^SIP\/2\.0 180 Ringing\r\n/);
    // The provider received another From than the caller sent.
    expect(ringing).toContain('From: <sip:caller@out.test>;tag=a');
    await answers;
  });

  test('a peer that is registered by the address of the server is called there', async () => {
    const phone = await Phone.open(stack.sip);
    await createPeer(stack.app, { username: 'pbx', secret: 's' });
    await createAgent(stack.app, { username: 'asks', secret: 's', domains: ['one.test'] });
    expect(await phone.registers('pbx', '127.0.0.1')).toMatch(/^SIP\/2\.0 200/);
    const headers = fromTo('asks@one.test', 'pbx@127.0.0.1');
    const said = signed(['MESSAGE', `sip:pbx@${stack.sip}`], headers, 'asks', secret('asks')).catch(() => undefined);
    expect(await phone.hears(/^MESSAGE/)).toMatch(/^MESSAGE sip:pbx@127/);
    await said;
    phone.close();
  });

  test.each([
    ['whose registration has ended', '4930777', { secondsLeft: -60 }, 'ended.test'],
    ['which has moved since', '4930888', {}, 'before.test'],
  ])('the address of a gateway %s is not trusted any more', async (what, digits, registration, host) => {
    const now = what.includes('moved') ? 'after.test' : host;
    const gatewayRef = await createGateway(stack.app, { host: now, transport: 'UDP', sendRegister: false });
    await createDid(stack.app, { gatewayRef, telUrl: `tel:+${digits}`, aorLink: 'sip:victim@one.test' });
    await registerGateway(stack.url, gatewayRef, { ...registration, host, ip: '127.0.0.55' });
    const text = [`MESSAGE sip:+${digits}@${stack.sip} SIP/2.0`, ...fromTo('x@x.test', `+${digits}@x.test`)];
    expect(await ask(stack.sip, '127.0.0.55', [...text, 'CSeq: 1 MESSAGE'])).toMatch(/^SIP\/2\.0 407 /);
  });

  test('while who may come cannot be looked up, nobody is let in', async () => {
    const register = (): Promise<string> =>
      exchange(stack.sip, '127.0.0.1', [
        'REGISTER sip:listed.test SIP/2.0',
        ...fromTo('x@listed.test', 'x@listed.test'),
        'CSeq: 1 REGISTER',
      ]);
    await createDomain(stack.app, { domainUri: 'listed.test', accessControlList: { deny: ['192.0.2.1'], allow: [] } });
    await eventually(8, async () => expect(await register()).toContain('realm="listed.test"'));
    await runSql(stack.url, `DROP VIEW \`${stack.schema}\`.acl`);
    // It was let in two seconds ago.
    await eventually(4, async () => expect(await register()).toMatch(/^SIP\/2\.0 503 /));
    await runSql(stack.url, `DROP VIEW \`${stack.schema}\`.did_route`);
    const invite = ['INVITE sip:+1900@one.test SIP/2.0', ...fromTo('x@x.test', '+1900@one.test'), 'CSeq: 1 INVITE'];
    expect(await ask(stack.sip, '127.0.0.1', [...invite, 'Contact: <sip:x@127.0.0.1>'])).toBe(
      'SIP/2.0 503 Service Unavailable',
    );
  });
});
