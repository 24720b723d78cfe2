import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, createServer as createProxy, type AddressInfo } from 'node:net';

import { faults } from '../../support/browser/accessibility';
import { startApp, type TestApp } from '../../support/app';
import { DESKTOP, PHONE } from '../../support/browser/browser';
import { VIEWER, withConsole } from '../../support/browser/console';
import { eventually } from '../../support/eventually';
import { createAgent, createGateway } from '../../support/factories';
import { describeWith } from '../../support/runner/programs';
import { freePort } from '../../support/databases/servers';
import { measureGateway, registerContact, registerGateway, runSql } from '../../support/databases/sql';

const MANY = 120;

describeWith(['chromium'], 'The live pages of the console', () => {
  let port: string;
  let sipServer: Server;
  const evicted: string[] = [];

  beforeAll(async () => {
    // Accepts evictions as Kamailio's module jsonrpcs does; test/sip tests them with Kamailio.
    sipServer = createServer((request, response) => {
      let body = '';
      request.on('data', (data: Buffer) => (body += data.toString()));
      request.on('end', () => {
        const { method, params } = JSON.parse(body) as { method: string; params: string[] }; // what sipgraph sends
        if (method === 'ul.rm') evicted.push(params[1] ?? '');
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ jsonrpc: '2.0', result: {}, id: 1 }));
      });
    }).listen(0, '127.0.0.1');
    await once(sipServer, 'listening');
    port = String(await freePort());
  });

  /** Starts the application, always on the same port. */
  const startOnPort = (url: string): Promise<TestApp> => {
    const address = sipServer.address();
    const rpcPort = typeof address === 'object' && address !== null ? address.port : 0;
    return startApp({
      DATABASE_URL: url,
      PORT: port,
      SIP_RPC_URL: `http://127.0.0.1:${String(rpcPort)}/RPC`,
      SIP_RPC_TOKEN: 'token-of-the-rpc',
    });
  };

  const subject = withConsole(startOnPort);
  const { open } = subject;

  afterAll(() => {
    sipServer.close();
  });

  /** The first cells of the rows of the table with this name. */
  function rows(table: string): Promise<readonly string[]> {
    return subject.opened.page.getByRole('table', { name: table }).locator('tbody td:first-child').allInnerTexts();
  }

  test.each([
    ['a wide screen', DESKTOP, 40],
    ['a phone', PHONE, 150],
  ])('show each trunk on %s in few lines, without breaking the word of its state', async (_name, viewport, most) => {
    const host = 'a-long-name.of-a-department.of-a-provider.test';
    await runSql(subject.url, 'UPDATE gateway_registrations SET host = ? WHERE gw_ref = ?', [
      ...[host, subject.gateways['Registered'] ?? ''],
    ]);
    await open('/live', { viewport });
    const { page } = subject.opened;
    await page.getByRole('table', { name: 'Trunks' }).waitFor();
    const heights = (of: string): Promise<readonly number[]> =>
      page.evaluate(`[...document.querySelectorAll('table ${of}')].map((each) => each.getBoundingClientRect().height)`);
    await eventually(5, async () => {
      for (const height of await heights('tbody tr')) expect(height).toBeLessThanOrEqual(most);
      const states = await heights('tbody .status');
      expect(states.length).toBeGreaterThan(4);
      for (const height of states) expect(height).toBeLessThanOrEqual(22);
    });
  });

  test('show the trunks with their states and reasons, counted', async () => {
    await open('/live');
    const { page } = subject.opened;
    await page.getByRole('table', { name: 'Trunks' }).waitFor();
    expect([...(await rows('Trunks'))].sort()).toEqual(['Dead', 'Lapsed', 'Refused', 'Registered', 'Unasked']);
    await page
      .getByRole('row', { name: /Refused/ })
      .getByText('403 Forbidden')
      .waitFor();
    for (const chip of ['Registered: 1', 'Refused: 1', 'No response: 1', 'Expired: 1', 'Never tried: 1'])
      await page.getByRole('button', { name: chip }).waitFor();
    await page.getByRole('button', { name: 'Refused: 1' }).click();
    await eventually(5, async () => expect(await rows('Trunks')).toEqual(['Refused']));
    expect(new URL(page.url()).searchParams.get('state')).toBe('REFUSED');
    await page.keyboard.press('/');
    await page.keyboard.type('efuse');
    await page.waitForURL(/q=efuse/);
    await page.getByRole('menuitem', { name: 'Registrations' }).click();
    await eventually(5, async () => expect(await rows('Trunks')).toHaveLength(5));
    expect(await page.getByRole('searchbox', { name: 'Search' }).inputValue()).toBe('');
    expect([subject.opened.complaints, subject.opened.elsewhere]).toEqual([[], []]);
  });

  test('show on the page of a gateway from where calls were refused, and add an address to its sources', async () => {
    const ref = subject.gateways['Dead'] ?? '';
    for (const [place, ip] of ['192.0.2.8', '192.0.2.9'].entries())
      await runSql(
        subject.url,
        'INSERT INTO refused_callers (place, gw_ref, ip, did, calls, first_at, last_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
        [place, ref, ip, '4930100', 3, Date.now() - 60_000, Date.now()],
      );
    await open(`/gateways/${ref}/show`, VIEWER);
    const asViewer = subject.opened.page.getByRole('list', { name: 'Refused callers' });
    const shown = await asViewer.innerText();
    expect(shown).toContain('…: 3 calls, the last to 4930100');
    expect(shown).not.toContain('192.0.2');
    expect(await asViewer.getByRole('button').count()).toBe(0);
    await open(`/gateways/${ref}/show`);
    const { page } = subject.opened;
    const listed = page.getByRole('list', { name: 'Refused callers' });
    await listed.getByText('192.0.2.8: 3 calls, the last to 4930100').waitFor();
    expect(await faults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Add 192.0.2.8 to the sources' }).click();
    await page.getByRole('button', { name: 'Add 192.0.2.8 to the sources' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Add 192.0.2.9 to the sources' }).click();
    await page.getByRole('list', { name: 'Refused callers' }).waitFor({ state: 'detached' });
    const { data } = await subject.app.graphql(`{ gateway(ref: "${ref}") { sources } }`);
    expect(data).toEqual({ gateway: { sources: ['192.0.2.8', '192.0.2.9'] } });
  });

  test('list all addresses of nobody from which calls were refused, and add one to a gateway that is chosen', async () => {
    const ref = subject.gateways['Lapsed'] ?? '';
    await runSql(subject.url, 'DELETE FROM refused_callers');
    for (const [place, ip] of ['198.51.100.7', '203.0.113.66'].entries())
      await runSql(
        subject.url,
        "INSERT INTO refused_callers (place, gw_ref, ip, did, calls, first_at, last_at) VALUES (?, '', ?, '', ?, ?, ?)",
        [1024 + place, ip, 1234, Date.now() - 60_000, Date.now()],
      );
    await open('/live', VIEWER);
    const seen = await subject.opened.page.getByRole('table', { name: 'Refused callers' }).innerText();
    expect(seen).not.toMatch(/198\.51|Add to/);
    await open('/live');
    const { page } = subject.opened;
    const row = page.getByRole('table', { name: 'Refused callers' }).getByRole('row', { name: /198\.51\.100\.7/ });
    expect(await row.innerText()).toMatch(/1,234\s+None of yours/);
    expect(await faults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Add 198.51.100.7 to a gateway' }).click();
    await page.getByRole('combobox', { name: 'Gateway' }).fill('Laps');
    await page.getByRole('option', { name: 'Lapsed' }).click();
    expect(await faults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Add to its sources' }).click();
    // While a dialog is open, the page behind it has no roles, so the row would seem to be gone.
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await row.waitFor({ state: 'detached' });
    expect((await subject.app.graphql(`{ gateway(ref: "${ref}") { sources } }`)).data).toEqual({
      gateway: { sources: ['198.51.100.7'] },
    });
    expect([subject.opened.complaints, subject.opened.elsewhere]).toEqual([[], []]);
  });

  test('add an address of nobody to the gateway whose number it called, with two clicks', async () => {
    const ref = subject.gateways['Dead'] ?? '';
    await subject.app.graphql(`mutation { updateGateway(ref: "${ref}", input: { sources: null }) { ref } }`);
    await runSql(subject.url, 'DELETE FROM refused_callers');
    await runSql(
      subject.url,
      "INSERT INTO refused_callers (place, gw_ref, ip, did, calls, first_at, last_at) VALUES (0, ?, '198.51.100.9', '4930100', 3, ?, ?)",
      [ref, Date.now() - 60_000, Date.now()],
    );
    await open('/live');
    const { page } = subject.opened;
    const row = page.getByRole('table', { name: 'Refused callers' }).getByRole('row', { name: /4930100, Dead/ });
    await row.getByRole('button', { name: 'Add 198.51.100.9 to a gateway' }).click();
    await eventually(5, async () =>
      expect(await page.getByRole('combobox', { name: 'Gateway' }).inputValue()).toBe('Dead'),
    );
    // A list of gateways would cover it.
    await page.getByRole('button', { name: 'Add to its sources' }).click({ timeout: 10_000 });
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await row.waitFor({ state: 'detached' });
    expect((await subject.app.graphql(`{ gateway(ref: "${ref}") { sources } }`)).data).toEqual({
      gateway: { sources: ['198.51.100.9'] },
    });
  });

  test('show whether the host of a gateway that does not register responds, since when and how fast', async () => {
    const host = 'address.test';
    const ref = await createGateway(subject.app, { name: 'By address', host });
    const lists = async (state: RegExp): Promise<void> => {
      await open('/gateways');
      const row = subject.opened.page.getByRole('row', { name: /By address/ });
      await eventually(5, async () => expect(await row.innerText()).toMatch(state));
    };
    await lists(/Does not register/);
    await measureGateway(subject.url, ref, { host });
    await lists(/Responds\s*since .* · 23 ms/);
    await open(`/gateways/${ref}/show`);
    await subject.opened.page.getByText(/^since .* · 23 ms$/).waitFor();
    await subject.opened.page.getByText('Last status: 404').waitFor();
    expect(await faults(subject.opened.page)).toEqual([]);
    await measureGateway(subject.url, ref, { state: 'DOWN', host });
    await lists(/Does not respond\s*since /);
    await open(`/gateways/${ref}/show`, { viewport: PHONE });
    await subject.opened.page.getByText('Does not respond').waitFor();
    expect(await faults(subject.opened.page)).toEqual([]);
  });

  test('show a trunk that registers', async () => {
    await open('/live?state=REGISTERED');
    const { page } = subject.opened;
    await eventually(5, async () => expect(await rows('Trunks')).toEqual(['Registered']));
    await registerGateway(subject.url, subject.gateways['Unasked'] ?? '', {});
    await eventually(5, async () => expect([...(await rows('Trunks'))].sort()).toEqual(['Registered', 'Unasked']));
    await page.getByRole('button', { name: 'Registered: 2' }).waitFor();
  });

  test('show a phone within two seconds after it has registered', async () => {
    await open('/live?show=devices');
    const { page } = subject.opened;
    await page.getByRole('table', { name: 'Devices' }).waitFor();
    await page.getByRole('tab', { name: 'Devices (3)' }).waitFor();
    // The first poll after the subscription is the baseline.
    await page.waitForTimeout(1500);
    // The server polls every second, so a busy machine gets more than one try.
    const took: number[] = [];
    while (took.length < 10 && took.every((time) => time >= 2000)) {
      const username = `ben${took.length}`;
      const contact = `sip:${username}@192.0.2.77:5062;transport=tcp`;
      await registerContact(subject.url, { username, domain: 'one.test', contact, received: 'sip:198.51.100.1:4000' });
      const began = Date.now();
      await page.getByRole('link', { name: `sip:${username}@one.test` }).waitFor();
      took.push(Date.now() - began);
      expect((await rows('Devices'))[0]).toBe(`sip:${username}@one.test`);
    }
    expect(Math.min(...took)).toBeLessThan(2000);
    const row = (await page.getByRole('row', { name: /sip:ben0@one\.test/ }).innerText()).split(/\s*\t\s*/);
    expect(row.slice(1, 5)).toEqual(['sip:ben0@192.0.2.77:5062', 'TCP', 'Phone/1.0', 'yes']);
    await page.getByRole('tab', { name: `Devices (${3 + took.length})` }).waitFor();
  });

  test('filter devices by text, domain, transport and NAT, in an address that can be shared', async () => {
    const contact = 'sip:tess@192.0.2.78:5062;transport=ws';
    await registerContact(subject.url, {
      username: 'tess',
      domain: 'one.test',
      contact,
      received: 'sip:198.51.100.1:4000',
    });
    await open('/live?show=devices&transport=ws&nat=yes');
    const { page } = subject.opened;
    await eventually(5, async () => expect(await rows('Devices')).toEqual(['sip:tess@one.test']));
    await page.goto(`${subject.app.url}/console/live?show=devices`);
    await page.getByRole('searchbox', { name: 'Search' }).fill('PBX@');
    await eventually(5, async () => expect(await rows('Devices')).toEqual(['sip:pbx@10.9.9.9']));
    expect(new URL(page.url()).searchParams.get('q')).toBe('PBX@');
    await page.getByRole('searchbox', { name: 'Search' }).fill('');
    await page.getByRole('combobox', { name: 'Domain' }).fill('one');
    await page.getByRole('option', { name: 'one.test' }).click();
    await eventually(5, async () => {
      const found = await rows('Devices');
      expect(found).toContain('sip:anna@one.test');
      expect(found).not.toContain('sip:pbx@10.9.9.9');
    });
  });

  test('end the registrations of a device after a confirmation', async () => {
    await registerContact(subject.url, { username: 'evan', domain: 'one.test', contact: 'sip:evan@10.0.0.30' });
    await open('/live?show=devices&q=evan%40');
    const { page } = subject.opened;
    const evict = page.getByRole('button', { name: 'End the registrations of sip:evan@one.test' });
    await evict.click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(evicted).toEqual([]);
    await evict.click();
    await page.getByRole('dialog').getByRole('button', { name: 'End registrations' }).click();
    await page.getByText('1 registration has ended.').waitFor();
    await page.getByText('No registered device matches.').waitFor();
    expect(evicted).toEqual(['evan@one.test']);
  });

  test('do not offer a viewer to end registrations', async () => {
    await open('/live?show=devices', VIEWER);
    await subject.opened.page.getByRole('table', { name: 'Devices' }).waitFor();
    expect(await rows('Devices')).toContain('sip:anna@one.test');
    expect(await subject.opened.page.getByRole('button', { name: /End the registrations/ }).count()).toBe(0);
  });

  test.each([
    ['/live', 'Trunks'],
    ['/live?show=devices', 'Devices'],
    ['/health?state=GATEWAY_REFUSED', 'Numbers: The provider refuses the gateway'],
  ])('are accessible and fit: %s', async (path, table) => {
    await open(path, { viewport: PHONE });
    await subject.opened.page.getByRole('table', { name: table }).waitFor();
    expect(await faults(subject.opened.page)).toEqual([]);
  });

  test('go on after the token has ended and the user has signed in again', async () => {
    await open('/live?show=devices');
    const { page } = subject.opened;
    await page.getByRole('table', { name: 'Devices' }).waitFor();
    await page.evaluate("document.body.dataset.kept = 'yes'");
    const { data } = await subject.app.graphql<{ viewer: { sessions: { id: string; current: boolean }[] } }>(
      '{ viewer { sessions { id current } } }',
    );
    for (const { id, current } of data.viewer.sessions)
      if (!current) await subject.app.graphql('mutation($id: ID!) { endSession(id: $id) }', { id });
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.waitFor();
    await registerContact(subject.url, { username: 'late', domain: 'one.test', contact: 'sip:late@10.1.1.1' });
    await dialog.getByLabel('Secret').fill(subject.app.adminSecret);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: 'sip:late@one.test' }).waitFor();
    expect(await page.evaluate('document.body.dataset.kept')).toBe('yes');
  });

  test('go on after a restart of the server, without a reload', async () => {
    await open('/live?show=devices');
    const { page } = subject.opened;
    await page.getByRole('table', { name: 'Devices' }).waitFor();
    await page.evaluate("document.body.dataset.kept = 'yes'");
    await subject.app.close();
    await page.getByText('The connection is lost').waitFor();
    await registerContact(subject.url, { username: 'after', domain: 'one.test', contact: 'sip:after@10.1.1.2' });
    subject.app = await startOnPort(subject.url);
    await page.getByRole('link', { name: 'sip:after@one.test' }).waitFor();
    await page.getByText('The connection is lost').waitFor({ state: 'detached' });
    expect(await page.evaluate('document.body.dataset.kept')).toBe('yes');
  });

  test('say that the connection is lost, although a network that fails does not close it', async () => {
    const halts: (() => void)[] = [];
    let isHalted = false;
    const proxy = createProxy((client) => {
      const server = connect(Number(port), '127.0.0.1');
      if (!isHalted) client.pipe(server).pipe(client);
      for (const socket of [client, server]) socket.on('error', () => socket.destroy());
      halts.push(() => void (client.unpipe(server), server.unpipe(client)));
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const through = `http://127.0.0.1:${String((proxy.address() as AddressInfo).port)}`;
    await open('', {}, { ...subject.app, url: through });
    const { page } = subject.opened;
    await page.clock.install();
    // The first page may still open a connection when it is left.
    const acknowledged = new Promise((resolve) => {
      page.on('websocket', (socket) => socket.on('framereceived', resolve));
    });
    await page.goto(`${through}/console/live`);
    await page.getByRole('table', { name: 'Trunks' }).waitFor();
    await acknowledged;
    isHalted = true;
    for (const halt of halts) halt();
    expect(await page.getByText('The connection is lost').count()).toBe(0);
    // The console tests the connection, and waits for the response.
    await page.clock.fastForward(16_000);
    await page.clock.fastForward(6000);
    await page.getByText('The connection is lost').waitFor();
    await page.context().close();
    proxy.close();
  });

  test('list many devices page by page, the last registered first', async () => {
    for (let n = 0; n < MANY; n++)
      await runSql(
        subject.url,
        `INSERT INTO location (ruid, username, domain, contact, expires, last_modified) VALUES (?, ?, ?, ?, ?, 0)`,
        [`many-${String(n)}`, `many${String(n)}`, 'many.test', `sip:many${String(n)}@10.2.0.1`, 4e9],
      );
    await open('/live?show=devices&domain=many.test');
    const { page } = subject.opened;
    const names = (from: number, to: number): string[] =>
      Array.from({ length: from - to }, (_, n) => `sip:many${String(from - 1 - n)}@many.test`);
    await eventually(5, async () => expect(await rows('Devices')).toEqual(names(MANY, MANY - 50)));
    await page.getByText(String(MANY), { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Older' }).click();
    await eventually(5, async () => expect(await rows('Devices')).toEqual(names(MANY - 50, MANY - 100)));
    await page.getByRole('button', { name: 'Older' }).click();
    await eventually(5, async () => expect(await rows('Devices')).toEqual(names(MANY - 100, 0)));
    expect(await page.getByRole('button', { name: 'Older' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Newer' }).click();
    await eventually(5, async () => expect(await rows('Devices')).toEqual(names(MANY - 50, MANY - 100)));
  });

  test('count the numbers that ring, and list the others by cause, each with its chain', async () => {
    await open('/health');
    const { page } = subject.opened;
    await page.getByRole('heading', { name: '16 numbers' }).waitFor();
    const states = page.getByRole('list', { name: 'Numbers by state' }).getByRole('listitem');
    expect((await states.first().innerText()).split(/\s*\n\s*/)[0]).toBe('Rings');
    await page.getByRole('link', { name: 'The provider refuses the gateway' }).click();
    await eventually(5, async () => expect(await rows('Numbers: The provider refuses the gateway')).toEqual(['+1012']));
    await page.getByRole('link', { name: '+1012' }).click();
    await page.getByText('Broken here').waitFor();
  });

  test('count a number that begins to ring, and take it from the list of those that do not', async () => {
    await createAgent(subject.app, { username: 'emma', domains: ['two.test'] });
    await subject.app.graphql(
      'mutation($ref: String!) { createDID(input: { telUrl: "tel:+3001", gatewayRef: $ref, aorLink: "sip:emma@two.test" }) { ref } }',
      { ref: subject.gateways['Open'] },
    );
    await open('/health?state=NOT_REGISTERED');
    const { page } = subject.opened;
    const link = page.getByRole('link', { name: '+3001' });
    await link.waitFor();
    await registerContact(subject.url, { username: 'emma', domain: 'two.test', contact: 'sip:emma@10.0.0.20' });
    await link.waitFor({ state: 'detached' });
  });
});
