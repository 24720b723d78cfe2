import type { Browser, Page } from 'playwright-core';

import { faults } from '../support/browser/accessibility';
import { startApp, type TestApp } from '../support/app';
import { DESKTOP, PHONE, launchBrowser } from '../support/browser/browser';
import { forgetChoices, openConsole } from '../support/browser/console';
import { eventually } from '../support/eventually';
import { describeWith } from '../support/runner/programs';

// Bytes (gzip): of the first page, and of an answer to a question, which also loads the first page's menus and search.
const BUDGETS = { first: 350_000, answer: 356_000 };
// The paths in the menu of an admin.
const MENU = [
  ...['', 'map', 'health', 'calls', 'dids', 'numbers'],
  ...['agents', 'domains', 'live?show=devices', 'gateways', 'live?show=trunks', 'routes', 'peers'],
  ...['history', 'pending', 'users', 'webhooks', 'import', 'moving'],
];

describeWith(['chromium'], 'The console', () => {
  let app: TestApp;
  let browser: Browser;

  beforeAll(async () => {
    app = await startApp({ SAMPLE_DATA: 'true' });
    browser = await launchBrowser();
  });

  afterAll(async () => {
    await browser.close();
    await app.close();
  });

  test.each([
    ['its first page', '', 'Needs attention'],
    ['a number that does not ring', '/?q=%2B493012345678', 'This number does not ring'],
    ['an unknown number', '/?q=%2B999', 'Create a DID'],
    ['an address of record', '/?q=1001%40sip.local', 'This address'],
    ['a name', '/?q=sales', 'Matches for'],
  ])(
    'loads no more compressed scripts and styles than its budget for %s, all from this server',
    async (what, path, shown) => {
      const { page, elsewhere, complaints } = await openConsole(browser, app, path);
      await page.getByText(shown).or(page.getByLabel(shown)).first().waitFor();
      await page.waitForLoadState('networkidle');
      const files = await page.evaluate<readonly string[]>(
        'performance.getEntriesByType("resource").map(({ name }) => name).filter((name) => /[.](js|css)$/.test(name))',
      );
      // The rules of telephone numbers arrive after the page is shown, and change the room between digits.
      const rules = files.filter((file) => file.includes('/telephone-'));
      const sizes = await Promise.all(
        [...new Set(files)]
          .filter((file) => !rules.includes(file))
          .map(async (file) => {
            const { headers } = await fetch(file, { headers: { 'accept-encoding': 'gzip' } });
            expect(headers.get('content-encoding')).toBe('gzip');
            expect(headers.get('cache-control')).toContain('immutable');
            return Number(headers.get('content-length'));
          }),
      );
      await page.context().close();
      const total = sizes.reduce((sum, size) => sum + size, 0);
      process.stderr.write(`The console with ${what}: ${total} bytes of scripts and styles (gzip)\n`);
      expect(total).toBeGreaterThan(100_000);
      expect(total).toBeLessThan(path === '' ? BUDGETS.first : BUDGETS.answer);
      expect(elsewhere).toEqual([]);
      expect(complaints).toEqual([]);
    },
  );

  describe('shows', () => {
    let page: Page;

    beforeAll(async () => {
      ({ page } = await openConsole(browser, app));
    });

    afterAll(() => page.context().close());

    async function open(path: string): Promise<void> {
      await page.setViewportSize(PHONE);
      await page.goto(`${app.url}/console/${path}`);
      await page.getByRole('main').waitFor();
    }

    async function findings(): Promise<readonly string[]> {
      await page.waitForLoadState('networkidle');
      return (await faults(page)).map((fault) => `${page.url()} ${fault}`);
    }

    test.each([
      ['wide screens', DESKTOP],
      ['phones', PHONE],
    ])('on %s a menu that leads to each of these pages', async (_name, viewport) => {
      await page.setViewportSize(viewport);
      await page.reload();
      if (viewport === PHONE) await page.getByLabel('Open menu').click();
      await page.getByRole('menuitem', { name: 'Gateways' }).waitFor();
      const links = await page.evaluate<readonly string[]>(
        '[...document.querySelectorAll("[role=menuitem]")].map(({ pathname, search }) => pathname + search)',
      );
      // The store of the browser remembers an open menu, which hides the page.
      if (viewport === PHONE) await page.keyboard.press('Escape');
      await page.getByRole('main').waitFor();
      expect(links.map((path) => path.replace(/^\/console\/?/, ''))).toEqual(MENU);
      await forgetChoices(page);
    });

    const fillIn = async (): Promise<void> => {
      await page.getByRole('combobox', { name: 'Add a field to change' }).click();
      await page.getByRole('option', { name: 'Location city', exact: true }).click();
      await page.getByRole('dialog').getByLabel('City', { exact: true }).fill('Basel');
    };
    const preview = async (): Promise<void> => {
      await fillIn();
      await page.getByRole('button', { name: 'Preview' }).click();
      await page.getByText(/will be changed/).waitFor();
    };

    test.each([
      ['form to change many', 'Change all…', fillIn],
      ['preview of a change of many', 'Change all…', preview],
      ['preview of a deletion of many', 'Delete all…', () => page.getByText(/will be deleted/).waitFor()],
      ['export', 'Export as CSV', () => page.getByText(/rows? saved/).waitFor()],
    ] as [string, string, () => Promise<void>][])(
      'the dialog of the %s without a serious or critical finding of axe-core',
      async (_name, entry, use) => {
        await open('dids');
        await page.getByRole('button', { name: 'All that match' }).click();
        await page.getByRole('menuitem', { name: entry }).click();
        await page.getByRole('dialog').waitFor();
        await use();
        expect(await findings()).toEqual([]);
      },
    );

    test('the rows of an import without a serious or critical finding of axe-core', async () => {
      await open('import');
      const rows = ['tel:+4161', 'tel:+17066041487', 'nonsense'].map((tel) => `${tel},sip:1001@sip.local,gweef506`);
      const buffer = Buffer.from(['telUrl,aorLink,gwRef', ...rows].join('\n'));
      await page.getByLabel('choose a file').setInputFiles({ name: 'numbers.csv', mimeType: 'text/csv', buffer });
      await page.getByRole('table', { name: 'Rows of the file' }).waitFor();
      expect(await findings()).toEqual([]);
    });

    test('dialogs and the sign-in page without a serious or critical finding of axe-core', async () => {
      await open('gateways/gweef506/show');
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByText('DIDs').waitFor();
      const found = [...(await findings())];
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.keyboard.press('?');
      await page.getByRole('dialog').getByText('Search everywhere').waitFor();
      found.push(...(await findings()));
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.keyboard.press('Control+k');
      await page.keyboard.type('1001');
      await page.getByRole('option', { name: 'Explain 1001' }).waitFor();
      found.push(...(await findings()));
      await page.evaluate('localStorage.clear()');
      await page.reload();
      await page.getByRole('button', { name: 'Sign in' }).waitFor();
      found.push(...(await findings()));
      expect(found).toEqual([]);
    });
  });

  test('a window that becomes as narrow as a phone, and wide again, stays usable', async () => {
    const { page } = await openConsole(browser, app);
    const gateways = page.getByRole('menuitem', { name: 'Gateways' });
    await page.setViewportSize(PHONE);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByLabel('Open menu').click();
    await gateways.click();
    await page.getByRole('heading', { name: 'Gateways' }).waitFor();
    await page.setViewportSize(DESKTOP);
    await gateways.waitFor();
    // A wide page that is opened later has the menu, too.
    await page.setViewportSize(PHONE);
    await page.getByLabel('Open menu').waitFor();
    await page.goto('about:blank');
    await page.setViewportSize(DESKTOP);
    await page.goto(`${app.url}/console/gateways`);
    await eventually(10, async () => expect((await gateways.boundingBox())?.width).toBeGreaterThan(150));
    await page.context().close();
  });

  test('the keyboard alone suffices to find a list, search it, and create a resource', async () => {
    const { page } = await openConsole(browser, app);
    await page.keyboard.press('/');
    expect(await page.getByRole('combobox').inputValue()).toBe('');
    await page.keyboard.press('Escape');
    // A menu searches its entries for typed letters.
    await page.getByRole('menuitem', { name: 'Domains' }).click();
    await page.getByRole('link', { name: 'Local' }).waitFor();
    await page.keyboard.press('n');
    await page.getByRole('heading', { name: 'New Domain' }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'Local' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('sales');
    await page.getByText('1–1 of 1').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('n');
    await page.getByRole('heading', { name: 'New Domain' }).waitFor();
    const reach = async (name: string): Promise<void> => {
      for (let presses = 0; presses < 40; presses++) {
        if ((await page.evaluate('document.activeElement.name')) === name) return;
        await page.keyboard.press('Tab');
      }
      throw new Error(`Tab does not reach ${name}`);
    };
    await reach('name');
    await page.keyboard.type('Keyboard');
    await reach('domainUri');
    await page.keyboard.type('keyboard.test');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Domain Keyboard' }).waitFor();
    await page.context().close();
  });
});
