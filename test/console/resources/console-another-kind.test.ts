import type { Browser } from 'playwright-core';

import { startApp } from '../../support/app';
import { launchBrowser } from '../../support/browser/browser';
import { fillField, openConsole } from '../../support/browser/console';
import { createDomain, createGateway } from '../../support/factories';
import { describeWith } from '../../support/runner/programs';
import { createSqliteDatabase } from '../../support/databases/sqlite-database';
import { kinds, migrateBundles, openBundles } from '../../another-kind/database';

describeWith(['chromium'], 'Another kind in the console', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchBrowser();
  });

  afterAll(() => browser.close());

  test('has a list, a page and forms without a line in the console', async () => {
    const { url, drop } = await createSqliteDatabase();
    const database = await openBundles(url, 'mysql:');
    await migrateBundles(database).finally(() => database.close());
    const app = await startApp({ DATABASE_URL: url }, undefined, { kinds });
    await createGateway(app, { name: 'Carrier' });
    await createDomain(app, { name: 'Office', domainUri: 'office.test' });
    const { page, complaints } = await openConsole(browser, app, '/gateways');
    await page.getByRole('menuitem', { name: 'Bundles' }).click();
    await page.getByRole('link', { name: 'Create' }).click();
    for (const [label, value] of [
      ['Name', 'Evening'],
      ['Gateway', 'Carrier'],
      ['Domain URI', 'Office'],
      ['Label', 'evening'],
      ['Pin', '73197319'],
      ['Channels', '30'],
      ['Mode', 'BOTH'],
      ['Account', 'A-1'],
      ['Code', 'code-of-the-account'],
    ] as const)
      await fillField(page, label, value);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Bundle Evening' }).waitFor();
    const shown = await page.getByRole('main').innerText();
    for (const value of ['evening', '30', 'BOTH', 'A-1']) expect(shown).toContain(value);
    for (const secret of ['73197319', 'code-of-the-account']) expect(shown).not.toContain(secret);
    await page.getByRole('link', { name: 'Carrier' }).click();
    await page.getByRole('heading', { name: 'Bundles (1)' }).waitFor();
    await page.goto(`${app.url}/console?q=even`);
    await page.getByRole('heading', { name: 'Bundles' }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Evening' }).click();
    await page.getByRole('heading', { name: 'Bundle Evening' }).waitFor();
    expect(complaints).toEqual([]);
    await app.close();
    await drop();
  });
});
