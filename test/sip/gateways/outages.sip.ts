import { eventually } from '../../support/eventually';
import { createAgent } from '../../support/factories';
import { runSql } from '../../support/databases/sql';
import { ownMariaDb, type OwnServer } from '../../support/databases/own-server';
import { Phone, headersOf } from '../phone';
import { startStack, type Stack } from '../stack';
import { freePort, sipp } from '../support';

const CONTACTS = 50_000;

describe('When a part is away', () => {
  let mariaDb: OwnServer;
  let stack: Stack;

  beforeAll(async () => {
    mariaDb = await ownMariaDb();
    stack = await startStack(mariaDb, { memory: 256 });
    await createAgent(stack.app, { username: 'karl', secret: 's', domains: ['one.test'] });
    expect(await karlRegisters()).toBe(true);
  });

  afterAll(async () => {
    await stack.close();
    await mariaDb.remove();
  });

  const karlRegisters = (): Promise<boolean> => stack.register('karl', 'one.test', 's');
  const server = async (): Promise<unknown> =>
    (await stack.app.graphql('{ sipServer { reachable version uptime } }')).data;
  const metric = async (): Promise<string | undefined> => {
    const headers = { authorization: `Bearer ${await stack.app.token()}` };
    const text = await (await fetch(`${stack.app.url}/metrics`, { headers })).text();
    return /^sipgraph_sip_server_up (\d)$/m.exec(text)?.[1];
  };
  const readiness = async (): Promise<unknown> => (await fetch(`${stack.app.url}/readyz`)).json();
  const up = {
    sipServer: {
      reachable: true,
      version: expect.stringContaining('kamailio') as string,
      uptime: expect.any(Number) as number,
    },
  };
  const down = { sipServer: { reachable: false, version: null, uptime: null } };

  test('Kamailio is told of, and asked with its token alone, for what is needed alone', async () => {
    expect(await server()).toEqual(up);
    expect(await readiness()).toMatchObject({ ready: true, sipServer: 'up' });
    expect(await metric()).toBe('1');
    expect((await stack.rpc('core.version', [], 'another')).status).toBe(403);
    expect((await stack.rpc('uac.reg_dump')).status).toBe(403);
    expect((await stack.rpc('core.kill')).status).toBe(403);
    // Not even together with a permitted method.
    const beside = { x: { method: 'core.version' } };
    expect((await stack.rpc('uac.reg_dump', [], undefined, beside)).status).toBe(403);
  });

  test('Kamailio away: the API answers as before, and it finds its bindings when it is back', async () => {
    const before = await stack.addresses();
    await stack.stopKamailio();
    expect(await server()).toEqual(down);
    // Probes within a second share one check.
    await eventually(3, async () => expect(await readiness()).toMatchObject({ ready: true, sipServer: 'down' }));
    // So do readers of metrics.
    await eventually(3, async () => expect(await metric()).toBe('0'));
    expect(await stack.addresses()).toEqual(before);
    await stack.startKamailio();
    expect(await stack.isBound('karl@one.test')).toBe(true);
    expect(await server()).toEqual(up);
  });

  test('Kamailio frozen: the same, and what it would have to do is refused', async () => {
    const before = await stack.addresses();
    stack.kamailio.freeze();
    try {
      expect(await server()).toEqual(down);
      // Probes within a second share one check.
      await eventually(3, async () => expect(await readiness()).toMatchObject({ ready: true, sipServer: 'down' }));
      expect((await stack.app.rest('DELETE', '/location/sip:karl@one.test')).status).toBe(503);
      expect(await stack.addresses()).toEqual(before);
    } finally {
      stack.kamailio.goOn();
    }
    // Kamailio handles the requests of the outage now: a device registers again.
    await eventually(5, async () => expect(await server()).toEqual(up));
    expect(await karlRegisters()).toBe(true);
    expect(await stack.isBound('karl@one.test')).toBe(true);
  });

  test('the database away: Kamailio keeps its bindings, and goes on by itself when it is back', async () => {
    await mariaDb.kill();
    expect((await stack.app.rest('GET', '/location')).status).toBe(503);
    expect(await stack.isBound('karl@one.test')).toBe(true);
    expect(await karlRegisters()).toBe(false);
    // The log says why.
    await eventually(15, () =>
      expect(stack.kamailio.log()).toMatch(
        /ERROR: db_mysql [^\n]*\n(?:[^\n]*\n){0,5}[^\n]*the database does not respond/,
      ),
    );
    await mariaDb.start();
    expect(await stack.isBound('karl@one.test')).toBe(true);
    await eventually(20, async () => expect(await karlRegisters()).toBe(true));
    await eventually(20, async () => expect(await stack.addresses()).toHaveLength(1));
  });

  test('the database frozen: the same', async () => {
    mariaDb.freeze();
    try {
      expect(await stack.isBound('karl@one.test')).toBe(true);
      expect(await karlRegisters()).toBe(false);
      // The outage is detected once; requests do not wait for the database.
      await eventually(15, () => expect(stack.kamailio.log()).toContain('the database does not respond'));
      const phone = await Phone.open(stack.sip);
      await eventually(15, async () => {
        const answer = await phone.asks({ method: 'REGISTER', uri: 'sip:one.test', from: 'karl@one.test' });
        expect(answer).toMatch(/^SIP\/2\.0 503/);
        expect(headersOf(answer, 'Retry-After')).toEqual(['Retry-After: 5']);
      });
      phone.close();
    } finally {
      mariaDb.goOn();
    }
    await eventually(20, async () => expect(await karlRegisters()).toBe(true));
    await eventually(20, async () => expect(await stack.addresses()).toHaveLength(1));
  });

  test('Kamailio starts on 50,000 contacts, and finds a phone among them', async () => {
    await stack.stopKamailio();
    const phone = await freePort();
    const bindings = `INSERT INTO location (ruid, username, domain, contact, expires, last_modified, callid, socket, user_agent)
      SELECT CONCAT('many-', seq), CONCAT('u', seq), 'one.test', CONCAT('sip:u', seq, '@127.0.0.1:', ${String(phone)}),
        UNIX_TIMESTAMP() + 3600, UNIX_TIMESTAMP(), CONCAT('c', seq), '', 'Phone/1.0' FROM seq_1_to_${String(CONTACTS)}`;
    await runSql(stack.url, bindings);
    await stack.startKamailio();
    for (const user of ['u1', `u${String(CONTACTS)}`]) {
      await eventually(10, async () => expect(await stack.isBound(`${user}@one.test`)).toBe(true));
    }
    const last = Math.ceil((CONTACTS + 1) / 100);
    const { body } = await stack.app.rest<unknown[]>('GET', `/location?itemsPerPage=100&page=${String(last)}`);
    expect(body.data).toHaveLength(1);
    expect(body.meta).toMatchObject({ totalItems: CONTACTS + 1, totalPages: last });

    await createAgent(stack.app, { username: 'u25000', secret: 's', domains: ['one.test'] });
    const keys = { domain: 'one.test', target: 'sip:u25000@one.test' };
    const [received, sent] = await Promise.all([
      sipp('receive', stack.sip, { port: phone }),
      new Promise((resolve) => setTimeout(resolve, 500)).then(() =>
        sipp('message', stack.sip, { user: 'karl', secret: 's', keys }),
      ),
    ]);
    expect([received, sent]).toEqual([true, true]);
  });
});
