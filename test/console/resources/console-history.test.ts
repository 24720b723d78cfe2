import type { Browser, Page } from 'playwright-core';

import { createClient, type Client } from '../../../clients/typescript/src/index';
import { faults } from '../../support/browser/accessibility';
import { startApp, type TestApp } from '../../support/app';
import { DESKTOP, launchBrowser, PHONE } from '../../support/browser/browser';
import { consoleTabs } from '../../support/browser/console';
import { eventually } from '../../support/eventually';
import { createDid, createGateway } from '../../support/factories';
import { describeWith } from '../../support/runner/programs';
import { runSql } from '../../support/databases/sql';
import { createSqliteDatabase } from '../../support/databases/sqlite-database';

const SECRET = 'a good secret';

describeWith(['chromium'], "The console's history", () => {
  let app: TestApp;
  let client: Client;
  let browser: Browser;
  let url: string;
  let drop: () => Promise<void>;
  const tab = consoleTabs(() => browser);

  beforeAll(async () => {
    browser = await launchBrowser();
    ({ url, drop } = await createSqliteDatabase());
    app = await startApp({ DATABASE_URL: url });
    client = createClient(`${app.url}/graphql`, { token: await app.token() });
    for (const role of ['OPERATOR', 'VIEWER'] as const)
      await client.createUser({ input: { username: role.toLowerCase(), secret: SECRET, role } });
  });

  afterAll(async () => {
    await browser.close();
    await app.close();
    await drop();
  });

  async function open(path: string, username = 'admin', viewport = DESKTOP): Promise<Page> {
    const secret = username === 'admin' ? app.adminSecret : SECRET;
    return (await tab(app, `/${path}`, { username, secret, viewport })).page;
  }

  /** The lines with a text. Those of their details are within them. */
  const lines = (shown: Page, hasText: string | RegExp = '') =>
    shown.getByRole('main').locator('ul > li', { has: shown.getByRole('button', { name: /^Details/ }), hasText });
  const sentence = async (shown: Page, at = 0): Promise<string> =>
    (await lines(shown).nth(at).innerText()).replace(/\s+/g, ' ');
  /** Shows the details of a line. */
  const unfold = (shown: Page, at = 0) =>
    lines(shown)
      .nth(at)
      .getByRole('button', { name: /^Details/ })
      .click();
  const entries = (shown: Page) => shown.getByRole('list', { name: 'Changes, newest first' }).getByRole('listitem');
  /** Presses the button that reverts the only entry of a line. */
  const pressRevert = async (shown: Page, at = 0): Promise<void> => {
    await unfold(shown, at);
    await lines(shown)
      .nth(at)
      .getByRole('button', { name: /^Undo change/ })
      .click();
  };
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
    await shown.getByRole('tab', { name: 'Sign-ins and security', selected: true }).waitFor();
    await lines(shown, 'Somebody failed to sign in with a name that no user has from 127.0.0.1').waitFor();
    await lines(shown, 'Somebody failed to sign in as viewer from 127.0.0.1').waitFor();
  });

  test('has sign-ins, users and tokens in a tab of their own', async () => {
    const shown = await open('history');
    await shown.getByRole('tab', { name: 'Sign-ins and security' }).click();
    await lines(shown, /^admin signed in.* from 127.0.0.1/)
      .first()
      .waitFor();
    await lines(shown, 'admin created the user operator').waitFor();
    expect(new URL(shown.url()).search).toBe('?show=security');
    await shown.reload();
    await lines(shown, 'admin created the user operator').waitFor();
    await shown.getByRole('tab', { name: 'Changes' }).click();
    await lines(shown, 'created the user').waitFor({ state: 'detached' });
  });

  test('has a line for each request, under its day, which undoes it', async () => {
    const [from, to] = [await createGateway(app, { name: 'Mumbai' }), await createGateway(app, { name: 'Delhi' })];
    const refs = [await createDid(app, { gatewayRef: from }), await createDid(app, { gatewayRef: from })];
    await client.updateManyDIDs({ refs, set: { gatewayRef: to }, expectedCount: 2 });
    const shown = await open('history');
    await shown.getByRole('heading', { name: 'Today' }).waitFor();
    await lines(shown, 'admin moved 2 DIDs from Mumbai to Delhi').waitFor();
    expect(await sentence(shown)).toMatch(/^admin moved 2 DIDs from Mumbai to Delhi \d\d:\d\d:\d\d Details Undo$/);
    await shown.getByRole('button', { name: 'Undo admin moved 2 DIDs from Mumbai to Delhi' }).click();
    const dialog = shown.getByRole('dialog');
    await dialog.getByLabel('After').getByText('Mumbai').first().waitFor();
    expect(await dialog.getByText(from).count()).toBe(0);
    await dialog.getByRole('button', { name: 'Undo', exact: true }).click();
    await lines(shown, 'admin moved 2 DIDs from Delhi to Mumbai to undo an earlier change').waitFor();
    for (const ref of refs) expect((await client.did({ ref })).did?.gatewayRef).toBe(from);
  });

  test.each([
    [{ host: 'b.test' }, 'changed the host of the gateway Told from told.test to b.test'],
    [{ port: 5070 }, 'changed the port of the gateway Told to 5070'],
    [{ username: 'u', secret: 's' }, 'changed the username and secret of the gateway Told'],
    [{ sources: ['10.0.0.0/8', '192.0.2.1'] }, 'changed the sources of the gateway Told to 10.0.0.0/8, 192.0.2.1'],
  ])('tells %j in words', async (input, told) => {
    const ref = await createGateway(app, { name: 'Told', host: 'told.test' });
    await client.updateGateway({ ref, input });
    const shown = await open(`history?ref=${ref}`);
    await lines(shown).nth(1).waitFor();
    expect(await sentence(shown)).toContain(`admin ${told} `);
    expect(await sentence(shown, 1)).toContain('admin created the gateway Told ');
    await client.deleteGateway({ ref });
  });

  test('finds what was done to a number in any spelling, and to what has a name', async () => {
    const ref = await createDid(app, {
      telUrl: 'tel:+493012345678',
      gatewayRef: await createGateway(app, { name: 'Found by name' }),
    });
    const shown = await open('history');
    const field = shown.getByRole('combobox', { name: 'Number or name' });
    await field.fill('0049 (30) 1234-5678');
    await shown.getByRole('option', { name: /^DID/ }).waitFor();
    await field.press('Enter');
    await shown.waitForURL(/ref=/);
    expect(new URL(shown.url()).searchParams.get('ref')).toBe(ref);
    await lines(shown, /created the DID \+49/).waitFor();
    expect(await lines(shown).count()).toBe(1);
    await shown.getByRole('button', { name: /^DID/ }).press('Delete');
    await shown.waitForURL((at) => !at.search.includes('ref='));
    await field.fill('found by');
    await shown.getByRole('option', { name: 'Gateway Found by name' }).click();
    await lines(shown, 'created the gateway Found by name').waitFor();
    expect(await lines(shown).count()).toBe(1);
  });

  test('lists changes newest first with their differences, and keeps the conditions in the address', async () => {
    const ref = await createGateway(app, { name: 'Before' });
    await rename(ref, 'After');
    const shown = await open('history?kind=Gateway');
    await lines(shown, 'admin changed the name of the gateway After from Before to After').waitFor();
    await unfold(shown);
    await entries(shown).first().getByText('Gateway updated').waitFor();
    expect(await entries(shown).first().getByLabel('Before').textContent()).toBe('Before');
    expect(await entries(shown).first().getByLabel('After').textContent()).toBe('After');
    await shown.getByLabel('Reference').fill(ref);
    await shown.getByLabel('Reference').press('Enter');
    await shown.waitForURL(/ref=/);
    await shown.getByLabel('What happened').selectOption('CREATED');
    await shown.waitForURL(/event=CREATED/);
    await lines(shown, 'created the gateway After').waitFor();
    await shown.reload();
    await lines(shown, 'created the gateway After').waitFor();
    expect(await lines(shown).count()).toBe(1);
    await shown.getByLabel('From').fill('2031-01-01T10:00');
    await shown.getByLabel('From').press('Enter');
    await shown.getByText('No change meets the conditions.').waitFor();
    expect(new URL(shown.url()).searchParams.get('from')).toBe(new Date('2031-01-01T10:00').toISOString());
    await shown.getByRole('button', { name: 'Remove the conditions' }).click();
    await lines(shown).nth(3).waitFor();
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
    await dialog.getByRole('button', { name: 'Undo', exact: true }).click();
    await lines(shown, 'to undo an earlier change').waitFor();
    await unfold(shown);
    await entries(shown).first().getByText('Undoes change').waitFor();
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
    await dialog.getByRole('button', { name: 'Undo', exact: true }).click();
    await lines(shown, 'to undo an earlier change').waitFor();
    await unfold(shown);
    await entries(shown).first().getByText('Undoes change').waitFor();
    expect(await nameOf(ref)).toBe('One');
  });

  test('reverts a request in the background if it takes longer than a request may', async () => {
    const [one, two] = [await createGateway(app, { name: 'One' }), await createGateway(app, { name: 'One' })];
    await app.graphql(`mutation {
      a: updateGateway(ref: "${one}", input: { name: "Two" }) { ref }
      b: updateGateway(ref: "${two}", input: { name: "Two" }) { ref }
    }`);
    const shown = await open(`history?ref=${one}`);
    const message = 'The request took longer than 30 s; request less, or try again later';
    const extensions = { code: 'UNAVAILABLE' };
    await shown.route('**/graphql', (route) =>
      route.request().postData()?.includes('"dryRun":false') === true
        ? route.fulfill({ json: { errors: [{ message, extensions }] } })
        : route.continue(),
    );
    await unfold(shown);
    await entries(shown).first().getByRole('button', { name: 'Undo this request' }).click();
    const dialog = shown.getByRole('dialog');
    await dialog.getByText('This would change:').waitFor();
    await dialog.getByRole('button', { name: 'Undo', exact: true }).click();
    await dialog.getByText('This is undone in the background').waitFor();
    await dialog.getByRole('button', { name: 'Undo', exact: true }).click();
    await shown.getByText('2 changes undone').waitFor();
    expect([await nameOf(one), await nameOf(two)]).toEqual(['One', 'One']);
  });

  test('asks for the secrets that a revert needs', async () => {
    const ref = await createGateway(app, { username: 'u', secret: 'the old secret' });
    await client.deleteGateway({ ref });
    const shown = await open(`history?ref=${ref}`);
    await pressRevert(shown);
    const dialog = shown.getByRole('dialog');
    await dialog.getByText('Old secrets are not kept').waitFor();
    expect(await dialog.getByRole('button', { name: 'Undo', exact: true }).isDisabled()).toBe(true);
    await dialog.getByLabel('Secret').fill('x'.repeat(101));
    await dialog.getByRole('button', { name: 'Check again' }).click();
    await dialog.getByText('must have 1 to 100 characters').waitFor();
    expect(await dialog.getByText('Old secrets are not kept').count()).toBe(0);
    await dialog.getByLabel('Secret').fill('a new secret');
    await dialog.getByRole('button', { name: 'Check again' }).click();
    await dialog.getByText('Gateway created').waitFor();
    await dialog.getByRole('button', { name: 'Undo', exact: true }).click();
    await lines(shown, 'to undo an earlier change').waitFor();
    await unfold(shown);
    await entries(shown).first().getByText('Undoes change').waitFor();
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
    await dialog.getByText('Undo the newer change first.').waitFor();
    await dialog.getByText('Fields: Name', { exact: true }).waitFor();
    expect(await dialog.getByRole('button', { name: 'Undo', exact: true }).isDisabled()).toBe(true);
    expect(await nameOf(ref)).toBe('Three');
  });

  test('reverts all that a request did', async () => {
    await app.graphql(`mutation {
      a: createGateway(input: { ref: "whole", name: "a", host: "whole.test", transport: UDP }) { ref }
      b: createDID(input: { ref: "part", telUrl: "tel:+4922", aorLink: "sip:a@b.test", gatewayRef: "whole" }) { ref }
    }`);
    const shown = await open('history?ref=whole');
    await lines(shown, /^admin created the DID .+ and the gateway a/).waitFor();
    await unfold(shown);
    await entries(shown).first().getByRole('button', { name: 'Undo this request' }).click();
    const dialog = shown.getByRole('dialog');
    await dialog.getByText('DID deleted').waitFor();
    await dialog.getByRole('button', { name: 'Undo', exact: true }).click();
    await lines(shown, /deleted the .* to undo an earlier change/).waitFor();
    expect((await client.gateways({ where: { ref: { eq: 'whole' } } })).gateways.nodes).toEqual([]);
  });

  test('is part of the page of a resource', async () => {
    const ref = await createDid(app, {});
    const shown = await open(`dids/${ref}/show`);
    await shown.getByRole('tab', { name: 'History' }).click();
    await lines(shown, /admin created the DID/).waitFor();
    await unfold(shown);
    await entries(shown).first().getByText('DID created').waitFor();
  });

  test('has what a request did to several on the page of each, also if another one no longer exists', async () => {
    const [gone, kept] = [await createGateway(app, {}), await createGateway(app, {})];
    const changes = [gone, kept].map((ref) => ({ update: { ref, gateway: { maxCalls: 7 } } }));
    await client.applyChanges({ changes });
    await client.deleteGateway({ ref: gone });
    const shown = await open(`gateways/${kept}/show`);
    await shown.getByRole('tab', { name: 'History' }).click();
    await lines(shown, /admin created the gateway/).waitFor();
    expect(await lines(shown).count()).toBe(2);
  });

  test('offers viewers no reverts, and only admins the entries on users', async () => {
    const ref = await createGateway(app);
    const viewer = await open(`history?ref=${ref}`, 'viewer');
    await unfold(viewer);
    await entries(viewer).first().getByText('Gateway created').waitFor();
    expect(await viewer.getByRole('button', { name: /Undo/ }).count()).toBe(0);
    expect(await viewer.getByRole('tab').count()).toBe(0);
    const kinds = async (shown: Page): Promise<string> => (await shown.getByLabel('Kind').textContent()) ?? '';
    expect(await kinds(viewer)).not.toContain('User');
    const admin = await open('history?show=security');
    await admin.getByRole('button', { name: 'Conditions' }).click();
    expect(await kinds(admin)).toContain('User');
  });

  test('has no serious finding of axe-core', async () => {
    const ref = await createGateway(app, { name: 'Looked at' });
    await rename(ref, 'Looked at again');
    const shown = await open('history?kind=Gateway', 'admin', PHONE);
    await lines(shown, 'Looked at again').first().waitFor();
    expect(await faults(shown)).toEqual([]);
    await pressRevert(shown);
    await shown.getByRole('dialog').getByText('This would change:').waitFor();
    expect(await faults(shown)).toEqual([]);
  });

  // The last test, because the numbers of its entries are higher than those of all others.
  test('has one line for an import of 20,000 numbers, which unfolds to its first entries', async () => {
    const details = JSON.stringify({ after: { aorLink: 'sip:a@b.test' } });
    for (let start = 0; start < 20_000; start += 1000) {
      const rows = Array.from({ length: 1000 }, (_, index) => [1_000_000 + start + index, `imported${start + index}`]);
      const places = `(?, ${Date.now()}, 'Number', ?, 'CREATED', 'admin', 'IMPORT', 'an-import', '${details}')`;
      await runSql(
        url,
        `INSERT INTO changes (id, at, kind, ref, did, who, way, request, details) VALUES ${rows.map(() => places).join()}`,
        rows.flat(),
      );
    }
    const shown = await open('history');
    await lines(shown, 'admin imported 20,000 numbers').waitFor();
    expect(await lines(shown, 'imported').count()).toBe(1);
    await lines(shown).nth(20).waitFor();
    // All of it can be reverted at once.
    expect(await shown.getByRole('button', { name: /^Undo admin imported/ }).count()).toBe(1);
    await unfold(shown);
    await entries(shown).nth(29).waitFor();
    expect(await entries(shown).count()).toBe(30);
    await shown.getByRole('button', { name: 'Older changes of this request' }).click();
    await entries(shown).first().getByText('imported19969').waitFor();
  });
});
