import type { Browser } from 'playwright-core';

import { faults } from '../../support/browser/accessibility';
import { startApp, type TestApp } from '../../support/app';
import { launchBrowser, PHONE } from '../../support/browser/browser';
import { openConsole, openSearch, VIEWER, withConsole } from '../../support/browser/console';
import { eventually } from '../../support/eventually';
import { createAgent, createDid, createDomain, createGateway } from '../../support/factories';
import { describeWith } from '../../support/runner/programs';
import { registerContact, runSql } from '../../support/databases/sql';

describeWith(['chromium'], 'The first page of the console', () => {
  // The server takes no samples of its own, so that those of the tests are the newest.
  const subject = withConsole((url) => startApp({ DATABASE_URL: url, SAMPLES: 'off' }));
  const { open } = subject;

  /** The lines of a list of the page, without line breaks. */
  const lines = async (name: string): Promise<readonly string[]> => {
    const list = subject.opened.page.getByRole('list', { name, exact: true });
    await list.waitFor();
    const texts = await list.getByRole('listitem').allInnerTexts();
    return texts.map((text) => text.replace(/\s+/g, ' ').trim());
  };

  test('shows what rings, is registered and has changed, each as a link to its page', async () => {
    await open();
    await eventually(10, async () =>
      expect(await lines('Overview')).toEqual([
        'Numbers that ring 4 of 16 12 do not ring',
        'Trunks up 1 of 5 4 are down',
        'Devices registered 3',
        expect.stringMatching(/^Changes today \d+$/),
      ]),
    );
    const links = await subject.opened.page.getByRole('list', { name: 'Overview' }).getByRole('link').all();
    expect(await Promise.all(links.map((link) => link.getAttribute('href')))).toEqual([
      '/console/health',
      '/console/live',
      '/console/live?show=devices',
      expect.stringMatching(/^\/console\/history\?from=\d{4}-/),
    ]);
    expect([subject.opened.complaints, subject.opened.elsewhere]).toEqual([[], []]);
  });

  test('reads its figures with one request', async () => {
    await open('/history');
    const { page } = subject.opened;
    const [request] = await Promise.all([
      page.waitForRequest((each) => each.url().endsWith('/graphql') && (each.postData() ?? '').includes('query Now')),
      page.getByRole('menuitem', { name: 'Now' }).click(),
    ]);
    const { data } = (await (await request.response())?.json()) as { data: object };
    expect(Object.keys(data)).toEqual(
      expect.arrayContaining(['numberHealthCounts', 'trunkCounts', 'devices', 'created', 'history']),
    );
  });

  test('draws the last 24 hours of each figure, read with one request, in room that is there before', async () => {
    const quarter = 15 * 60_000;
    for (const [hours, devices] of [
      [2, 1],
      [1, 5],
    ] as const) {
      const at = Date.now() - hours * 4 * quarter;
      await runSql(
        subject.url,
        `INSERT INTO samples (step, at, devices, trunks_registered, trunks_refused, trunks_unreachable, trunks_expired,
           trunks_unknown, numbers_reachable, changes) VALUES (?, ?, ?, 1, 0, 0, 0, 0, 4, 3)`,
        [quarter, at - (at % quarter), devices],
      );
      // One sample is no line.
      if (hours === 2) {
        await open();
        await lines('Overview');
        await subject.opened.page.waitForLoadState('networkidle');
        expect(await subject.opened.page.getByRole('list', { name: 'Overview' }).getByRole('img').count()).toBe(0);
      }
    }
    await open('/history');
    const { page, complaints } = subject.opened;
    const sent: string[] = [];
    let answer = (): void => undefined;
    const asked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/graphql', async (route) => {
      const document = route.request().postData() ?? '';
      if (document.includes('query Samples')) {
        sent.push(document);
        await asked;
      }
      await route.continue();
    });
    await page.getByRole('menuitem', { name: 'Now' }).click();
    const overview = page.getByRole('list', { name: 'Overview' });
    await eventually(10, () => {
      expect(sent).toHaveLength(1);
      return Promise.resolve();
    });
    const room = await overview.boundingBox();
    expect(await overview.getByRole('img').count()).toBe(0);
    answer();
    await overview.getByRole('img').nth(3).waitFor();
    const drawn = await overview.getByRole('img').all();
    expect(await Promise.all(drawn.map((line) => line.getAttribute('aria-label')))).toEqual([
      expect.stringMatching(
        /^Numbers that ring in the last 24 hours: (between \d+ and \d+, \d+ in the last quarter of an hour|\d+ all the time)$/,
      ),
      'Trunks up in the last 24 hours: 1 all the time',
      expect.stringMatching(
        /^Devices registered in the last 24 hours: between 1 and 5, \d+ in the last quarter of an hour$/,
      ),
      expect.stringMatching(/^\d+ changes in the last 24 hours, at most \d+ in a quarter of an hour$/),
    ]);
    expect(await overview.boundingBox()).toEqual(room);
    expect(sent).toHaveLength(1);
    expect(complaints).toEqual([]);
  });

  test('groups what needs attention by its cause, and follows numbers, gateways and devices', async () => {
    const gatewayRef = await createGateway(subject.app, {
      name: 'Mumbai 031',
      username: 'trunk',
      secret: 'trunk-secret',
    });
    await runSql(
      subject.url,
      `INSERT INTO gateway_registrations SELECT ${await copied(gatewayRef)} FROM gateway_registrations WHERE gw_ref = ?`,
      [subject.gateways['Refused'] ?? ''],
    );
    await open();
    const refs: string[] = [];
    for (const telUrl of ['tel:+5001', 'tel:+5002', 'tel:+5003'])
      refs.push(await createDid(subject.app, { telUrl, gatewayRef, aorLink: 'sip:anna@one.test' }));
    await eventually(20, async () =>
      expect((await lines('Needs attention'))[0]).toBe('Mumbai 031 403 Forbidden 3 numbers Explain Move numbers'),
    );
    const attention = await lines('Needs attention');
    expect(attention).toEqual(
      expect.arrayContaining([
        'Refused 403 Forbidden 1 number Explain Move numbers',
        'Dead The provider does not respond 1 number Explain Move numbers',
        'Unasked Never tried to register 1 number Explain Move numbers',
        expect.stringMatching(
          /^Lapsed The registration of the gateway has expired 1 number since .+ Explain Move numbers$/,
        ),
        'ben@one.test No device is registered 1 number Explain',
        expect.stringMatching(
          /^cleo@one.test The registrations of the devices have expired 1 number since .+ Explain$/,
        ),
        'one.tset The domain does not exist 1 number Explain',
        'tel:+1013 Several numbers have the same digits 2 numbers Explain',
      ]),
    );
    expect(attention).toHaveLength(12);
    await registerContact(subject.url, { username: 'ben', domain: 'one.test', contact: 'sip:ben@10.0.0.7' });
    await eventually(20, async () => expect((await lines('Needs attention')).join()).not.toContain('ben@one.test'));
    const { page } = subject.opened;
    await page.getByRole('link', { name: 'Explain Mumbai 031' }).click();
    await page.getByText('This number does not ring').waitFor();
    expect(new URL(page.url()).search).toBe('?q=tel%3A%2B5001');
    await subject.app.graphql('mutation ($refs: [String!]) { deleteManyDIDs(refs: $refs) { count } }', { refs });
  });

  /** The columns of a registration, for one of another gateway. */
  const copied = async (gatewayRef: string): Promise<string> => {
    const columns = await runSql(
      subject.url,
      "SELECT name FROM pragma_table_info('gateway_registrations') ORDER BY cid",
    );
    return columns.map(([name]) => (name === 'gw_ref' ? `'${gatewayRef}'` : String(name))).join(', ');
  };

  test('moves the numbers of a gateway to another one', async () => {
    const gatewayRef = await createGateway(subject.app, { name: 'Untried', username: 'trunk', secret: 'trunk-secret' });
    for (const telUrl of ['tel:+5011', 'tel:+5012'])
      await createDid(subject.app, { telUrl, gatewayRef, aorLink: 'sip:anna@one.test' });
    await open();
    const { page } = subject.opened;
    await page.getByRole('link', { name: 'Move numbers of Untried' }).click();
    const gateways = page.getByRole('combobox', { name: 'New gateway' });
    await gateways.fill('dea');
    await page.getByRole('option', { name: 'Dead No response' }).waitFor();
    await gateways.fill('Open');
    await page.getByRole('option', { name: 'Open' }).click();
    await page.getByRole('button', { name: 'Move 2 numbers' }).click();
    await page.getByText('2 DIDs moved to Open.').waitFor();
    await page.getByRole('link', { name: 'sipgraph' }).click();
    await eventually(20, async () => expect((await lines('Needs attention')).join()).not.toContain('Untried'));
    await eventually(20, async () =>
      expect((await lines('Last changes'))[0]).toMatch(/^admin moved 2 DIDs from Untried to Open \d\d:\d\d:\d\d Undo$/),
    );
    await page.getByRole('button', { name: 'Undo admin moved 2 DIDs from Untried to Open' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Undo', exact: true }).click();
    await eventually(20, async () => expect((await lines('Needs attention')).join()).toContain('Untried'));
  });

  test('offers a viewer no changes', async () => {
    await open('', VIEWER);
    await eventually(10, async () =>
      expect(await lines('Needs attention')).toContain('Refused 403 Forbidden 1 number Explain'),
    );
    const { page } = subject.opened;
    for (const role of ['button', 'link'] as const)
      expect(await page.getByRole(role, { name: /Undo|Move/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('combobox').fill('gateway');
    await page.getByRole('option', { name: 'Gateways' }).waitFor();
    expect(await page.getByRole('option', { name: 'New Gateway' }).count()).toBe(0);
  });

  test.each([
    ['a phone', { viewport: PHONE }],
    ['a dark screen', { colorScheme: 'dark' }],
  ] as const)('is accessible and fits on %s', async (_what, options) => {
    await open('', options);
    await lines('Needs attention');
    expect(await faults(subject.opened.page)).toEqual([]);
  });

  describe('has a search on every page, with the keyboard alone:', () => {
    const search = async (path: string, text: string): Promise<void> => {
      await open(path);
      await openSearch(subject.opened.page);
      await subject.opened.page.keyboard.type(text);
    };
    const selected = (name: string): Promise<void> =>
      subject.opened.page.getByRole('option', { name, selected: true }).waitFor();

    test('finds a gateway by a part of its name', async () => {
      await search('/dids', 'efuse');
      await selected('Refused Gateway');
      const { page } = subject.opened;
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/gateways\/[^/]+\/show$/);
      // What was opened is offered at once.
      await page.keyboard.press('Control+k');
      await selected('Refused Gateway');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    });

    test('finds numbers by their first digits, and explains a number in any spelling', async () => {
      await search('/history', '+1 00-1');
      await selected('Explain +1 00-1');
      const { page } = subject.opened;
      await page.getByRole('option', { name: '+1001 DID' }).waitFor();
      expect(await page.getByRole('option', { name: '+1002 DID' }).count()).toBe(0);
      await page.keyboard.press('ArrowDown');
      await selected('+1001 DID');
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('Enter');
      await page.getByText('This number rings').waitFor();
    });

    test('leads to the playground and the page of the REST API', async () => {
      await search('/dids', 'playg');
      await selected('GraphQL playground');
      const { page } = subject.opened;
      await page.getByRole('combobox').fill('REST');
      await page.getByRole('option', { name: 'REST API docs' }).waitFor();
      await page.getByRole('combobox').fill('playg');
      await selected('GraphQL playground');
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/playground/);
      await page.getByText('Signed in as admin').waitFor();
    });

    test('offers pages and actions', async () => {
      await search('/gateways', 'new gate');
      await selected('New Gateway');
      await subject.opened.page.keyboard.press('Enter');
      await subject.opened.page.getByRole('heading', { name: 'New Gateway' }).waitFor();
    });

    test('reads all kinds with one request', async () => {
      await open('/history');
      const { page } = subject.opened;
      const sent: string[] = [];
      page.on('request', (request) => {
        const document = request.postData() ?? '';
        if (document.includes('query Search')) sent.push(document);
      });
      await openSearch(subject.opened.page);
      await page.getByRole('combobox').fill('refused');
      await selected('Refused Gateway');
      expect(sent).toHaveLength(1);
      expect(sent[0]).toContain('{ search(text: $text) {');
      for (const kind of ['Gateway', 'Agent', 'Peer', 'Domain']) expect(sent[0]).toContain(`... on ${kind} {`);
    });
  });
});

describeWith(['chromium'], 'The first page of an empty server', () => {
  let app: TestApp;
  let browser: Browser;

  beforeAll(async () => {
    app = await startApp({ SAMPLES: 'off' });
    browser = await launchBrowser();
  });

  afterAll(async () => {
    await browser.close();
    await app.close();
  });

  test('leads to lists of calls and devices that say where they come from, unless a filter finds nothing', async () => {
    const { page } = await openConsole(browser, app);
    for (const [path, message] of [
      ['/calls', /^No call is recorded yet\. .* “sipgraph kamailio config”/],
      ['/calls?since=day', 'No recorded call matches.'],
      ['/live?show=devices', /^No device is registered\. .* “sipgraph kamailio config”/],
      ['/live?show=devices&nat=no', 'No registered device matches.'],
    ] as const) {
      await page.goto(`${app.url}/console${path}`);
      await page.getByText(message).waitFor();
    }
    await page.context().close();
  });

  test('has four steps to the first number, each a link until it is done, and loses them then', async () => {
    const { page, complaints } = await openConsole(browser, app);
    const steps = page.getByRole('list', { name: 'Get the first number to ring' });
    const links = async (): Promise<readonly (string | null)[]> =>
      Promise.all((await steps.getByRole('link').all()).map((link) => link.getAttribute('href')));
    const done = (count: number, left: readonly string[]): Promise<void> =>
      eventually(20, async () => {
        expect(await steps.getByRole('img', { name: 'Done' }).count()).toBe(count);
        expect(await links()).toEqual(left.map((path) => `/console${path}`));
      });
    await steps.waitFor();
    await done(0, ['/domains/create', '/new-phone-user', '/gateways/create', '/dids/create']);
    // The server itself has created the admin.
    await page.getByRole('link', { name: /^Changes today\s*0/ }).waitFor();
    expect(await faults(page)).toEqual([]);
    await createDomain(app, { domainUri: 'one.test' });
    await done(1, ['/new-phone-user', '/gateways/create', '/dids/create']);
    await createAgent(app, { username: 'anna', domains: ['one.test'] });
    await done(2, ['/gateways/create', '/dids/create']);
    const gatewayRef = await createGateway(app);
    await done(3, ['/dids/create']);
    await createDid(app, { gatewayRef, aorLink: 'sip:anna@one.test' });
    await steps.waitFor({ state: 'detached' });
    await page.getByText('anna@one.test').waitFor();
    // Without samples, there are no lines.
    expect(await page.getByRole('list', { name: 'Overview' }).getByRole('img').count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});
