import { once } from 'node:events';
import { copyFileSync, readFileSync } from 'node:fs';
import { connect } from 'node:tls';

import { databases } from '../../support/databases/databases';
import { eventually } from '../../support/eventually';
import { runSql } from '../../support/databases/sql';
import { answeredCall, type AnsweredCall } from '../call';
import { Certificates, type Certified } from '../certificates';
import { Phone } from '../phone';
import { startStack, type Stack } from '../stack';
import { freePort } from '../support';
import { createTrunk } from './trunk';

const [database] = databases.filter(({ name }) => name === 'MariaDB');
if (!database) throw new Error('MariaDB has to run');

const CREDENTIALS = { username: 'anna', secret: 's' };

/** Both sides of a call. */
interface Party {
  readonly call: AnsweredCall;
  readonly caller: Phone;
  readonly callee: Phone;
}

describe('100 calls in progress', () => {
  const certificates = new Certificates();
  let stack: Stack;
  let tls: string;
  let own: Certified;
  let anna: Phone;
  let secure: Phone;
  let bert: Phone;
  let provider: Phone;

  beforeAll(async () => {
    own = certificates.sign('own', 'IP:127.0.0.1');
    tls = `127.0.0.1:${String(await freePort())}`;
    const files = ['--tls-cert', own.cert, '--tls-key', own.key, '--tls-ca', certificates.authority()];
    const unlimited = ['agent-calls', 'gateway-calls', 'flood'].flatMap((name) => [`--${name}`, '0']);
    stack = await startStack(database, { config: ['--tls', tls, ...files, ...unlimited], memory: 128 });
    [anna, bert] = [await Phone.open(stack.sip), await Phone.open(stack.sip)];
    provider = await Phone.open(stack.sip, '127.0.81.5');
    secure = await connected(await freePort());
    await createTrunk(stack.app, {
      gateway: { name: 'trunk', host: '127.0.81.5', port: provider.port },
      aorLink: 'sip:bert@one.test',
      agents: [
        ['anna', 'out.test'],
        ['bert', 'one.test'],
      ],
    });
    expect(await bert.registers('bert', 'one.test')).toMatch(/^SIP\/2\.0 200/);
  });

  afterAll(async () => {
    for (const phone of [anna, secure, bert, provider]) phone.close();
    await stack.close();
    certificates.remove();
  });

  function connected(localPort: number): Promise<Phone> {
    const at = { localAddress: '127.0.0.1', localPort };
    return Phone.openTls(tls, { ca: readFileSync(certificates.authority()), ...at });
  }

  /** The serial number of the certificate that Kamailio shows. */
  async function serial(): Promise<string> {
    const [host = '', port = ''] = tls.split(':');
    const socket = connect({ host, port: Number(port), ca: readFileSync(certificates.authority()) });
    await once(socket, 'secureConnect');
    const { serialNumber } = socket.getPeerCertificate();
    socket.destroy();
    return serialNumber;
  }

  /** 25 calls each between phones, from a phone with TLS, through the gateway, and from its provider. */
  async function calls(): Promise<Party[]> {
    const ways = [
      { caller: anna, callee: bert, to: 'bert@one.test' },
      { caller: secure, callee: bert, to: 'bert@one.test' },
      { caller: anna, callee: provider, to: '+49123456@out.test' },
      { caller: provider, callee: bert, to: `+4930100@${stack.sip}` },
    ];
    const made: Party[] = [];
    for (let count = 0; count < 25; count++) {
      for (const { caller, callee, to } of ways) {
        const from =
          caller === provider
            ? { phone: caller, from: '+33142@provider.test' }
            : { phone: caller, from: 'anna@out.test', credentials: CREDENTIALS };
        made.push({ call: await answeredCall(from, callee, to), caller, callee });
      }
    }
    return made;
  }

  /** How many calls have a record with this state, and how many records there are. */
  async function records(state: number): Promise<readonly unknown[] | undefined> {
    const [row] = await runSql(
      stack.url,
      `SELECT CAST(SUM(state = ${String(state)}) AS SIGNED), COUNT(DISTINCT call_id), COUNT(*) FROM calls`,
    );
    return row?.map(Number);
  }

  test('go on while certificates and configuration are replaced, are ended by either side, and have one record each', async () => {
    const made = await calls();
    await eventually(15, async () => expect(await records(3)).toEqual([100, 100, 100]));

    const former = await serial();
    copyFileSync(certificates.sign('next', 'IP:127.0.0.1').cert, own.cert);
    copyFileSync(certificates.at('next.key'), own.key);
    await stack.reload();
    expect(await serial()).not.toBe(former);
    await stack.configure('--workers', '3', '--user-requests', '100');
    await stack.stopKamailio();
    await stack.startKamailio();
    const { port } = secure;
    secure.close();
    secure = await connected(port);

    await eventually(15, () => expect(stack.kamailio.control('dlg.stats_active')).toMatch(/all: 100/));
    const refused: string[] = [];
    for (const [index, { call, ...phones }] of made.entries()) {
      const caller = phones.caller.port === port ? secure : phones.caller;
      const { callee } = phones;
      const [asking, ending, other] =
        index % 8 < 4 ? [call.fromCaller, caller, callee] : [call.fromCallee, callee, caller];
      const answer = ending.asks({ ...asking, method: 'BYE', cseq: 5 });
      const bye = await other.hears(/^BYE /, 4);
      if (bye !== undefined) other.answers(bye, '200 OK', 't');
      const status = (await answer)?.split('\r\n', 1)[0] ?? 'nothing';
      if (bye === undefined || !status.startsWith('SIP/2.0 200')) refused.push(`${String(index)}: ${status}`);
    }
    expect(refused).toEqual([]);
    await eventually(15, async () => expect(await records(6)).toEqual([100, 100, 100]));
  }, 180_000);
});
