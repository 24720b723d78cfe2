import type { Locator } from 'playwright-core';

import { VIEWER, withConsole } from '../../support/browser/console';
import { eventually } from '../../support/eventually';
import { createDid, createGateway } from '../../support/factories';
import { describeWith } from '../../support/runner/programs';
import { measureGateway, runSql } from '../../support/databases/sql';

const DOES_NOT_RESPOND = 'Registered, does not respond';

describeWith(['chromium'], 'Gateways in the console', () => {
  const subject = withConsole();
  const { open } = subject;
  const explain = (): Locator => subject.opened.page.getByRole('link', { name: 'Explain', exact: true });

  /** The color of a state on the wall, or of the dot before it elsewhere. */
  async function colorOf(text: string): Promise<unknown> {
    const found = `[...document.querySelectorAll('.status')].find(({ innerText }) => innerText.startsWith('${text}'))`;
    const { page } = subject.opened;
    await page.locator('.status', { hasText: text }).first().waitFor();
    return page.evaluate(`((state, dot = state.parentElement.querySelector('[aria-hidden]')) =>
      dot ? getComputedStyle(dot).backgroundColor : getComputedStyle(state).color)(${found})`);
  }

  test.each([
    ['admins', {}],
    ['viewers', VIEWER],
  ])('are explained to %s by the chain of their first number', async (_who, options) => {
    await open(`/gateways/${subject.gateways['Refused'] ?? ''}/show`, options);
    await explain().click();
    const broken = subject.opened.page.getByRole('listitem').filter({ hasText: 'Broken here' });
    await broken.getByText('gateway Refused is refused by refused.test: 403 Forbidden').waitFor();
    const mending = await broken.getByRole('link', { name: /^(Edit the gateway|Move its numbers)$/ }).allInnerTexts();
    expect(mending).toEqual('username' in options ? [] : ['Edit the gateway', 'Move its numbers']);
  });

  test('are explained as soon as they have a number', async () => {
    const gatewayRef = await createGateway(subject.app, { name: 'Numberless', username: null, secret: null });
    await open('/gateways');
    const { page } = subject.opened;
    const asked = page.waitForResponse((response) => response.request().postData()?.includes('FirstNumber') === true);
    await page.getByRole('link', { name: 'Numberless' }).click();
    await asked;
    await page.getByRole('button', { name: 'Test now' }).waitFor();
    expect(await explain().count()).toBe(0);
    await createDid(subject.app, { gatewayRef, telUrl: 'tel:+1777', aorLink: 'sip:anna@one.test' });
    await explain().waitFor();
  });

  test('that are refused show since when and why in one line of the list', async () => {
    const refused = [subject.gateways['Refused'] ?? ''];
    const end = async (at: number): Promise<void> => {
      await runSql(subject.url, 'UPDATE gateway_registrations SET expires_at = ? WHERE gw_ref = ?', [at, ...refused]);
    };
    await end(new Date('2025-03-04T05:06:07Z').getTime());
    await open('/gateways');
    const row = subject.opened.page.getByRole('row').filter({ hasText: 'refused.test' });
    const state = row.getByTitle('Refused: 403 Forbidden');
    await state.waitFor();
    expect((await state.innerText()).replace(/\s+/g, ' ')).toMatch(/^Refused ?since 4 Mar 2025 · 403 Forbidden$/);
    expect((await row.boundingBox())?.height).toBeLessThanOrEqual(37);
    await end(0);
  });

  test('that are registered and do not respond are down everywhere', async () => {
    await open('/live');
    const [up, down] = [await colorOf('Registered'), await colorOf('Refused')];
    expect(up).not.toBe(down);
    await open('/gateways');
    const [green, red] = [await colorOf('Registered'), await colorOf('Refused')];
    expect(green).not.toBe(red);
    await open('');
    const { page } = subject.opened;
    const tile = page.getByRole('link', { name: /^Trunks up/ });
    await tile.getByText('4 are down').waitFor();
    await page.getByRole('menuitem', { name: 'Registrations 4 down' }).waitFor();

    const ref = subject.gateways['Registered'] ?? '';
    await measureGateway(subject.url, ref, { state: 'DOWN', host: 'registered.test' });
    await tile.getByText('5 are down').waitFor();
    await page.getByRole('menuitem', { name: 'Registrations 5 down' }).waitFor();
    await open(`/gateways/${ref}/show`);
    expect(await colorOf(DOES_NOT_RESPOND)).toBe(red);
    await open('/gateways');
    expect(await colorOf(DOES_NOT_RESPOND)).toBe(red);
    await open('/live');
    await page
      .getByRole('row')
      .filter({ hasText: /Registered,\s*Does not respond/ })
      .waitFor();
    expect([await colorOf('Registered'), await colorOf('Does not respond')]).toEqual([down, down]);
    await page.getByRole('button', { name: 'Registered: 1, 1 of them does not respond' }).waitFor();
    await open('/?q=%2B1001');
    await page.getByText('This number rings').waitFor();
    await page.getByText(/; its host has not responded to OPTIONS since /).waitFor();
  });

  test('that are down are counted in the menu, also where there are hundreds', async () => {
    await open('/live');
    const { page } = subject.opened;
    await page.route('**/graphql', (route) =>
      route.request().postData()?.includes('{ trunkCounts { state count silent } }') === true
        ? route.fulfill({ json: { data: { trunkCounts: [{ state: 'REFUSED', count: 388, silent: 0 }] } } })
        : route.continue(),
    );
    await page.reload();
    const entry = page.getByRole('menuitem', { name: 'Registrations 388 down' });
    const [outer, count] = [await entry.boundingBox(), await entry.getByText('388 down').boundingBox()];
    if (!outer || !count) throw new Error('The menu is not shown');
    expect(count.x + count.width).toBeLessThanOrEqual(outer.x + outer.width);
  });

  test('are filtered at 400 % zoom, where the options of a field and of its values are on the screen', async () => {
    const viewport = { width: 320, height: 256 };
    await open('/gateways', { viewport });
    const { page } = subject.opened;
    await page.getByRole('button', { name: 'Add filter' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add filter' });
    const apply = dialog.getByRole('button', { name: 'Apply' });
    const value = dialog.getByRole('combobox', { name: 'Value' });
    const choose = async (field: string, option: string, isChosen: () => Promise<boolean>): Promise<void> => {
      await dialog.getByRole('combobox', { name: field }).fill(option.slice(0, 5));
      const found = page.getByRole('option', { name: option, exact: true }).first();
      await found.waitFor();
      await eventually(5, async () => {
        const { y = -1, height = 0 } = (await found.boundingBox()) ?? {};
        expect(y).toBeGreaterThanOrEqual(0);
        expect(y + height).toBeLessThanOrEqual(viewport.height);
      });
      // On a busy machine, the list may move while it is clicked, which chooses nothing.
      await eventually(5, async () => {
        if (await found.isVisible()) await found.click();
        expect(await isChosen()).toBe(true);
      });
    };
    await choose('Field', 'Transport', () => value.isVisible());
    await choose('Value', 'TLS', () => apply.isEnabled());
    await apply.click();
    await page.getByText('Nothing matches the filter.').waitFor();
    await page.getByRole('button', { name: /^Transport is .*TLS ×$/ }).waitFor();
  });

  test('that are disabled are no failure, and no number rings behind them or behind those that drain', async () => {
    const { app } = subject;
    const trunk = { username: 'trunk', secret: 'trunk-secret' };
    const disabled = await createGateway(app, { name: 'Parked', host: 'parked.test', enabled: false, ...trunk });
    const draining = await createGateway(app, { name: 'Drained', host: 'drained.test', draining: true });
    const aorLink = 'sip:anna@one.test';
    await createDid(app, { telUrl: 'tel:+2001', gatewayRef: disabled, aorLink });
    await createDid(app, { telUrl: 'tel:+2002', gatewayRef: draining, aorLink });
    await createDid(app, { telUrl: 'tel:+2003', gatewayRef: subject.gateways['Open'], aorLink, enabled: false });
    await open('/gateways');
    const { page } = subject.opened;
    const stateIn = async (row: string): Promise<string> =>
      page.getByRole('row').filter({ hasText: row }).locator('.status').innerText();
    await page.getByRole('link', { name: 'Parked' }).waitFor();
    expect(await stateIn('parked.test')).toBe('Disabled');
    expect(await stateIn('drained.test')).toBe('Does not register, draining');
    expect(await colorOf('Disabled')).toBe(await colorOf('Does not register'));
    await open(`/gateways/${disabled}/show`);
    await page.locator('.status', { hasText: 'Disabled' }).waitFor();
    await open('/dids?perPage=50');
    await page.getByRole('link', { name: '+2003' }).waitFor();
    expect(await stateIn('+2001')).toBe('Gateway: disabled');
    expect(await stateIn('+2002')).toBe('Gateway: draining');
    expect(await stateIn('+2003')).toBe('Disabled');
  });
});
