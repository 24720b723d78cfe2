import type { Browser, Page } from 'playwright-core';

import { createClient, type Client } from '../clients/typescript/src/index';
import { faults } from './support/accessibility';
import { startApp, type TestApp } from './support/app';
import { DESKTOP, launchBrowser, PHONE } from './support/browser';
import { consoleTabs } from './support/console';
import { eventually } from './support/eventually';
import { createDid, createGateway } from './support/factories';
import { describeWith } from './support/programs';

const SECRET = 'a good secret';

describeWith(['chromium'], "The console's history", () => {
  let app: TestApp;
  let client: Client;
  let browser: Browser;
  const tab = consoleTabs(() => browser);

  beforeAll(async () => {
    browser = await launchBrowser();
    app = await startApp();
    client = createClient(`${app.url}/graphql`, { token: await app.token() });
    for (const role of ['OPERATOR', 'VIEWER'] as const)
      await client.createUser({ input: { username: role.toLowerCase(), secret: SECRET, role } });
  });

  afterAll(async () => {
    await browser.close();
    await app.close();
  });

  async function open(path: string, username = 'admin', viewport = DESKTOP): Promise<Page> {
    const secret = username === 'admin' ? app.adminSecret : SECRET;
    return (await tab(app, `/${path}`, { username, secret, viewport })).page;
  }

  const entries = (shown: Page) => shown.getByRole('list', { name: 'Changes, newest first' }).getByRole('listitem');
  /** Presses the button that reverts an entry. */
  const pressRevert = (shown: Page, at = 0) =>
    entries(shown)
      .nth(at)
      .getByRole('button', { name: /^Revert change/ })
      .click();
  const rename = (ref: string, name: string) => client.updateGateway({ ref, input: { name } });
  const nameOf = async (ref: string) => (await client.gateway({ ref })).gateway?.name;

  test('says who failed to sign in, as far as that is known', async () => {
    for (const name of ['viewer', 'nobody']) {
      const { errors } = await app.graphql(
        'mutation ($name: String!) { createToken(username: $name, secret: "wrong") { token } }',
        { name },
        { token: null },
      );
      expect(errors?.[0]?.extensions['code']).toBe('UNAUTHENTICATED');
    }
    // Entries on sign-ins are written after the response.
    await eventually(20, async () => {
      const query = '{ history(where: { event: SIGN_IN_FAILED }) { totalCount } }';
      expect((await app.graphql(query)).data).toEqual({ history: { totalCount: 2 } });
    });
    const shown = await open('history?event=SIGN_IN_FAILED');
    const list = shown.getByRole('list', { name: 'Changes, newest first' });
    await list.getByText(/^User sign in failed with a name that no user has, 1 time/).waitFor();
    await list.getByText(/^User sign in failed us\w+, 1 time/).waitFor();
  });

  test('lists changes newest first with their differences, and keeps the conditions in the address', async () => {
    const ref = await createGateway(app, { name: 'Before' });
    await rename(ref, 'After');
    const shown = await open('history?kind=Gateway');
    await entries(shown).first().getByText('Gateway updated').waitFor();
    expect(await entries(shown).first().getByLabel('Before').textContent()).toBe('Before');
    expect(await entries(shown).first().getByLabel('After').textContent()).toBe('After');
    await shown.getByLabel('Reference').fill(ref);
    await shown.getByLabel('Reference').press('Enter');
    await shown.waitForURL(/ref=/);
    await shown.getByLabel('What happened').selectOption('CREATED');
    await shown.waitForURL(/event=CREATED/);
    await entries(shown).getByText('Gateway created').waitFor();
    await shown.reload();
    await entries(shown).getByText('Gateway created').waitFor();
    expect(await entries(shown).count()).toBe(1);
    await shown.getByLabel('From').fill('2031-01-01T10:00');
    await shown.getByLabel('From').press('Enter');
    await shown.getByText('No change meets the conditions.').waitFor();
    expect(new URL(shown.url()).searchParams.get('from')).toBe(new Date('2031-01-01T10:00').toISOString());
    await shown.getByRole('button', { name: 'Remove the conditions' }).click();
    await entries(shown).nth(3).waitFor();
  });

  test('reverts a change after it has shown what would happen', async () => {
    const ref = await createGateway(app, { name: 'One' });
    await rename(ref, 'Two');
    const shown = await open(`history?ref=${ref}`);
    await pressRevert(shown);
    const dialog = shown.getByRole('dialog');
    await dialog.getByText('This would change:').waitFor();
    expect(await dialog.getByLabel('After').textContent()).toBe('One');
    expect(await nameOf(ref)).toBe('Two');
    await dialog.getByRole('button', { name: 'Revert', exact: true }).click();
    await entries(shown).first().getByText('Reverts change').waitFor();
    expect(await nameOf(ref)).toBe('One');
  });

  test('reverts without a preview if the preview takes too long', async () => {
    const ref = await createGateway(app, { name: 'One' });
    await rename(ref, 'Two');
    const shown = await open(`history?ref=${ref}`);
    const extensions = { code: 'BAD_USER_INPUT', fields: ['dryRun'] };
    await shown.route('**/graphql', (route) =>
      route.request().postData()?.includes('"dryRun":true') === true
        ? route.fulfill({ json: { errors: [{ message: 'dryRun: takes too long', extensions }] } })
        : route.continue(),
    );
    await pressRevert(shown);
    const dialog = shown.getByRole('dialog');
    await dialog.getByText('The preview took too long').waitFor();
    await dialog.getByRole('button', { name: 'Revert', exact: true }).click();
    await entries(shown).first().getByText('Reverts change').waitFor();
    expect(await nameOf(ref)).toBe('One');
  });

  test('asks for the secrets that a revert needs', async () => {
    const ref = await createGateway(app, { username: 'u', secret: 'the old secret' });
    await client.deleteGateway({ ref });
    const shown = await open(`history?ref=${ref}`);
    await pressRevert(shown);
    const dialog = shown.getByRole('dialog');
    await dialog.getByText('Old secrets are not kept').waitFor();
    expect(await dialog.getByRole('button', { name: 'Revert', exact: true }).isDisabled()).toBe(true);
    await dialog.getByLabel('Secret').fill('x'.repeat(101));
    await dialog.getByRole('button', { name: 'Check again' }).click();
    await dialog.getByText('must have 1 to 100 characters').waitFor();
    expect(await dialog.getByText('Old secrets are not kept').count()).toBe(0);
    await dialog.getByLabel('Secret').fill('a new secret');
    await dialog.getByRole('button', { name: 'Check again' }).click();
    await dialog.getByText('Gateway created').waitFor();
    await dialog.getByRole('button', { name: 'Revert', exact: true }).click();
    await entries(shown).first().getByText('Reverts change').waitFor();
    expect((await client.gateway({ ref })).gateway?.secretSet).toBe(true);
  });

  test('shows the fields that newer changes have, and reverts nothing', async () => {
    const ref = await createGateway(app, { name: 'One' });
    await rename(ref, 'Two');
    await rename(ref, 'Three');
    const shown = await open(`history?ref=${ref}`);
    await pressRevert(shown, 1);
    const dialog = shown.getByRole('dialog');
    await dialog.getByText('something newer would be lost').waitFor();
    await dialog.getByText('Fields: name').waitFor();
    expect(await dialog.getByRole('button', { name: 'Revert', exact: true }).isDisabled()).toBe(true);
    expect(await nameOf(ref)).toBe('Three');
  });

  test('reverts all that a request did', async () => {
    await app.graphql(`mutation {
      a: createGateway(input: { ref: "whole", name: "a", host: "whole.test", transport: UDP }) { ref }
      b: createDID(input: { ref: "part", telUrl: "tel:+4922", aorLink: "sip:a@b.test", gatewayRef: "whole" }) { ref }
    }`);
    const shown = await open('history?ref=whole');
    await entries(shown).first().getByRole('button', { name: 'Revert this request' }).click();
    const dialog = shown.getByRole('dialog');
    await dialog.getByText('DID deleted').waitFor();
    await dialog.getByRole('button', { name: 'Revert', exact: true }).click();
    await entries(shown).first().getByText('Gateway deleted').waitFor();
    expect((await client.gateways({ where: { ref: { eq: 'whole' } } })).gateways.nodes).toEqual([]);
  });

  test('is part of the page of a resource', async () => {
    const ref = await createDid(app, {});
    const shown = await open(`dids/${ref}/show`);
    const section = shown.getByRole('region', { name: 'History' });
    await section.getByText('DID created').waitFor();
  });

  test('offers viewers no reverts, and only admins the entries on users', async () => {
    const ref = await createGateway(app);
    const viewer = await open(`history?ref=${ref}`, 'viewer');
    await entries(viewer).first().getByText('Gateway created').waitFor();
    expect(await viewer.getByRole('button', { name: /Revert/ }).count()).toBe(0);
    const kinds = async (shown: Page): Promise<string> => (await shown.getByLabel('Kind').textContent()) ?? '';
    expect(await kinds(viewer)).not.toContain('User');
    expect(await kinds(await open('history'))).toContain('User');
  });

  test('has no serious finding of axe-core', async () => {
    const ref = await createGateway(app, { name: 'Looked at' });
    await rename(ref, 'Looked at again');
    const shown = await open('history?kind=Gateway', 'admin', PHONE);
    await entries(shown).first().getByText('Gateway updated').waitFor();
    expect(await faults(shown)).toEqual([]);
    await pressRevert(shown);
    await shown.getByRole('dialog').getByText('This would change:').waitFor();
    expect(await faults(shown)).toEqual([]);
  });
});
