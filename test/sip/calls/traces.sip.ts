import { databases } from '../../support/databases/databases';
import { eventually } from '../../support/eventually';
import { createAgent } from '../../support/factories';
import { runSql } from '../../support/databases/sql';
import { id, Phone } from '../phone';
import { startStack, type Stack } from '../stack';
import { freePort } from '../support';

interface Message {
  readonly from: string;
  readonly to: string;
  readonly firstLine: string;
  readonly headers: readonly string[];
}

const servers = databases.filter(({ name }) => name === 'MariaDB');

describe.each(servers)('Traces of Kamailio, on $name', (database) => {
  let stack: Stack;

  beforeAll(async () => {
    const hep = `127.0.0.1:${String(await freePort())}`;
    const TRACE_URL = 'https://homer.test/{callId}';
    stack = await startStack(database, { config: ['--hep', hep], env: { HEP_LISTEN: hep, TRACE_URL } });
    for (const username of ['traced', 'away'])
      await createAgent(stack.app, { username, secret: 's', domains: ['one.test'] });
  });

  afterAll(() => stack.close());

  test('a call has the messages that Kamailio received and sent, in order, without the digest', async () => {
    const phone = await Phone.open(stack.sip);
    const callId = id();
    const headers = [`Contact: <${phone.contact('traced')}>`];
    const [from, to] = ['traced@one.test', 'away@one.test'];
    await phone.registers('traced', 'one.test');
    const response = await phone.proves(
      { method: 'INVITE', uri: `sip:${to}`, from, to, callId, fromTag: 'f', headers },
      { username: 'traced', secret: 's' },
    );
    expect(response).toMatch(/^SIP\/2\.0 480 /);
    await eventually(30, async () => {
      const { data } = await stack.app.graphql<{
        calls: { nodes: { traceUrl: string; messages: readonly Message[] }[] };
      }>(
        'query ($id: String!) { calls(where: { callId: $id }) { nodes { traceUrl messages { from to firstLine headers } } } }',
        { id: callId },
      );
      const [call] = data.calls.nodes;
      expect(call?.traceUrl).toBe(`https://homer.test/${encodeURIComponent(callId)}`);
      const messages = call?.messages ?? [];
      const lines = messages.map(({ firstLine }) => firstLine.replace(/^(SIP\/2\.0 )?(\w+).*/, '$2'));
      expect(lines.filter((line) => line !== '100')).toEqual(['INVITE', '407', 'ACK', 'INVITE', '480']);
      const own = `127.0.0.1:${String(phone.port)}`;
      expect([messages[0]?.from, messages[0]?.to]).toEqual([own, stack.sip]);
      expect([messages.at(-1)?.from, messages.at(-1)?.to]).toEqual([stack.sip, own]);
      expect(messages.flatMap((each) => each.headers)).toContain('Proxy-Authorization: …');
    });
    const stored = JSON.stringify(await runSql(stack.url, 'SELECT * FROM call_messages'));
    expect(stored).not.toMatch(/response=|nonce=|REGISTER/);
    phone.close();
  });

  test.each([
    ['homer.example:9060', /^hep: "homer\.example:9060" does not begin with an IP address: give ADDRESS:PORT$/],
    ['127.0.0.1', /^hep: "127\.0\.0\.1" is not host:port$/],
  ])('no configuration is printed for --hep %s', async (address, message) => {
    const printed = stack.run('kamailio', 'config', '--password', 'p', '--hep', address);
    await expect(printed).rejects.toThrow(message);
  });
});
