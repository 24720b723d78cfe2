import { databases } from '../../support/databases/databases';
import { eventually } from '../../support/eventually';
import { createAgent, createGateway, createPeer } from '../../support/factories';
import { runSql } from '../../support/databases/sql';
import { id, Phone } from '../phone';
import { startStack, type Stack } from '../stack';

interface Event {
  readonly event: string;
  readonly [field: string]: unknown;
}

const FIELDS = `event addressOfRecord host port transport userAgent node devices status reason
  target { ... on Agent { username } ... on Peer { username } } gateway { name }`;

describe.each(databases.filter(({ name }) => name !== 'SQLite'))(
  'Transitions of registrations, on $name',
  (database) => {
    let stack: Stack;

    beforeAll(async () => {
      stack = await startStack(database, {
        host: database.name === 'MySQL' ? '127.0.82.2' : '127.0.82.1',
      });
      for (const username of ['anna', 'bert', 'carl', 'dora'])
        await createAgent(stack.app, { username, secret: 's', domains: ['one.test'] });
      await createPeer(stack.app, { username: 'pbx', secret: 's' });
    });

    afterAll(async () => {
      const log = stack.kamailio.log();
      await stack.close();
      expect(log).not.toMatch(/could not be recorded|cannot do the query|CRITICAL/);
    });

    /** The events of an address of record, oldest first. */
    const eventsOf = async (addressOfRecord: string, fields = FIELDS): Promise<readonly Event[]> => {
      const { data, errors } = await stack.app.graphql<{ registrationEvents: { nodes: readonly Event[] } }>(
        `query ($where: RegistrationEventWhere) { registrationEvents(where: $where) { nodes { ${fields} } } }`,
        { where: { addressOfRecord } },
      );
      if (errors) throw new Error(JSON.stringify(errors));
      return data.registrationEvents.nodes.toReversed();
    };
    /** Waits until an address of record has exactly these events. */
    const become = (user: string, expected: readonly string[], seconds = 10): Promise<void> =>
      eventually(seconds, async () =>
        expect((await eventsOf(`${user}@one.test`)).map(({ event }) => event)).toEqual(expected),
      );
    const registers = async (
      phone: Phone,
      user: string,
      { contact = phone.contact(user), secret = 's', callId = id(), cseq = 1, expires = 600 } = {},
    ): Promise<string> => {
      const headers = [
        `Contact: ${contact === '*' ? '*' : `<${contact}>`}`,
        `Expires: ${String(expires)}`,
        'User-Agent: Phone/1',
      ];
      const asking = { method: 'REGISTER', uri: 'sip:one.test', from: `${user}@one.test`, callId, cseq, headers };
      return (await phone.proves(asking, { username: user, secret })) ?? '';
    };

    test('a device registers, refreshes without an event, and unregisters', async () => {
      const phone = await Phone.open(stack.sip);
      const callId = id();
      expect(await registers(phone, 'anna', { callId })).toMatch(/^SIP\/2\.0 200/);
      expect(await registers(phone, 'anna', { callId, cseq: 3 })).toMatch(/^SIP\/2\.0 200/);
      expect(await registers(phone, 'anna', { callId, cseq: 5, expires: 0 })).toMatch(/^SIP\/2\.0 200/);
      // There is nothing to end.
      expect(await registers(phone, 'anna', { callId, cseq: 7, expires: 0 })).toMatch(/^SIP\/2\.0 200/);
      await become('anna', ['REGISTERED', 'UNREGISTERED']);
      const of = {
        addressOfRecord: 'sip:anna@one.test',
        host: '127.0.0.1',
        port: phone.port,
        transport: 'udp',
        userAgent: 'Phone/1',
        node: stack.sip,
        status: null,
        reason: null,
        target: { username: 'anna' },
        gateway: null,
      };
      expect(await eventsOf('sip:anna@one.test')).toEqual([
        { ...of, event: 'REGISTERED', devices: 1 },
        { ...of, event: 'UNREGISTERED', devices: 0 },
      ]);
      phone.close();
    }, 60_000);

    test('spaces after the Call-ID do not matter', async () => {
      await createAgent(stack.app, { username: 'gina', secret: 's', domains: ['one.test'] });
      const phone = await Phone.open(stack.sip);
      const callId = id();
      expect(await registers(phone, 'gina', { callId: `${callId} \t` })).toMatch(/^SIP\/2\.0 200/);
      const contact = `${phone.contact('gina')};x=1`;
      expect(await registers(phone, 'gina', { callId: `${callId}  `, contact, cseq: 3 })).toMatch(/^SIP\/2\.0 200/);
      await become('gina', ['REGISTERED', 'MOVED']);
      phone.close();
    }, 60_000);

    test('a device that sends another contact, or registers from another address, has moved', async () => {
      const [phone, elsewhere] = [await Phone.open(stack.sip), await Phone.open(stack.sip, '127.0.82.9')];
      const callId = id();
      const contact = phone.contact('bert');
      await registers(phone, 'bert', { callId, contact });
      await registers(elsewhere, 'bert', { callId, contact, cseq: 3 });
      await registers(elsewhere, 'bert', { callId, cseq: 5 });
      await become('bert', ['REGISTERED', 'MOVED', 'MOVED']);
      expect(await eventsOf('bert@one.test', 'event host devices')).toEqual([
        { event: 'REGISTERED', host: '127.0.0.1', devices: 1 },
        { event: 'MOVED', host: '127.0.82.9', devices: 1 },
        { event: 'MOVED', host: '127.0.82.9', devices: 2 },
      ]);
      expect(await registers(phone, 'bert', { contact: '*', expires: 0 })).toMatch(/^SIP\/2\.0 200/);
      await become('bert', ['REGISTERED', 'MOVED', 'MOVED', 'UNREGISTERED']);
      for (const each of [phone, elsewhere]) each.close();
    }, 60_000);

    test('a device that sends another contact from another address has moved, and is called only there', async () => {
      await createAgent(stack.app, { username: 'hana', secret: 's', domains: ['one.test'] });
      const [phone, elsewhere] = [await Phone.open(stack.sip), await Phone.open(stack.sip, '127.0.82.9')];
      const callId = id();
      await registers(phone, 'hana', { callId });
      expect(await registers(elsewhere, 'hana', { callId, cseq: 3 })).toMatch(/^SIP\/2\.0 200/);
      await become('hana', ['REGISTERED', 'MOVED']);
      expect(await eventsOf('hana@one.test', 'event host devices')).toEqual([
        { event: 'REGISTERED', host: '127.0.0.1', devices: 1 },
        { event: 'MOVED', host: '127.0.82.9', devices: 1 },
      ]);
      const { data } = await stack.app.graphql<{ contacts: { nodes: readonly { uri: string }[] } }>(
        `{ contacts(where: { search: "sip:hana@one.test" }) { nodes { uri } } }`,
      );
      expect(data.contacts.nodes).toEqual([{ uri: elsewhere.contact('hana') }]);
      expect(stack.kamailio.log()).not.toMatch(/security event: REGISTER/);
      await registers(phone, 'hana', { callId, cseq: 5, expires: 0 });
      await become('hana', ['REGISTERED', 'MOVED', 'UNREGISTERED']);
      for (const each of [phone, elsewhere]) each.close();
    }, 60_000);

    test('a device that somebody evicts has no registration any more', async () => {
      await createAgent(stack.app, { username: 'evie', secret: 's', domains: ['one.test'] });
      const phone = await Phone.open(stack.sip);
      expect(await registers(phone, 'evie')).toMatch(/^SIP\/2\.0 200/);
      await become('evie', ['REGISTERED']);
      expect(await stack.app.graphql('mutation { evictContact(addressOfRecord: "evie@one.test") }')).toMatchObject({
        data: { evictContact: 1 },
      });
      await become('evie', ['REGISTERED', 'UNREGISTERED']);
      expect((await eventsOf('evie@one.test')).at(-1)).toMatchObject({
        reason: 'Evicted',
        devices: 0,
        node: stack.sip,
        target: { username: 'evie' },
      });
      phone.close();
    }, 60_000);

    test('a registration expires, also of a peer', async () => {
      const phone = await Phone.open(stack.sip);
      expect(await registers(phone, 'carl', { expires: 5 })).toMatch(/^SIP\/2\.0 200/);
      expect(await registers(phone, 'pbx', { expires: 5 })).toMatch(/^SIP\/2\.0 200/);
      await become('carl', ['REGISTERED', 'EXPIRED'], 40);
      await become('pbx', ['REGISTERED', 'EXPIRED'], 40);
      expect((await eventsOf('carl@one.test')).at(-1)).toEqual({
        event: 'EXPIRED',
        addressOfRecord: 'sip:carl@one.test',
        host: '127.0.0.1',
        port: phone.port,
        transport: 'udp',
        userAgent: 'Phone/1',
        node: stack.sip,
        devices: 0,
        status: null,
        reason: null,
        target: { username: 'carl' },
        gateway: null,
      });
      expect(await eventsOf('pbx@one.test', 'target { ... on Peer { username } }')).toEqual([
        { target: { username: 'pbx' } },
        { target: { username: 'pbx' } },
      ]);
      phone.close();
    }, 90_000);

    test('a wrong secret and an unknown user are recorded once, however often they come', async () => {
      const phone = await Phone.open(stack.sip, '127.0.82.10');
      for (let n = 0; n < 3; n++) {
        expect(await registers(phone, 'dora', { secret: 'wrong' })).toMatch(/^SIP\/2\.0 401/);
        expect(await registers(phone, 'nobody')).toMatch(/^SIP\/2\.0 401/);
      }
      await become('dora', ['REFUSED']);
      await become('nobody', ['REFUSED']);
      const fields = 'status reason host devices target { ... on Agent { username } }';
      const refused = { status: 401, host: '127.0.82.10', devices: null };
      expect(await eventsOf('dora@one.test', fields)).toEqual([
        { ...refused, reason: 'Wrong secret', target: { username: 'dora' } },
      ]);
      expect(await eventsOf('nobody@one.test', fields)).toEqual([{ ...refused, reason: 'Unknown user', target: null }]);
      phone.close();
    }, 60_000);

    test('what is refused after the digest is recorded, and so are those who are disabled', async () => {
      const ref = await createAgent(stack.app, {
        username: 'emil',
        secret: 's',
        maxContacts: 1,
        domains: ['one.test'],
      });
      await createAgent(stack.app, { username: 'fred', secret: 's', domains: ['one.test'] });
      await createPeer(stack.app, { username: 'old', secret: 's', enabled: false });
      const phone = await Phone.open(stack.sip, '127.0.82.12');
      const registered = await registers(phone, 'emil');
      expect(registered).toMatch(/^SIP\/2\.0 200/);
      for (const port of [5001, 5002]) {
        phone.forget();
        expect(await registers(phone, 'emil', { contact: `sip:emil@127.0.82.12:${String(port)}` })).toMatch(
          /^SIP\/2\.0 503/,
        );
        // Once only.
        expect(await phone.hears(/^SIP/, 0.3)).toBeUndefined();
      }
      // The credentials are those of another user.
      const asking = { method: 'REGISTER', uri: 'sip:one.test', from: 'fred@one.test' };
      const headers = [`Contact: <${phone.contact('fred')}>`];
      expect(await phone.proves({ ...asking, headers }, { username: 'emil', secret: 's' })).toMatch(/^SIP\/2\.0 403/);
      expect(await registers(phone, 'old')).toMatch(/^SIP\/2\.0 401/);
      await stack.app.graphql(
        'mutation ($ref: String!) { updateAgent(ref: $ref, input: { enabled: false }) { ref } }',
        {
          ref,
        },
      );
      expect(await registers(phone, 'emil')).toMatch(/^SIP\/2\.0 401/);
      // Too many guesses of one address, whose secret is right at last.
      const guesser = await Phone.open(stack.sip, '127.0.82.13');
      for (let n = 0; n < 20; n++) await registers(guesser, 'fred', { secret: 'wrong' });
      expect(await registers(guesser, 'fred')).toMatch(/^SIP\/2\.0 403/);
      await become('emil', ['REGISTERED', 'REFUSED', 'REFUSED']);
      await become('fred', ['REFUSED', 'REFUSED', 'REFUSED']);
      await become('old', ['REFUSED']);
      const fields = 'status reason target { ... on Agent { username } ... on Peer { username } }';
      const refused = (status: number, reason: string, username: string) => ({ status, reason, target: { username } });
      expect((await eventsOf('emil@one.test', fields)).slice(1)).toEqual([
        refused(503, 'Too many devices', 'emil'),
        refused(401, 'Disabled', 'emil'),
      ]);
      expect(await eventsOf('fred@one.test', fields)).toEqual([
        refused(403, 'Username does not match', 'emil'),
        refused(401, 'Wrong secret', 'fred'),
        refused(403, 'Too many failures', 'fred'),
      ]);
      expect(await eventsOf('old@one.test', fields)).toEqual([refused(401, 'Disabled', 'old')]);
      for (const each of [phone, guesser]) each.close();
    }, 60_000);

    test('an address that guesses users fills nothing: ten are recorded in a minute', async () => {
      const phone = await Phone.open(stack.sip, '127.0.82.11');
      for (let n = 0; n < 30; n++) await registers(phone, `guess${String(n)}`);
      await become('guess9', ['REFUSED']);
      const rows = await runSql(stack.url, "SELECT COUNT(*) FROM registration_events WHERE host = '127.0.82.11'");
      expect(rows).toEqual([[10]]);
      phone.close();
    }, 90_000);

    test('addresses that guess users leave room for users who exist', async () => {
      const guessers = await Promise.all(
        Array.from({ length: 12 }, (_address, n) => Phone.open(stack.sip, `127.0.82.${String(101 + n)}`)),
      );
      await Promise.all(
        guessers.map(async (phone, n) => {
          for (let m = 0; m < 10; m++) await registers(phone, `name${String(n)}.${String(m)}`);
        }),
      );
      const phone = await Phone.open(stack.sip, '127.0.82.14');
      await createAgent(stack.app, { username: 'hans', secret: 's', domains: ['one.test'] });
      expect(await registers(phone, 'hans', { secret: 'wrong' })).toMatch(/^SIP\/2\.0 401/);
      await become('hans', ['REFUSED']);
      for (const each of [...guessers, phone]) each.close();
      const [[guessed] = []] = await runSql(
        stack.url,
        "SELECT COUNT(*) FROM registration_events WHERE host LIKE '127.0.82.1__' AND at > ?",
        [Date.now() - 30_000],
      );
      expect(Number(guessed)).toBeLessThanOrEqual(100);
    }, 90_000);

    test('of a device that comes and goes, 200 are recorded in a day, and one that says so', async () => {
      await createAgent(stack.app, { username: 'flap', secret: 's', domains: ['one.test'] });
      const phone = await Phone.open(stack.sip);
      const callId = id();
      for (let n = 0; n < 105; n++) {
        await registers(phone, 'flap', { callId, cseq: 4 * n + 1 });
        await registers(phone, 'flap', { callId, cseq: 4 * n + 3, expires: 0 });
      }
      const counts = `SELECT event, COUNT(*) FROM registration_events WHERE username = 'flap' GROUP BY event ORDER BY event`;
      await eventually(15, async () =>
        expect(await runSql(stack.url, counts)).toEqual([
          ['REGISTERED', 100],
          ['UNRECORDED', 1],
          ['UNREGISTERED', 100],
        ]),
      );
      phone.close();
    }, 120_000);

    test('those that expired while Kamailio did not run are recorded when it starts', async () => {
      await createAgent(stack.app, { username: 'gone', secret: 's', domains: ['one.test'] });
      const phone = await Phone.open(stack.sip);
      await registers(phone, 'gone', { expires: 6 });
      await become('gone', ['REGISTERED']);
      await stack.stopKamailio();
      await eventually(15, async () =>
        expect(
          await runSql(stack.url, 'SELECT COUNT(*) FROM location WHERE username = ? AND expires < UNIX_TIMESTAMP()', [
            'gone',
          ]),
        ).toEqual([[1]]),
      );
      await stack.startKamailio();
      await become('gone', ['REGISTERED', 'EXPIRED'], 40);
      expect(await eventsOf('gone@one.test', 'target { ... on Agent { username } }')).toEqual([
        { target: { username: 'gone' } },
        { target: { username: 'gone' } },
      ]);
      phone.close();
    }, 90_000);

    test('a gateway registers at its provider, and is refused', async () => {
      const provider = await Phone.open(stack.sip, '127.0.82.20');
      let status = '200 OK';
      provider.handle((request) => {
        if (!request.startsWith('REGISTER')) return;
        const contact = /^Contact: *(<[^>]*>)/im.exec(request)?.[1] ?? '';
        provider.answers(request, status, 'p', status === '200 OK' ? [`Contact: ${contact};expires=10`] : []);
      });
      const ref = await createGateway(stack.app, {
        name: 'trunk',
        host: '127.0.82.20',
        port: provider.port,
        username: 'u',
        secret: 's',
        sendRegister: true,
      });
      const of = async (): Promise<readonly Event[]> => {
        const { data } = await stack.app.graphql<{ gateway: { registrationEvents: { nodes: readonly Event[] } } }>(
          `query ($ref: String!) { gateway(ref: $ref) { registrationEvents { nodes { event host status reason gateway { name } } } } }`,
          { ref },
        );
        return data.gateway.registrationEvents.nodes.toReversed();
      };
      const gateway = { name: 'trunk' };
      const granted = { event: 'REGISTERED', host: '127.0.82.20', status: 200, reason: 'OK', gateway };
      await eventually(20, async () => expect(await of()).toEqual([granted]));
      status = '403 Forbidden';
      const refused = { event: 'REFUSED', host: '127.0.82.20', status: 403, reason: 'Forbidden', gateway };
      await eventually(40, async () => expect(await of()).toEqual([granted, refused]));
      provider.close();
    }, 120_000);
  },
);
