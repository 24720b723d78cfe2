import { eventually } from '../support/eventually';
import { createAgent, createDid, createDomain, createGateway, createPeer } from '../support/factories';
import { runSql } from '../support/sql';
import { answeredCall } from './call';
import { openPhones } from './open-phones';
import { ownMariaDb, type OwnServer } from '../support/own-server';
import { startStack, type Stack } from './stack';

describe('The statements that Kamailio sends for a request', () => {
  let mariaDb: OwnServer;
  let stack: Stack;
  const phoneAt = openPhones(() => stack);

  beforeAll(async () => {
    mariaDb = await ownMariaDb('--general-log', '--log-output=TABLE');
    stack = await startStack(mariaDb, { config: ['--health-interval', '5'] });
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
          !/kam_rev|gw_rev|(gateway|destination)_(hosts|sources|checks|health)|FROM sources|health_lease|ended_calls|call_nodes|registration_(nodes|events)|INTO calls|FROM calls|FROM dialog|uacreg|expires</.test(
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
    expect(await statementsOf(registers)).toEqual(['select agent_credentials', 'insert location']);
    expect(await statementsOf(registers)).toEqual(['select agent_credentials', 'update location']);
  });

  test('a REGISTER at a domain with an access control list asks for it once', async () => {
    const phone = await phoneAt('127.0.1.3');
    expect(await statementsOf(() => phone.registers('anna', 'listed.test'))).toEqual([
      'select acl',
      'select agent_credentials',
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
    const unknown = ['select agent_credentials', 'select peer_credentials'];
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
      ...['select did_route', 'select did_route', 'select agent_credentials'],
      // The number may be a user's.
      ...['select agent', 'select peer', 'select number', 'select agent'],
    ]);
    // A warning for each column of a statement would cost more than the statement.
    expect(stack.kamailio.log()).not.toContain('unhandled data type');
  });
});
