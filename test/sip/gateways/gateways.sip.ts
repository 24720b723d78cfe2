import { createSocket } from 'node:dgram';
import { once } from 'node:events';

import { databases } from '../../support/databases/databases';
import { eventually } from '../../support/eventually';
import { createAgent, createDid, createGateway, createPeer } from '../../support/factories';
import { runSql } from '../../support/databases/sql';
import { answeredCall } from '../call';
import { Phone, type Credentials } from '../phone';
import { startStack, type Stack } from '../stack';
import { fixture, freePort, sipp, startKamailio, type Kamailio } from '../support';

const [database] = databases.filter(({ name }) => name === 'MariaDB');
if (!database) throw new Error('MariaDB has to run');

interface Calling {
  readonly from?: string;
  readonly to?: string;
  readonly credentials?: Credentials;
  readonly times?: number;
}

interface Listed {
  readonly gateway: { readonly ref: string } | null;
  readonly ip: string;
  readonly digits: string | null;
  readonly calls: number;
}

describe('Gateways at their provider', () => {
  let stack: Stack;
  let provider: Kamailio;
  let configuration: string;
  let port: number;

  beforeAll(async () => {
    stack = await startStack(database);
    port = await freePort();
    configuration = await fixture('provider.cfg');
    provider = await startKamailio(configuration, `127.0.0.1:${String(port)}`);
  });

  afterAll(async () => {
    await stack.close();
    await provider.stop();
  });

  const gateway = (username: string, secret: string, input: object = {}): Promise<string> =>
    createGateway(stack.app, { host: '127.0.0.1', port, transport: 'UDP', username, secret, ...input });
  const registration = async (ref: string): Promise<unknown> => {
    const fields = 'state ip port transport expires registeredOn expiresOn lastResponse nextAttemptAt';
    const { data } = await stack.app.graphql<{ gateway: { registration: unknown } }>(
      `{ gateway(ref: "${ref}") { registration { ${fields} } } }`,
    );
    return data.gateway.registration;
  };
  const registered = async (): Promise<readonly string[]> => {
    const { body } = await stack.app.rest<{ gwRef: string }[]>('GET', '/registry');
    return body.data.map(({ gwRef }) => gwRef);
  };
  const time = expect.stringMatching(/^20.*Z$/) as string;
  const granted = {
    state: 'REGISTERED',
    ip: '127.0.0.1',
    expires: 20,
    registeredOn: time,
    expiresOn: time,
    lastResponse: '200 OK',
    nextAttemptAt: null,
  };

  test('a new gateway registers within 5 s, and is shown with what the provider granted', async () => {
    const ref = await gateway('trunk', 'trunk-secret', { expires: 120 });
    await eventually(5, async () => expect(await registration(ref)).toEqual({ ...granted, port, transport: 'udp' }));
    const { body } = await stack.app.rest('GET', '/registry');
    expect(body.data).toEqual([
      {
        username: 'trunk',
        host: '127.0.0.1',
        ip: '127.0.0.1',
        expires: 20,
        gwRef: ref,
        registeredOn: expect.any(Number) as number,
        regOnFormatted: 'a few seconds ago',
        gwURI: `sip:trunk@127.0.0.1:${String(port)}`,
      },
    ]);

    const phone = await freePort();
    await createAgent(stack.app, { username: 'emil', secret: 's', domains: ['one.test'] });
    const contact = `sip:emil@127.0.0.1:${String(phone)}`;
    expect(await stack.register('emil', 'one.test', 's', { contact, port: phone })).toBe(true);
    await createDid(stack.app, { gatewayRef: ref, telUrl: 'tel:+1-706-604-1487', aorLink: 'sip:emil@one.test' });
    // The provider calls the contact that Kamailio registered with it.
    const keys = { to: '+17066041487', target: `sip:${ref}@${stack.sip}` };
    const [answered, called] = await Promise.all([
      sipp('answer', stack.sip, { port: phone }),
      new Promise((resolve) => setTimeout(resolve, 500)).then(() => sipp('call', stack.sip, { keys })),
    ]);
    expect([answered, called]).toEqual([true, true]);
    expect(await sipp('call', stack.sip, { keys, from: '127.0.0.2' })).toBe(false);
    expect(await sipp('call', stack.sip, { keys: { ...keys, to: '+17066041488' } })).toBe(false);
  });

  test('one is called from its host and its sources, which change with the next call, and from nowhere else', async () => {
    const sources = ['127.0.8.0/29', '127.0.8.77', '2001:db8::/32'];
    const ref = await createGateway(stack.app, { host: '127.0.8.30', transport: 'UDP', sources });
    await createAgent(stack.app, { username: 'sara', secret: 's', domains: ['one.test'] });
    await createDid(stack.app, { gatewayRef: ref, telUrl: 'tel:+4930777', aorLink: 'sip:sara@one.test' });
    const opened: Phone[] = [];
    const at = async (host: string): Promise<Phone> => {
      const phone = await Phone.open(stack.sip, host);
      opened.push(phone);
      return phone;
    };
    const sara = await at('127.0.9.8');
    await eventually(8, async () => expect(await sara.registers('sara', 'one.test')).toMatch(/^SIP\/2\.0 200/));
    const called = `+4930777@${stack.sip}`;
    const asks = async (host: string): Promise<string | undefined> => {
      const phone = await at(host);
      const headers = [`Contact: <${phone.contact('x')}>`];
      return phone.asks({ method: 'INVITE', uri: `sip:${called}`, from: `x@${host}`, headers });
    };
    try {
      const caller = await at('127.0.8.7');
      const { fromCaller } = await answeredCall({ phone: caller, from: 'x@127.0.8.7' }, sara, called);
      // Another region of the provider goes on with the call.
      const other = await at('127.0.8.77');
      let cseq = 10;
      await eventually(8, async () => {
        other.says({ ...fromCaller, method: 'INFO', cseq: cseq++ });
        expect(await sara.hears(/^INFO/, 1)).toBeDefined();
      });
      for (const host of ['127.0.8.8', '127.0.8.76', '127.0.7.1']) {
        expect(await asks(host)).toMatch(/^SIP\/2\.0 407/);
        const stranger = await at(host);
        expect(await stranger.asks({ ...fromCaller, method: 'INFO', cseq: cseq++ })).toMatch(/^SIP\/2\.0 481/);
      }
      const set = (list: string): Promise<unknown> =>
        stack.app.graphql(`mutation { updateGateway(ref: "${ref}", input: { sources: ${list} }) { ref } }`);
      await set('null');
      await eventually(12, async () =>
        expect(await (await at('127.0.8.77')).asks({ ...fromCaller, method: 'INFO', cseq: cseq++ })).toMatch(
          /^SIP\/2\.0 481/,
        ),
      );
      await set(JSON.stringify(sources));
      await eventually(12, async () => {
        other.says({ ...fromCaller, method: 'BYE', cseq: cseq++ });
        expect(await sara.hears(/^BYE/, 1)).toBeDefined();
      });
      await answeredCall({ phone: await at('127.0.8.30'), from: 'x@127.0.8.30' }, sara, called);
      await set('["127.0.8.8"]');
      await answeredCall({ phone: await at('127.0.8.8'), from: 'x@127.0.8.8' }, sara, called);
      expect(await asks('127.0.8.7')).toMatch(/^SIP\/2\.0 407/);
      // The operator sees from where calls were refused.
      const refused = (ip: string) => ({ gateway: { ref }, ip, digits: '4930777', calls: 1 });
      await eventually(10, async () => {
        const { data } = await stack.app.graphql<{ refusedCallers: readonly { ip: string }[] }>(
          `{ refusedCallers(gatewayRef: "${ref}") { gateway { ref } ip digits calls } }`,
        );
        expect([...data.refusedCallers].sort((one, other) => one.ip.localeCompare(other.ip))).toEqual([
          refused('127.0.7.1'),
          refused('127.0.8.7'),
          refused('127.0.8.76'),
        ]);
      });
    } finally {
      for (const phone of opened) phone.close();
    }
  });

  test("calls from nobody's address are listed, whatever they call, and those of users, gateways and peers are not", async () => {
    await createGateway(stack.app, { host: '127.0.31.9', transport: 'UDP', sources: ['127.0.31.16/30'] });
    await createPeer(stack.app, { username: 'refusing', secret: 's', sources: ['127.0.31.32'] });
    await createAgent(stack.app, { username: 'rita', secret: 's', domains: ['one.test'] });
    // Kamailio reads networks every 3 s.
    await new Promise((resolve) => setTimeout(resolve, 4000));
    const calls = async (
      host: string,
      { from = `x@${host}`, to = '+4999999', credentials, times = 1 }: Calling = {},
    ): Promise<string | undefined> => {
      const phone = await Phone.open(stack.sip, host);
      try {
        let answer: string | undefined;
        for (let call = 0; call < times; call++) {
          const headers = [`Contact: <${phone.contact('x')}>`];
          const asking = { method: 'INVITE', uri: `sip:${to}@${stack.sip}`, from, headers };
          answer = await (credentials ? phone.proves(asking, credentials) : phone.asks(asking));
        }
        return answer;
      } finally {
        phone.close();
      }
    };
    for (const [host, calling] of [
      ['127.0.31.1', { times: 3 }],
      ['127.0.31.2', { to: 'admin' }],
      ['127.0.31.3', { from: 'rita@one.test', credentials: { username: 'rita', secret: 'wrong' } }],
      // Not listed.
      ['127.0.31.9', {}],
      ['127.0.31.17', {}],
      ['127.0.31.4', { from: 'rita@one.test' }],
    ] as const)
      expect([host, await calls(host, calling)]).toEqual([host, expect.stringMatching(/^SIP\/2\.0 407/)]);
    expect(await calls('127.0.31.32')).not.toMatch(/^SIP\/2\.0 407/);
    const phone = await Phone.open(stack.sip, '127.0.31.5');
    expect(await phone.registers('rita', 'one.test')).toMatch(/^SIP\/2\.0 200/);
    phone.close();
    expect(await calls('127.0.31.5')).toMatch(/^SIP\/2\.0 407/);
    const listed = async (): Promise<readonly (readonly unknown[])[]> => {
      const query = '{ refusedSources { gateway { ref } ip digits calls } }';
      const { data } = await stack.app.graphql<{ refusedSources: readonly Listed[] }>(query);
      return data.refusedSources
        .filter(({ ip }) => ip.startsWith('127.0.31.'))
        .map(({ ip, calls: many, digits, gateway: of }) => [ip, many, digits, of])
        .toSorted();
    };
    const expected = [
      ['127.0.31.1', 3, null, null],
      ['127.0.31.2', 1, null, null],
      ['127.0.31.3', 1, null, null],
    ];
    await eventually(10, async () => expect(await listed()).toEqual(expected));
    // A provider often writes a number in another way than the operator did, who cannot see it elsewhere.
    const logged = stack.kamailio
      .log()
      .match(/INVITE from (\S+), an address of a gateway, to .* is for no number here/g);
    expect(logged).toEqual(
      ['127.0.31.9', '127.0.31.17'].map(
        (host) =>
          `INVITE from ${host}, an address of a gateway, to sip:+4999999@${stack.sip} (sip:x@${host} in To) is for no number here`,
      ),
    );

    // Neither the table nor the database can be flooded: at most ten addresses are queued in a second.
    const flood = Array.from({ length: 200 }, (_, index) => `127.0.32.${String(index + 1)}`);
    const started = Date.now();
    await Promise.all(flood.map((host) => calls(host)));
    const seconds = (Date.now() - started) / 1000;
    await eventually(10, async () =>
      expect(
        (await runSql(stack.url, "SELECT 1 FROM refused_callers WHERE ip LIKE '127.0.32.%'")).length,
      ).toBeGreaterThan(9),
    );
    await new Promise((resolve) => setTimeout(resolve, 4000));
    const stored = await runSql(stack.url, "SELECT place FROM refused_callers WHERE ip LIKE '127.0.32.%'");
    expect(stored.length).toBeLessThanOrEqual(10 * Math.ceil(seconds + 1));
    expect(stored.every(([place]) => Number(place) >= 1024 && Number(place) < 2048)).toBe(true);
  }, 90_000);

  test('one over TCP registers, too', async () => {
    const ref = await gateway('trunk2', 'trunk-secret', { transport: 'TCP' });
    await eventually(5, async () => expect(await registration(ref)).toEqual({ ...granted, port, transport: 'tcp' }));
  });

  test('one that its provider refuses has no row in /registry, and the graph says why', async () => {
    const ref = await gateway('other', 'wrong');
    await eventually(8, async () =>
      expect(await registration(ref)).toMatchObject({
        state: 'REFUSED',
        registeredOn: null,
        expiresOn: null,
        lastResponse: expect.stringMatching(/^40[13] /) as string,
        nextAttemptAt: time,
      }),
    );
    expect(await registered()).not.toContain(ref);
  });

  test('one whose secret is put right registers', async () => {
    const ref = await gateway('righted', 'wrong');
    await eventually(8, async () => expect(await registration(ref)).toMatchObject({ state: 'REFUSED' }));
    const secret = { kind: 'Gateway', spec: { credentials: { secret: 'trunk-secret' } } };
    await stack.app.rest('PUT', `/gateways/${ref}`, { body: secret });
    await eventually(8, async () => expect(await registration(ref)).toMatchObject(granted));
    expect(await registered()).toContain(ref);
  });

  test('one that moves to another provider is not registered at the old one any more', async () => {
    const ref = await gateway('moving', 'trunk-secret');
    await eventually(5, async () => expect(await registered()).toContain(ref));
    await stack.app.graphql(`mutation { updateGateway(ref: "${ref}", input: { host: "127.0.0.3" }) { ref } }`);
    await eventually(5, async () => expect(await registered()).not.toContain(ref));
  });

  test('one over a transport that Kamailio does not speak here is left alone', async () => {
    const ref = await gateway('secure', 'trunk-secret', { transport: 'WSS' });
    await new Promise((resolve) => setTimeout(resolve, 5000));
    expect(await registration(ref)).toBeNull();
  });

  test('one that is deleted unregisters, and is gone', async () => {
    const ref = await gateway('short', 'trunk-secret');
    await eventually(5, async () => expect(await registered()).toContain(ref));
    await stack.app.rest('DELETE', `/gateways/${ref}`);
    expect(await registered()).not.toContain(ref);
    await eventually(10, () => {
      expect(stack.kamailio.log()).toContain(`gateway ${ref} removed`);
      expect(provider.log()).toContain('unregistered short');
    });
  });

  test('one that is draining stays registered, and one that is disabled unregisters', async () => {
    const ref = await gateway('drained', 'trunk-secret');
    const update = (input: string): Promise<unknown> =>
      stack.app.graphql(`mutation { updateGateway(ref: "${ref}", input: ${input}) { ref } }`);
    const since = async (): Promise<string> => ((await registration(ref)) as { registeredOn: string }).registeredOn;
    await eventually(5, async () => expect(await registered()).toContain(ref));
    await update('{ draining: true }');
    const first = await since();
    // The provider grants 20 s.
    await eventually(30, async () => expect((await since()) > first).toBe(true));
    await eventually(30, async () => expect(await registered()).toContain(ref));
    await update('{ enabled: false }');
    await eventually(10, async () => expect(await registered()).not.toContain(ref));
  }, 90_000);

  test('one whose provider does not answer, or has no address, says so, and holds what was granted', async () => {
    const [ref, dead, nowhere] = await Promise.all([
      gateway('lasting', 'trunk-secret'),
      gateway('dead', 'x', { port: await freePort() }),
      gateway('nowhere', 'x', { host: 'nowhere.invalid', port: null }),
    ]);
    await eventually(5, async () => expect(await registration(ref)).toMatchObject(granted));
    await provider.stop();
    expect(await registration(ref)).toMatchObject(granted);
    const unreachable = { state: 'UNREACHABLE', lastResponse: '408 Request Timeout', nextAttemptAt: time, expires: 0 };
    await eventually(45, async () => {
      expect(await registration(dead)).toMatchObject(unreachable);
      expect(await registration(nowhere)).toMatchObject(unreachable);
    });
    await eventually(60, async () => {
      expect(await registration(ref)).toMatchObject({ ...unreachable, expires: 20 });
      expect(await registered()).toEqual([]);
    });
    provider = await startKamailio(configuration, `127.0.0.1:${String(port)}`);
    await eventually(45, async () => expect(await registration(ref)).toMatchObject(granted));
  }, 180_000);

  test.each([';Expires=60', ' ; expires = 60'])('a provider may write its answer as <contact>%s', async (granted) => {
    const socket = createSocket('udp4').bind(0, '127.0.0.1');
    await once(socket, 'listening');
    socket.on('message', (data, { port: from }) => {
      const lines = data.toString().split('\r\n');
      const contact = lines.find((line) => line.startsWith('Contact:'))?.replace(/>.*/, `>${granted}`) ?? '';
      const same = lines.filter((line) => /^(Via|From|Call-ID|CSeq):/.test(line));
      const to = lines.find((line) => line.startsWith('To:')) ?? '';
      socket.send(['SIP/2.0 200 OK', ...same, `${to};tag=t`, contact, 'Content-Length: 0', '', ''].join('\r\n'), from);
    });
    const ref = await gateway('any', 'any', { host: 'localhost', port: socket.address().port });
    const state = { state: 'REGISTERED', expires: 60 };
    await eventually(8, async () => expect(await registration(ref)).toMatchObject(state));
    await stack.app.rest('DELETE', `/gateways/${ref}`);
    await new Promise((resolve) => socket.close(() => resolve(undefined)));
  });
});
