import type { Browser, Page } from 'playwright-core';

import { createClient, type Client } from '../../clients/typescript/src/index';
import { faults } from '../support/browser/accessibility';
import { fetchToken, startApp, type TestApp } from '../support/app';
import { DESKTOP, launchBrowser, PHONE } from '../support/browser/browser';
import { openConsole } from '../support/browser/console';
import { eventually } from '../support/eventually';
import { createGateway } from '../support/factories';
import { describeWith } from '../support/runner/programs';
import { startReceiver } from '../support/receiver';

const SECRET = 'a good secret';

describeWith(['chromium'], "The console's users, accounts and webhooks", () => {
  let app: TestApp;
  let client: Client;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    browser = await launchBrowser();
    app = await startApp({ WEBHOOK_ALLOW: '127.0.0.1' });
    client = createClient(`${app.url}/graphql`, { token: await app.token() });
    for (const role of ['OPERATOR', 'VIEWER'] as const)
      await client.createUser({ input: { username: role.toLowerCase(), secret: SECRET, role } });
  });

  afterEach(() => page.context().close());

  afterAll(async () => {
    await browser.close();
    await app.close();
  });

  async function open(path: string, username = 'admin', viewport = DESKTOP): Promise<void> {
    const secret = username === 'admin' ? app.adminSecret : SECRET;
    page = (await openConsole(browser, app, `/${path}`, { username, secret, viewport })).page;
  }

  const row = (list: string, text: string) =>
    page.getByRole('list', { name: list }).getByRole('listitem').filter({ hasText: text });
  const dialog = () => page.getByRole('dialog');
  const confirm = async (name: string): Promise<void> => {
    await dialog().getByRole('button', { name, exact: true }).click();
    await dialog().waitFor({ state: 'detached' });
  };

  test('admins create users, change their role and secret, and delete them', async () => {
    await open('users');
    await page.getByRole('button', { name: 'New user' }).click();
    await dialog().getByLabel('Name').fill('zoe');
    await dialog().getByLabel('Secret').fill('short');
    await dialog().getByLabel('Role').selectOption('VIEWER');
    await dialog().getByRole('button', { name: 'Create' }).click();
    await dialog().locator('[name=secret][aria-invalid=true]').waitFor();
    expect(await dialog().getByRole('alert').count()).toBe(0);
    await dialog().getByLabel('Secret').fill(SECRET);
    await confirm('Create');
    await row('Users', 'zoe').getByText('Viewer').waitFor();
    await page.getByRole('button', { name: 'Change role: zoe' }).click();
    await dialog().getByLabel('Role').selectOption('OPERATOR');
    await confirm('Save');
    await row('Users', 'zoe').getByText('Operator').waitFor();
    await page.getByRole('button', { name: 'Change secret: zoe' }).click();
    await dialog().getByLabel('New secret').fill('another secret');
    await confirm('Save');
    const zoe = await fetchToken(app.url, 'zoe', 'another secret');
    await page.getByRole('button', { name: 'End sessions: zoe' }).click();
    await confirm('End sessions');
    const refused = createClient(`${app.url}/graphql`, { token: zoe }).viewer();
    await expect(refused).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await page.getByRole('button', { name: 'Delete: zoe' }).click();
    await confirm('Delete');
    await row('Users', 'zoe').waitFor({ state: 'detached' });
  });

  test('before the only admin is deleted or given another role, the dialog says that it is not possible', async () => {
    await open('users');
    for (const action of ['Delete', 'Change role']) {
      await page.getByRole('button', { name: `${action}: admin` }).click();
      await dialog()
        .getByText('The last admin cannot be deleted or given another role: make another user an admin first')
        .waitFor();
      expect(await dialog().getByRole('button').allInnerTexts()).toEqual(['Cancel']);
      await confirm('Cancel');
    }
  });

  test('everybody ends own sessions, one or all', async () => {
    const elsewhere = await fetchToken(app.url, 'viewer', SECRET);
    await open('account', 'viewer');
    const sessions = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
    await sessions.filter({ hasText: 'this session' }).waitFor();
    const other = sessions.filter({ hasNotText: 'this session' });
    await other.getByRole('button', { name: 'End' }).click();
    await confirm('End');
    await other.waitFor({ state: 'detached' });
    const refused = createClient(`${app.url}/graphql`, { token: elsewhere }).viewer();
    await expect(refused).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await page.getByRole('button', { name: 'End all sessions' }).click();
    await dialog().getByRole('button', { name: 'End', exact: true }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
  });

  test('an API token has at most the own role, is shown once, works, and is deleted', async () => {
    await open('account', 'operator');
    await page.getByRole('button', { name: 'New API token' }).click();
    await dialog().getByLabel('Name').fill('backup');
    expect(await dialog().getByLabel('Role').textContent()).toBe('OperatorViewer');
    await dialog().getByLabel('Expires on').fill('2099-12-30');
    await dialog().getByRole('button', { name: 'Create' }).click();
    const shown = page.getByRole('textbox', { name: 'API token' });
    const token = await shown.inputValue();
    expect(token).toMatch(/^sg_/);
    await createClient(`${app.url}/graphql`, { token }).viewer();
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await shown.waitFor({ state: 'detached' });
    await row('API tokens', 'backup').getByText('Viewer').waitFor();
    await row('API tokens', 'backup').getByText('30/12/2099, 23:59:59').waitFor();
    expect(await page.content()).not.toContain(token);
    await page.getByRole('button', { name: 'Delete the API token backup?' }).click();
    await confirm('Delete');
    await page.getByText('You have no API tokens.').waitFor();
  });

  test('an API token is limited to the documents that are entered, and the list names them', async () => {
    const [list, own] = ['query Trunks {\n  gateways { nodes { name } }\n}', '{ viewer { username } }'];
    await open('account', 'operator');
    await page.getByRole('button', { name: 'New API token' }).click();
    await dialog().getByLabel('Name').fill('wall');
    const documents = dialog().getByLabel('Only these GraphQL documents');
    await documents.fill('{ viewer');
    await dialog().getByRole('button', { name: 'Create' }).click();
    await dialog().getByText('is not a GraphQL document (line 1, column 9)').waitFor();
    await documents.fill(`${list}\n---\n${own}\n`);
    await dialog().getByRole('button', { name: 'Create' }).click();
    const shown = page.getByRole('textbox', { name: 'API token' });
    const token = await shown.inputValue();
    for (const document of [list, own]) expect((await app.graphql(document, {}, { token })).status).toBe(200);
    expect((await app.graphql('{ viewer { role } }', {}, { token })).status).toBe(403);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await row('API tokens', 'wall').getByText('only query Trunks, query').waitFor();
  });

  test('admins create, ping, change, pause, continue and delete webhooks, and send messages again', async () => {
    const receiver = await startReceiver();
    await open('webhooks');
    await page.getByRole('button', { name: 'New webhook' }).click();
    await dialog().getByLabel('URL of the receiver').fill('http://10.0.0.1/');
    await dialog().getByLabel('Resource changed').check();
    await dialog().getByRole('button', { name: 'Create' }).click();
    await dialog().getByText('not a public address').waitFor();
    expect(await dialog().getByLabel('URL of the receiver').getAttribute('aria-invalid')).toBe('true');
    // The button is at the end of a long form, and the field at its beginning.
    await eventually(5, async () => expect(await page.evaluate('document.activeElement.name')).toBe('url'));
    expect(await dialog().getByRole('alert').count()).toBe(0);
    await dialog().getByLabel('URL of the receiver').fill(receiver.url);
    await dialog().getByLabel('Gateway', { exact: true }).check();
    await dialog().getByRole('button', { name: 'Create' }).click();
    const secret = page.getByRole('textbox', { name: 'Secret of the webhook' });
    receiver.trust(await secret.inputValue());
    await page.getByRole('button', { name: 'I have copied it' }).click();
    const webhook = row('Webhooks', receiver.url);
    const press = (name: string) => webhook.getByRole('button', { name, exact: true }).click();
    await press('Ping');
    await page.getByText(/^The receiver accepted the ping: status 204, after [\d,]+ ms$/).waitFor();
    await createGateway(app);
    await eventually(20, () => expect(receiver.accepted).toHaveLength(2));
    await press('Deliveries');
    await dialog().getByRole('button', { name: 'Send again' }).click();
    await eventually(20, () => expect(receiver.accepted).toHaveLength(3));
    await confirm('Close');
    await press('Change');
    await dialog().getByLabel('Note').fill('for the tests');
    await confirm('Save');
    await webhook.getByText('for the tests').waitFor();
    await press('Pause');
    await webhook.getByText('Paused: paused by admin').waitFor();
    await press('Continue');
    await webhook.getByText('active').waitFor();
    await press('New secret');
    await dialog().getByLabel('Hours').fill('1');
    await dialog().getByRole('button', { name: 'New secret' }).click();
    expect(await secret.inputValue()).toMatch(/^whsec_/);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await webhook.getByText('The old secret is valid until').waitFor();
    await press('Delete');
    await confirm('Delete');
    await page.getByText('There are no webhooks.').waitFor();
    await receiver.stop();
  });

  test.each(['operator', 'viewer'])('a user with the role %s is not offered users and webhooks', async (username) => {
    await open('history', username);
    await page.getByRole('menuitem', { name: 'History' }).waitFor();
    for (const name of ['Users', 'Webhooks']) expect(await page.getByRole('menuitem', { name }).count()).toBe(0);
  });

  test.each([
    ['users', 'New user'],
    ['account', 'New API token'],
    ['webhooks', 'New webhook'],
  ])('the page %s has no serious finding of axe-core', async (path, button) => {
    await open(path, 'admin', PHONE);
    await page.getByRole('button', { name: button }).waitFor();
    expect(await faults(page)).toEqual([]);
    await page.getByRole('button', { name: button }).click();
    await dialog().getByRole('button', { name: 'Create' }).waitFor();
    expect(await faults(page)).toEqual([]);
  });
});
