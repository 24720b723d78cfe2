import type { Locator, Page } from 'playwright-core';

import { PHONE } from '../../support/browser/browser';
import { type ConsoleOptions, openSearch, VIEWER, withConsole } from '../../support/browser/console';
import { createDid, createGateway } from '../../support/factories';
import { describeWith } from '../../support/runner/programs';
import { runSql } from '../../support/databases/sql';

/** Something that somebody wants who does not know the console, from its first page on. */
interface Task {
  readonly task: string;
  /** The most presses of the mouse. */
  readonly clicks: number;
  readonly as?: ConsoleOptions;
  readonly prepare?: () => Promise<unknown>;
  readonly solve: (page: Page) => Promise<unknown>;
}

describeWith(['chromium'], 'From the first page of the console', () => {
  const subject = withConsole();

  const button = (page: Page, name: string | RegExp): Locator => page.getByRole('button', { name, exact: true });
  const menu = (page: Page, name: string): Promise<void> =>
    page.getByRole('menuitem', { name: new RegExp(`^${name}`) }).click();
  const dids = (telUrls: readonly string[], gatewayRef: string, aorLink = 'sip:anna@one.test'): Promise<unknown> =>
    Promise.all(telUrls.map((telUrl) => createDid(subject.app, { telUrl, gatewayRef, aorLink })));
  const choose = async (page: Page, field: string, text: string): Promise<void> => {
    await page.getByRole('combobox', { name: field, exact: true }).fill(text);
    await page.getByRole('option').filter({ hasText: text }).first().click();
  };

  const TASKS: readonly Task[] = [
    {
      task: 'find out why +1007 does not ring, and mend it',
      clicks: 2,
      solve: async (page) => {
        await openSearch(page);
        await page.keyboard.type('+1007');
        await page.getByRole('option', { name: 'Explain +1007' }).waitFor();
        await page.keyboard.press('Enter');
        await page.getByText('This number does not ring').waitFor();
        await button(page, 'Route calls to sip:anna@one.test').click();
        await page.getByText('This number rings').waitFor();
      },
    },
    {
      task: 'move the numbers of a dead trunk',
      clicks: 4,
      prepare: async () => {
        const gatewayRef = await createGateway(subject.app, { name: 'Gone', username: 'trunk', secret: 'a secret' });
        await dids(['tel:+7001', 'tel:+7002'], gatewayRef);
      },
      solve: async (page) => {
        await page.getByRole('link', { name: 'Move numbers of Gone' }).click();
        await choose(page, 'New gateway', 'Open');
        await button(page, 'Move 2 numbers').click();
        await page.getByText('2 DIDs moved to Open.').waitFor();
      },
    },
    {
      task: 'hand a phone to a user',
      clicks: 4,
      solve: async (page) => {
        await page.getByRole('link', { name: 'New phone user' }).click();
        await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Grace');
        await choose(page, 'Domain', 'one.test');
        await page.getByRole('textbox', { name: 'User name', exact: true }).fill('grace');
        await button(page, 'Create').click();
        await page.getByRole('region', { name: 'Phone of Grace' }).waitFor();
      },
    },
    {
      task: 'undo the import of an hour ago',
      clicks: 3,
      prepare: async () => {
        const rows = ['tel:+7101', 'tel:+7102', 'tel:+7103'].map((tel) => `${tel},sip:anna@one.test,Open`);
        const csv = ['telUrl,aorLink,gatewayRef', ...rows]
          .join('\n')
          .replaceAll(',Open', `,${subject.gateways['Open'] ?? ''}`);
        const { errors } = await subject.app.graphql(
          'mutation ($csv: String!) { importCsv(kind: DID, csv: $csv) { imported } }',
          { csv },
        );
        expect(errors).toBeUndefined();
        // Others were busy meanwhile.
        await createGateway(subject.app, { name: 'Later' });
      },
      solve: async (page) => {
        await menu(page, 'History');
        await page.getByText('admin imported 3 DIDs').waitFor();
        await button(page, 'Undo admin imported 3 DIDs').click();
        const dialog = page.getByRole('dialog');
        await dialog.getByText('Undoes what admin did: imported 3 DIDs.').waitFor();
        await dialog.getByText('This would change:').waitFor();
        await dialog.getByRole('button', { name: 'Undo' }).click();
        await page.getByText('3 changes undone').waitFor();
      },
    },
    {
      task: 'see since when fewer devices are online',
      clicks: 1,
      prepare: async () => {
        const now = Date.now() - (Date.now() % 60_000);
        // Instead of the samples that the server has taken itself.
        for (let ago = 60; ago > 0; ago--)
          await runSql(
            subject.url,
            `INSERT OR REPLACE INTO samples (step, at, devices, trunks_registered, trunks_refused, trunks_unreachable, trunks_expired,
               trunks_unknown, numbers_reachable, changes) VALUES (60000, ?, ?, 1, 0, 0, 0, 0, 4, 0)`,
            [now - ago * 60_000, ago > 30 ? 900 : 40],
          );
      },
      solve: async (page) => {
        await page.getByRole('link', { name: /^Devices registered/ }).click();
        await page.getByText(/most 900 at \d\d:\d\d · fewest \d+ at \d\d:\d\d/).waitFor();
      },
    },
    {
      task: 'add a gateway',
      clicks: 3,
      solve: async (page) => {
        await menu(page, 'Gateways');
        await page.getByRole('link', { name: 'Create' }).click();
        // The form waits for the name, and has the transport that is usual.
        await page.getByRole('textbox', { name: 'Name', exact: true }).and(page.locator(':focus')).waitFor();
        await page.keyboard.type('Added');
        await page.getByLabel('Host', { exact: false }).first().fill('added.test');
        await button(page, 'Save').click();
        await page.getByRole('heading', { name: 'Gateway Added' }).waitFor();
        await page.getByText('Created', { exact: true }).waitFor();
      },
    },
    {
      // The sheet of a carrier: sip.eu.sheet.test and sip.us.sheet.test:5070 over UDP, user name and password, four networks, numbers
      // in E.164 without the plus.
      task: 'add a gateway from the sheet of a carrier',
      clicks: 14,
      solve: async (page) => {
        await menu(page, 'Gateways');
        await page.getByRole('link', { name: 'Create' }).click();
        await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Sheet');
        await page.getByRole('textbox', { name: 'Host', exact: true }).fill('sip.eu.sheet.test');
        await page.getByRole('combobox', { name: /^Transport/ }).click();
        await page.getByRole('option', { name: 'UDP' }).click();
        await page.getByRole('textbox', { name: 'Username', exact: true }).fill('trunk-77');
        await page.getByLabel('Secret', { exact: true }).fill('a password of the sheet');
        await page.locator('summary', { hasText: 'Destinations and sources' }).click();
        await button(page, 'Add').first().click();
        await page.getByRole('textbox', { name: 'Host', exact: true }).last().fill('sip.us.sheet.test');
        await page.getByLabel('Port', { exact: true }).last().fill('5070');
        const sources = page.getByRole('combobox', { name: 'Sources' });
        for (const network of ['192.0.2.0/28', '192.0.2.64/28', '198.51.100.0/28', '203.0.113.0/28']) {
          await sources.fill(network);
          await page.keyboard.press('Enter');
        }
        await page.locator('summary', { hasText: 'Quirks of the provider' }).click();
        await page.getByRole('textbox', { name: 'Number format', exact: true }).fill('E164_NO_PLUS');
        await button(page, 'Save').click();
        await page.getByRole('heading', { name: 'Gateway Sheet' }).waitFor();
        const { data } = await subject.app.graphql(
          `{ gateways(where: { name: { eq: "Sheet" } }) { nodes {
            host username secretSet sources numberFormat destinations { host port } } } }`,
        );
        expect(data).toEqual({
          gateways: {
            nodes: [
              {
                host: 'sip.eu.sheet.test',
                username: 'trunk-77',
                secretSet: true,
                sources: ['192.0.2.0/28', '192.0.2.64/28', '198.51.100.0/28', '203.0.113.0/28'],
                numberFormat: 'E164_NO_PLUS',
                destinations: [{ host: 'sip.us.sheet.test', port: 5070 }],
              },
            ],
          },
        });
      },
    },
    {
      task: 'find out who changed a gateway, and what',
      clicks: 3,
      prepare: async () => {
        const ref = await createGateway(subject.app, { name: 'Watched', host: 'first.test' });
        await subject.app.graphql(
          'mutation ($ref: String!) { updateGateway(ref: $ref, input: { host: "second.test" }) { ref } }',
          { ref },
        );
      },
      solve: async (page) => {
        await menu(page, 'History');
        await page.getByText('admin changed the host of the gateway Watched from first.test to second.test').waitFor();
      },
    },
    {
      task: 'look, as a viewer, at a number, without being offered a change',
      clicks: 2,
      as: VIEWER,
      solve: async (page) => {
        await menu(page, 'DIDs');
        await page.getByRole('link', { name: '+1001' }).click();
        await page.getByText('Rings', { exact: true }).first().waitFor();
        for (const name of ['Edit', 'Delete', 'Create'])
          expect(
            await page
              .getByRole('button', { name })
              .or(page.getByRole('link', { name, exact: true }))
              .count(),
          ).toBe(0);
      },
    },
    {
      task: 'get a token for a script',
      clicks: 4,
      solve: async (page) => {
        await button(page, 'Account: admin').click();
        await page.getByRole('menuitem', { name: 'Sessions and API tokens' }).click();
        await button(page, 'New API token').click();
        await page.getByRole('dialog').getByLabel('Name').fill('script');
        await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
        expect(await page.getByRole('textbox', { name: 'API token' }).inputValue()).toMatch(/^sg_/);
      },
    },
    {
      task: 'find out, on a phone, what is wrong and why',
      clicks: 1,
      as: { viewport: PHONE },
      solve: async (page) => {
        await page.getByRole('link', { name: 'Explain Dead' }).click();
        await page.getByText('This number does not ring').waitFor();
        await page
          .getByText(/dead\.test did not answer/)
          .first()
          .waitFor();
      },
    },
  ];

  test.each(TASKS)('somebody can $task, with at most $clicks clicks', async ({ task, clicks, as, prepare, solve }) => {
    await prepare?.();
    await subject.open('', as);
    const { page, complaints } = subject.opened;
    await page.getByRole('list', { name: 'Needs attention' }).waitFor();
    await page.evaluate('presses = 0; addEventListener("pointerdown", () => presses++, true)');
    await solve(page);
    const presses = await page.evaluate<number>('presses');
    process.stderr.write(`${task}: ${String(presses)} clicks\n`);
    expect(presses).toBeLessThanOrEqual(clicks);
    expect(complaints).toEqual([]);
  });
});
