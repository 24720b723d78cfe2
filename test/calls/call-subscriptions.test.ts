import { useTimings } from '../support/app';
import { createAgent, createDomain, createUser } from '../support/factories';
import { COUNTING, metric } from '../support/metrics';
import { onEachDriver } from '../support/databases/on-each-database';
import { runSql, storeCall } from '../support/databases/sql';
import { transports, type Subscription } from '../support/subscriptions';

useTimings({ callsReadEvery: 100 });

const [transport] = transports;
const FIELDS = 'event call { callId state from attempts { status } caller { ... on Agent { username } } }';
const CHANGES = `subscription($where: CallWhere) { callsChanged(where: $where) { ${FIELDS} } }`;

onEachDriver(
  'callsChanged',
  (subject) => {
    const open: Subscription[] = [];
    const listen = async (where?: object, token?: string): Promise<Subscription> => {
      const { app } = subject();
      const subscription = await transport.subscribe(app.url, token ?? (await app.token()), CHANGES, { where });
      open.push(subscription);
      return subscription;
    };
    const update = (callId: string, assignments: string): Promise<unknown> =>
      runSql(subject().url, `UPDATE calls SET ${assignments} WHERE call_id = ?`, [callId]);
    const told = (event: string, callId: string, more: object = {}): object => ({
      data: { callsChanged: { event, call: expect.objectContaining({ callId, ...more }) as object } },
    });

    afterEach(async () => {
      for (const subscription of open.splice(0)) await subscription.close();
    });

    test('tells when a call begins, rings, is answered and ends, with the call and its links', async () => {
      const { app, url } = subject();
      await createDomain(app, { domainUri: 'one.test' });
      const ref = await createAgent(app, { username: 'anna', domains: ['one.test'] });
      await storeCall(url, { callId: 'before', state: 3 });
      const changes = await listen();
      await storeCall(url, { callId: 'new', state: 1, caller: `agent:${ref}` });
      expect(await changes.next()).toEqual(
        told('BEGUN', 'new', { state: 'CALLING', caller: { username: 'anna' }, attempts: [] }),
      );
      await update('new', 'state = 2');
      expect(await changes.next()).toEqual(told('RINGING', 'new'));
      await update('new', `state = 3, attempts = '{"0":[null,null,1,2,200,"OK",null]}'`);
      expect(await changes.next()).toEqual(told('ANSWERED', 'new', { attempts: [{ status: 200 }] }));
      // Another event of the same state is no change.
      await update('new', "reason = 'OK'");
      await update('before', 'state = 6');
      expect(await changes.next()).toEqual(told('ENDED', 'before', { state: 'ENDED' }));
      await update('new', 'state = 4');
      expect(await changes.next()).toEqual(told('ENDED', 'new', { state: 'LOST' }));
      await storeCall(url, { callId: 'refused', state: 5 });
      expect(await changes.next()).toEqual(told('ENDED', 'refused', { state: 'FAILED' }));
      expect(changes.heard).toEqual([]);
    });

    test.each([
      { states: ['ANSWERED'], state: 3 },
      { direction: 'OUT' },
      { gatewayRef: 'gw1', gateway_ref: 'gw1' },
      { agentRef: 'a1', callee: 'agent:a1' },
      { peerRef: 'p1', caller: 'peer:p1' },
      { digits: '4930100', number: '4930100' },
      { status: 486 },
      { callId: 'wanted' },
      { search: 'BERT@', from_uri: 'sip:bert@one.test' },
      { search: '+77 12-34', from_uri: 'sip:771234@one.test' },
    ])('can be restricted like a list of calls: %j', async (given) => {
      const columns = Object.entries(given).filter(([name]) => !/[A-Z]|^states$|^digits$|^search$/.test(name));
      const where = Object.entries(given).filter(([name]) => !/_|^(state|callee|caller|number)$/.test(name));
      const changes = await listen(Object.fromEntries(where));
      const dialog = JSON.stringify(given).slice(0, 24);
      await storeCall(subject().url, { callId: 'other', state: 1, dialog });
      await storeCall(subject().url, { callId: 'wanted', state: 1, dialog, ...Object.fromEntries(columns) });
      expect(await changes.next()).toMatchObject({ data: { callsChanged: { call: { callId: 'wanted' } } } });
      expect(changes.heard).toEqual([]);
    });

    test('says that events are missing if more happens than it delivers, and goes on', async () => {
      const { url } = subject();
      const changes = await listen();
      const rows = Array.from(
        { length: 1100 },
        (_, n) => `('many${String(n)}', 't', '1.1', 'n', ${String(Date.now())}, 6)`,
      );
      await runSql(url, `INSERT INTO calls (call_id, from_tag, dialog, node, begun, state) VALUES ${rows.join(', ')}`);
      expect(await changes.next()).toEqual({ data: { callsChanged: { event: 'MISSED', call: null } } });
      await storeCall(url, { callId: 'after', state: 1 });
      expect(await changes.next()).toEqual(told('BEGUN', 'after'));
    });

    test('shows shortened numbers to viewers, who cannot search for numbers and Call-IDs', async () => {
      const { app, url } = subject();
      const { token } = await createUser(app, 'VIEWER');
      const changes = await listen({}, token);
      await storeCall(url, { callId: 'a@203.0.113.1', state: 1, from_uri: 'sip:+491771234567@203.0.113.10' });
      expect(await changes.next()).toEqual(told('BEGUN', '…', { from: 'sip:+49177123…@…' }));
      for (const where of [{ search: '4567' }, { callId: 'a@203.0.113.1' }]) {
        const { errors } = await (await listen(where, token)).next();
        expect(errors?.[0]?.extensions).toMatchObject({ code: 'FORBIDDEN' });
      }
    });

    test('reads the links of an event once for all subscribers of a role', async () => {
      const { app, url } = subject();
      await createDomain(app, { domainUri: 'many.test' });
      const ref = await createAgent(app, { username: 'many', domains: ['many.test'] });
      const { token } = await createUser(app, 'VIEWER');
      const listeners: Subscription[] = [];
      while (listeners.length < 30)
        listeners.push(await listen({ states: ['CALLING', 'ENDED'].slice(0, 1 + (listeners.length % 2)) }, token));
      const sent = async (): Promise<number> => metric(app.url, await app.token(), 'sipgraph_sql_statements_total');
      const before = await sent();
      await storeCall(url, { callId: 'shared', state: 1, caller: `agent:${ref}` });
      for (const changes of listeners)
        expect(await changes.next()).toEqual(told('BEGUN', '…', { caller: { username: 'many' } }));
      // Also what the reader of the calls sends each second.
      expect((await sent()) - before).toBeLessThan(20);
    });

    test('needs a token, and a search of at most 100 characters', async () => {
      const { errors } = await (await listen({ search: 'x'.repeat(101) })).next();
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', fields: ['search'] });
      expect((await (await listen({}, 'wrong')).next()).errors?.[0]?.message).toBe('The token is not valid');
    });
  },
  { ...COUNTING, CALLS_PRIVACY: 'on' },
);
