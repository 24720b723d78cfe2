import { eventually } from '../../support/eventually';
import {
  createAgent,
  createDid,
  createDomain,
  createGateway,
  createNumber,
  createPeer,
  createRoute,
} from '../../support/factories';
import { runSql } from '../../support/databases/sql';
import { answeredCall } from '../call';
import { openPhones } from '../phones/open-phones';
import { id } from '../phone';
import { ownMariaDb, type OwnServer } from '../../support/databases/own-server';
import { startStack, type Stack } from '../stack';
import { withModulesInLog } from '../support';

describe('The statements that Kamailio sends for a request', () => {
  let mariaDb: OwnServer;
  let stack: Stack;
  const phoneAt = openPhones(() => stack);

  beforeAll(async () => {
    mariaDb = await ownMariaDb('--general-log', '--log-output=TABLE');
    stack = await startStack(mariaDb, { config: ['--health-interval', '5'], edit: withModulesInLog });
    await createDomain(stack.app, { domainUri: 'listed.test', accessControlList: { deny: ['192.0.2.1'], allow: [] } });
    for (const domain of ['one.test', 'listed.test'])
      await createAgent(stack.app, { username: 'anna', secret: 's', domains: [domain] });
    await createAgent(stack.app, { username: 'bert', secret: 's', domains: ['one.test'] });
    await createPeer(stack.app, { username: 'pbx', secret: 's' });
    const gatewayRef = await createGateway(stack.app, { host: '127.0.99.1' });
    await createDid(stack.app, { gatewayRef, telUrl: 'tel:+4930222', aorLink: 'sip:bert@one.test' });
    const phone = await phoneAt('127.0.1.1');
    const known = { method: 'REGISTER', uri: 'sip:listed.test', from: 'anna@listed.test' };
    await eventually(8, async () => expect(await phone.asks(known)).toContain('realm="listed.test"'));
  });

  afterAll(async () => {
    await stack.close();
    await mariaDb.remove();
  });

  /** What each statement does to which view, in order, except those of Kamailio's timers. */
  async function statementsOf(work: () => Promise<unknown>): Promise<readonly string[]> {
    const log = `FROM mysql.general_log WHERE command_type = 'Query' AND user_host LIKE '${stack.schema}%'`;
    const [[before] = []] = await runSql(stack.url, `SELECT COUNT(*) ${log}`);
    await work();
    const rows = await runSql(stack.url, `SELECT CONVERT(argument USING utf8mb4) ${log} LIMIT ${String(before)}, 1000`);
    return rows
      .map(([text]) => String(text))
      .filter(
        (text) =>
          !/kam_rev|gw_rev|(gateway|destination)_(hosts|sources|checks|health)|FROM sources|number_forms|health_lease|ended_calls|call_nodes|registration_(nodes|events)|INTO calls|FROM calls|FROM dialog|uacreg|expires</.test(
            text,
          ),
      )
      .map(
        (text) =>
          `${/\w+/.exec(text)?.[0].toLowerCase() ?? ''} ${/(?:from|into|update) `?(\w+)/i.exec(text)?.[1] ?? ''}`,
      );
  }

  test('a REGISTER sends two, and its refresh as well', async () => {
    const phone = await phoneAt('127.0.1.2');
    const registers = async (): Promise<void> =>
      expect(await phone.registers('anna', 'one.test')).toMatch(/^SIP\/2\.0 200/);
    expect(await statementsOf(registers)).toEqual(['select registering_agents', 'insert location']);
    expect(await statementsOf(registers)).toEqual(['select registering_agents', 'update location']);
  });

  test('a REGISTER at a domain with an access control list asks for it once', async () => {
    const phone = await phoneAt('127.0.1.3');
    expect(await statementsOf(() => phone.registers('anna', 'listed.test'))).toEqual([
      'select acl',
      'select registering_agents',
      'insert location',
    ]);
  });

  test('a wrong secret and an unknown name send the same, which the time would tell otherwise', async () => {
    const phone = await phoneAt('127.0.1.4');
    const guess = (user: string) => (): Promise<unknown> =>
      phone.proves(
        { method: 'REGISTER', uri: 'sip:one.test', from: `${user}@one.test` },
        { username: user, secret: 'wrong' },
      );
    const unknown = ['select registering_agents', 'select peer_credentials'];
    expect(await statementsOf(guess('nobody'))).toEqual(unknown);
    expect(await statementsOf(guess('anna'))).toEqual(unknown);
    expect(await statementsOf(guess('pbx'))).toEqual(unknown);
  });

  test('a call to a number sends these, besides those that store the call', async () => {
    const [anna, bert] = [await phoneAt('127.0.1.5'), await phoneAt('127.0.1.6')];
    await bert.registers('bert', 'one.test');
    const credentials = { username: 'anna', secret: 's' };
    const sent = await statementsOf(() =>
      answeredCall({ phone: anna, from: 'anna@one.test', credentials }, bert, '+4930222@one.test'),
    );
    expect(sent.filter((text) => !text.includes(' dialog'))).toEqual([
      ...['select did_route', 'select agent_credentials'],
      // The number may be a user's.
      ...['select agent', 'select number', 'select agent'],
    ]);
    // A warning for each column of a statement would cost more than the statement.
    expect(stack.kamailio.log()).not.toContain('unhandled data type');
  });

  test('a call that leaves sends these, and reads no minutes of a caller without limits of them', async () => {
    const provider = await phoneAt('127.0.1.7');
    provider.handle((message) => {
      if (message.startsWith('INVITE ')) provider.answers(message, '486 Busy Here', 'p');
    });
    const gatewayRef = await createGateway(stack.app, { host: provider.host, port: provider.port });
    const number = await createNumber(stack.app, { gatewayRef, telUrl: 'tel:+4930333', aorLink: 'sip:x@one.test' });
    const [[domainRef] = []] = await runSql(stack.url, "SELECT ref FROM domains WHERE domain_uri = 'one.test'");
    await createRoute(stack.app, { domainRef, prefix: '+33', numberRefs: [number] });
    const anna = await phoneAt('127.0.1.8');
    const to = '+33142@one.test';
    const asking = { method: 'INVITE', uri: `sip:${to}`, from: 'anna@one.test', to, fromTag: id(), callId: id() };
    const headers = [`Contact: <${anna.contact('anna')}>`];
    const sent = await statementsOf(async () => {
      const answer = await anna.proves({ ...asking, headers }, { username: 'anna', secret: 's' });
      expect(answer).toMatch(/^SIP\/2\.0 486/);
    });
    expect(sent.filter((text) => !text.includes(' dialog'))).toEqual([
      ...['select did_route', 'select agent_credentials', 'select agent', 'select number'],
      'with routes',
    ]);
    const read = "SELECT COUNT(*) FROM mysql.general_log WHERE argument LIKE 'WITH r AS%agent_minutes%'";
    expect(Number((await runSql(stack.url, read))[0]?.[0])).toBe(0);
  });

  test('a wrong secret, an unknown name and a disabled agent send the same at an emergency number', async () => {
    const gatewayRef = await createGateway(stack.app, { host: '127.0.99.2' });
    const number = await createNumber(stack.app, { gatewayRef, telUrl: 'tel:+4930444' });
    const [[domainRef] = []] = await runSql(stack.url, "SELECT ref FROM domains WHERE domain_uri = 'one.test'");
    await createRoute(stack.app, { domainRef, prefix: '112', emergency: true, numberRefs: [number] });
    await createAgent(stack.app, { username: 'dora', secret: 's', domains: ['one.test'], enabled: false });
    const guess = async (user: string, name = user): Promise<readonly string[]> => {
      const phone = await phoneAt('127.0.1.10');
      const asking = { method: 'INVITE', uri: 'sip:112@one.test', from: `${user}@one.test`, to: '112@one.test' };
      const headers = [`Contact: <${phone.contact(user)}>`];
      return statementsOf(async () => {
        const answer = await phone.proves({ ...asking, headers }, { username: name, secret: 'wrong' });
        expect(answer).toMatch(/^SIP\/2\.0 407/);
      });
    };
    const looked = ['select did_route', 'select did_route'];
    for (const user of ['nobody', 'anna', 'pbx', 'dora'])
      expect([user, await guess(user)]).toEqual([
        user,
        [...looked, 'select agent_credentials', 'select peer_credentials', 'select emergency_users'],
      ]);
    for (const user of ['nobody', 'anna', 'pbx', 'dora'])
      expect([user, await guess(user, `${user}@one.test`)]).toEqual([
        user,
        [...looked, 'select subscriber', 'select emergency_users'],
      ]);
  });

  test('one that the database refuses is logged once a minute, and its request gets 503, whoever is at a limit', async () => {
    await createAgent(stack.app, { username: 'carl', secret: 's', domains: ['one.test'], maxCalls: 1 });
    await runSql(stack.url, "UPDATE agents SET ref = 'database' WHERE username = 'carl'");
    const [carl, bert] = [await phoneAt('127.0.1.11'), await phoneAt('127.0.1.12')];
    await bert.registers('bert', 'one.test');
    bert.handle((message) => {
      if (message.startsWith('INVITE ')) bert.answers(message, '180 Ringing', 'r');
    });
    for (const status of ['180', '486']) {
      const asking = { method: 'INVITE', uri: 'sip:bert@one.test', from: 'carl@one.test', to: 'bert@one.test' };
      const headers = [`Contact: <${carl.contact('carl')}>`];
      const answer = await carl.proves({ ...asking, headers }, { username: 'carl', secret: 's' });
      expect(answer?.slice(8, 11)).toBe(status);
    }
    const full = /database at 127\.0\.1\.11: too many concurrent calls/;
    await eventually(5, () => expect(stack.kamailio.log()).toMatch(full));
    await runSql(stack.url, `DROP VIEW ${stack.schema}.registering_agents`);
    const phone = await phoneAt('127.0.1.9');
    for (let turn = 0; turn < 2; turn++)
      expect(await phone.registers('anna', 'one.test')).toMatch(/^SIP\/2\.0 503 Service Unavailable/);
    const logged = /ERROR: .*<script>: the database does not execute a statement/g;
    await eventually(5, () => expect(stack.kamailio.log().match(logged) ?? []).toHaveLength(1));
  });
});
