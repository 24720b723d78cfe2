import { startApp } from '../support/app';
import { createGateway } from '../support/factories';
import { onEachDriver } from '../support/databases/on-each-database';
import { registerContact, registerGateway, runSql } from '../support/databases/sql';
import { transports, type Subscription } from '../support/subscriptions';

const second = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1100));
const [transport] = transports;

onEachDriver('Subscriptions to live state', (subject) => {
  const open: Subscription[] = [];
  const listen = async (query: string, variables?: object): Promise<Subscription> => {
    const { app } = subject();
    const subscription = await transport.subscribe(app.url, await app.token(), query, variables);
    open.push(subscription);
    return subscription;
  };
  const cursor = async (): Promise<string> =>
    (await subject().app.graphql<{ changeCursor: string }>('{ changeCursor }')).data.changeCursor;
  const contact = (username: string, host: string, secondsLeft = 300): Promise<void> =>
    registerContact(subject().url, { username, domain: 'live.test', contact: `sip:${username}@${host}`, secondsLeft });

  const CONTACTS = `subscription($aor: String, $since: String) {
    contactsChanged(aor: $aor, since: $since) { event addressOfRecord contacts { uri } cursor }
  }`;

  beforeAll(cursor);

  afterEach(async () => {
    for (const subscription of open.splice(0)) await subscription.close();
  });

  test('contactsChanged delivers registrations, deregistrations and expiries, but not refreshes', async () => {
    const { url } = subject();
    await contact('early', '10.0.0.1');
    await second();
    const changes = await listen(CONTACTS);
    // Longer than the interval of the poll, so that the poll sees it.
    await contact('anna', '10.0.0.2', 5);
    const [event, addressOfRecord] = ['REGISTERED', 'sip:anna@live.test'];
    expect(await changes.next()).toMatchObject({
      data: { contactsChanged: { event, addressOfRecord, contacts: [{ uri: 'sip:anna@10.0.0.2' }] } },
    });
    await runSql(url, "UPDATE location SET last_modified = last_modified + 1 WHERE username = 'early'");
    await runSql(url, "DELETE FROM location WHERE username = 'early'");
    expect(await changes.next()).toMatchObject({
      data: { contactsChanged: { event: 'ENDED', addressOfRecord: 'sip:early@live.test', contacts: [] } },
    });
    expect(await changes.next(10)).toMatchObject({
      data: { contactsChanged: { event: 'ENDED', addressOfRecord, contacts: [] } },
    });
    // An expired device registers again in the same row.
    await runSql(url, "UPDATE location SET expires = expires + 600 WHERE username = 'anna'");
    expect(await changes.next()).toMatchObject({ data: { contactsChanged: { event, addressOfRecord } } });
    expect(changes.heard).toEqual([]);
  });

  test('contactsChanged can be limited to one address of record, in any spelling', async () => {
    const changes = await listen(CONTACTS, { aor: 'olga@LIVE.test' });
    await contact('ben', '10.0.0.3');
    await contact('olga', '10.0.0.4');
    expect(await changes.next()).toMatchObject({
      data: { contactsChanged: { addressOfRecord: 'sip:olga@live.test' } },
    });
    expect(changes.heard).toEqual([]);
  });

  test.each([
    ...['not one', '', '@', 'sip:@live.test', 'sip:', '<sip:1001@live.test>', '"1001" <sip:1001@live.test>'],
    ...[
      'sip:1001@live.test:99999',
      'sip:1001@live.test:0',
      'sip:1001@300.1.1.1',
      'sip:1001@[::x]',
      'sip:1001@',
      'tel:+1',
    ],
    ...['sip:1001@live.test;transport=udp', 'sip:1001@live test'],
  ])('contactsChanged rejects %j, which is not an address of record', async (aor) => {
    const { errors } = await (await listen(CONTACTS, { aor })).next();
    expect(errors?.[0]).toMatchObject({ extensions: { code: 'BAD_USER_INPUT', fields: ['aor'] } });
  });

  test('changes made without subscribers are delivered once to a subscriber that resumes, and not to new ones', async () => {
    await contact('gone', '10.0.0.5');
    await second();
    const since = await cursor();
    await contact('come', '10.0.0.6');
    await runSql(subject().url, "DELETE FROM location WHERE username = 'gone'");
    await second();
    const [fresh, back] = [await listen(CONTACTS), await listen(CONTACTS, { since })];
    expect(await back.next()).toMatchObject({
      data: { contactsChanged: { event: 'ENDED', addressOfRecord: 'sip:gone@live.test' } },
    });
    expect(await back.next()).toMatchObject({
      data: { contactsChanged: { event: 'REGISTERED', addressOfRecord: 'sip:come@live.test' } },
    });
    await second();
    expect([fresh.heard, back.heard]).toEqual([[], []]);
  });

  test('registrationsChanged delivers changes of the registration state, but not refreshes', async () => {
    const { app, url } = subject();
    const ref = await createGateway(app);
    const changes = await listen(
      'subscription { registrationsChanged { gatewayRef state gateway { registration { state lastResponse } } } }',
    );
    const update = (assignments: string): Promise<unknown> =>
      runSql(url, `UPDATE gateway_registrations SET ${assignments} WHERE gw_ref = '${ref}'`);
    await registerGateway(url, ref);
    expect(await changes.next()).toEqual({
      data: {
        registrationsChanged: {
          gatewayRef: ref,
          state: 'REGISTERED',
          gateway: { registration: { state: 'REGISTERED', lastResponse: null } },
        },
      },
    });
    await update('expires_at = expires_at + 1000, registered_on = registered_on + 1000');
    await second();
    await update("expires_at = 0, registered_on = 0, last_response = '403 Forbidden'");
    expect(await changes.next()).toMatchObject({
      data: {
        registrationsChanged: { state: 'REFUSED', gateway: { registration: { lastResponse: '403 Forbidden' } } },
      },
    });
    await update("last_response = '408 Request Timeout'");
    expect(await changes.next()).toMatchObject({ data: { registrationsChanged: { state: 'UNREACHABLE' } } });
    await app.rest('DELETE', `/gateways/${ref}`);
    expect(await changes.next()).toEqual({
      data: { registrationsChanged: { gatewayRef: ref, state: null, gateway: null } },
    });
    expect(changes.heard).toEqual([]);
  });
  test('a row id that is reused by another device is detected within 30 seconds', async () => {
    const { url } = subject();
    await contact('alice', '10.0.0.1');
    await second();
    const [row] = await runSql(url, "SELECT id FROM location WHERE username = 'alice'");
    const since = await cursor();
    await runSql(url, "UPDATE location SET username = 'dave' WHERE username = 'alice'");
    // 30 seconds later.
    await runSql(url, 'UPDATE live_watch SET watched_on = watched_on - 30000');
    const changes = await listen(CONTACTS, { since });
    const told = [await changes.next(), await changes.next()].map(({ data }) => data?.['contactsChanged']);
    expect(told).toMatchObject([
      { event: 'ENDED', addressOfRecord: 'sip:alice@live.test' },
      { event: 'REGISTERED', addressOfRecord: 'sip:dave@live.test' },
    ]);
    expect(await runSql(url, "SELECT id FROM location WHERE username = 'dave'")).toEqual([row]);
  });

  test('a wrong clock in the past does not stop the poll', async () => {
    const { url } = subject();
    const changes = await listen(CONTACTS);
    await runSql(url, `UPDATE live_watch SET watched_on = ${String(Date.now() + 3_600_000)}`);
    await contact('erin', '10.0.0.1');
    expect(await changes.next()).toMatchObject({
      data: { contactsChanged: { event: 'REGISTERED', addressOfRecord: 'sip:erin@live.test' } },
    });
  });

  test('expiry depends on the clock of the database, not on that of a replica', async () => {
    const changes = await listen(CONTACTS);
    const { now } = Date;
    const ahead = jest.spyOn(Date, 'now').mockImplementation(() => now() + 20_000);
    await runSql(
      subject().url,
      `INSERT INTO location (ruid, username, domain, contact, expires, last_modified, q, user_agent)
       VALUES ('gina', 'gina', 'live.test', 'sip:gina@10.0.0.1', ?, 0, 1, '')`,
      [Math.floor(now() / 1000) + 10],
    );
    const told = await changes.next().finally(() => ahead.mockRestore());
    expect(told).toMatchObject({ data: { contactsChanged: { event: 'REGISTERED' } } });
  });

  test('while the live tables cannot be read, changes to resources are still delivered', async () => {
    const { app, url } = subject();
    await listen(CONTACTS);
    const resources = await listen('subscription { resourceChanged { ref } }');
    await runSql(url, 'ALTER TABLE location RENAME TO location_away');
    const ref = await createGateway(app);
    const told = await resources.next().finally(() => runSql(url, 'ALTER TABLE location_away RENAME TO location'));
    expect(told).toEqual({ data: { resourceChanged: { ref } } });
  });

  test.each([
    ['sip:frank@live.test:5060', 'frank', 'live.test'],
    ['sip:frank@LIVE.other', 'frank', 'Live.Other'],
    ['sips:fr%61nk@[2001:DB8::1]:5061', 'frank', '[2001:db8::1]'],
    ['sip:a%20b@live.test', 'a b', 'live.test'],
    ['sip:a%40b@live.test', 'a@b', 'live.test'],
    ['sip:c@d@live.test', 'c@d', 'live.test'],
    [null, '', 'live.test'],
    [null, 'nowhere', ''],
  ])('contactsChanged(aor: %j) receives the device of %j at %j', async (aor, username, domain) => {
    const changes = await listen(CONTACTS, { aor });
    await registerContact(subject().url, { username, domain, contact: 'sip:x@10.0.0.1' });
    const addressOfRecord = `sip:${username}@${domain}`;
    let told = await changes.next();
    // A subscription to all contacts also receives expiries from other tests.
    while (!JSON.stringify(told).includes(JSON.stringify(addressOfRecord))) told = await changes.next();
    expect(told).toMatchObject({
      data: { contactsChanged: { addressOfRecord, contacts: [{ uri: 'sip:x@10.0.0.1' }] } },
    });
  });

  test('contactsChanged(aor: "grace") receives a device without a domain', async () => {
    const changes = await listen(CONTACTS, { aor: 'grace' });
    await registerContact(subject().url, { username: 'grace', domain: null, contact: 'sip:x@10.0.0.1' });
    expect(await changes.next()).toMatchObject({
      data: { contactsChanged: { addressOfRecord: 'sip:grace', contacts: [{ uri: 'sip:x@10.0.0.1' }] } },
    });
  });
});

onEachDriver('A cursor from before the live tables were watched', (subject) => {
  test('is an error for live state, but not for resources', async () => {
    const { app, url } = subject();
    const { data } = await app.graphql<{ changeCursor: string }>('{ changeCursor }');
    // There were no subscribers for longer than changes are kept.
    await runSql(url, 'UPDATE live_watch SET watched_on = 1');
    const variables = { since: data.changeCursor };
    const live = 'subscription($since: String) { contactsChanged(since: $since) { cursor } }';
    const late = await transport.subscribe(app.url, await app.token(), live, variables);
    const { errors } = await late.next();
    expect(errors?.[0]).toMatchObject({
      message: expect.stringContaining('the live tables were not watched') as string,
      extensions: { code: 'CURSOR_GONE', status: 410, fields: ['since'] },
    });
    await late.close();
    const resources = 'subscription($since: String) { resourceChanged(since: $since) { ref } }';
    const back = await transport.subscribe(app.url, await app.token(), resources, variables);
    const ref = await createGateway(app);
    expect(await back.next()).toEqual({ data: { resourceChanged: { ref } } });
    await back.close();
  });
});

onEachDriver(
  'A cursor',
  (subject) => {
    test('that is older than the outbox is an error, and newer ones are replayed', async () => {
      const { app, url } = subject();
      const { data } = await app.graphql<{ changeCursor: string }>('{ changeCursor }');
      await createGateway(app);
      await createGateway(app);
      // Numbers them.
      await app.graphql('{ changeCursor }');
      // Two hours later, a replica starts and trims the outbox.
      await runSql(
        url,
        `UPDATE changes SET at = at - ${String(2 * 3_600_000)} WHERE id <= (SELECT last FROM change_head)`,
      );
      const other = await startApp({ DATABASE_URL: url, OUTBOX_HOURS: '1' });
      while (Number((await runSql(url, 'SELECT trimmed FROM change_head'))[0]?.[0]) === 0) await second();
      await other.close();
      const query = 'subscription($since: String) { resourceChanged(since: $since) { ref } }';
      const late = await transport.subscribe(app.url, await app.token(), query, { since: data.changeCursor });
      const { errors } = await late.next();
      expect(errors?.[0]).toMatchObject({
        message: expect.stringContaining('older than the changes that are kept (1 h)') as string,
        extensions: { code: 'CURSOR_GONE', status: 410, fields: ['since'] },
      });
      await late.close();
      const now = await app.graphql<{ changeCursor: string }>('{ changeCursor }');
      const ref = await createGateway(app);
      const back = await transport.subscribe(app.url, await app.token(), query, { since: now.data.changeCursor });
      expect(await back.next()).toEqual({ data: { resourceChanged: { ref } } });
      await back.close();
    });
  },
  { OUTBOX_HOURS: '1' },
);
