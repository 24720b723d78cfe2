import type { Locator } from 'playwright-core';
import { encode } from 'uqr';

import { faults } from '../../support/browser/accessibility';
import { fetchToken } from '../../support/app';
import { PHONE } from '../../support/browser/browser';
import { openSearch, VIEWER, withConsole } from '../../support/browser/console';
import { eventually } from '../../support/eventually';
import { createAgent, createDid, createGateway, createNumber } from '../../support/factories';
import { describeWith } from '../../support/runner/programs';
import { registerContact } from '../../support/databases/sql';

const MOST_CLICKS = 4;

describeWith(['chromium'], 'The jobs of the console', () => {
  const subject = withConsole();
  const { open } = subject;

  const page = () => subject.opened.page;
  const button = (name: string): Locator => page().getByRole('button', { name, exact: true });
  const textbox = (name: string): Locator => page().getByRole('textbox', { name, exact: true });
  const status = (text: string | RegExp): Locator => page().getByRole('status').filter({ hasText: text });
  const card = (name: string): Locator => page().getByRole('region', { name: `Phone of ${name}` });

  /** Counts presses of the mouse from now on, until the page is loaded anew. */
  const startCounting = (): Promise<unknown> =>
    page().evaluate('presses = 0; addEventListener("pointerdown", () => presses++, true)');
  const clicks = (): Promise<number> => page().evaluate<number>('presses');

  /** Chooses the only option that is found for a text. */
  async function choose(field: string, text: string, option: string): Promise<void> {
    await page().getByRole('combobox', { name: field, exact: true }).fill(text);
    await page().getByRole('option').filter({ hasText: option }).click();
  }

  const free = (telUrl: string): Promise<string> =>
    createDid(subject.app, { telUrl, gatewayRef: subject.gateways['Open'], aorLink: 'sip:nobody@one.test' });

  /** The value of a line of the card. */
  const valueOf = async (name: string, line: string): Promise<string> =>
    (await card(name).locator(`dt:text-is("${line}") + dd code`).innerText()).trim();

  /** The secret with which a phone registers. */
  async function storedSecret(path: string): Promise<string> {
    const { body } = await subject.app.rest<{ spec: { credentials: { secret: string } } }>('GET', `/${path}`);
    return body.data.spec.credentials.secret;
  }

  async function agentNamed(name: string): Promise<{ ref: string; username: string; dids: { nodes: object[] } }[]> {
    const { data } = await subject.app.graphql<{
      agents: { nodes: { ref: string; username: string; dids: { nodes: object[] } }[] };
    }>(`{ agents(where: { name: { eq: "${name}" } }) { nodes { ref username dids { nodes { telUrl } } } } }`);
    return data.agents.nodes;
  }

  describe('New phone user', () => {
    beforeAll(async () => {
      for (const username of ['1001', '1002', '1004', 'reception'])
        await createAgent(subject.app, { username, domains: ['one.test'] });
    });

    test('takes at most four clicks, suggests the next number, and shows the secret once', async () => {
      await free('tel:+499001');
      await open();
      await startCounting();
      await page().getByRole('link', { name: 'New phone user' }).click();
      await textbox('Name').fill('Anna <Berg> & Söhne');
      await choose('Domain', 'one', 'one.test');
      await eventually(10, async () => expect(await textbox('User name').inputValue()).toBe('1005'));
      await choose('Number', '+49 90', '+499001');
      await button('Create').click();
      await page().getByText('Calls to +499001 go to 1005@one.test.').waitFor();
      expect(await clicks()).toBeLessThanOrEqual(MOST_CLICKS);

      const [agent] = await agentNamed('Anna <Berg> & Söhne');
      expect(agent).toMatchObject({ username: '1005', dids: { nodes: [{ telUrl: 'tel:+499001' }] } });
      const name = 'Anna <Berg> & Söhne';
      const secret = await storedSecret(`agents/${agent?.ref ?? ''}`);
      expect(secret).toMatch(/^[A-Za-z2-9]{24}$/);
      for (const [line, value] of Object.entries({ Server: 'one.test', 'User name': '1005', Secret: secret }))
        expect(await valueOf(name, line)).toBe(value);
      expect([subject.opened.complaints, subject.opened.elsewhere]).toEqual([[], []]);

      // The code has the account as GS Wave reads it.
      const account = [
        '<RegisterServer>one.test</RegisterServer><OutboundServer></OutboundServer><UserID>1005</UserID>',
        `<AuthID>1005</AuthID><AuthPass>${secret}</AuthPass><AccountName>1005</AccountName>`,
        '<DisplayName>Anna &#60;Berg&#62; &#38; Söhne</DisplayName>',
      ].join('');
      const { data } = encode(
        `<?xml version="1.0" encoding="utf-8"?><AccountConfig version="1"><Account>${account}</Account></AccountConfig>`,
        { ecc: 'L', border: 4 },
      );
      const modules = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])));
      const code = card(name).getByRole('img', { name: 'QR code with the server, user name and secret' });
      expect(await code.locator('path').nth(1).getAttribute('d')).toBe(modules.join(''));

      // Nobody has the secret yet, so whoever leaves is asked. Playwright declines the first time.
      await page().getByRole('menuitem', { name: 'Gateways' }).click();
      await card(name).waitFor();
      await page().context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await button('Copy: Secret').click();
      expect(await page().evaluate('navigator.clipboard.readText()')).toBe(secret);
      await button('Copy all').click();
      expect(await page().evaluate('navigator.clipboard.readText()')).toBe(
        `Server: one.test\nUser name: 1005\nSecret: ${secret}\nNumber: +499001`,
      );
      await page().evaluate('print = () => (wasPrinted = true)');
      await button('Print').click();
      expect(await page().evaluate('wasPrinted')).toBe(true);
      await page().emulateMedia({ media: 'print' });
      expect(await page().locator('body').innerText()).toContain(secret);
      expect(await button('Print').isVisible()).toBe(false);
      expect(await page().getByRole('banner').isVisible()).toBe(false);
      await page().emulateMedia({ media: 'screen' });

      await status('Waiting for the phone…').waitFor();
      await registerContact(subject.url, { username: '1005', domain: 'one.test', contact: 'sip:1005@10.0.0.9' });
      await status('The phone is registered: Phone/1.0').waitFor();

      await button('Another phone user').click();
      await eventually(10, async () => expect(await textbox('Name').inputValue()).toBe(''));
      expect(await page().content()).not.toContain(secret);
    });

    test('says what was done if the number is used meanwhile, and repeats only the rest', async () => {
      const taken = await free('tel:+499011');
      await free('tel:+499012');
      await open('/new-phone-user');
      await textbox('Name').fill('Bruno');
      await choose('Domain', 'one.test', 'one.test');
      await choose('Number', '+499011', '+499011');
      await subject.app.graphql(
        'mutation ($ref: String!, $input: UpdateDIDInput!) { updateDID(ref: $ref, input: $input) { ref } }',
        {
          ref: taken,
          input: { aorLink: 'sip:anna@one.test' },
        },
      );
      await button('Create').click();
      await page()
        .getByText(/@one.test is created, but calls to \+499011 do not go there yet: the number is no longer free/)
        .waitFor();
      await card('Bruno').waitFor();
      await choose('Number', '+499012', '+499012');
      await button('Route the number').click();
      await page()
        .getByText(/Calls to \+499012 go to \d+@one.test/)
        .waitFor();
      expect(await agentNamed('Bruno')).toMatchObject([{ dids: { nodes: [{ telUrl: 'tel:+499012' }] } }]);
    });

    test('shows what the server refuses at its field', async () => {
      await open('/new-phone-user');
      await choose('Domain', 'one.test', 'one.test');
      await textbox('User name').fill('1001');
      await textbox('Name').fill('Twice');
      await button('Create').click();
      await eventually(10, async () => expect(await textbox('User name').getAttribute('aria-invalid')).toBe('true'));
      await textbox('User name').fill('a b');
      await button('Create').click();
      await card('Twice').waitFor();
      expect(await agentNamed('Twice')).toMatchObject([{ username: 'a b' }]);
    });

    test('needs no mouse, on a phone', async () => {
      await open('', { viewport: PHONE });
      await openSearch(page());
      await page().keyboard.type('new phone');
      await page().getByRole('option', { name: 'New phone user', selected: true }).waitFor();
      await page().keyboard.press('Enter');
      await textbox('Name').waitFor();
      await page().keyboard.type('Kim');
      expect(await textbox('Name').inputValue()).toBe('Kim');
      await page().keyboard.press('Tab');
      await page().keyboard.type('two');
      await page().getByRole('option', { name: 'two.test' }).waitFor();
      await page().keyboard.press('Enter');
      // The first of the domain.
      await eventually(10, async () => expect(await textbox('User name').inputValue()).toBe('1001'));
      await page().keyboard.press('Tab');
      await page().keyboard.press('Tab');
      await page().keyboard.press('Enter');
      await card('Kim').waitFor();
      expect(await faults(page())).toEqual([]);
    });

    test('is offered above the list of agents', async () => {
      await open('/agents');
      await page().getByRole('link', { name: 'New phone user' }).click();
      await textbox('User name').waitFor();
    });
  });

  test.each([
    ['agent', 'agents', 'ben'],
    ['peer', 'peers', 'pbx'],
  ])(
    'Reset secret takes at most four clicks on the page of the %s, and waits for a new registration',
    async (_kind, collection, username) => {
      const contact = { username, domain: 'one.test', contact: `sip:${username}@10.0.0.20` };
      await registerContact(subject.url, contact);
      const { data } = await subject.app.graphql<{ list: { nodes: { ref: string; name: string }[] } }>(
        `{ list: ${collection}(where: { username: { eq: "${username}" } }) { nodes { ref name } } }`,
      );
      const { ref = '', name = '' } = data.list.nodes[0] ?? {};
      const path = `${collection}/${ref}`;
      const before = await storedSecret(path);
      await open(`/${path}/show`);
      await button('Reset secret').waitFor();
      await startCounting();
      await button('Reset secret').click();
      const question = page().getByRole('dialog', { name: 'Give the phone a new secret?' });
      await question.getByText('from its next registration on, it is offline until then').waitFor();
      await question.getByRole('button', { name: 'Reset secret' }).click();
      await card(name).waitFor();
      const secret = await valueOf(name, 'Secret');
      expect(secret).not.toBe(before);
      expect(await storedSecret(path)).toBe(secret);
      expect(await valueOf(name, 'Server')).toBe('one.test');
      // The registration with the old secret does not count.
      await status('Waiting for the phone…').waitFor();
      await registerContact(subject.url, { ...contact, contact: `sip:${username}@10.0.0.21` });
      await status('The phone is registered: Phone/1.0').waitFor();
      expect(await faults(page())).toEqual([]);
      await button('Done').click();
      await card(name).waitFor({ state: 'detached' });
      expect(await clicks()).toBeLessThanOrEqual(MOST_CLICKS);
      expect(await page().content()).not.toContain(secret);
    },
  );

  describe('Replace a gateway', () => {
    /** The number of numbers of the gateways with this name; undefined if there is none. */
    async function numbersOf(name: string): Promise<readonly number[] | undefined> {
      const { data } = await subject.app.graphql<{
        gateways: { nodes: { dids: { totalCount: number }; numbers: { totalCount: number } }[] };
      }>(`{ gateways(where: { name: { eq: "${name}" } }) { nodes { dids { totalCount } numbers { totalCount } } } }`);
      const [found] = data.gateways.nodes;
      return found && [found.dids.totalCount, found.numbers.totalCount];
    }

    test('takes at most four clicks, shows what will happen and what happened, and one Undo takes it back', async () => {
      const gatewayRef = await createGateway(subject.app, { name: 'Old trunk' });
      await createGateway(subject.app, { name: 'New trunk' });
      for (const telUrl of ['tel:+499021', 'tel:+499022']) await createDid(subject.app, { telUrl, gatewayRef });
      await createNumber(subject.app, { telUrl: 'tel:+499023', gatewayRef });
      await open(`/gateways/${gatewayRef}/show`);
      await page().getByRole('link', { name: 'Replace', exact: true }).waitFor();
      await startCounting();
      await page().getByRole('link', { name: 'Replace', exact: true }).click();
      await choose('New gateway', 'new tr', 'New trunk');
      await status('2 DIDs and 1 number will move from Old trunk to New trunk.').waitFor();
      await page().getByRole('checkbox', { name: 'Delete Old trunk after that' }).check();
      await status('Old trunk will be deleted.').waitFor();
      expect(await numbersOf('Old trunk')).toEqual([2, 1]);
      await button('Move 3 numbers and delete').click();
      await status('2 DIDs and 1 number moved to New trunk. Old trunk deleted.').waitFor();
      expect(await clicks()).toBeLessThanOrEqual(MOST_CLICKS);
      expect([await numbersOf('Old trunk'), await numbersOf('New trunk')]).toEqual([undefined, [2, 1]]);
      // Read again, the page still has what was done.
      const [again] = await Promise.all([
        page().waitForResponse((response) => response.request().postData()?.includes('query OldGateway') === true),
        button('Refresh').click(),
      ]);
      expect(await again.json()).toHaveProperty('errors');
      await status('2 DIDs and 1 number moved to New trunk. Old trunk deleted.').waitFor();
      await button('Undo').click();
      await page().getByRole('dialog').getByRole('button', { name: 'Undo', exact: true }).click();
      await status('It is undone').waitFor();
      expect([await numbersOf('Old trunk'), await numbersOf('New trunk')]).toEqual([
        [2, 1],
        [0, 0],
      ]);
    });

    test('changes nothing if the gateway has other numbers meanwhile, and shows what would happen then', async () => {
      const gatewayRef = await createGateway(subject.app, { name: 'Busy trunk' });
      await createGateway(subject.app, { name: 'Idle trunk' });
      await createDid(subject.app, { telUrl: 'tel:+499031', gatewayRef });
      await open(`/replace-trunk/${gatewayRef}`);
      await choose('New gateway', 'idle', 'Idle trunk');
      await status('1 DID will move').waitFor();
      await createDid(subject.app, { telUrl: 'tel:+499032', gatewayRef });
      await button('Move 1 number').click();
      await page().getByText('It was not done completely').waitFor();
      await status('2 DIDs will move').waitFor();
      expect(await numbersOf('Idle trunk')).toEqual([0, 0]);
      await button('Move 2 numbers').click();
      await status('2 DIDs moved to Idle trunk.').waitFor();
      expect(await numbersOf('Busy trunk')).toEqual([0, 0]);
    });
  });

  test('Change my secret takes at most four clicks, ends other sessions, and the tabs of the browser go on', async () => {
    const [before, after] = ['the secret of otto', 'another secret of otto'];
    await subject.app.graphql('mutation ($input: CreateUserInput!) { createUser(input: $input) { ref } }', {
      input: { username: 'otto', secret: before, role: 'VIEWER' },
    });
    const elsewhere = await fetchToken(subject.app.url, 'otto', before);
    await open('/history', { username: 'otto', secret: before });
    const other = await page().context().newPage();
    await other.goto(`${subject.app.url}/console/gateways`);
    await other.getByRole('link', { name: 'Registered' }).waitFor();
    await startCounting();
    await button('Account: otto').click();
    await page().getByRole('menuitem', { name: 'Sessions and API tokens' }).click();
    await button('Change my secret').click();
    const dialog = page().getByRole('dialog', { name: 'Change my secret' });
    await dialog.getByLabel('Secret until now').fill('a wrong secret');
    await dialog.getByLabel('New secret').fill(after);
    await page().keyboard.press('Enter');
    await dialog.getByText('is wrong').waitFor();
    await dialog.getByLabel('Secret until now').fill(before);
    await dialog.getByRole('button', { name: 'Change', exact: true }).click();
    await page().getByText('Your secret is changed.').waitFor();
    expect(await clicks()).toBeLessThanOrEqual(MOST_CLICKS);
    await page().getByRole('listitem').filter({ hasText: 'this session' }).waitFor();
    await page().getByRole('dialog').waitFor({ state: 'detached' });
    const { errors } = await subject.app.graphql('{ viewer { ref } }', {}, { token: elsewhere });
    expect(errors?.[0]?.extensions['code']).toBe('UNAUTHENTICATED');
    await fetchToken(subject.app.url, 'otto', after);
    await other.getByRole('menuitem', { name: 'Domains' }).click();
    await other.getByText('one.test').first().waitFor();
    await other.close();
  });

  test('are not offered to a viewer, also not at their addresses', async () => {
    const paths = {
      '': 'Needs attention',
      '/agents': 'anna',
      [`/gateways/${subject.gateways['Open'] ?? ''}/show`]: 'open.test',
    };
    for (const [path, shown] of Object.entries(paths)) {
      await open(path, VIEWER);
      await page().getByText(shown).first().waitFor();
      for (const role of ['link', 'button'] as const)
        expect(
          await page()
            .getByRole(role, { name: /New phone user|Replace|Reset secret/ })
            .count(),
        ).toBe(0);
    }
    await openSearch(page());
    await page().keyboard.type('phone user');
    await page()
      .getByRole('option', { name: /phone user/ })
      .waitFor();
    expect(await page().getByRole('option', { name: 'New phone user' }).count()).toBe(0);
    for (const path of ['/new-phone-user', `/replace-trunk/${subject.gateways['Open'] ?? ''}`]) {
      await open(path, VIEWER);
      await page().getByRole('heading', { name: 'Your role does not allow this page.' }).waitFor();
    }
  });
});
