import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import type { Browser, Page } from 'playwright-core';

import { faults } from '../../support/browser/accessibility';
import { startApp, type TestApp } from '../../support/app';
import { launchBrowser, type WatchedPage } from '../../support/browser/browser';
import { openConsole } from '../../support/browser/console';
import { describeWith } from '../../support/runner/programs';

const FIXTURES = resolve(__dirname, '../../fixtures/moving');

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

describeWith(['chromium'], 'On the page for moving in, a dump that is too large for one request', () => {
  let app: TestApp;
  let browser: Browser;
  let opened: WatchedPage;
  let page: Page;

  beforeAll(async () => {
    app = await startApp({ BODY_LIMIT: '16384' }, undefined, { timings: { tasksReadEvery: 200 } });
    browser = await launchBrowser();
    opened = await openConsole(browser, app);
    page = opened.page;
    await page.getByRole('main').getByRole('link', { name: 'Moving in' }).click();
  });

  afterAll(async () => {
    await browser.close();
    await app.close();
  });

  const click = (name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();
  const status = (text: string): Promise<void> => page.getByRole('status').filter({ hasText: text }).waitFor();
  const agents = async (): Promise<number> => {
    const { data } = await app.graphql<{ agents: { totalCount: number } }>('{ agents { totalCount } }');
    return data.agents.totalCount;
  };
  /** A dump of users whose passwords cannot be compressed. */
  const check = async (users: number): Promise<void> => {
    const rows = Array.from(
      { length: users },
      (_, n) => `(${String(n)}, 'u${String(n)}', 'one.example', '${randomBytes(16).toString('hex')}')`,
    );
    const dump = `CREATE TABLE subscriber (id int, username text, domain text, password text);\nINSERT INTO subscriber VALUES ${rows.join(', ')};`;
    await page
      .getByLabel('choose a dump')
      .setInputFiles({ name: 'large.sql', mimeType: 'text/plain', buffer: Buffer.from(dump) });
    await status('Dry run: nothing is changed yet.');
  };
  const undo = async (): Promise<void> => {
    await click('Undo');
    await page.getByRole('dialog').getByRole('button', { name: 'Undo', exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await agents()).toBe(0);
  };

  test('is uploaded in parts, checked, moved in pieces, and undone as one', async () => {
    await check(1000);
    await page.getByText('This is a large move').waitFor();
    const kinds = await page.getByRole('table', { name: 'What is created' }).locator('tbody tr').allInnerTexts();
    expect(kinds.map((row) => row.split(/\s+/))).toEqual([
      ['Domain', '1', '0', '0', '0'],
      ['Agent', '1000', '0', '0', '0'],
    ]);
    expect(await agents()).toBe(0);
    expect(await faults(page)).toEqual([]);
    await click('Move in 1,001');
    await status('Moved in.');
    expect(await agents()).toBe(1000);
    await page.reload();
    await status('Moved in.');
    expect(await faults(page)).toEqual([]);
    await undo();
    // The console asked for less when a request was too large.
    for (const complaint of opened.complaints.splice(0)) expect(complaint).toContain('413');
  });

  test('shows what its check has found when the page is opened again, and asks for the dump', async () => {
    await check(1000);
    await page.reload();
    await status('Dry run: nothing is changed yet.');
    await page.getByText('drop the dump once more to move it in').waitFor();
    expect(await page.getByRole('button', { name: /^Move in/ }).count()).toBe(0);
    expect(await faults(page)).toEqual([]);
    for (const complaint of opened.complaints.splice(0)) expect(complaint).toContain('413');
  });

  test('is stopped, says what was written also when the page is opened again, and undone', async () => {
    await check(12_000);
    await click('Move in 12,001');
    await page
      .getByRole('status')
      .filter({ hasText: /^Writing: [1-9][\d,]{2}/ })
      .waitFor();
    await click('Stop');
    await page.getByText(/^It stopped after [\d,]+ records that it changed/).waitFor();
    expect(await agents()).toBeGreaterThan(0);
    await page.reload();
    await page.getByText(/^It stopped after [\d,]+ records that it changed/).waitFor();
    expect(await faults(page)).toEqual([]);
    await undo();
    for (const complaint of opened.complaints.splice(0)) expect(complaint).toContain('413');
  });
});
