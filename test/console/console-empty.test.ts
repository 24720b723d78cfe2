import type { Browser } from 'playwright-core';

import { startApp, type TestApp } from '../support/app';
import { launchBrowser, type WatchedPage } from '../support/browser/browser';
import { consoleTabs } from '../support/browser/console';
import { createSqliteDatabase } from '../support/databases/sqlite-database';
import { describeWith } from '../support/runner/programs';

describeWith(['chromium'], 'The console of an empty database', () => {
  let browser: Browser;
  let app: TestApp;
  let drop: () => Promise<void>;
  let opened: WatchedPage;
  const tab = consoleTabs(() => browser);

  beforeAll(async () => {
    browser = await launchBrowser();
    const database = await createSqliteDatabase();
    drop = database.drop;
    app = await startApp({ DATABASE_URL: database.url, SAMPLE_DATA: 'false' });
    opened = await tab(app);
  });

  afterAll(async () => {
    await browser.close();
    await app.close();
    await drop();
  });

  const sees = async (path: string, ...texts: readonly string[]): Promise<void> => {
    opened = await tab(app, path);
    for (const text of texts) await opened.page.getByText(text).waitFor();
  };

  test.each([
    ['/dids', 'A direct inward dialling number.', 'A DID only takes calls', 'New DID'],
    ['/numbers', 'calls from a domain can use it as their caller', 'A Number can also be the caller', 'New Number'],
    ['/gateways', 'A SIP trunk: the server of a provider', 'There is nothing here yet.', 'New Gateway'],
  ])('%s says what the kind is for, with the way to the first one', async (path, ...texts) => {
    const name = texts.at(-1) ?? '';
    await sees(path, ...texts.slice(0, -1));
    await opened.page.getByRole('link', { name }).click();
    await opened.page.getByRole('heading', { name }).waitFor();
  });

  test('no list speaks of filters or conditions that there are not', async () => {
    await sees('/live?show=trunks', 'There is no trunk yet.');
    await sees('/live?show=trunks&q=nothing', 'No gateway matches.');
    await sees('/history', 'Nothing has been changed yet.');
    await sees('/history?kind=Gateway', 'No change meets the conditions.');
    await sees('/map', 'There are no numbers yet.');
    await opened.page.locator('main').getByRole('link', { name: 'DIDs' }).click();
    await opened.page.getByRole('heading', { name: 'DIDs' }).waitFor();
  });
});
