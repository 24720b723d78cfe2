import type { Browser, Page } from 'playwright-core';

import { startApp, type TestApp } from './support/app';
import { launchBrowser } from './support/browser';
import { openConsole, show } from './support/console';
import { createAgent, createDid, createDomain, createGateway } from './support/factories';
import { describeWith } from './support/programs';

describeWith(['chromium'], 'The targets of a number in the console', () => {
  let app: TestApp;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    app = await startApp();
    await createDomain(app, { domainUri: 'office.test' });
    for (const username of ['anna', 'ben']) await createAgent(app, { username, domains: ['office.test'] });
    const gatewayRef = await createGateway(app, { host: 'carrier.test', username: null, secret: null });
    await createDid(app, { ref: 'main', gatewayRef, telUrl: 'tel:+49301', aorLink: 'sip:anna@office.test' });
    browser = await launchBrowser();
    page = (await openConsole(browser, app, '/dids/main/edit')).page;
  });

  afterAll(async () => {
    await browser.close();
    await app.close();
  });

  const stored = async (): Promise<unknown> => {
    const { data } = await app.graphql<{ did: { furtherTargets: unknown } }>('{ did(ref: "main") { furtherTargets } }');
    return data.did.furtherTargets;
  };

  test('are chosen in order, moved and removed in its form', async () => {
    const add = page.getByRole('button', { name: 'Add a target' });
    await add.click();
    await page.getByLabel('Target 2', { exact: true }).fill('ben');
    await page.getByRole('option', { name: 'sip:ben@office.test' }).click();
    await page.getByLabel('Seconds before target 2').fill('15');
    await add.click();
    await page.getByLabel('Target 3', { exact: true }).fill('+49 170 555');
    await page.getByLabel('Target 3', { exact: true }).press('Tab');
    await page.getByRole('button', { name: 'Move target 3 up' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'DID +49301' }).waitFor();
    expect(await stored()).toEqual(['tel:+49170555 after 20', 'sip:ben@office.test after 15']);
  });

  test('are removed in its form', async () => {
    await show(page, '/dids/main/edit');
    await page.getByRole('button', { name: 'Remove target 2' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'DID +49301' }).waitFor();
    expect(await stored()).toEqual(['sip:ben@office.test after 15']);
  });
});
