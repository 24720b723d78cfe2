import type { Browser, Page } from 'playwright-core';

import { startApp, type TestApp } from '../../support/app';
import { INSECURE_HOST, launchBrowser, type WatchedPage } from '../../support/browser/browser';
import { fillField, openConsole, reopen, show } from '../../support/browser/console';
import { createAgent, createDid, createDomain, createGateway, createNumber } from '../../support/factories';
import { describeWith } from '../../support/runner/programs';

type Fields = readonly (readonly [label: string, value: string])[];

interface Case {
  readonly kind: string;
  readonly list: string;
  /** What the form for a new resource is filled in with. */
  readonly fields: Fields;
  readonly title: string;
  /** A field that is changed, and its new value. */
  readonly change: readonly [label: string, value: string];
  /** Fields that differ from those of the first resource, although it is there already. */
  readonly again: Fields;
  readonly conflict: RegExp | undefined;
}

const number = (kind: string, list: string, telUrl: string): Case => ({
  kind,
  list,
  fields: [
    ['Gateway', 'Carrier'],
    ['Number', telUrl],
    ['Address of record', 'sip:desk@office.test'],
    ['City', 'Leipzig'],
  ],
  title: `${kind} ${telUrl}`,
  change: ['Address of record', 'sip:lobby@office.test'],
  again: [],
  conflict: /exists already/,
});

const CASES: readonly Case[] = [
  {
    kind: 'Gateway',
    list: 'gateways',
    fields: [
      ['Name', 'Provider'],
      ['Host', 'sip.provider.test'],
      ['Transport', 'UDP'],
      ['Port', '5062'],
    ],
    title: 'Gateway Provider',
    change: ['Host', 'sbc.provider.test'],
    again: [['Reference', 'taken']],
    conflict: undefined,
  },
  {
    kind: 'Agent',
    list: 'agents',
    fields: [
      ['Name', 'Desk'],
      ['Username', 'desk'],
      ['Secret', 'a secret of the desk'],
      ['Domains', 'Office'],
    ],
    title: 'Agent Desk',
    change: ['Name', 'Front desk'],
    again: [],
    conflict: /exists already/,
  },
  {
    kind: 'Peer',
    list: 'peers',
    fields: [
      ['Name', 'PBX'],
      ['Username', 'pbx'],
      ['Secret', 'a secret of the PBX'],
    ],
    title: 'Peer PBX',
    change: ['Device', 'Asterisk'],
    again: [],
    conflict: /exists already/,
  },
  {
    kind: 'Domain',
    list: 'domains',
    fields: [
      ['Name', 'Branch'],
      ['Domain URI', 'branch.test'],
    ],
    title: 'Domain Branch',
    change: ['Name', 'Branch office'],
    again: [],
    conflict: /exists already/,
  },
  number('DID', 'dids', '+4930123456'),
  number('Number', 'numbers', '+4930123457'),
];

describeWith(['chromium'], 'The pages of each kind in the console', () => {
  let app: TestApp;
  let url: string;
  let browser: Browser;
  let opened: WatchedPage;
  let page: Page;

  beforeAll(async () => {
    app = await startApp();
    await createDomain(app, { name: 'Office', domainUri: 'office.test' });
    await createGateway(app, { ref: 'carrier', name: 'Carrier' });
    browser = await launchBrowser();
    // Many reach the console over plain HTTP, where browsers lack the clipboard and some of their cryptography.
    url = app.url.replace('127.0.0.1', INSECURE_HOST);
    opened = await openConsole(browser, { ...app, url });
    page = opened.page;
  });

  afterAll(async () => {
    await browser.close();
    await app.close();
  });

  const open = (path: string): Promise<void> => reopen(opened, path);

  async function fill(fields: Fields): Promise<void> {
    for (const [label, value] of fields) await fillField(page, label, value);
    await page.getByRole('button', { name: 'Save' }).click();
  }

  describe.each(CASES)('$kind', ({ list, fields, title, change, again, conflict }) => {
    test('is created with a form, and its page shows what was entered', async () => {
      await open(`/${list}`);
      await page.getByRole('link', { name: 'Create' }).click();
      await fill(fields);
      await page.getByRole('heading', { name: title }).waitFor();
      const shown = await page.getByRole('main').innerText();
      for (const [label, value] of fields) if (label !== 'Secret') expect(shown).toContain(value);
      expect(shown).not.toContain('a secret of');
      // Browsers report that they ignore this header over plain HTTP.
      expect(opened.complaints.filter((each) => !each.includes('Cross-Origin-Opener-Policy'))).toEqual([]);
    });

    test('is found in its list, and changed', async () => {
      await open(`/${list}`);
      const name = title.slice(title.indexOf(' ') + 1);
      await page.getByLabel('Search').fill(name.slice(1));
      // Although the list puts its filter into its address half a second later, the page stays.
      await page.getByRole('link', { name }).click();
      await page.getByRole('link', { name: 'Edit' }).click();
      const [label, value] = change;
      await fill([[label, value]]);
      await page.getByRole('main').getByText(value, { exact: true }).first().waitFor();
    });

    test('a conflict is shown in the form, with what is there', async () => {
      await open(`/${list}/create`);
      if (conflict === undefined) await createGateway(app, { ref: 'taken', name: 'Taken' });
      await fill([...fields, ...again]);
      await page
        .getByText(conflict ?? /exists already/)
        .first()
        .waitFor();
      // Whoever leaves the form is asked first. Playwright declines the first time.
      const there = page.getByRole('alert').getByRole('link').first();
      await there.click();
      await page.getByRole('button', { name: 'Save' }).waitFor();
      page.once('dialog', (dialog) => void dialog.accept());
      await there.click();
      await page.waitForURL(/\/show$/);
    });

    test('is deleted after a warning', async () => {
      const name = change[0] === 'Name' ? change[1] : title.slice(title.indexOf(' ') + 1);
      await open(`/${list}`);
      await page.getByRole('link', { name }).first().click();
      await page.getByRole('button', { name: 'Delete' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText(name).waitFor();
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await page.getByText(/deleted$/).waitFor();
      await page.getByRole('link', { name }).waitFor({ state: 'detached' });
    });
  });

  test('errors are shown at their fields', async () => {
    await open('/dids/create');
    await fill([
      ['Gateway', 'Carrier'],
      ['Number', 'not a number'],
      ['Address of record', 'sip:desk@office.test'],
      ['Country ISO code', 'long'],
    ]);
    for (const [label, message] of [
      ['Number', /Enter a telephone number/],
      ['Country ISO code', /longer than 2/],
    ] as const) {
      await expectDescription(page.getByRole('textbox', { name: label, exact: true }), message);
    }
    expect(await page.getByText('The form is not valid').count()).toBe(0);
  });

  test('Cancel leads to the page of the resource, or to the list, whatever was shown before', async () => {
    await page.goto('about:blank');
    await page.goto(`${url}/console/gateways/carrier`);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('heading', { name: 'Gateway Carrier' }).waitFor();
    expect(await page.title()).toBe('Gateway Carrier · sipgraph');
    await show(page, '/domains/create');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('heading', { name: 'Domains', exact: true }).waitFor();
    expect(await page.title()).toBe('Domains · sipgraph');
  });

  test('a form checks the types of the graph before it is sent', async () => {
    const ref = await createGateway(app, { name: 'Checked' });
    await open(`/gateways/${ref}`);
    await fill([
      ['Name', ''],
      ['Port', '5060.5'],
    ]);
    for (const message of ['Enter a name.', 'Enter a whole number.'])
      await page.getByText(message, { exact: true }).waitFor();
    await fill([
      ['Name', 'Checked again'],
      ['Port', ''],
    ]);
    await page.getByRole('heading', { name: 'Gateway Checked again' }).waitFor();
  });

  test('a form says what the answer means that is not chosen', async () => {
    await open('/gateways/create');
    const enabled = page.getByLabel('Enabled');
    await enabled.getByText('Yes, by default').waitFor();
    await enabled.click();
    expect(await page.getByRole('option').allInnerTexts()).toEqual(['Yes, by default', 'No', 'Yes']);
    await page.getByRole('option', { name: 'No', exact: true }).click();
    await page.getByLabel('Draining').click();
    expect(await page.getByRole('option').allInnerTexts()).toEqual(['Not set', 'No', 'Yes']);
    await page.getByRole('option', { name: 'Not set' }).click();
  });

  test('a field that is refused opens its section of the form, and has the focus', async () => {
    await open('/gateways/create');
    await fillField(page, 'Name', 'Folded');
    await fillField(page, 'Host', 'folded.test');
    await fillField(page, 'Transport', 'UDP');
    const limits = page.locator('summary', { hasText: 'Limits' });
    const field = page.getByLabel('Max calls per second', { exact: true });
    expect(await field.isVisible()).toBe(false);
    await limits.click();
    await field.fill('-1');
    await limits.click();
    await limits.getByText('Max calls per second: -1').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await field.waitFor();
    await page.waitForFunction('document.activeElement?.name === "maxCallsPerSecond"');
    await field.fill('9');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Gateway Folded' }).waitFor();
  });

  test.each([
    ['a new one is created once, although Save is pressed twice and the response is lost', ['Once']],
    ['a form that is changed after its response was lost creates another one', ['Lost', 'Found']],
  ])('%s', async (_name, names) => {
    const [first = '', last = first] = names;
    const fillIn = async (name: string): Promise<void> => {
      await fillField(page, 'Name', name);
      await fillField(page, 'Host', `${name}.test`);
    };
    await open('/gateways/create');
    let sent = 0;
    await page.route('**/graphql', async (route) => {
      const isFirst = route.request().postData()?.includes('mutation Change') === true && ++sent === 1;
      if (!isFirst) return route.continue();
      // The host is known to the browser only.
      await route.fetch({ url: `${app.url}/graphql` });
      return route.abort();
    });
    await fillIn(first);
    await fillField(page, 'Transport', 'UDP');
    const save = page.getByRole('button', { name: 'Save' });
    await save.dblclick();
    await page.getByText('cannot be reached').waitFor();
    expect(sent).toBe(1);
    await fillIn(last);
    await save.click();
    await page.getByRole('heading', { name: `Gateway ${last}` }).waitFor();
    const { data } = await app.graphql(
      'query ($names: [String!]) { gateways(where: { name: { in: $names } }) { totalCount } }',
      { names },
    );
    expect(data).toEqual({ gateways: { totalCount: names.length } });
  });

  test('a console that cannot start says why, and starts once it is reloaded', async () => {
    await open('/gateways');
    let asked = 0;
    await page.route('**/graphql', (route) => {
      if (route.request().postData()?.includes('query Types') !== true) return route.continue();
      // A broken response may be a restart, so the console asks again.
      return route.fulfill(
        ++asked === 1
          ? { contentType: 'application/json', body: '{' }
          : { json: { errors: [{ message: 'There is no schema.' }] } },
      );
    });
    await page.reload();
    await page.getByRole('alert').getByText('There is no schema.').waitFor();
    await page.waitForTimeout(1000);
    expect(asked).toBe(2);
    await page.unroute('**/graphql');
    await page.getByRole('link', { name: 'Reload the page' }).click();
    await page.getByRole('heading', { name: 'Gateways' }).waitFor();
  });

  test('a page says that there is no such resource, or why it cannot be read', async () => {
    await open('/numbers/nowhere');
    await page.getByText('Number "nowhere" does not exist').waitFor();
    await page.goto(`${page.url()}/show`);
    await page.getByText('Number "nowhere" does not exist').waitFor();
    let isDown = true;
    await page.route('**/graphql', (route) =>
      isDown && route.request().postData()?.includes('query Page') === true
        ? route.fulfill({ json: { errors: [{ message: 'The list is down' }] } })
        : route.continue(),
    );
    await page.getByRole('link', { name: 'Numbers' }).click();
    await page.getByText('The list is down').waitFor();
    expect(await page.getByText('There is nothing here yet.').count()).toBe(0);
    const again = page.getByRole('button', { name: 'Try again' });
    await again.click();
    await page.getByText('The list is down').waitFor();
    isDown = false;
    // The page may be faster, because it reads the list again when the live connection begins.
    await again.click({ timeout: 5000 }).catch(() => undefined);
    await page.getByText('There is nothing here yet.').waitFor();
    expect(await page.getByText(/^No .* found/).count()).toBe(0);
  });

  test('keys do nothing while a menu is open, and can be turned off', async () => {
    await open('/numbers?perPage=10');
    const isStill = async (key: string): Promise<void> => {
      await page.keyboard.press(key);
      expect(page.url()).toContain('/numbers');
    };
    await page.getByRole('button', { name: 'Account: admin' }).click();
    await isStill('g');
    await page.getByRole('menuitem', { name: 'Keys' }).click();
    await page.getByLabel('Use these keys').click();
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await isStill('g');
    await isStill('?');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  test('a page that is too far from both ends of a list says so, and opens the first one', async () => {
    await createGateway(app, { ref: 'long', name: 'Long' });
    const rows = Array.from({ length: 4100 }, (_, n) => `tel:+4940${n},sip:a@b.test,long`);
    const csv = ['telUrl,aorLink,gwRef', ...rows].join('\n');
    const { data } = await app.graphql(
      'mutation ($csv: String!) { importNumbers(csv: $csv, kind: DID) { imported } }',
      { csv },
    );
    expect(data).toEqual({ importNumbers: { imported: true } });
    await open('/dids?page=205&perPage=10');
    await page.getByText('This page is too far from both ends').first().waitFor();
    await page.getByText(/^1–10 of 4,10/).waitFor();
  });

  test('a page whose read fails for long says so, and comes back by itself or when asked to', async () => {
    await open('/dids?page=2&perPage=10');
    await page.getByText(/^11–20 of/).waitFor();
    let isDown = true;
    const extensions = { code: 'UNAVAILABLE', retryAfter: 0.1 };
    await page.route('**/graphql', (route) =>
      isDown && route.request().postData()?.includes('query Page') === true
        ? route.fulfill({ json: { errors: [{ message: 'The list is down', extensions }] } })
        : route.continue(),
    );
    for (const [isAsked, number] of [
      [false, 3],
      [true, 4],
    ] as const) {
      isDown = true;
      await page.getByRole('button', { name: 'Next page' }).click();
      await page.getByText('The list is down').waitFor();
      isDown = false;
      // On a busy machine, the page may be faster.
      if (isAsked)
        await page
          .getByRole('button', { name: 'Try again' })
          .click({ timeout: 5000 })
          .catch(() => undefined);
      await page.getByText(`${String(10 * number - 9)}–${String(10 * number)} of`).waitFor();
      await page.getByText('The list is down').waitFor({ state: 'detached' });
      expect(page.url()).toContain(`page=${String(number)}`);
    }
  });

  test('a page whose read timed out says so, and is read again only when asked to', async () => {
    const watched = await openConsole(browser, app);
    const { page: own } = watched;
    // A live connection reads the list again when it begins, on a busy machine after the list is shown.
    await own.routeWebSocket(/graphql/, () => undefined);
    await reopen(watched, '/dids?page=2&perPage=10');
    await own.getByText(/^11–20 of/).waitFor();
    await own.clock.install();
    let [isSlow, timeouts] = [true, 0];
    const extensions = { code: 'UNAVAILABLE', retryAfter: 8, timedOut: true };
    await own.route('**/graphql', (route) => {
      if (!isSlow || route.request().postData()?.includes('query Page') !== true) return route.continue();
      timeouts++;
      return route.fulfill({ json: { errors: [{ message: 'The query timed out', extensions }] } });
    });
    await own.getByRole('button', { name: 'Next page' }).click();
    await own.getByText('The query timed out').waitFor();
    await own.clock.fastForward(60_000);
    expect(own.url()).toContain('page=3');
    isSlow = false;
    await own.getByRole('button', { name: 'Try again' }).click();
    await own.getByText(/^21–30 of/).waitFor();
    await own.getByText('The query timed out').waitFor({ state: 'detached' });
    expect(timeouts).toBe(1);
    await own.context().close();
  });

  async function expectDescription(field: ReturnType<Page['getByLabel']>, message: RegExp): Promise<void> {
    await page.getByText(message).first().waitFor();
    const described = await field.first().getAttribute('aria-describedby');
    expect(await page.locator(`[id="${described ?? ''}"]`).innerText()).toMatch(message);
    expect(await field.first().getAttribute('aria-invalid')).toBe('true');
  }

  test('a secret is made up and stored, and not shown again', async () => {
    const ref = await createAgent(app, { name: 'Lobby', domains: ['office.test'] });
    await open(`/agents/${ref}`);
    const field = page.getByLabel('Secret', { exact: true });
    expect(await field.inputValue()).toBe('');
    await page.getByRole('button', { name: 'Make up' }).click();
    const secret = await field.inputValue();
    expect(secret).toMatch(/^[A-Za-z2-9]{24}$/);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Agent Lobby' }).waitFor();
    const { body } = await app.rest<{ spec: { credentials: { secret: string } } }>('GET', `/agents/${ref}`);
    expect(body.data.spec.credentials.secret).toBe(secret);
    expect(await page.content()).not.toContain(secret);
  });

  test('the credentials of a gateway are removed in its form, and stay if they are not changed', async () => {
    const ref = await createGateway(app, { name: 'Trunk', username: 'trunk', secret: 'its secret' });
    const credentials = async (): Promise<unknown> =>
      (await app.graphql(`{ gateway(ref: "${ref}") { username secretSet } }`)).data;
    await open(`/gateways/${ref}`);
    const secret = page.getByLabel('Secret', { exact: true });
    await secret.fill('typed');
    await secret.fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Gateway Trunk' }).waitFor();
    expect(await credentials()).toEqual({ gateway: { username: 'trunk', secretSet: true } });
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('The secret is removed when you save.').waitFor();
    await fill([['Username', '']]);
    await page.getByRole('heading', { name: 'Gateway Trunk' }).waitFor();
    expect(await credentials()).toEqual({ gateway: { username: null, secretSet: false } });
  });

  test('pages show links both ways: a gateway its numbers, and a number its gateway', async () => {
    await app.graphql(`mutation { createDID(input: {
      ref: "linked", gatewayRef: "carrier", telUrl: "tel:+4930777", aorLink: "sip:desk@office.test"
    }) { ref } }`);
    await open('/gateways/carrier/show');
    await page.getByRole('heading', { name: 'DIDs (1)' }).waitFor();
    await page.getByRole('link', { name: '+4930777' }).click();
    await page.getByRole('heading', { name: 'DID +4930777' }).waitFor();
    await page.getByRole('link', { name: 'Carrier' }).click();
    await page.getByRole('heading', { name: 'Gateway Carrier' }).waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('link', { name: '+4930777' }).waitFor();
  });

  test('what is in use cannot be deleted, which leads to its replacement, and what is not in use can', async () => {
    await open('/gateways/carrier/show');
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete Gateway Carrier?' });
    await dialog
      .getByText('It cannot be deleted while others refer to it. Change or delete these first, or replace it:')
      .waitFor();
    expect(await dialog.getByRole('button').allInnerTexts()).toEqual(['Cancel']);
    await dialog.getByRole('link', { name: 'Replace' }).click();
    await page.getByRole('heading', { name: 'Replace a gateway' }).waitFor();
    const free = await createGateway(app, { name: 'Free' });
    await open(`/gateways/${free}/show`);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('You can restore it from the history.', { exact: true }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Gateway deleted').waitFor();
  });

  test('the warning before a deletion counts what refers to the resource, by kind', async () => {
    const gatewayRef = await createGateway(app, { name: 'Busy' });
    for (let n = 0; n < 12; n++) await createDid(app, { gatewayRef, telUrl: `tel:+49880${String(n)}` });
    await createNumber(app, { gatewayRef, telUrl: 'tel:+498899' });
    await open(`/gateways/${gatewayRef}/show`);
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete Gateway Busy?' });
    const part = (heading: string) => dialog.locator('section').filter({ hasText: heading });
    await part('DIDs (12)').getByRole('link', { name: 'Show all 12' }).waitFor();
    await part('Numbers (1)').getByRole('link', { name: '+498899' }).waitFor();
    expect(await part('DIDs (12)').getByRole('link').count()).toBe(11);
    expect(await dialog.locator('section').count()).toBe(2);
    await dialog.getByRole('link', { name: 'Show all 12' }).click();
    await page.getByText(/^1–12 of 12/).waitFor();
  });

  test('the numbers of a route are chosen in order, and a route without a prefix is for all numbers', async () => {
    for (const telUrl of ['tel:+49301', 'tel:+49302']) await createNumber(app, { gatewayRef: 'carrier', telUrl });
    const routes = async (): Promise<unknown> =>
      (await app.graphql('{ routes { nodes { name prefix numbers { telUrl } } } }')).data;
    await open('/routes/create');
    await fill([
      ['Name', 'Out'],
      ['Domain', 'Office'],
      ['Prefix', '00 49-30'],
      ['Numbers', '+49302'],
      ['Numbers', '+49301'],
    ]);
    await page.getByRole('heading', { name: 'Route Out' }).waitFor();
    const numbers = [{ telUrl: 'tel:+49302' }, { telUrl: 'tel:+49301' }];
    expect(await routes()).toEqual({ routes: { nodes: [{ name: 'Out', prefix: '+4930', numbers }] } });
    await page.getByRole('link', { name: 'Edit' }).click();
    await fill([['Prefix', '']]);
    await page.getByRole('heading', { name: 'Route Out' }).waitFor();
    expect(await routes()).toEqual({ routes: { nodes: [{ name: 'Out', prefix: '', numbers }] } });
    await page.getByRole('link', { name: '+49301' }).click();
    await page.getByRole('heading', { name: 'Routes (1)' }).waitFor();
  });

  test('the entries of a list are separated by commas', async () => {
    const accessControlList = { deny: ['0.0.0.0/1'], allow: ['192.168.0.0/16', '10.0.0.0/8'] };
    const ref = await createDomain(app, { domainUri: 'lists.test', accessControlList });
    await open(`/domains/${ref}/show`);
    await page.getByText('192.168.0.0/16, 10.0.0.0/8').first().waitFor();
  });

  test('nothing can be deleted until it is shown what refers to it', async () => {
    await open('/peers');
    await page.route('**/graphql', (route) =>
      route.request().postData()?.includes('query Page') === true
        ? route.fulfill({ json: { errors: [{ message: 'The list is down' }] } })
        : route.continue(),
    );
    await show(page, '/gateways/carrier/show');
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('The list is down').waitFor();
    expect(await dialog.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true);
    await page.unroute('**/graphql');
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await dialog.getByRole('link').first().waitFor();
    await dialog.getByText(/^It cannot be deleted while others refer to it/).waitFor();
    expect(await dialog.getByRole('button', { name: 'Delete' }).count()).toBe(0);
  });

  test('the search, filters, order and page of a list are in its address, which can be shared', async () => {
    for (let n = 10; n < 35; n++)
      await app.graphql(
        `mutation { createPeer(input: { name: "Shared ${n}", username: "shared${n}", secret: "changeit" }) { ref } }`,
      );
    await app.graphql(
      'mutation { createPeer(input: { name: "Other", username: "other", secret: "changeit" }) { ref } }',
    );
    await open('/peers');
    await page.getByLabel('Search').fill('shared');
    await page.getByText('1–25 of 25').waitFor();
    await page.getByLabel('Rows per page').click();
    await page.getByRole('option', { name: '10', exact: true }).click();
    await page.getByRole('button', { name: 'Username' }).click();
    await page.waitForURL(/sort=username/);
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByText('11–20 of 25').waitFor();
    await page.getByRole('link', { name: 'Shared 20' }).waitFor();
    const { pathname, search } = new URL(page.url());
    const shared = await openConsole(browser, app, pathname.replace('/console', '') + search);
    await shared.page.getByText('11–20 of 25').waitFor();
    await shared.page.getByRole('link', { name: 'Shared 20' }).waitFor();
    await shared.page.getByRole('button', { name: 'Last page' }).click();
    await shared.page.getByRole('link', { name: 'Shared 34' }).waitFor();
    await shared.page.context().close();
  });

  test('a list is filtered by a field, a comparison and a value, which a click takes away', async () => {
    const telUrl = 'tel:+4955000';
    await createGateway(app, { ref: 'filtered', name: 'Filtered carrier', port: 5077 });
    await createDid(app, { telUrl, gatewayRef: 'filtered' });
    await createDid(app, { telUrl: 'tel:+4955001' });
    const chips = page.getByRole('list', { name: 'Conditions' }).getByRole('button');
    const choose = async (field: string, comparison?: string): Promise<void> => {
      await page.getByRole('button', { name: 'Add filter' }).click();
      await page.getByRole('combobox', { name: 'Field' }).fill(field);
      await page.getByRole('option', { name: field, exact: true }).click();
      if (comparison !== undefined) await page.getByLabel('Comparison').selectOption({ label: comparison });
    };
    await open('/gateways');
    await choose('Port', 'at least');
    await page.getByLabel('Value').fill('5077');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('1–1 of 1').waitFor();
    expect(decodeURIComponent(page.url())).toContain('{"port":{"gte":5077}}');
    expect(await chips.allTextContents()).toEqual(['Port at least 5077 ×']);
    await chips.first().click();
    await page.getByRole('link', { name: 'Carrier', exact: true }).waitFor();
    expect(await chips.count()).toBe(0);
    await choose('Port', 'at least');
    await page.getByLabel('Value').fill('60000');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('Nothing matches the filter.').waitFor();

    // What a field links to is chosen by its name, and numbers are entered as people write them.
    // In this order, both numbers are on the first page.
    await open('/dids?sort=telUrl&order=DESC');
    await choose('Gateway');
    await page.getByRole('combobox', { name: 'Value' }).fill('filtered');
    await page.getByRole('option', { name: 'Filtered carrier' }).click();
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('1–1 of 1').waitFor();
    await choose('Number', 'is');
    await page.getByLabel('Value').fill('+49 (55) 000');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Number is tel:+4955000 ×' }).waitFor();
    await page.getByText('1–1 of 1').waitFor();
    expect(await chips.allTextContents()).toEqual([
      'Gateway is Filtered carrier ×',
      `Number is ${telUrl} ×`,
      'Remove all',
    ]);
    await page.getByRole('button', { name: 'Remove all' }).click();
    await page.getByRole('link', { name: '+4955001' }).waitFor();

    // The pages of agents and peers link to the numbers that lead to them, and addresses have any condition.
    await createAgent(app, { ref: 'aimed', name: 'Aimed at', domains: ['office.test'] });
    await show(page, `/dids?filter=${encodeURIComponent('{"target":{"agent":{"ref":{"eq":"aimed"}}}}')}`);
    await page.getByRole('button', { name: 'Target agent is Aimed at ×' }).waitFor();
    await show(page, `/dids?filter=${encodeURIComponent('{"target":{"agent":{"ref":{"eq":"desk"}}}}')}`);
    await page.getByRole('button', { name: 'Target agent is desk ×' }).waitFor();
    await show(page, `/dids?filter=${encodeURIComponent('{"aorLink":{"endsWith":"@one.test"}}')}`);
    await page.getByRole('button', { name: 'Address of record ends with @one.test ×' }).waitFor();
  });

  test('what somebody else changes appears in a list, a page that links to it and a form, without a reload', async () => {
    const ref = await createGateway(app, { name: 'Before' });
    await open('/gateways');
    await page.getByRole('link', { name: 'Before' }).waitFor();
    const rename = (name: string) =>
      app.graphql(
        'mutation ($ref: String!, $name: String!) { updateGateway(ref: $ref, input: { name: $name }) { ref } }',
        {
          ref,
          name,
        },
      );
    await rename('After');
    await page.getByRole('link', { name: 'After' }).waitFor();
    const did = await createDid(app, { gatewayRef: ref, aorLink: 'sip:late@office.test' });
    await show(page, `/dids/${did}/show`);
    await page.getByRole('link', { name: 'After' }).waitFor();
    await rename('Linked');
    await createAgent(app, { name: 'Late', username: 'late', domains: ['office.test'] });
    await page.getByRole('link', { name: 'Late' }).waitFor();
    await page.getByRole('link', { name: 'Linked' }).click();
    await page.getByRole('link', { name: 'Edit' }).click();
    await page
      .getByLabel('Name *')
      .or(page.getByLabel('Name', { exact: true }))
      .first()
      .waitFor();
    await rename('Later');
    await page.getByText('Somebody else has changed it').waitFor();
  });
});
