import { readFile } from 'node:fs/promises';

import type { Browser, Page } from 'playwright-core';

import { startApp, type TestApp } from '../../support/app';
import { launchBrowser, type WatchedPage } from '../../support/browser/browser';
import { openConsole, reopen, show } from '../../support/browser/console';
import { createAgent, createDid, createGateway } from '../../support/factories';
import { describeWith } from '../../support/runner/programs';

describeWith(['chromium'], 'In the console', () => {
  let app: TestApp;
  let browser: Browser;
  let opened: WatchedPage;
  let page: Page;
  let gateway: string;

  beforeAll(async () => {
    app = await startApp();
    browser = await launchBrowser();
    gateway = await createGateway(app, { name: 'Carrier' });
    opened = await openConsole(browser, app);
    page = opened.page;
  });

  afterAll(async () => {
    await browser.close();
    await app.close();
  });

  afterEach(() => {
    expect(opened.complaints).toEqual([]);
  });

  const open = (path: string): Promise<void> => reopen(opened, `/${path}`);

  const listOf = (city: string): string =>
    `dids?filter=${encodeURIComponent(JSON.stringify({ geoInfo: { city: { eq: city } } }))}`;

  async function createDids(city: string, count: number): Promise<readonly string[]> {
    const refs = [];
    for (let n = 0; n < count; n++) refs.push(await createDid(app, { gatewayRef: gateway, geoInfo: { city } }));
    return refs;
  }

  async function inCity(city: string): Promise<readonly string[]> {
    const { data } = await app.graphql<{ dids: { nodes: { ref: string }[] } }>(
      `{ dids(where: { geoInfo: { city: { eq: "${city}" } } }, first: 100) { nodes { ref } } }`,
    );
    return data.dids.nodes.map(({ ref }) => ref);
  }

  const status = (text: string): Promise<void> => page.getByRole('status').filter({ hasText: text }).waitFor();
  const click = (name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();

  test('selected rows are changed after a preview, and the change can be undone', async () => {
    const [first, second, third] = await createDids('Bern', 3);
    await open(listOf('Bern'));
    const boxes = page.locator('tbody').getByRole('checkbox');
    await boxes.nth(2).waitFor();
    for (const row of [0, 1]) await boxes.nth(row).check();
    expect(await page.getByRole('button', { name: 'Select all' }).count()).toBe(0);
    await click('Change');
    for (const field of ['Location country', 'Location country ISO code', 'Location city']) {
      await page.getByRole('combobox', { name: 'Add a field to change' }).click();
      await page.getByRole('option', { name: field, exact: true }).click();
    }
    await click('Do not change Location country');
    await page.getByRole('dialog').getByLabel('City', { exact: true }).fill('Basel');
    const code = page.getByRole('dialog').getByLabel('Country ISO code', { exact: true });
    await code.fill('long');
    await click('Preview');
    await page.getByRole('dialog').locator('[aria-invalid=true]').waitFor();
    expect(await code.getAttribute('aria-invalid')).toBe('true');
    await click('Do not change Location country ISO code');
    await click('Preview');
    await status('2 of 2 will be changed.');
    await page.getByRole('cell', { name: 'Basel' }).first().waitFor();
    expect(await inCity('Basel')).toEqual([]);
    await click('Change 2');
    await status('2 of 2 changed.');
    expect(await inCity('Basel')).toEqual([first, second]);
    await click('Undo');
    await page.getByText('This would change:').waitFor();
    await click('Undo');
    await page.getByText('2 changes undone').waitFor();
    expect(await inCity('Bern')).toEqual([first, second, third]);
  });

  test('all that match are meant only while the list has the filter for which they were chosen', async () => {
    await createDids('Thun', 4);
    await open(listOf('Thun'));
    const boxes = page.locator('tbody').getByRole('checkbox');
    await boxes.nth(3).waitFor();
    for (const row of [0, 1, 2]) await boxes.nth(row).check();
    await click('All 4 that match');
    const { data } = await app.graphql<{ dids: { nodes: { telUrl: string }[] } }>(
      '{ dids(where: { geoInfo: { city: { eq: "Thun" } } }, last: 1) { nodes { telUrl } } }',
    );
    await page.getByRole('searchbox').fill(data.dids.nodes[0]?.telUrl.replace('tel:', '') ?? '');
    await boxes.nth(1).waitFor({ state: 'detached' });
    await click('Delete');
    await status('3 of 3 will be deleted.');
    await click('Cancel');
  });

  test('all that match are changed without a preview if the preview takes too long, if they are as many as were counted', async () => {
    const refs = await createDids('Zug', 3);
    await open(listOf('Zug'));
    const extensions = { code: 'BAD_USER_INPUT', fields: ['dryRun'] };
    await page.route('**/graphql', (route) =>
      route.request().postData()?.includes('"dryRun":true') === true
        ? route.fulfill({ json: { errors: [{ message: 'dryRun: takes too long', extensions }] } })
        : route.continue(),
    );
    await click('All that match');
    await page.getByRole('menuitem', { name: 'Change all…' }).click();
    await page.getByRole('combobox', { name: 'Add a field to change' }).click();
    await page.getByRole('option', { name: 'Location city', exact: true }).click();
    await page.getByRole('dialog').getByLabel('City', { exact: true }).fill('Olten');
    await click('Preview');
    await page.getByText('The preview took too long. 3 resources match. You can change them without it.').waitFor();
    const [more = ''] = await createDids('Zug', 1);
    await click('Change 3');
    await page
      .getByRole('dialog')
      .getByText(/expectedCount|3 resources|matched/)
      .first()
      .waitFor();
    expect(await inCity('Olten')).toEqual([]);
    await click('Back');
    await click('Preview');
    await click('Change 4');
    await status('4 of 4 changed.');
    expect(await inCity('Olten')).toEqual([...refs, more]);
    await page.unrouteAll();
  });

  test('what was previewed is deleted, although the user has gone back to another list', async () => {
    const [kept] = await createDids('Graz', 1);
    await createDids('Linz', 1);
    await open(listOf('Graz'));
    await page.getByText('1–1 of 1').waitFor();
    await show(page, `/${listOf('Linz')}`);
    await page.getByRole('button', { name: 'Location city is Linz ×' }).waitFor();
    await click('All that match');
    await page.getByRole('menuitem', { name: 'Delete all…' }).click();
    await status('1 of 1 will be deleted.');
    await page.getByText('1 number does not ring, for another reason than now.').waitFor();
    await page.goBack();
    await page.getByText('Location city is Graz ×').waitFor({ state: 'attached' });
    await click('Delete 1');
    await status('1 of 1 deleted.');
    expect([await inCity('Graz'), await inCity('Linz')]).toEqual([[kept], []]);
  });

  test('Undo asks for the secrets of resources that were deleted', async () => {
    const refs = [await createAgent(app, { name: 'Temp' }), await createAgent(app, { name: 'Temp' })];
    await open(`agents?filter=${encodeURIComponent('{"name":{"eq":"Temp"}}')}`);
    const boxes = page.locator('tbody').getByRole('checkbox');
    await boxes.nth(1).waitFor();
    for (const row of [0, 1]) await boxes.nth(row).check();
    // Another tab would share what is in this storage.
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain(refs[0]);
    await click('Delete');
    await click('Delete 2');
    await status('2 of 2 deleted.');
    await click('Undo');
    await page.getByText('Old secrets are not kept').waitFor();
    await page.getByLabel('Secret').fill('a new secret');
    await click('Check again');
    await page.getByText('This would change:').waitFor();
    await click('Undo');
    await page.getByText('2 changes undone').waitFor();
    for (const ref of refs) await page.locator(`a[href$="/agents/${ref}/show"]`).waitFor();
  });

  test('all that the filter selects are deleted, unless the set has changed since the preview', async () => {
    await createDids('Lyon', 12);
    await open(listOf('Lyon'));
    await click('All that match');
    await page.getByRole('menuitem', { name: 'Delete all…' }).click();
    await status('12 of 12 will be deleted. The first ten:');
    await page.getByText('12 numbers do not ring, for another reason than now.').waitFor();
    await createDids('Lyon', 1);
    await click('Delete 12');
    await page.getByText('expectedCount is 12, but 13 DID resources are selected; nothing was changed').waitFor();
    expect(await inCity('Lyon')).toHaveLength(13);
    await click('Cancel');
    await click('All that match');
    await page.getByRole('menuitem', { name: 'Delete all…' }).click();
    await click('Delete 13');
    await status('13 of 13 deleted.');
    expect(await inCity('Lyon')).toEqual([]);
  });

  test('the list is exported as CSV, all pages of what the filter selects, without formulas', async () => {
    const refs = await createDids('=Nice; =1;2', 101);
    await open(listOf('=Nice; =1;2'));
    let pages = 0;
    await page.route('**/graphql', (route) => {
      const isSecond = route.request().postData()?.includes('query Export') === true && ++pages === 2;
      const extensions = { code: 'RATE_LIMITED', retryAfter: 0.1 };
      return isSecond ? route.fulfill({ json: { errors: [{ message: 'Wait', extensions }] } }) : route.continue();
    });
    await click('All that match');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Export as CSV' }).click(),
    ]);
    await status('101 rows saved.');
    expect(download.suggestedFilename()).toBe('dids.csv');
    const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
    const [header = '', row = ''] = lines;
    expect(header.split(',').sort()).toEqual(
      [
        'ref',
        'telUrl',
        'aorLink',
        'gatewayRef',
        'lastTelUrl',
        'geoInfo.city',
        'geoInfo.country',
        'geoInfo.countryISOCode',
        'enabled',
        'furtherTargets',
        'labels',
        'note',
      ].sort(),
    );
    const cells = Object.fromEntries(header.split(',').map((name, index) => [name, row.split(',')[index]]));
    // Some spreadsheets split cells at semicolons.
    expect(cells).toMatchObject({ ref: refs[0], gatewayRef: gateway, 'geoInfo.city': `"'=Nice;' =1;2"` });
    expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(refs);
  });

  test('a CSV file with an error in the third row is not imported; the corrected one is, and can be undone', async () => {
    const csv = (third: string): string =>
      [
        'telUrl,aorLink,gwRef,city',
        ...['tel:+411', 'tel:+412', third].map((tel) => `${tel},sip:1001@sip.local,${gateway},Chur`),
      ].join('\n');
    const choose = async (third: string): Promise<void> =>
      page.getByLabel('choose a file').setInputFiles({
        name: 'numbers.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(csv(third)),
      });
    const chooseKind = async (kind: string): Promise<void> => {
      await page.getByRole('combobox', { name: 'Kind of the rows' }).click();
      await page.getByRole('option', { name: kind }).click();
    };
    await open('import');
    await choose('nonsense');
    await status('1 failed, so nothing was imported.');
    const rows = page.getByRole('table', { name: 'Rows of the file' });
    expect(await rows.getByRole('row').count()).toBe(2);
    await rows.getByRole('row', { name: /^4 failed Number Number: / }).waitFor();
    await chooseKind('DID');
    await rows.getByRole('row', { name: /^4 failed DID Number: / }).waitFor();
    await choose('tel:+413');
    await status('Dry run: nothing is changed yet.');
    expect(await inCity('Chur')).toEqual([]);
    // A dry run of another kind that fails leaves nothing to import.
    await page.route('**/graphql', (route) =>
      route.request().postData()?.includes('mutation Csv') === true
        ? route.fulfill({ json: { errors: [{ message: 'No dry run' }] } })
        : route.continue(),
    );
    await chooseKind('Number');
    await page.getByText('No dry run').waitFor();
    expect(await page.getByRole('button', { name: 'Import 3' }).count()).toBe(0);
    await page.unroute('**/graphql');
    await chooseKind('DID');
    await click('Import 3');
    await status('Imported.');
    const refs = await inCity('Chur');
    expect(refs).toHaveLength(3);
    // The names of what was imported, not its references.
    const imported = page.getByRole('link', { name: '+413', exact: true });
    await imported.waitFor();
    expect(refs.map((ref) => `/console/dids/${ref}/show`)).toContain(await imported.getAttribute('href'));
    await click('Undo');
    await page.getByText('This would change:').waitFor();
    await click('Undo');
    await page.getByText('3 changes undone').waitFor();
    expect(await page.getByRole('table', { name: 'Rows of the file' }).count()).toBe(0);
    expect(await inCity('Chur')).toEqual([]);
  });

  test('the rows of each outcome are shown, also after a thousand others', async () => {
    await createDid(app, { telUrl: 'tel:+4999', aorLink: 'sip:1001@sip.local', gatewayRef: gateway });
    const rows = [...Array.from({ length: 1001 }, (_, n) => `tel:+42${n}`), 'tel:+4999'];
    const csv = ['telUrl,aorLink,gwRef', ...rows.map((tel) => `${tel},sip:1001@sip.local,${gateway}`)].join('\n');
    await open('import');
    await page.getByRole('combobox', { name: 'Kind of the rows' }).click();
    await page.getByRole('option', { name: 'DID' }).click();
    await page
      .getByLabel('choose a file')
      .setInputFiles({ name: 'many.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
    await page.getByText('The first 1,000 of 1,002 rows are shown.').waitFor();
    await click('1 unchanged');
    await page.getByRole('row', { name: /^1003 unchanged/ }).waitFor();
  });

  test('Undo is not offered for an import that changed nothing', async () => {
    await createDid(app, { telUrl: 'tel:+4151', aorLink: 'sip:1001@sip.local', gatewayRef: gateway });
    const importFile = async (count: number): Promise<void> => {
      const rows = ['tel:+4151', 'tel:+4152'].slice(0, count);
      const csv = ['telUrl,aorLink,gwRef', ...rows.map((tel) => `${tel},sip:1001@sip.local,${gateway}`)].join('\n');
      const file = { name: 'same.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) };
      await page.getByLabel('choose a file').setInputFiles(file);
      await status('Dry run: nothing is changed yet.');
      await click(`Import ${String(count)}`);
      await status('Imported.');
    };
    await open('import');
    await page.getByRole('combobox', { name: 'Kind of the rows' }).click();
    await page.getByRole('option', { name: 'DID' }).click();
    await importFile(1);
    await page.getByRole('row', { name: /^2 unchanged/ }).waitFor();
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
    await importFile(2);
    await page.getByRole('button', { name: 'Undo' }).waitFor();
  });

  test("a YAML file in Routr's format is imported when it is dropped", async () => {
    const text = '- {kind: Domain, metadata: {name: Dropped}, spec: {context: {domainUri: dropped.test}}}\n';
    await open('import');
    await page.getByLabel('choose a file').waitFor({ state: 'attached' });
    const data = await page.evaluateHandle(`(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([${JSON.stringify(text)}], 'domains.yml'));
      return transfer;
    })()`);
    await page.getByText('Drop a CSV file').dispatchEvent('drop', { dataTransfer: data });
    await status('Dry run: nothing is changed yet.');
    await click('Import 1');
    await status('Imported.');
    const { data: found } = await app.graphql('{ domains(where: { name: { eq: "Dropped" } }) { totalCount } }');
    expect(found).toEqual({ domains: { totalCount: 1 } });
  });

  test('a file that is not in UTF-8 is refused with the reason', async () => {
    await open('import');
    await page.getByLabel('choose a file').setInputFiles({
      name: 'latin1.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`telUrl,aorLink,gwRef,city\ntel:+414,sip:a@b.test,${gateway},Zürich`, 'latin1'),
    });
    await page.getByText('The file is not a text in UTF-8').waitFor();
  });

  test('viewers can export, and are offered no change and no import', async () => {
    const user = { username: 'viewer-of-bulk', secret: 'secret of the viewer', role: 'VIEWER' };
    await app.graphql('mutation ($input: CreateUserInput!) { createUser(input: $input) { ref } }', { input: user });
    await page.context().close();
    opened = await openConsole(browser, app, '/dids', user);
    page = opened.page;
    await click('All that match');
    expect(await page.getByRole('menuitem').allTextContents()).toEqual(expect.arrayContaining(['Export as CSV']));
    expect(await page.getByText('Change all…').count()).toBe(0);
    expect(await page.locator('tbody').getByRole('checkbox').count()).toBe(0);
    expect(await page.getByRole('menuitem', { name: 'Import' }).count()).toBe(0);
  });
});
