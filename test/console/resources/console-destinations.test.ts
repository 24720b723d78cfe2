import type { Browser, Page } from 'playwright-core';

import { startApp, type TestApp } from '../../support/app';
import { launchBrowser } from '../../support/browser/browser';
import { openConsole, show } from '../../support/browser/console';
import { createGateway } from '../../support/factories';
import { describeWith } from '../../support/runner/programs';
import { runSql } from '../../support/databases/sql';
import { createSqliteDatabase, type TestDatabase } from '../../support/databases/sqlite-database';

describeWith(['chromium'], 'The destinations of a gateway in the console', () => {
  let app: TestApp;
  let browser: Browser;
  let page: Page;
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createSqliteDatabase();
    app = await startApp({ DATABASE_URL: database.url });
    const destinations = [{ host: 'two.test', port: 5070, priority: 2, weight: 30 }, { host: 'three.test' }];
    await createGateway(app, { ref: 'several', host: 'one.test', destinations });
    await runSql(
      database.url,
      `INSERT INTO destination_health
         (gw_ref, host, port, transport, state, since, checked_on, round_trip, last_status, misses, answers, expires_at)
       VALUES ('several', 'two.test', 5070, 'udp', 'UP', 1, 1, 12, 404, 0, 2, ?)`,
      [Date.now() + 600_000],
    );
    browser = await launchBrowser();
    page = (await openConsole(browser, app, '/gateways/several/show')).page;
  });

  afterAll(async () => {
    await browser.close();
    await app.close();
    await database.drop();
  });

  const rows = async (): Promise<readonly (readonly string[])[]> => {
    const table = page.getByRole('table', { name: 'Destinations' });
    await table.waitFor();
    const lines = await table.locator('tbody').getByRole('row').all();
    const cells = await Promise.all(lines.map((line) => line.getByRole('cell').allInnerTexts()));
    return cells.map(([place = '', priority = '', weight = '', calls = '', health = '', , answer = '']) =>
      [place, priority, weight, calls, health, answer].map((text) => text.trim()),
    );
  };

  test('are listed with their health on its page, after its host', async () => {
    expect(await rows()).toEqual([
      ['one.test, UDP', '0', 'Default', 'Takes calls', 'Not checked yet', ''],
      ['two.test:5070, UDP', '2', '30', 'Takes calls', 'Responds', '404 after 12 ms'],
      ['three.test, UDP', 'Default', 'Default', 'Takes calls', 'Not checked yet', ''],
    ]);
  });

  test('can be draining, as its form sets, and its page shows', async () => {
    await show(page, '/gateways/several/edit');
    const section = page.locator('summary', { hasText: 'Destinations and sources' });
    // Folded, it says what is set.
    await section.getByText('Destinations: 2').waitFor();
    await section.click();
    await page.getByLabel('Draining').last().click();
    await page.getByRole('option', { name: 'Yes' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('table', { name: 'Destinations' }).waitFor();
    const { data } = await app.graphql('{ gateway(ref: "several") { destinations { host draining } } }');
    expect(data).toEqual({
      gateway: {
        destinations: [
          { host: 'two.test', draining: null },
          { host: 'three.test', draining: true },
        ],
      },
    });
    expect((await rows())[2]?.[3]).toBe('No new calls: draining');
  });
});
