import { setTimeout as delay } from 'node:timers/promises';

import { databases } from '../../support/databases/databases';
import { eventually } from '../../support/eventually';
import { createAgent, createDomain, createGateway, createNumber, createRoute } from '../../support/factories';
import { runSql } from '../../support/databases/sql';
import { answeredCall } from '../call';
import { openPhones } from '../phones/open-phones';
import { digest, headersOf, id } from '../phone';
import { startStack, type Stack } from '../stack';

const [database] = databases.filter(({ name }) => name === 'MariaDB');

const HERE = 'memory.test';
const FLOODERS = ['finn', 'fred', 'fay'];
const SECRET = 's';

describe('The memory of the SIP server', () => {
  let stack: Stack;
  const open = openPhones(() => stack);

  /** Users with ten silent phones each; anna calls +1 through a gateway, with a limit of minutes. Returns the provider's address. */
  async function start(requests: string): Promise<readonly [string, number]> {
    if (!database) throw new Error('MariaDB has to run');
    stack = await startStack(database, { memory: 96, config: ['--user-requests', requests] });
    const [host, port] = ['127.0.48.1', 5070];
    const gatewayRef = await createGateway(stack.app, { host, port });
    const numberRef = await createNumber(stack.app, {
      gatewayRef,
      telUrl: 'tel:+4989100',
      aorLink: `sip:anna@${HERE}`,
    });
    const domainRef = await createDomain(stack.app, { domainUri: HERE });
    const limited = { dailyMinutes: ['+1=1000'] };
    for (const username of ['anna', ...FLOODERS])
      await createAgent(stack.app, { username, secret: SECRET, domains: [HERE], ...(username === 'anna' && limited) });
    await createRoute(stack.app, { domainRef, prefix: '+1', numberRefs: [numberRef] });
    await delay(6000);
    for (const [index, user] of FLOODERS.entries())
      for (let device = 1; device <= 10; device++)
        expect(await (await open(`127.0.${String(49 + index)}.${String(device)}`)).registers(user, HERE)).toMatch(
          /^SIP\/2\.0 200/,
        );
    return [host, port];
  }

  const freeBytes = (): number => Number(/free: (\d+)/.exec(stack.kamailio.control('core.shmmem'))?.[1]);

  /** Each flooder sends 50 large messages a second to its own phones, which are silent, until the returned function is called. */
  async function flood(): Promise<() => void> {
    const body = 'x'.repeat(15_000);
    const senders = await Promise.all(
      FLOODERS.map(async (user, index) => {
        const phone = await open(`127.0.48.${String(10 + index)}`);
        const asking = { method: 'MESSAGE', uri: `sip:${user}@${HERE}`, from: `${user}@${HERE}` };
        phone.handle((message) => {
          if (!message.startsWith('SIP/2.0 407')) return;
          const proof = digest(message, asking.method, asking.uri, { username: user, secret: SECRET });
          const callId = headersOf(message, 'Call-ID')[0]?.slice(9) ?? '';
          phone.says({ ...asking, callId, cseq: 2, headers: ['Content-Type: text/plain', proof], body });
        });
        return () => phone.says({ ...asking, callId: id() });
      }),
    );
    const sending = setInterval(() => {
      for (const send of senders) for (let each = 0; each < 5; each++) send();
    }, 100);
    return () => {
      clearInterval(sending);
    };
  }

  afterEach(() => stack.close());

  test('is not taken by a few users who send large messages to many phones', async () => {
    await start('50');
    const before = freeBytes();
    const stop = await flood();
    try {
      await delay(12_000);
      expect(before - freeBytes()).toBeLessThan(40_000_000);
      for (const user of FLOODERS)
        expect(stack.kamailio.log()).toMatch(
          new RegExp(`agent:.* at 127.0.48.1${String(FLOODERS.indexOf(user))}: too many requests`),
        );
    } finally {
      stop();
    }
  });

  test('begins no call that would not be counted when it is short, and calls go on afterwards', async () => {
    const [host, port] = await start('0');
    const provider = await open(host, port);
    const anna = await open('127.0.48.2');
    const caller = { phone: anna, from: `anna@${HERE}`, credentials: { username: 'anna', secret: SECRET } };
    let answered = 0;
    const refusals: string[] = [];
    const call = async (): Promise<void> => {
      provider.forget();
      anna.forget();
      try {
        await answeredCall(caller, provider, `+1900555@${HERE}`);
        answered++;
      } catch (error) {
        refusals.push(String(error).split('\r\n', 1)[0] ?? '');
      }
    };
    const stop = await flood();
    await eventually(60, () => {
      expect(stack.kamailio.log()).toContain('memory is short');
      return Promise.resolve();
    });
    for (const end = Date.now() + 8000; Date.now() < end;) {
      await call();
      await delay(200);
    }
    stop();
    expect(refusals).toContain('Error: no INVITE: SIP/2.0 503 Memory Is Short');
    await eventually(40, () => {
      expect(stack.kamailio.log()).toContain('there is enough memory again');
      return Promise.resolve();
    });
    await call();
    expect(answered).toBeGreaterThan(0);
    const counted = await runSql(
      stack.url,
      `SELECT COUNT(*) FROM ${stack.schema}.dialog c JOIN ${stack.schema}.dialog_vars v USING (hash_entry, hash_id) WHERE c.state = 4 AND v.dialog_key = 'spends'`,
    );
    // All but the calls whose answer was lost in the flood.
    expect(Number(counted[0]?.[0])).toBeGreaterThanOrEqual(answered);
    const uncounted = await runSql(
      stack.url,
      `SELECT COUNT(*) FROM ${stack.schema}.dialog c WHERE c.state IN (3, 4) AND NOT EXISTS (SELECT 1 FROM ${stack.schema}.dialog_vars v
       WHERE v.hash_entry = c.hash_entry AND v.hash_id = c.hash_id AND v.dialog_key = 'spends')`,
    );
    expect(uncounted).toEqual([[0]]);
  });
});
