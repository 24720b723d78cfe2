import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import type { Browser, Page } from 'playwright-core';

import { faults } from './support/accessibility';
import { startApp, type TestApp } from './support/app';
import { launchBrowser, type WatchedPage } from './support/browser';
import { openConsole } from './support/console';
import { describeWith } from './support/programs';

const FIXTURES = resolve(__dirname, 'fixtures/moving');

describeWith(['chromium'], 'On the page for moving in', () => {
  let app: TestApp;
  let browser: Browser;
  let opened: WatchedPage;
  let page: Page;

  beforeAll(async () => {
    app = await startApp();
    browser = await launchBrowser();
    opened = await openConsole(browser, app);
    page = opened.page;
  });

  afterAll(async () => {
    await browser.close();
    await app.close();
  });

  afterEach(() => expect(opened.complaints).toEqual([]));

  const click = (name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();
  const status = (text: string): Promise<void> => page.getByRole('status').filter({ hasText: text }).waitFor();
  const drop = async (label: string, name: string): Promise<void> =>
    page
      .getByLabel(label)
      .setInputFiles({ name, mimeType: 'text/plain', buffer: await readFile(join(FIXTURES, name)) });
  const agents = async (): Promise<number> => {
    const { data } = await app.graphql<{ agents: { totalCount: number } }>('{ agents { totalCount } }');
    return data.agents.totalCount;
  };
  const cells = (label: string): Promise<readonly string[]> =>
    page.getByRole('table', { name: label }).locator('tbody tr').allInnerTexts();

  test('an empty server is moved in for a time from a dump, with a report, and calls are compared', async () => {
    await page.getByRole('list', { name: 'Get the first number to ring' }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Moving in' }).click();
    await page.getByLabel('Gateway of numbers that name none').fill('sip.carrier.example');
    await drop('choose a dump', 'kamailio.sql');
    await status('Dry run: nothing is changed yet.');
    expect((await cells('What is created')).map((row) => row.split(/\s+/))).toEqual([
      ['Gateway', '3', '0', '0', '0'],
      ['Number', '2', '0', '0', '0'],
      ['Domain', '2', '0', '0', '0'],
      ['Agent', '3', '0', '0', '0'],
      ['Route', '1', '0', '0', '0'],
    ]);
    expect((await cells('Without counterpart')).join('\n')).toContain('speed_dial: the table has no counterpart');
    await page.getByRole('region', { name: 'Calls that change' }).waitFor();
    expect(await agents()).toBe(0);
    expect(await faults(page)).toEqual([]);

    await page.getByRole('checkbox', { name: 'Take it back unless I confirm within' }).check();
    await click('Move in 11');
    await status('Moved in.');
    expect(await agents()).toBe(3);
    await page.getByRole('button', { name: /^Confirm/ }).waitFor();

    await drop('choose call records', 'calls.csv');
    await status('Of 3 calls, 2 go the same way; 1 differ.');
    expect((await cells('Calls that differ'))[0]).toMatch(/\+44201234567[^]*goes to 192\.0\.2\.20[^]*refused 404/);
    expect(await faults(page)).toEqual([]);

    const bar = page.getByRole('region', { name: 'Changes that wait for confirmation' });
    await bar.getByRole('button', { name: /^Revert now/ }).click();
    await bar.waitFor({ state: 'hidden' });
    expect(await agents()).toBe(0);
  });
});
