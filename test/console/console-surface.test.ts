import type { Browser, Page } from 'playwright-core';

import { bestPractice } from '../support/browser/accessibility';
import { PHONE } from '../support/browser/browser';
import { fillField, openConsole, VIEWER, withConsole } from '../support/browser/console';
import { eventually } from '../support/eventually';
import { createAgent, createDid, createDomain, createGateway } from '../support/factories';
import { describeWith } from '../support/runner/programs';
import { runSql } from '../support/databases/sql';

function browserOf(page: Page): Browser {
  const browser = page.context().browser();
  if (!browser) throw new Error('the page has no browser');
  return browser;
}

describeWith(['chromium'], 'In the console', () => {
  const subject = withConsole();
  const { open } = subject;
  const page = (): Page => subject.opened.page;
  const click = (name: string): Promise<void> => page().getByRole('button', { name, exact: true }).click();

  /** What has the focus, as screen readers say it. */
  const focused = (): Promise<string> =>
    page().evaluate(
      '(document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent ?? "").trim()',
    );

  /** Presses Tab until this has the focus. */
  async function reach(isIt: (text: string) => boolean, presses = 60): Promise<void> {
    for (let press = 0; press < presses; press++) {
      if (isIt(await focused())) return;
      await page().keyboard.press('Tab');
    }
    throw new Error('Tab does not reach it');
  }

  test('views of a list are saved with filter, order and columns, shown as chips, on another machine, too, and deleted', async () => {
    await open('/dids');
    await page().getByLabel('Search').fill('quite-another');
    await page().getByText('1–1 of 1').waitFor();
    await page().getByRole('button', { name: 'Address of record' }).click();
    await page().waitForURL(/sort=aorLink/);
    await click('Columns');
    await page().getByRole('presentation').getByLabel('Gateway', { exact: true }).click();
    await page().keyboard.press('Escape');
    await page().getByRole('columnheader', { name: 'Gateway' }).waitFor({ state: 'detached' });
    await click('Save view');
    await page().getByLabel('Name').fill('Another');
    await page().keyboard.press('Enter');
    await page().getByText('The view Another is saved.').waitFor();
    const chip = page().getByRole('list', { name: 'Saved views' }).getByRole('link', { name: 'Another' });
    await chip.waitFor();
    expect(await chip.getAttribute('aria-current')).toBe('true');
    expect(decodeURIComponent((await chip.getAttribute('href')) ?? '')).toContain('"q":"quite-another"');

    // Another machine knows nothing but the user.
    const other = await openConsole(browserOf(page()), subject.app, '/dids');
    await other.page.getByRole('columnheader', { name: 'Gateway' }).waitFor();
    await other.page.getByRole('link', { name: 'Another' }).click();
    await other.page.getByText('1–1 of 1').waitFor();
    await other.page.getByRole('columnheader', { name: 'Gateway' }).waitFor({ state: 'detached' });
    expect(other.page.url()).toContain('sort=aorLink');
    // Those of other lists are not shown.
    await other.page.getByRole('menuitem', { name: 'Gateways' }).click();
    await other.page.getByRole('link', { name: 'Refused' }).waitFor();
    expect(await other.page.getByRole('list', { name: 'Saved views' }).count()).toBe(0);
    await other.page.goBack();
    await other.page.getByRole('button', { name: 'Delete the view Another' }).click();
    await other.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await other.page.getByRole('link', { name: 'Another' }).waitFor({ state: 'detached' });
    expect(other.complaints).toEqual([]);
    await other.page.context().close();
  });

  test('with nothing selected, Tab reaches no button for selected rows; with rows selected, the keyboard changes all that match', async () => {
    await open('/dids?perPage=10');
    await page()
      .getByText(/^1–10 of \d+/)
      .waitFor();
    const seen: string[] = [];
    await reach((text) => {
      seen.push(text);
      return text === 'Last page';
    }, 120);
    expect(seen).toEqual(expect.arrayContaining(['Save view', 'Create']));
    expect(seen.filter((text) => ['Change', 'Delete', 'Unselect'].includes(text))).toEqual([]);
    await open('/dids?perPage=10');
    await page()
      .getByText(/^1–10 of \d+/)
      .waitFor();
    // The checkboxes have their names from their inputs.
    await reach((text) => text === 'Select this row' || text === 'ra.action.select_row', 80);
    await page().keyboard.press('Space');
    const all = page().getByRole('button', { name: /^All \d+ that match$/ });
    await all.waitFor();
    await page().keyboard.press('Shift+Tab');
    const text = (await all.textContent()) ?? '';
    await all.focus();
    await page().keyboard.press('Enter');
    expect(await all.getAttribute('aria-pressed')).toBe('true');
    await reach((each) => each === 'Change', 5);
    await page().keyboard.press('Enter');
    await page().getByRole('dialog').getByText('Change all that match: DIDs').waitFor();
    expect(text).toMatch(/^All \d+ that match$/);
    await page().keyboard.press('Escape');
  });

  test('a domain that has lost all its devices is one cause of what needs attention', async () => {
    const domain = await createDomain(subject.app, { domainUri: 'lost.test' });
    const refs: string[] = [];
    for (const username of ['lena', 'lars', 'lilo']) {
      await createAgent(subject.app, { username, domains: ['lost.test'] });
      const aorLink = `sip:${username}@lost.test`;
      refs.push(await createDid(subject.app, { gatewayRef: subject.gateways['Open'], aorLink }));
    }
    await open();
    const list = page().getByRole('list', { name: 'Needs attention' });
    const line = list.getByRole('listitem').filter({ hasText: 'lost.test' });
    await line.getByText('No number of the domain has a registered device').waitFor();
    expect(await line.count()).toBe(1);
    expect((await line.innerText()).replace(/\s+/g, ' ')).toContain('3 numbers');
    await line.getByRole('link', { name: 'lost.test', exact: true }).click();
    await page().waitForURL(new RegExp(`/domains/${domain}/show$`));
    for (const ref of refs) await subject.app.graphql('mutation ($ref: String!) { deleteDID(ref: $ref) }', { ref });
  });

  test('the line of devices has a scale, and a value for each minute of the last hours', async () => {
    const minute = 60_000;
    const start = Date.now() - (Date.now() % minute);
    for (const [ago, devices] of [
      [90, 41],
      [60, 12],
      [5, 30],
    ] as const)
      await runSql(
        subject.url,
        `INSERT OR REPLACE INTO samples (step, at, devices, trunks_registered, trunks_refused, trunks_unreachable, trunks_expired,
           trunks_unknown, numbers_reachable, changes) VALUES (?, ?, ?, 1, 0, 0, 0, 0, 4, 3)`,
        [minute, start - ago * minute, devices],
      );
    await open('/live?show=devices');
    const timeOf = (ago: number): string =>
      new Date(start - ago * minute).toLocaleString('en-GB', { hour: '2-digit', minute: '2-digit' });
    const told = page().getByText(`most 41 at ${timeOf(90)} · fewest`);
    await told.waitFor();
    await page()
      .getByText(`less than 90 % of the most since ${timeOf(60)}`)
      .waitFor();
    await page()
      .getByRole('img', { name: /^Devices in the last 6 hours: / })
      .waitFor();
    const scale = page().locator('[aria-hidden]').filter({ hasText: /^410$/ });
    expect(await scale.count()).toBe(1);
    await click('24 hours');
    await page()
      .getByRole('img', { name: /^Devices in the last 24 hours: / })
      .waitFor();
  });

  test('the state of a number in a list says that the domain of its target does not exist', async () => {
    await open(`/dids?filter=${encodeURIComponent('{"telUrl":{"containsIgnoreCase":"+100"}}')}&perPage=50`);
    const cellOf = (number: string) => page().getByRole('row').filter({ hasText: number });
    await cellOf('+1005').getByText('Domain one.tset does not exist').waitFor();
    await cellOf('+1006').getByText('Domain quite-another.example does not exist').waitFor();
    await cellOf('+1007').getByText('No agent or peer').waitFor();
  });

  test('a list of agents shows their domains, and those of trunks since when to the minute', async () => {
    await open('/agents');
    await page().getByRole('columnheader', { name: 'Domains' }).waitFor();
    await page()
      .getByRole('row')
      .filter({ hasText: 'anna' })
      .getByRole('link', { name: /^Domain \d+$/ })
      .first()
      .waitFor();
    const at = new Date();
    at.setDate(at.getDate() - 3);
    await runSql(subject.url, 'UPDATE gateway_registrations SET registered_on = ? WHERE gw_ref = ?', [
      ...[at.getTime(), subject.gateways['Registered'] ?? ''],
    ]);
    await open('/gateways');
    await page()
      .getByRole('row')
      .filter({ hasText: 'registered.test' })
      .getByText(/since \d+ \w+, \d\d:\d\d$|since \d+ \w+ \d{4}$/)
      .waitFor();
  });

  test('the tools of a list are beside each other on a phone', async () => {
    await open('/dids', { viewport: PHONE });
    const middles: number[] = [];
    for (const name of ['Add filter', 'Columns', 'Save view', 'All that match', 'Create']) {
      const { y, height } = (await page()
        .getByRole('button', { name, exact: true })
        .or(page().getByRole('link', { name, exact: true }))
        .boundingBox()) ?? { y: 0, height: 0 };
      middles.push(Math.round(y + height / 2));
    }
    expect(middles.every((middle) => middle > 0 && Math.abs(middle - Number(middles[0])) < 4)).toBe(true);
  });

  test('each state of numbers over time has a colour of its own', async () => {
    const states = [
      ...['reachable', 'not_registered', 'expired', 'disabled', 'gateway_disabled', 'gateway_draining'],
      ...['gateway_not_registered', 'gateway_expired', 'gateway_refused', 'domain_missing', 'target_forbidden'],
      ...['target_missing', 'target_disabled', 'ambiguous'],
    ].map((state) => `numbers_${state}`);
    await runSql(
      subject.url,
      `INSERT OR REPLACE INTO samples (step, at, devices, trunks_registered, trunks_refused, trunks_unreachable, trunks_expired,
         trunks_unknown, changes, ${states.join(', ')}) VALUES (900000, ?, 1, 1, 1, 1, 1, 1, 0, ${states.map(() => '1').join(', ')})`,
      [Date.now() - (Date.now() % 900_000) - 1_800_000],
    );
    await open('/health');
    const legend = page()
      .getByRole('listitem')
      .filter({ hasText: /^[^:]+: [\d,–]+$/ });
    await eventually(10, async () => expect(await legend.count()).toBe(states.length));
    const colours = await page().evaluate<readonly string[]>(
      "[...document.querySelectorAll('li > span[aria-hidden]')].map((each) => getComputedStyle(each).backgroundColor)",
    );
    expect(colours).toHaveLength(states.length);
    expect(new Set(colours).size).toBe(states.length);
  });

  test('a step that works shows all of its text, however long that is', async () => {
    const gatewayRef = await createGateway(subject.app, {
      name: 'A gateway with a name that is much longer than the room that there is for it, of eighty',
    });
    await createDid(subject.app, { telUrl: 'tel:+8001', aorLink: 'sip:ben@one.test', gatewayRef });
    await open('?q=%2B8001');
    await page().getByText('This number does not ring').waitFor();
    const shown = await page().evaluate(`(() => {
      const isText = ({ childElementCount, textContent }) => childElementCount === 0 && textContent.startsWith('gateway A');
      const { scrollWidth, clientWidth, textContent } = [...document.querySelectorAll('li *')].find(isText);
      return { isCut: scrollWidth > clientWidth, textContent };
    })()`);
    expect(shown).toEqual({ isCut: false, textContent: expect.stringContaining('of eighty') });
  });

  test('a form whose resource somebody else has changed asks before it saves, and names what differs', async () => {
    const ref = await createGateway(subject.app, { name: 'Before', host: 'before.test', port: 5060 });
    const change = async (input: object): Promise<void> => {
      const { errors } = await subject.app.graphql(
        'mutation ($ref: String!, $input: UpdateGatewayInput!) { updateGateway(ref: $ref, input: $input) { ref } }',
        { ref, input },
      );
      expect(errors).toBeUndefined();
    };
    const stored = async (): Promise<unknown> =>
      (await subject.app.graphql(`{ gateway(ref: "${ref}") { name host port } }`)).data;
    await open(`/gateways/${ref}`);
    const host = page().getByLabel('Host', { exact: false }).first();
    await host.fill('own.test');
    await change({ host: 'theirs.test', port: 5099 });
    await page().getByText('Somebody else has changed it').first().waitFor();
    await click('Save');
    const dialog = page().getByRole('dialog', { name: 'Somebody else has changed it since you opened this form.' });
    await dialog.getByText('theirs.test (in your form: own.test)').waitFor();
    expect(await dialog.getByRole('term').allTextContents()).toEqual(['Host', 'Port']);
    expect(await dialog.getByText(/^by admin, /).count()).toBe(2);
    await dialog.getByRole('button', { name: 'Go on editing' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await host.inputValue()).toBe('own.test');
    expect(await stored()).toEqual({ gateway: { name: 'Before', host: 'theirs.test', port: 5099 } });
    await click('Save');
    await dialog.getByRole('button', { name: 'Save all the same' }).click();
    await page().getByRole('heading', { name: 'Gateway Before' }).waitFor();
    // What the user has not changed stays as somebody else has set it.
    expect(await stored()).toEqual({ gateway: { name: 'Before', host: 'own.test', port: 5099 } });

    // Whoever does not get the events is asked, too.
    await open(`/gateways/${ref}`);
    await host.fill('late.test');
    await change({ name: 'After' });
    await click('Save');
    await dialog.getByRole('button', { name: 'Load the current values' }).click();
    await eventually(10, async () => expect(await host.inputValue()).toBe('own.test'));
    expect(await stored()).toEqual({ gateway: { name: 'After', host: 'own.test', port: 5099 } });

    // A change while the form is on its way to the server, and one while the user decides, are not overwritten unseen.
    await host.fill('last.test');
    const meanwhile: object[] = [
      { port: 5070, labels: ['site=berlin', 'tier=1'], username: 'trunk', secret: 'not told' },
      { port: 5080 },
    ];
    await page().route(/graphql/, async (route) => {
      const input = route.request().postData()?.includes('mutation Change') === true ? meanwhile.shift() : undefined;
      if (input) await change(input);
      await route.continue();
    });
    await click('Save');
    await dialog.getByText('site=berlin, tier=1').waitFor();
    expect((await dialog.getByRole('term').allTextContents()).sort()).toEqual(['Labels', 'Port', 'Secret', 'Username']);
    expect(await dialog.getByText('not told').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Save all the same' }).click();
    await dialog.getByText('5080').waitFor();
    expect(await stored()).toEqual({ gateway: { name: 'After', host: 'own.test', port: 5080 } });
    await dialog.getByRole('button', { name: 'Save all the same' }).click();
    await page().getByRole('heading', { name: 'Gateway After' }).waitFor();
    expect(await stored()).toEqual({ gateway: { name: 'After', host: 'last.test', port: 5080 } });
  });

  test('a form that is longer than the window keeps its buttons in sight, and leads to the field that the server refuses', async () => {
    await open('/gateways/create', { viewport: { width: 1000, height: 500 } });
    const field = (name: string) => page().getByLabel(name, { exact: false }).first();
    await field('Name').fill('Refused by the server');
    await field('Host').fill('two words');
    await field('Transport').click();
    await page().getByRole('option', { name: 'UDP' }).click();
    await fillField(page(), 'Note', 'far below');
    const { y = 500 } = (await page().getByRole('button', { name: 'Save' }).boundingBox()) ?? {};
    expect(y).toBeLessThan(480);
    await click('Save');
    await page()
      .getByText(/"two words" is not a host name/)
      .first()
      .waitFor();
    await eventually(10, async () => expect(await page().evaluate('document.activeElement.name')).toBe('host'));
    const { y: above = -1 } = (await field('Host').boundingBox()) ?? {};
    expect(above).toBeGreaterThan(0);
    await field('Host').fill('one.word.test');
    await click('Save');
    await page().getByRole('heading', { name: 'Gateway Refused by the server' }).waitFor();
  });

  test('a cause of Number health leads to its numbers, although they are below the fold', async () => {
    await open('/health', { viewport: { width: 1000, height: 500 } });
    await page().getByRole('link', { name: 'The domain does not exist' }).click();
    const heading = page().getByRole('heading', { name: 'Numbers: The domain does not exist' });
    await heading.waitFor();
    await eventually(10, async () => expect(await focused()).toBe('Numbers: The domain does not exist'));
    const { y = 500 } = (await heading.boundingBox()) ?? {};
    expect(y).toBeLessThan(500);
  });

  test('an error names resources instead of references', async () => {
    await open(`/gateways/${subject.gateways['Unasked'] ?? ''}/show`);
    // As if nothing referred to it yet when the dialog asks.
    await page().route('**/graphql', (route) =>
      route.request().postData()?.includes('Deletable') === true
        ? route.fulfill({ json: { data: { deleteGateway: true } } })
        : route.fallback(),
    );
    await click('Delete');
    const dialog = page().getByRole('dialog');
    await dialog.getByRole('link', { name: '+1009' }).waitFor();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page()
      .getByText(/is in use by/)
      .waitFor();
    expect(
      await page()
        .getByText(/is in use by/)
        .textContent(),
    ).toBe('Gateway Unasked is in use by DID +1009');
  });

  test('a viewer is led from the address of a form to what can be seen, and sees no digits for secrets', async () => {
    const ref = await createGateway(subject.app, { name: 'Secretive', username: 'trunk', secret: 'the first secret' });
    await subject.app.graphql(
      'mutation ($ref: String!) { updateGateway(ref: $ref, input: { secret: "the second secret" }) { ref } }',
      { ref },
    );
    await open(`/gateways/${ref}`, VIEWER);
    await page().getByRole('heading', { name: 'Gateway Secretive' }).waitFor();
    await page().getByText('your role does not allow changes').waitFor();
    expect(page().url()).toMatch(/\/show$/);
    await page().getByRole('tab', { name: 'History' }).click();
    await page()
      .getByRole('button', { name: /^Details/ })
      .first()
      .click();
    await page().getByText('secret → secret').waitFor();
    await open('/gateways/create', VIEWER);
    await page().getByRole('heading', { name: 'Gateways', exact: true }).waitFor();
    await page().getByText('your role does not allow changes').waitFor();
    expect(page().url()).toMatch(/\/gateways$/);
    expect(await page().getByRole('link', { name: 'Create' }).count()).toBe(0);
  });

  test.each(['', '/dids', '/agents/create', '/health', '/history', '/live', '/map', '/import'])(
    '%s has the landmarks and headings that screen readers jump to',
    async (path) => {
      await open(path);
      await page().locator('#react-admin-title:not(:empty)').waitFor();
      await page().waitForLoadState('networkidle');
      expect(await bestPractice(page())).toEqual([]);
      expect(await page().getByRole('main').count()).toBe(1);
      expect(await page().getByRole('navigation', { name: 'Menu' }).count()).toBe(1);
    },
  );

  test('the first Tab reaches a link that skips the menu', async () => {
    await open('/dids');
    await page().getByRole('link', { name: '+1001' }).waitFor();
    await page().keyboard.press('Tab');
    expect(await focused()).toBe('Skip to content');
    await page().keyboard.press('Enter');
    await page().keyboard.press('Tab');
    const isInContent = 'document.getElementById("main-content").contains(document.activeElement)';
    expect(await page().evaluate(isInContent)).toBe(true);
  });
});
