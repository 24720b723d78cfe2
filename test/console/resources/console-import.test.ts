import { readFile } from 'node:fs/promises';

import type { Browser, Locator, Page } from 'playwright-core';

import { faults } from '../../support/browser/accessibility';
import { startApp, type TestApp } from '../../support/app';
import { launchBrowser, PHONE, type WatchedPage } from '../../support/browser/browser';
import { openConsole, reopen } from '../../support/browser/console';
import {
  createAgent,
  createDid,
  createDomain,
  createGateway,
  createNumber,
  createPeer,
  createRoute,
} from '../../support/factories';
import { describeWith } from '../../support/runner/programs';

describeWith(['chromium'], 'On the page for imports', () => {
  let app: TestApp;
  let browser: Browser;
  let opened: WatchedPage;
  let page: Page;
  let gateway: string;

  beforeAll(async () => {
    app = await startApp();
    browser = await launchBrowser();
    const labels = ['site=berlin', 'tier=gold'];
    gateway = await createGateway(app, {
      ...{ name: '=Carrier', sources: ['192.0.2.0/24', '198.51.100.7'], port: 5061, labels, draining: true },
      ...{ numberFormat: 'DE', technicalPrefix: '*9', maxCalls: 30, maxCallsPerSecond: 2, fromDomain: 'from.test' },
      destinations: [
        { host: 'second.test', priority: 2 },
        { host: '[2001:db8::1]', port: 5070, transport: 'TLS', enabled: false },
      ],
    });
    await createGateway(app, {
      name: 'Proxied',
      outboundProxy: 'edge.test:5080',
      username: 'u',
      secret: 's',
      authUsername: 'a',
    });
    await createDomain(app, { domainUri: 'import.test' });
    const numberRef = await createNumber(app, { gatewayRef: gateway, geoInfo: { city: '- "Chur"; +1' } });
    await createRoute(app, { prefix: '', numberRefs: [numberRef, await createNumber(app)], note: '; =1, "two"' });
    await createRoute(app, { prefix: '112', emergency: true, labels });
    await createDomain(app, {
      egressPolicy: { rule: '^\\+49', numberRef },
      accessControlList: { allow: ['10.0.0.0/8', '192.168.0.0/16'], deny: [] },
    });
    await createAgent(app, {
      name: ' @Ada, with spaces ',
      domains: ['import.test'],
      privacy: 'NONE',
      maxContacts: 2,
      maxCalls: 3,
      enabled: false,
    });
    await createPeer(app, {
      ...{
        device: 'Asterisk',
        contactAddr: '192.0.2.1:5060',
        sources: ['2001:db8::/32'],
        callerNumberRefs: [numberRef],
      },
    });
    await createDid(app, {
      gatewayRef: gateway,
      furtherTargets: ['sip:1002@import.test', 'tel:+49170555 after 20', 'sip:1003@import.test after 5'],
    });
    opened = await openConsole(browser, app);
    page = opened.page;
  });

  afterAll(async () => {
    await browser.close();
    await app.close();
  });

  afterEach(() => expect(opened.complaints).toEqual([]));

  const open = (path: string): Promise<void> => reopen(opened, `/${path}`);
  const status = (text: string): Promise<void> => page.getByRole('status').filter({ hasText: text }).waitFor();
  const click = (name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();
  const kind = (): Locator => page.getByRole('combobox', { name: 'Kind of the rows' });
  const drop = (name: string, text: string): Promise<void> =>
    page.getByLabel('choose a file').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

  test.each([
    ['gateways', 'Gateway'],
    ['agents', 'Agent'],
    ['peers', 'Peer'],
    ['domains', 'Domain'],
    ['dids', 'DID'],
    ['numbers', 'Number'],
    ['routes', 'Route'],
  ])('an export of all %s is imported again without a change', async (collection, name) => {
    await open(collection);
    await click('All that match');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Export as CSV' }).click(),
    ]);
    const text = await readFile(await download.path(), 'utf8');
    const rows = text.trimEnd().split('\r\n').length - 1;
    expect(rows).toBeGreaterThan(0);
    await open('import');
    await drop(download.suggestedFilename(), text);
    await status('Dry run: nothing is changed yet.');
    expect(await kind().textContent()).toBe(name);
    await page.getByRole('button', { name: `${String(rows)} unchanged`, exact: true }).waitFor();
    expect(await page.getByRole('button', { name: /^\d+ (to create|to update|failed)$/ }).count()).toBe(0);
    await click(`Import ${String(rows)}`);
    await status('Imported.');
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
  });

  test('a file of agents with semicolons and one mistake is mended in the grid, imported and undone', async () => {
    await open('import');
    await drop(
      'people.csv',
      [
        'Display name;User;Password;Realm;Room',
        'Grace Hopper;grace;secret of grace;import.test;1',
        'Alan Turing;al@n;secret of alan;import.test;2',
      ].join('\n'),
    );
    await status('1 failed, so nothing was imported.');
    expect(await kind().textContent()).toBe('Agent');
    await page.getByText('Columns: 4 of 5 are imported').waitFor();
    const cell = page.getByRole('textbox', { name: 'Username, line 3' });
    expect(await cell.getAttribute('aria-invalid')).toBe('true');
    expect(
      await page.getByRole('textbox', { name: 'Name, line 3', exact: true }).getAttribute('aria-invalid'),
    ).not.toBe('true');
    await cell.fill('alan');
    await cell.press('Enter');
    await status('Dry run: nothing is changed yet.');
    await click('Import 2');
    await status('Imported.');
    const query = '{ agents(where: { username: { in: ["grace", "alan"] } }) { nodes { name domains { domainUri } } } }';
    expect((await app.graphql(query)).data).toEqual({
      agents: {
        nodes: ['Grace Hopper', 'Alan Turing'].map((name) => ({ name, domains: [{ domainUri: 'import.test' }] })),
      },
    });
    await click('Undo');
    await page.getByText('This would change:').waitFor();
    await click('Undo');
    await page.getByText('2 changes undone').waitFor();
    expect((await app.graphql(query)).data).toEqual({ agents: { nodes: [] } });
  });

  test('the field of a column can be chosen, and a row can get a field that the file lacks', async () => {
    await open('import');
    await kind().click();
    await page.getByRole('option', { name: 'DID' }).click();
    await drop('list.txt', `Rufnummer\tWohin\tOrt\n+49 30 7654321\t1001@sip.local\tBerlin\n`);
    await page.getByText('Columns: 0 of 3 are imported').waitFor();
    await page.getByText('Choose a field for at least one column.').waitFor();
    await page.getByRole('combobox', { name: 'Field of the column Rufnummer' }).selectOption('telUrl');
    await status('1 failed');
    await page.getByRole('combobox', { name: 'Field of the column Wohin' }).selectOption('aorLink');
    await page.getByText('Columns: 2 of 3 are imported').waitFor();
    await page.getByRole('textbox', { name: 'Gateway, line 2' }).fill(gateway);
    await click('Check again');
    await status('Dry run: nothing is changed yet.');
    await page.getByRole('button', { name: '1 to create', exact: true }).waitFor();
  });

  test('a file of numbers with users is guessed, and mistakes are told with the names of the page', async () => {
    await open('import');
    await drop('list.csv', 'Phone;Provider;User\n+49 30 7003;Nobody;1001@sip.local\n+49 30 7004;Nobody;1002\n');
    await status('2 failed, so nothing was imported.');
    await page.getByText('Columns: 3 of 3 are imported').waitFor();
    await page.getByText('Enter an address of record, such as 1001@sip.local.').waitFor();
    const rows = page.getByRole('table', { name: 'Rows of the file' });
    await rows.getByText('Address of record: "1002" is not a sip: or sips: URI').waitFor();
    await page.getByText('Columns: 3 of 3 are imported').click();
    await page.getByRole('combobox', { name: 'Field of the column User' }).selectOption('');
    await rows.getByText('Address of record: is required').first().waitFor();
    expect(await page.getByText('Address of record is required.').count()).toBe(2);
  });

  test('a gateway is named, and a name of two is mended in the grid with a reference', async () => {
    const named = await createGateway(app, { name: 'Carrier of Berlin', host: 'berlin.test' });
    const one = await createGateway(app, { name: 'Twofold', port: 5071 });
    await createGateway(app, { name: 'Twofold', port: 5072 });
    await open('import');
    const rows = ['+49 30 7001,1001@sip.local,Carrier of Berlin', '+49 30 7002,1001@sip.local,Twofold'];
    await drop('dids.csv', ['Phone,Target,Trunk', ...rows].join('\n'));
    await status('1 failed, so nothing was imported.');
    const cell = page.getByRole('textbox', { name: 'Gateway, line 3' });
    expect(await cell.inputValue()).toBe('Twofold');
    await page.getByText('"Twofold" is the name of 2 gateways: use the ref of one.', { exact: true }).waitFor();
    await cell.fill(one);
    await click('Check again');
    await status('Dry run: nothing is changed yet.');
    await click('Import 2');
    await status('Imported.');
    const query = '{ dids(where: { telUrl: { startsWith: "tel:+4930700" } }) { nodes { gateway { ref } } } }';
    expect((await app.graphql(query)).data).toEqual({
      dids: { nodes: [named, one].map((ref) => ({ gateway: { ref } })) },
    });
    await click('Undo');
    await page.getByText('This would change:').waitFor();
    await click('Undo');
    await page.getByText('2 changes undone').waitFor();
  });

  test('rows behind a cell with a line break are mended where they are', async () => {
    await open('import');
    const rows = ['"Two', 'lines",3001,secret of two,import.test', 'Alan,3002,secret of alan,nowhere.test'];
    await drop('agents.csv', ['name,username,secret,domains', '', ...rows].join('\n'));
    await status('2 failed, so nothing was imported.');
    expect(await page.getByRole('textbox', { name: 'Name, line 3', exact: true }).inputValue()).toBe('Twolines');
    await page.getByRole('textbox', { name: 'Name, line 3', exact: true }).fill('One line');
    await page.getByRole('textbox', { name: 'Domains, line 5' }).fill('import.test');
    await click('Check again');
    await page.getByRole('button', { name: '2 to create', exact: true }).waitFor();
  });

  test.each([
    ['a quote that is not closed', 'name,host,transport\n"A,a.test,UDP\nB,b.test,UDP\n', 'Line 2 has a quote'],
    // An empty cell would clear the field of a resource that exists.
    ['a row that is cut off', 'name,host,transport,fromDomain\nA,a.test,UDP', 'The file ends within line 2'],
    ['too many columns', `${'a,'.repeat(5000)}name\n${','.repeat(5000)}A\n`, 'The file has 5,001 columns'],
    ['a line without an end', 'x'.repeat(17_000_000), 'The file has more than 16 MB.'],
  ])('refuses a file with %s, and says why', async (_, text, problem) => {
    await open('import');
    await drop('gateways.csv', text);
    await page.getByRole('alert').filter({ hasText: problem }).waitFor();
    expect(await page.getByRole('button', { name: /^Import/ }).count()).toBe(0);
  });

  test('a short row at the end of pasted rows is none that is cut off', async () => {
    await open('import');
    await page.getByLabel('Or paste rows with their header').fill('name,host,transport,fromDomain\nA,a.test,UDP');
    await click('Read the rows');
    await page.getByRole('button', { name: '1 to create', exact: true }).waitFor();
  });

  test('a dry run warns of numbers that will not ring', async () => {
    const carrier = await createGateway(app, { host: 'open.test' });
    await open('import');
    await kind().click();
    await page.getByRole('option', { name: 'DID' }).click();
    await drop('dids.csv', `telUrl,aorLink,gatewayRef\ntel:+4955,sip:ada@nowhere.test,${carrier}\n`);
    await page.getByText('1 number will not ring when imported:').waitFor();
    const reasons = page.getByRole('list', { name: 'Why numbers will not ring' }).getByRole('listitem');
    expect(await reasons.allTextContents()).toEqual(['1 number, first on line 2: no domain nowhere.test']);
    await page.getByRole('button', { name: 'Import 1', exact: true }).waitFor();
  });

  test('rows are pasted from a spreadsheet, and a sample file is imported again', async () => {
    await open('import');
    await page.getByLabel('Or paste rows with their header').fill('User\tDomain\tmaxContacts\nada\timport.test\tmany');
    await click('Read the rows');
    await status('1 failed, so nothing was imported.');
    expect(await kind().textContent()).toBe('Agent');
    await page.getByRole('textbox', { name: 'Max contacts, line 2' }).waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), click('Sample file: Agents')]);
    expect(download.suggestedFilename()).toBe('agents.csv');
    const text = await readFile(await download.path(), 'utf8');
    await drop('agents.csv', text.replace('sip.example.com', 'import.test'));
    await status('Dry run: nothing is changed yet.');
    await page.getByRole('button', { name: '1 to create', exact: true }).waitFor();
  });

  test('a file that is too large for a request is imported in parts, which are one line of the history with one Undo', async () => {
    const city = 'A rather long name of a city in the mountains';
    const rows = Array.from(
      { length: 5200 },
      (_, n) => `tel:+4181${String(n).padStart(6, '0')},1@sip.local,${gateway},${city}`,
    );
    await open('import');
    await kind().click();
    await page.getByRole('option', { name: 'DID' }).click();
    await drop('dids.csv', ['telUrl,aorLink,gwRef,city', ...rows].join('\n'));
    await page.getByText(/is imported in \d+ parts/).waitFor({ timeout: 60_000 });
    await page.getByRole('button', { name: '5,200 to create', exact: true }).waitFor();
    const query = `{ dids(where: { geoInfo: { city: { eq: "${city}" } } }) { totalCount } }`;
    const count = async (): Promise<unknown> => (await app.graphql<{ dids: object }>(query)).data.dids;

    // For a time: the parts come back as one.
    await page.getByText(/cannot be imported at a later time/).waitFor();
    expect(await page.getByRole('checkbox', { name: 'At a later time' }).isDisabled()).toBe(true);
    await page.getByRole('checkbox', { name: 'Take it back unless I confirm within' }).check();
    await click('Import 5,200');
    await page.getByText('Imported.').waitFor({ timeout: 60_000 });
    expect(await count()).toEqual({ totalCount: 5200 });
    const bar = page.getByRole('region', { name: 'Changes that wait for confirmation' });
    await bar.getByRole('button', { name: /^Revert now/ }).click();
    await bar.waitFor({ state: 'hidden', timeout: 60_000 });
    expect(await count()).toEqual({ totalCount: 0 });

    await open('import');
    await kind().click();
    await page.getByRole('option', { name: 'DID' }).click();
    await drop('dids.csv', ['telUrl,aorLink,gwRef,city', ...rows].join('\n'));
    await page.getByRole('button', { name: '5,200 to create', exact: true }).waitFor({ timeout: 60_000 });
    await click('Import 5,200');
    await page.getByText('Importing…').waitFor();
    expect(await page.getByText('Dry run: nothing is changed yet.').count()).toBe(0);
    await page.getByText('Imported.').waitFor({ timeout: 60_000 });
    await page.getByRole('row', { name: /^2 created/ }).waitFor();
    expect(await count()).toEqual({ totalCount: 5200 });
    expect(await page.getByRole('button', { name: /^Undo/ }).allTextContents()).toEqual(['Undo']);
    await open('history');
    const lines = page.getByRole('listitem').filter({ hasText: 'admin imported 5,200 DIDs' });
    await lines.first().waitFor();
    // One of each import, the newest first.
    expect(await lines.count()).toBe(2);
    await lines.first().getByRole('button', { name: /^Undo/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('imported 5,200 DIDs').waitFor();
    await dialog.getByText(/This would change|The preview took too long/).waitFor();
    await dialog.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('5,200 changes undone').waitFor();
    expect(await count()).toEqual({ totalCount: 0 });
  }, 300_000);

  test('a row that repeats one of an earlier part is refused, as one of the same part is', async () => {
    const rows = Array.from(
      { length: 5001 },
      (_, n) => `tel:+4182${String(n).padStart(6, '0')},1@sip.local,${gateway}`,
    );
    await open('import');
    await kind().click();
    await page.getByRole('option', { name: 'DID' }).click();
    const again = [`+41 82 000 000,2@sip.local,${gateway}`, `tel:+4182005000,2@sip.local,${gateway}`];
    await drop('dids.csv', ['telUrl,aorLink,gwRef', ...rows, ...again].join('\n'));
    await status('2 failed, so nothing was imported.');
    await page.getByRole('button', { name: '5,001 to create', exact: true }).waitFor();
    const table = page.getByRole('table', { name: 'Rows of the file' });
    await table.getByRole('row', { name: /^5003 .*Number: duplicates line 2$/ }).waitFor();
    await table.getByRole('row', { name: /^5004 .*Number: duplicates line 5,002$/ }).waitFor();
  }, 120_000);

  test('the columns and the wrong rows have no serious or critical finding of axe-core, also on a phone', async () => {
    await page.setViewportSize(PHONE);
    await open('import');
    await drop('people.csv', `Name;User;Password;Domain;Room\nAlan;al@n;secret of alan;import.test;2\n`);
    await page.getByRole('textbox', { name: 'Username, line 2' }).waitFor();
    expect(await faults(page)).toEqual([]);
  });
});
