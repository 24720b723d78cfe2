import type { Browser, Page } from 'playwright-core';

import { startApp, type TestApp } from '../../support/app';
import { launchBrowser } from '../../support/browser/browser';
import { openConsole, show } from '../../support/browser/console';
import { eventually } from '../../support/eventually';
import { createAgent, createDid, createDomain, createGateway } from '../../support/factories';
import { describeWith } from '../../support/runner/programs';
import { registerContact } from '../../support/databases/sql';
import { createSqliteDatabase, type TestDatabase } from '../../support/databases/sqlite-database';

describeWith(['chromium'], 'The targets of a number in the console', () => {
  let app: TestApp;
  let browser: Browser;
  let page: Page;
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createSqliteDatabase();
    app = await startApp({ DATABASE_URL: database.url });
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
    await database.drop();
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

  test('are found by their names, and the only gateway is chosen, in the form of a new number', async () => {
    await show(page, '/dids/create');
    await page.getByRole('textbox', { name: 'Number', exact: true }).fill('0049 30 7700001');
    const gateway = page.getByRole('combobox', { name: 'Gateway', exact: true });
    await eventually(10, async () => expect(await gateway.inputValue()).toMatch(/^Gateway \d+$/));
    const target = page.getByRole('combobox', { name: 'Address of record', exact: true });
    await target.fill('ben');
    await page.locator('li.Mui-focused').waitFor();
    await target.press('Enter');
    await eventually(10, async () => expect(await target.inputValue()).toBe('sip:ben@office.test'));
    // An address is what was entered, also if another one contains it.
    await target.fill('sip:be@office.test');
    await page.getByRole('option', { name: 'sip:ben@office.test' }).waitFor();
    await target.press('Escape');
    expect(await target.inputValue()).toBe('sip:be@office.test');
    await target.fill('ben');
    await page.locator('li.Mui-focused').waitFor();
    await target.press('Enter');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'DID +49307700001' }).waitFor();
    await app.graphql(
      'mutation { deleteManyDIDs(where: { telUrl: { eq: "tel:+49307700001" } }, expectedCount: 1) { count } }',
    );
    // The gateway that is chosen for the user is nothing that is lost.
    await show(page, '/dids/create');
    await eventually(10, async () => expect(await gateway.inputValue()).toMatch(/^Gateway \d+$/));
    await page.getByRole('menuitem', { name: 'Domains' }).click();
    await page.getByRole('heading', { name: 'Domains' }).waitFor();
  });

  test('are those of all numbers of a range, which is named by the first and the last', async () => {
    const { data } = await app.graphql<{ did: { gateway: { ref: string } } }>(
      '{ did(ref: "main") { gateway { ref } } }',
    );
    const range = { telUrl: 'tel:+4930500', lastTelUrl: 'tel:+4930599', aorLink: 'sip:anna@office.test' };
    await createDid(app, { ref: 'range', gatewayRef: data.did.gateway.ref, ...range });
    await show(page, '/dids/range/show');
    await page.getByRole('heading', { name: 'DID +4930500 – +4930599', exact: true }).waitFor();
    await show(page, '/dids');
    await page.getByRole('link', { name: '+4930500 – +4930599', exact: true }).waitFor();
    await app.graphql('mutation { deleteDID(ref: "range") { ref } }');
  });

  test('are listed on the page of an agent, and in the warning before it is deleted', async () => {
    const { data } = await app.graphql<{ agents: { nodes: { ref: string }[] } }>(
      '{ agents(where: { username: { eq: "ben" } }) { nodes { ref } } }',
    );
    await show(page, `/agents/${data.agents.nodes[0]?.ref ?? ''}/show`);
    await page.getByRole('heading', { name: 'DIDs (1)' }).waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: /^Delete Agent/ });
    await dialog.getByRole('link', { name: '+49301' }).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  });

  /** The lines of a list, in which the digits of a number are in groups. */
  const linesOf = async (name: string): Promise<readonly string[]> =>
    (await page.getByRole('list', { name }).getByRole('listitem').allInnerTexts()).map((text) =>
      text.replace(/\s+/g, ' ').replace(/\+49 ?170 ?555/, '+49170555'),
    );
  const outside = 'after 20 s, calls go to +49170555';

  test.each([
    [
      'none of which is called',
      undefined,
      [
        'Not called agent anna@office.test exists but is not registered',
        'Not called agent ben@office.test exists but is not registered',
      ],
      ['Broken here', 'Broken here', 'Broken here'],
    ],
    [
      'of which one is called',
      'ben',
      [
        'Not called agent anna@office.test exists but is not registered',
        'Called rings agent ben@office.test on 1 device',
      ],
      ['Not needed', 'Works', 'Not needed'],
    ],
  ])('%s are on the page of the number, each with its state, and in the chain', async (_, registered, states, ends) => {
    const furtherTargets = ['sip:ben@office.test after 15', 'tel:+49170555 after 20'];
    const { errors } = await app.graphql(
      'mutation ($further: [String!]) { updateDID(ref: "main", input: { furtherTargets: $further }) { ref } }',
      { further: furtherTargets },
    );
    expect(errors).toBeUndefined();
    if (registered !== undefined)
      await registerContact(database.url, {
        username: registered,
        domain: 'office.test',
        contact: 'sip:ben@192.0.2.7',
      });
    await page.goto(`${app.url}/console/dids/main/show`);
    await page.getByText('after 15 s, calls go to sip:ben@office.test').waitFor();
    expect(await linesOf('Targets')).toEqual([
      `calls go to sip:anna@office.test ${states[0] ?? ''}`,
      `after 15 s, calls go to sip:ben@office.test ${states[1] ?? ''}`,
      `${outside} Not called office.test has no way out for +49170555`,
    ]);
    await page.getByRole('link', { name: 'Explain +49301' }).click();
    await page.getByRole('list', { name: 'The path of a call' }).waitFor();
    const chain = await linesOf('The path of a call');
    const state = /^(?:Devices|Way out) (Broken here|Works|Not needed|Not reached)/;
    expect(chain.flatMap((line) => state.exec(line)?.[1] ?? [])).toEqual(ends);
    expect(chain.filter((line) => line.includes('Not reached'))).toEqual([]);
  });

  test('are not listed if the number has only one', async () => {
    await app.graphql('mutation { updateDID(ref: "main", input: { furtherTargets: null }) { ref } }');
    await page.goto(`${app.url}/console/dids/main/show`);
    await page.getByRole('link', { name: 'Explain +49301' }).waitFor();
    expect(await page.getByRole('list', { name: 'Targets' }).count()).toBe(0);
  });
});
