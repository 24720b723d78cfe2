import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { databases } from '../../support/databases/databases';
import { eventually } from '../../support/eventually';
import { createAgent } from '../../support/factories';
import { answeredCall } from '../call';
import { Phone, digest, headersOf, id, type Asking } from '../phone';
import { startStack, type Stack } from '../stack';

const [database] = databases.filter(({ name }) => name === 'MariaDB');
if (!database) throw new Error('MariaDB has to run');

const CREDENTIALS = { username: 'anna', secret: 's' };
const register: Asking = { method: 'REGISTER', uri: 'sip:one.test', from: 'anna@one.test' };
const text: Asking = { method: 'MESSAGE', uri: 'sip:anna@one.test', from: 'anna@one.test' };
const call: Asking = { ...text, method: 'INVITE' };

describe('Credentials', () => {
  let stack: Stack;
  let phone: Phone;

  beforeAll(async () => {
    stack = await startStack(database, {
      config: ['--user-guesses', '5', '--address-guesses', '12', '--ban-seconds', '8'],
    });
    for (const username of ['anna', 'bert', 'eve']) {
      await createAgent(stack.app, { username, secret: 's', domains: ['one.test'] });
    }
  });

  beforeEach(async () => {
    phone = await Phone.open(stack.sip, '127.0.1.1');
  });

  afterEach(() => phone.close());

  afterAll(() => stack.close());

  const contact = (): string => `Contact: <${phone.contact('anna')}>`;

  test.each([register, text, call])('a nonce of before a restart is challenged anew: $method', async (asking) => {
    const headers = [contact()];
    const challenge = (await phone.asks({ ...asking, headers })) ?? '';
    await stack.stopKamailio();
    await stack.startKamailio();
    const proof = digest(challenge, asking.method, asking.uri, CREDENTIALS);
    const answer = await phone.asks({ ...asking, headers: [...headers, proof] });
    expect(answer).toMatch(asking.method === 'REGISTER' ? /^SIP\/2\.0 401/ : /^SIP\/2\.0 407/);
    expect(answer).toContain('stale=true');
    expect(answer).toMatch(/nonce="(?!")/);
  });

  test.each([
    ['another server’s nonce', (proof: string) => proof.replace(/nonce="[^"]*"/, `nonce="${'Q'.repeat(60)}"`)],
    ['a nonce cut short', (proof: string) => proof.replace(/nonce="(.{9})[^"]*"/, 'nonce="$1"')],
    ['no nonce', (proof: string) => proof.replace(/nonce="[^"]*", /, '')],
    [
      'algorithm=SHA-256',
      (proof: string) => `${proof}, algorithm=SHA-256`.replace(/response="[^"]*"/, `response="${'a'.repeat(64)}"`),
    ],
    ['no response', (proof: string) => proof.replace(/, response="[^"]*"/, '')],
    ['another scheme', (proof: string) => proof.replace('Digest', 'Basic')],
    ['an nc that is no number', (proof: string) => proof.replace('00000001', 'zzzzzzzz')],
    ['qop=auth-int on another body', (proof: string) => proof.replace('qop=auth', 'qop=auth-int')],
  ])('a digest with %s is challenged anew', async (_, broken) => {
    for (const asking of [register, text]) {
      const proof = digest((await phone.asks(asking)) ?? '', asking.method, asking.uri, CREDENTIALS);
      const answer = await phone.asks({ ...asking, headers: [broken(proof)] });
      expect(answer).toMatch(asking.method === 'REGISTER' ? /^SIP\/2\.0 401/ : /^SIP\/2\.0 407/);
      expect(answer).toMatch(/nonce="(?!")/);
    }
  });

  test.each([
    ['with qop', {}],
    ['without qop', { isOld: true }],
  ])('a digest %s is good for one request', async (_, more) => {
    const headers = [contact()];
    const challenge = (await phone.asks({ ...register, headers })) ?? '';
    const proof = digest(challenge, 'REGISTER', register.uri, { ...CREDENTIALS, ...more });
    expect(await phone.asks({ ...register, headers: [...headers, proof] })).toMatch(/^SIP\/2\.0 200/);
    for (const again of [proof, proof.replace('nc=00000001', 'nc=00000002'), `${proof}, nc=00000003`]) {
      const replayed = await phone.asks({ ...register, headers: [...headers, again] });
      expect(replayed).toMatch(/^SIP\/2\.0 401/);
    }
  });

  test('a digest is good at the address alone that was challenged', async () => {
    const thief = await Phone.open(stack.sip, '127.0.1.66');
    const proof = digest((await phone.asks(register)) ?? '', 'REGISTER', register.uri, CREDENTIALS);
    for (const stolen of [proof, proof.replace(/, qop=.*/, '')]) {
      expect(await thief.asks({ ...register, headers: [stolen] })).toMatch(/^SIP\/2\.0 401/);
    }
    thief.close();
  });

  test('a phone proves itself to no other party of a call, which would be it elsewhere', async () => {
    const eve = await Phone.open(stack.sip, '127.0.1.66');
    expect(await eve.registers('eve', 'one.test')).toMatch(/^SIP\/2\.0 200/);
    const anna = { phone, from: 'anna@one.test', credentials: CREDENTIALS };
    const { fromCaller } = await answeredCall(anna, eve, 'eve@one.test');
    const within: Asking = { ...fromCaller, method: 'MESSAGE' };
    // The challenge is for the address of eve. Phones put any uri into a digest.
    const challenge = (await eve.asks({ ...text, uri: 'sip:bert@one.test' })) ?? '';
    const answer = phone.asks({ ...within, cseq: 10 });
    const asked = (await eve.hears(/^MESSAGE/)) ?? '';
    eve.answers(asked, '407 Proxy Authentication Required', 'x', headersOf(challenge, 'Proxy-Authenticate'));
    expect(await answer).toMatch(/^SIP\/2\.0 403/);
    expect(await answer).not.toContain('nonce');
    const proof = digest(challenge, 'MESSAGE', within.uri, CREDENTIALS);
    const done = phone.asks({ ...within, cseq: 11, headers: [...(within.headers ?? []), proof] });
    const heard = (await eve.hears(/^MESSAGE/)) ?? '';
    const stolen = headersOf(heard, 'Proxy-Authorization');
    expect(await eve.asks({ ...text, uri: 'sip:bert@one.test', cseq: 2, headers: stolen })).toMatch(/^SIP\/2\.0 407/);
    eve.answers(heard, '200 OK', 'x');
    expect(await done).toMatch(/^SIP\/2\.0 200/);
    eve.close();
  });

  test.each([register, text, call])(
    'a $method that is sent again is not asked for credentials again',
    async (asking) => {
      const bert = await Phone.open(stack.sip, '127.0.1.2');
      expect(await bert.registers('bert', 'one.test')).toMatch(/^SIP\/2\.0 200/);
      const own = { ...asking, uri: asking.method === 'REGISTER' ? asking.uri : 'sip:bert@one.test', callId: id() };
      const challenge = (await phone.asks({ ...own, headers: [contact()] })) ?? '';
      const sent = phone.says({
        ...own,
        cseq: 2,
        headers: [contact(), digest(challenge, own.method, own.uri, CREDENTIALS)],
      });
      for (let time = 0; time < 3; time++) phone.send(sent);
      if (own.method !== 'REGISTER') {
        const heard = (await bert.hears(new RegExp(`^${own.method}`))) ?? '';
        bert.answers(heard, own.method === 'INVITE' ? '180 Ringing' : '200 OK', 'b');
      }
      expect(await phone.hears(/^SIP\/2\.0 (180|200)/)).toBeDefined();
      for (let time = 0; time < 3; time++) phone.send(sent);
      expect(await phone.hears(/^SIP\/2\.0 4/, 1)).toBeUndefined();
      if (own.method !== 'REGISTER') expect(await bert.hears(/^(INVITE|MESSAGE)/, 0.2)).toBeUndefined();
      bert.close();
    },
  );

  /** Sends a request as eve, with her digest and further headers. Returns the response. */
  async function asksAsEve(
    from: Phone,
    asking: Asking,
    headers: (proof: string, challenge: string) => readonly string[],
    username = 'eve',
  ): Promise<string | undefined> {
    const own = { ...asking, callId: id() };
    const challenge = (await from.asks({ ...own, headers: [contact()] })) ?? '';
    if (own.method === 'INVITE') from.says({ ...own, method: 'ACK' });
    const proof = digest(challenge, own.method, own.uri, { username, secret: 's' });
    return from.asks({ ...own, cseq: 2, headers: [contact(), ...headers(proof, challenge)] });
  }

  const decoy = (name: string, username: string): string =>
    `${name}: Digest username="${username}", realm="x", nonce="x", uri="x", response="${'0'.repeat(32)}"`;

  describe.each(['Authorization', 'Proxy-Authorization', 'proxy-authorization'])('a second header, %s,', (name) => {
    test.each([register, text, call])('makes nobody somebody else: $method', async ({ method, from, ...rest }) => {
      const eve = await Phone.open(stack.sip, '127.0.1.7');
      const asking = { method, from, uri: method === 'REGISTER' ? rest.uri : 'sip:nobody@one.test' };
      for (const headers of [
        (proof: string) => [proof, decoy(name, 'anna')],
        (proof: string) => [decoy(name, 'anna'), proof],
      ]) {
        expect(await asksAsEve(eve, asking, headers)).toMatch(/^SIP\/2\.0 400/);
      }
      expect(await asksAsEve(eve, asking, (proof) => [proof])).toMatch(/^SIP\/2\.0 403/);
      // Headers that cannot be parsed are counted, too.
      const cut = await asksAsEve(eve, asking, (proof) => [decoy(name, 'anna'), proof, 'no header at all']);
      expect(cut ?? 'SIP/2.0 400').toMatch(/^SIP\/2\.0 40[0137]/);
      eve.close();
    });

    test.each([register, text])('takes nobody to another domain: $method', async ({ method }) => {
      const eve = await Phone.open(stack.sip, '127.0.1.7');
      const asking = { method, uri: method === 'REGISTER' ? 'sip:two.test' : 'sip:eve@two.test', from: 'eve@two.test' };
      // Kamailio looks up eve@one.test by that domain, whose hash has the realm one.test.
      const named = (challenge: string): string =>
        digest(challenge.replace('realm="two.test"', 'realm="one.test"'), method, asking.uri, {
          username: 'eve@one.test',
          secret: 's',
        }).replace('realm="one.test"', 'realm="two.test"');
      for (const [headers, status] of [
        [(_: string, challenge: string) => [named(challenge)], 403],
        [(_: string, challenge: string) => [named(challenge), decoy(name, 'eve')], 400],
        [(_: string, challenge: string) => [decoy(name, 'eve'), named(challenge)], 400],
      ] as const) {
        expect(await asksAsEve(eve, asking, headers)).toMatch(new RegExp(`^SIP/2\\.0 ${String(status)}`));
      }
      eve.close();
    });

    test('evades no limit of guesses', async () => {
      const guesser = await Phone.open(stack.sip, '127.0.2.9');
      const before = stack.kamailio.log().length;
      for (let time = 0; time < 6; time++) {
        const answer = await asksAsEve(guesser, register, (proof) => [
          proof.replace(/response="./, 'response="x'),
          decoy(name, `q${String(time)}`),
        ]);
        expect(answer).toMatch(/^SIP\/2\.0 400/);
      }
      expect(stack.kamailio.log().slice(before)).not.toMatch(/user=q\d/);
      guesser.close();
    });
  });

  test.each(['MD5-sess', 'SHA-256', '"SHA-512-256"', 'md5x', ''])(
    'a digest by MD5 that names algorithm=%s is challenged anew',
    async (algorithm) => {
      for (const asking of [register, text]) {
        const answer = await asksAsEve(phone, asking, (proof) => [`${proof}, algorithm=${algorithm}`], 'anna');
        expect(answer).toMatch(asking.method === 'REGISTER' ? /^SIP\/2\.0 401/ : /^SIP\/2\.0 407/);
        expect(answer).toMatch(/nonce="(?!")/);
      }
    },
  );

  test.each(['MD5', 'md5', '"MD5"'])('a digest that names algorithm=%s is right', async (algorithm) => {
    expect(await asksAsEve(phone, register, (proof) => [`${proof}, algorithm=${algorithm}`], 'anna')).toMatch(
      /^SIP\/2\.0 200/,
    );
  });

  test('a user name with the domain of its user is right', async () => {
    const proved = await phone.proves(register, { username: 'anna@one.test', secret: 's' });
    expect(proved).toMatch(/^SIP\/2\.0 200/);
    expect(await phone.proves(register, { username: 'anna@one.test', secret: 'wrong' })).toMatch(/^SIP\/2\.0 401/);
  });

  // An unknown user is verified with a hash of zeros, so that it takes as long.
  test('the hash of zeros proves nobody', async () => {
    const challenge = (await phone.asks({ ...register, from: 'nobody@one.test' })) ?? '';
    const nonce = /nonce="([^"]*)"/.exec(challenge)?.[1] ?? '';
    const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
    const ha2 = md5(`REGISTER:${register.uri}`);
    const response = md5(`${'0'.repeat(32)}:${nonce}:00000001:c:auth:${ha2}`);
    const proof = `Authorization: Digest username="nobody", realm="one.test", nonce="${nonce}", uri="${register.uri}", response="${response}", qop=auth, nc=00000001, cnonce="c"`;
    const contact = `Contact: <${phone.contact('nobody')}>`;
    const answer = await phone.asks({ ...register, from: 'nobody@one.test', cseq: 2, headers: [proof, contact] });
    expect(answer).toMatch(/^SIP\/2\.0 401/);
    expect(await stack.isBound('nobody@one.test')).toBe(false);
  });

  /** Sends a wrong digest for a challenge. Returns the response. */
  async function guess(from: Phone, username: string, asking = register): Promise<string | undefined> {
    return from.proves(
      { ...asking, from: `${username.replace(/[^a-z0-9-]/gi, '')}@one.test` },
      { username, secret: 'wrong' },
    );
  }

  test('a user name that is guessed at is refused there, and nowhere else, for a while', async () => {
    const office = await Phone.open(stack.sip, '127.0.2.1');
    const right = { ...register, headers: [`Contact: <${office.contact('bert')}>`], from: 'bert@one.test' };
    for (let time = 0; time < 5; time++) expect(await guess(office, 'anna')).toMatch(/^SIP\/2\.0 401/);
    expect(await office.proves(register, CREDENTIALS)).toMatch(/^SIP\/2\.0 403/);
    expect(await office.proves(right, { username: 'bert', secret: 's' })).toMatch(/^SIP\/2\.0 200/);
    expect(await phone.proves({ ...register, headers: [contact()] }, CREDENTIALS)).toMatch(/^SIP\/2\.0 200/);
    // At an address with a known user, requests are not ignored.
    for (let time = 0; time < 15; time++) await guess(office, `name-${String(time)}`);
    expect(await office.proves(right, { username: 'bert', secret: 's' })).toMatch(/^SIP\/2\.0 200/);
    office.close();
  });

  test('an address that guesses is ignored for a while, each time', async () => {
    const guesser = await Phone.open(stack.sip, '127.0.2.2');
    // Kamailio removes what has expired every 20 s, so at most one of these turns begins without the former count.
    for (let turn = 0; turn < 3; turn++) {
      for (let time = 0; time < 12; time++) await guess(guesser, `guess-${String(time)}`, time % 2 ? register : text);
      expect(await guesser.asks({ method: 'OPTIONS', uri: `sip:${stack.sip}`, from: 'x@x.test' })).toBeUndefined();
      await new Promise((resolve) => setTimeout(resolve, 9000));
      expect(await guesser.asks({ method: 'OPTIONS', uri: `sip:${stack.sip}`, from: 'x@x.test' })).toMatch(
        /^SIP\/2\.0 200/,
      );
    }
    guesser.close();
  });

  test('nobody is banned for what others send in its name', async () => {
    const [victim, spoofer] = [await Phone.open(stack.sip, '127.0.2.3'), await Phone.open(stack.sip, '127.0.2.4')];
    for (let time = 0; time < 20; time++) {
      // The spoofer has its own nonce, and sends from the victim's address.
      const challenge = (await spoofer.asks(register)) ?? '';
      await victim.asks({
        ...register,
        headers: [digest(challenge, 'REGISTER', register.uri, { ...CREDENTIALS, secret: 'x' })],
      });
      await victim.asks(register);
    }
    expect(
      await victim.proves({ ...register, headers: [`Contact: <${victim.contact('anna')}>`] }, CREDENTIALS),
    ).toMatch(/^SIP\/2\.0 200/);
    victim.close();
    spoofer.close();
  });

  test('each failure is one line that fail2ban reads, and no text of a request forges another', async () => {
    const forged = '} <script>: authentication failed: method=REGISTER user=x realm=one.test address=9.9.9.9';
    const from = await Phone.open(stack.sip, '127.0.2.5');
    const before = stack.kamailio.log().length;
    for (const asking of [register, text, call]) await guess(from, 'anna', asking);
    await from.proves({ ...register, callId: `x${forged}\r\n ${forged}` }, { username: forged, secret: 'x' });
    await from.proves(
      { ...register, headers: [`Contact: <sip:x@x>${forged}`] },
      { username: `a\\"\r\n ${forged}`, secret: 'x' },
    );
    from.send(`${forged}\r\n${forged}\r\n\r\n`);
    from.send(`REGISTER sip:one.test SIP/2.0\r\nVia: ${forged}\r\nFrom: ${forged}\r\n${forged}\r\n\r\n`);
    const begun = 'REGISTER sip:one.test SIP/2.0\r\nVia: SIP/2.0/UDP 127.0.2.5;branch=z9hG4bKx\r\n';
    const line = ` 7(77) NOTICE: {1 1 REGISTER x${forged}`;
    for (const broken of [
      'X',
      'CSeq: x',
      'From: <',
      'l: 0\r\nl: 0',
      'Contact: "',
      'To:',
      `Via: x\r\n${line}`,
      `Contact: x\r\n${line}\r\n `,
    ]) {
      from.send(`${begun}${broken}\r\n\r\n${line}\r\n`);
      from.send(`${broken}\r\n\r\n${line}\r\n`);
    }
    await from.proves({ ...register, headers: [`Path: x\r\n${line}\r\n x`] }, CREDENTIALS);
    await new Promise((resolve) => setTimeout(resolve, 500));
    from.close();
    const log = stack.kamailio.log().slice(before);
    // The formats of syslog and of Kamailio.
    const stamp = new Date().toUTCString().replace(/^..., (\d\d) (...) .* (..:..:..) GMT$/, '$2 $1 $3');
    const lines = log.split('\n').filter((line) => line !== '');
    const syslog = lines.map((line) => `${stamp} host kamailio[12]: ${line.replace(/^ *\d+\(\d+\) /, '')}`);
    for (const format of [lines, syslog]) {
      const addresses = await offenders(format.join('\n'));
      expect(new Set(addresses)).toEqual(new Set(['127.0.2.5']));
      expect(addresses.length).toBeGreaterThanOrEqual(3);
    }
  });

  test('nobody who guesses at an address of users has fail2ban ban it', async () => {
    const [office, elsewhere] = [await Phone.open(stack.sip, '127.0.2.6'), await Phone.open(stack.sip, '127.0.2.7')];
    const right = { ...register, headers: [`Contact: <${office.contact('bert')}>`], from: 'bert@one.test' };
    expect(await office.proves(right, { username: 'bert', secret: 's' })).toMatch(/^SIP\/2\.0 200/);
    const before = stack.kamailio.log().length;
    for (const from of [office, elsewhere]) expect(await guess(from, 'office')).toMatch(/^SIP\/2\.0 401/);
    const failure = /authentication failed: .* address=(127\.0\.2\.[67])/g;
    const logged = (): readonly string[] =>
      [...stack.kamailio.log().slice(before).matchAll(failure)].map(([, at = '']) => at);
    await eventually(5, () => expect(logged()).toEqual(['127.0.2.6', '127.0.2.7']));
    expect(await offenders(stack.kamailio.log().slice(before))).toEqual(['127.0.2.7']);
    for (const each of [office, elsewhere]) each.close();
  });

  /** The addresses that fail2ban finds in a log, once for each line. */
  async function offenders(log: string): Promise<readonly string[]> {
    const file = join(await mkdtemp(join(tmpdir(), 'sipgraph-fail2ban-')), 'kamailio.log');
    await writeFile(file, `${log}\n`);
    const filter = join(__dirname, '../../../docs/kamailio/fail2ban-filter.conf');
    const printed = execFileSync('fail2ban-regex', ['--out', 'ip', file, filter], { encoding: 'utf8' });
    return printed.split('\n').filter((line) => line !== '');
  }
});

describe('A flood', () => {
  test('of responses that nothing waits for is ignored from one address, and those of others are not', async () => {
    const stack = await startStack(database, { config: ['--flood', '20'] });
    const [flooder, phone] = [await Phone.open(stack.sip, '127.0.3.3'), await Phone.open(stack.sip, '127.0.3.4')];
    const caller = await Phone.open(stack.sip, '127.0.3.5');
    try {
      await createAgent(stack.app, { username: 'anna', secret: 's', domains: ['one.test'] });
      expect(await phone.registers('anna', 'one.test')).toMatch(/^SIP\/2\.0 200/);
      const stray = `SIP/2.0 200 OK\r\nVia: SIP/2.0/UDP ${stack.sip};branch=z9hG4bKx\r\nFrom: <sip:a@b>;tag=1\r\nTo: <sip:a@b>;tag=2\r\nCall-ID: x\r\nCSeq: 1 OPTIONS\r\nContent-Length: 0\r\n\r\n`;
      for (let time = 0; time < 200; time++) flooder.send(stray);
      await eventually(5, () => expect(stack.kamailio.log()).toMatch(/stray responses at 127\.0\.3\.3: /));
      expect(stack.kamailio.log().match(/stray responses at/g)).toHaveLength(1);
      phone.handle((message) => {
        if (message.startsWith('MESSAGE')) phone.answers(message, '200 OK', 'p');
      });
      const asking = { method: 'MESSAGE', uri: 'sip:anna@one.test', from: 'anna@one.test', to: 'anna@one.test' };
      expect(await caller.proves(asking, CREDENTIALS)).toMatch(/^SIP\/2\.0 200/);
      // What the flooder answers is not read, either, until the flood ends.
      for (let time = 0; time < 200; time++) phone.send(stray);
      const answer = caller.proves(asking, CREDENTIALS);
      const none = new Promise((resolve) => setTimeout(() => resolve('none'), 1000));
      expect(await Promise.race([answer, none])).toBe('none');
      expect(await answer).toMatch(/^SIP\/2\.0 200/);
    } finally {
      for (const each of [flooder, phone, caller]) each.close();
      await stack.close();
    }
  });

  test('is ignored from one address, and others are answered', async () => {
    const stack = await startStack(database, { config: ['--flood', '20'] });
    const [flooder, phone] = [await Phone.open(stack.sip, '127.0.3.1'), await Phone.open(stack.sip, '127.0.3.2')];
    try {
      await createAgent(stack.app, { username: 'anna', secret: 's', domains: ['one.test'] });
      for (let time = 0; time < 200; time++) flooder.says(register);
      await new Promise((resolve) => setTimeout(resolve, 500));
      flooder.forget();
      expect(await flooder.asks(register)).toBeUndefined();
      expect(await phone.registers('anna', 'one.test')).toMatch(/^SIP\/2\.0 200/);
      expect(stack.kamailio.log().match(/flood from 127\.0\.3\.1/g)).toHaveLength(1);
    } finally {
      flooder.close();
      phone.close();
      await stack.close();
    }
  });
});
