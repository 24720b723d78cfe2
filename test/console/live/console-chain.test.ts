import { faults } from '../../support/browser/accessibility';
import { PHONE } from '../../support/browser/browser';
import { openSearch, show, VIEWER, withConsole } from '../../support/browser/console';
import { eventually } from '../../support/eventually';
import { createAgent, createDid } from '../../support/factories';
import { describeWith } from '../../support/runner/programs';
import { registerContact, runSql } from '../../support/databases/sql';

const LINKS = ['Number', 'Gateway', 'Address of record', 'Domain', 'Agent or peer', 'Devices'];

describeWith(['chromium'], 'The explanations of the console', () => {
  const subject = withConsole();
  const { open } = subject;

  /** The links of the shown chain with their progress, as a screen reader reads them. */
  async function chain(): Promise<readonly string[]> {
    const list = subject.opened.page.getByRole('list', { name: 'The path of a call' });
    await list.waitFor();
    const links = await list
      .getByRole('listitem')
      .filter({ has: subject.opened.page.getByRole('heading') })
      .all();
    return Promise.all(
      links.map(async (link) => {
        const [name = '', progress = ''] = (await link.innerText()).split('\n').filter((line) => line.trim() !== '');
        return `${name}: ${progress}`;
      }),
    );
  }

  /** Searches for a text in the dialog that is open, and opens the first result. */
  async function search(text: string): Promise<void> {
    const { page } = subject.opened;
    await page.getByRole('combobox').fill(text);
    await page.getByRole('option', { name: text, selected: true }).waitFor();
    await page.keyboard.press('Enter');
  }

  const works = (...names: readonly string[]): string[] => names.map((name) => `${name}: Works`);
  const gray = (...names: readonly string[]): string[] => names.map((name) => `${name}: Not reached`);

  test('explains a number: links up to the first broken one work, and those after it are not reached', async () => {
    await open();
    const { page } = subject.opened;
    await page.getByRole('button', { name: 'Search' }).click();
    await search('+1-007');
    await page.getByText('This number does not ring').waitFor();
    expect(await chain()).toEqual([...works(...LINKS.slice(0, 4)), 'Agent or peer: Broken here', ...gray('Devices')]);
    expect(new URL(page.url()).search).toBe('?q=%2B1-007');
    expect([subject.opened.complaints, subject.opened.elsewhere]).toEqual([[], []]);
  });

  test('has an address that can be shared', async () => {
    await open('?q=tel%3A%2B1001');
    await subject.opened.page.getByText('This number rings').waitFor();
    expect(await chain()).toEqual(works(...LINKS));
    await subject.opened.page.getByRole('button', { name: 'Search: tel:+1001' }).click();
    expect(await subject.opened.page.getByRole('combobox').inputValue()).toBe('tel:+1001');
  });

  test('mends a number that leads nowhere with one button, and its chain turns green', async () => {
    await createDid(subject.app, {
      telUrl: 'tel:+2001',
      gatewayRef: subject.gateways['Open'],
      aorLink: 'sip:anan@one.test',
    });
    await open('?q=2001');
    const { page } = subject.opened;
    await page.getByRole('button', { name: 'Route calls to sip:anna@one.test' }).click();
    await page.getByText('This number rings').waitFor();
    expect(await chain()).toEqual(works(...LINKS));
    const { data } = await subject.app.graphql(
      '{ dids(where: { telUrl: { eq: "tel:+2001" } }) { nodes { aorLink } } }',
    );
    expect(data).toEqual({ dids: { nodes: [{ aorLink: 'sip:anna@one.test' }] } });
  });

  test('explains a number at an earlier time, and leads to the change that broke it', async () => {
    const ref = await createAgent(subject.app, { name: 'Eve', username: 'eve', domains: ['one.test'] });
    const gatewayRef = subject.gateways['Open'];
    await createDid(subject.app, { telUrl: 'tel:+2009', gatewayRef, aorLink: 'sip:eve@one.test' });
    await subject.app.graphql(`mutation { deleteAgent(ref: "${ref}") }`);
    const deleted = Date.now();
    await eventually(3, () => expect(Math.floor(Date.now() / 1000)).toBeGreaterThan(Math.floor(deleted / 1000)));
    await createAgent(subject.app, { name: 'Eve again', username: 'eve', domains: ['one.test'] });
    await open('?q=tel%3A%2B2009');
    const { page } = subject.opened;
    const second = new Date(Math.floor(deleted / 1000 + 1) * 1000);
    const zone = await page.evaluate(() => new Date().getTimezoneOffset());
    const local = new Date(second.getTime() - zone * 60_000).toISOString().slice(0, 19);
    await page.getByLabel('At an earlier time').fill(local);
    await page.getByText('It did not ring then').waitFor();
    await page.getByText(/Agent Eve was deleted by/).waitFor();
    expect(await chain()).toEqual([...works(...LINKS.slice(0, 4)), 'Agent or peer: Broken here', ...gray('Devices')]);
    await page.getByRole('link', { name: 'Show the change in the history', exact: true }).click();
    await page.getByText(/Eve/).first().waitFor();
    expect(new URL(page.url()).pathname).toMatch(/\/history$/);
  });

  test('leads from the page of a number to its chain, and adds the agent to the domain of the number', async () => {
    const ref = await createAgent(subject.app, { name: 'Dan', username: 'dan', domains: ['two.test'] });
    const did = await createDid(subject.app, {
      telUrl: 'tel:+2004',
      gatewayRef: subject.gateways['Open'],
      aorLink: 'sip:dan@one.test',
    });
    await registerContact(subject.url, { username: 'dan', domain: 'one.test', contact: 'sip:dan@10.0.0.9' });
    await open(`/dids/${did}/show`);
    const { page } = subject.opened;
    await page.getByText('agent dan is in domain two.test').first().waitFor();
    await page.getByRole('link', { name: 'Explain +2004' }).click();
    await page.getByRole('button', { name: 'Add Dan to the domain one.test' }).click();
    await page.getByText('This number rings').waitFor();
    const { data } = await subject.app.graphql('query($ref: String!) { agent(ref: $ref) { domains { domainUri } } }', {
      ref,
    });
    expect(data).toEqual({ agent: { domains: [{ domainUri: 'two.test' }, { domainUri: 'one.test' }] } });
  });

  test('with the keyboard alone, explains a number and chooses another target for it', async () => {
    await createDid(subject.app, {
      telUrl: 'tel:+2002',
      gatewayRef: subject.gateways['Open'],
      aorLink: 'sip:ben@one.test',
    });
    await open('?q=1001');
    const { page } = subject.opened;
    await page.getByText('This number rings').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('2002');
    await page.getByRole('option', { name: 'Explain 2002', selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('This number does not ring').waitFor();
    const field = page.getByRole('combobox', { name: 'Route calls to' });
    await field.waitFor();
    const isFocused = (): Promise<unknown> => page.evaluate("document.activeElement.role === 'combobox'");
    for (let tabs = 0; tabs < 40 && !(await isFocused()); tabs++) await page.keyboard.press('Tab');
    await page.keyboard.type('anna');
    // The options of the earlier text are gone, and those of this one are there.
    await eventually(5, async () =>
      expect(await page.getByRole('option').allInnerTexts()).toEqual([expect.stringContaining('anna@one.test')]),
    );
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.getByText('This number rings').waitFor();
    expect(await chain()).toEqual(works(...LINKS));
  });

  test('with the keyboard alone, explains a call from both ends, with the INVITEs, at an address that can be shared', async () => {
    await open('?q=1001');
    const { page } = subject.opened;
    await page.getByText('This number rings').waitFor();
    await page.getByRole('button', { name: 'Say who calls' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'From' }).waitFor();
    await page.keyboard.type('ben@one.test');
    await page.keyboard.press('Tab');
    await page.keyboard.type('10.0.0.5');
    await page.keyboard.press('Enter');
    await page.getByText('This call rings').waitFor();
    expect(await chain()).toEqual(works('Caller', 'Number', 'Address of record', 'Domain', 'Agent or peer', 'Devices'));
    expect(await page.getByText('<sip:ben@one.test>').count()).toBe(2);
    expect(new URL(page.url()).search).toBe('?q=1001&from=ben%40one.test&source=10.0.0.5');
    await open('?q=1001&from=%2B33123');
    await subject.opened.page.getByText('This call is refused with 407').waitFor();
    expect((await chain())[0]).toBe('Source: Broken here');
    expect([subject.opened.complaints, subject.opened.elsewhere]).toEqual([[], []]);
  });

  test.each<[string, string | RegExp, { readonly from: string; readonly source?: string }]>([
    ['ben → 1001', 'This call rings', { from: 'ben' }],
    ['ben@one.test -> 1001', 'This call rings', { from: 'ben@one.test' }],
    ['from ben to 1001', 'This call rings', { from: 'ben' }],
    ['BEN > 1001', 'This call is refused', { from: 'BEN' }],
    // The addresses of host names are known to the SIP server only.
    [
      '+33 123 → 1001 via 203.0.113.7',
      /^(This call is refused with 407|Only the SIP server knows)/,
      { from: '+33 123', source: '203.0.113.7' },
    ],
  ])('explains the call that is entered as %s into the search', async (text, outcome, ends) => {
    await open('');
    const { page } = subject.opened;
    await openSearch(page);
    await page.keyboard.insertText(text);
    await page.getByRole('option', { name: `Explain ${text}` }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText(outcome).first().waitFor();
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ q: '1001', ...ends });
    const { from, source } = ends;
    const shown = `${from} → 1001${source === undefined ? '' : ` via ${source}`}`;
    expect(await page.getByRole('button', { name: shown }).count()).toBe(1);
    // The page can be opened with the text, too.
    await open(`?q=${encodeURIComponent(text)}`);
    await subject.opened.page.getByText(outcome).first().waitFor();
    expect([subject.opened.complaints, subject.opened.elsewhere]).toEqual([[], []]);
  });

  test.each<[string, string, () => Promise<unknown>]>([
    [
      'a device registers',
      '1003',
      () => registerContact(subject.url, { username: 'ben', domain: 'one.test', contact: 'sip:ben@10.0.0.7' }),
    ],
    [
      'a gateway registers',
      '1010',
      () =>
        runSql(subject.url, 'UPDATE gateway_registrations SET expires_at = ? WHERE gw_ref = ?', [
          Date.now() + 300_000,
          subject.gateways['Dead'] ?? '',
        ]),
    ],
    [
      'the missing agent is created',
      '2003',
      async () => {
        await createDid(subject.app, {
          telUrl: 'tel:+2003',
          gatewayRef: subject.gateways['Open'],
          aorLink: 'sip:zoe@two.test',
        });
        await registerContact(subject.url, { username: 'zoe', domain: 'two.test', contact: 'sip:zoe@10.0.0.8' });
        await createAgent(subject.app, { username: 'zoe', domains: ['two.test'] });
      },
    ],
  ])('turns green without a reload when %s', async (_what, digits, mend) => {
    await open(`?q=${digits}`);
    const { page } = subject.opened;
    await page.getByText(/This number does not (ring|exist)/).waitFor();
    await page.evaluate("document.body.dataset.kept = 'yes'");
    await mend();
    await page.getByText('This number rings').waitFor();
    expect(await chain()).toEqual(works(...LINKS));
    expect(await page.evaluate('document.body.dataset.kept')).toBe('yes');
  });

  test.each([
    ['1012', 'The provider refuses these credentials', 'trunk'],
    ['1009', 'How the SIP server registers at the provider', 'unasked.test'],
    ['1009', 'The SIP server has never tried to register here', 'none recorded'],
    ['1006', 'Create the domain quite-another.example', 'no domain quite-another.example'],
    ['1008', 'Route calls to', 'agent dora is in domain two.test, not in one.test'],
    ['1004', 'How to configure the device', 'cleo'],
    ['1013', 'Other numbers with the same digits', 'Open DID +1013'],
    ['10011', 'Explain +1001', 'Create a DID'],
  ])('for %s, offers what mends it: %s', async (digits, action, more) => {
    await open(`?q=${digits}`);
    await subject.opened.page.getByText(action).first().waitFor();
    await subject.opened.page.getByText(more, { exact: false }).first().waitFor();
    expect(await subject.opened.page.getByText('sip:tel:').count()).toBe(0);
  });

  test('explains an address of record, with the numbers that lead to it', async () => {
    await open('?q=anna%40one.test');
    await subject.opened.page.getByText('This address rings').waitFor();
    expect(await chain()).toEqual(works(...LINKS.slice(2)));
    await subject.opened.page.getByRole('link', { name: '+1012' }).click();
    await subject.opened.page.getByText('This number does not ring').waitFor();
  });

  test('finds a name among all kinds, and says so if nothing has it', async () => {
    await open('?q=Refused');
    const { page } = subject.opened;
    await page.getByRole('heading', { name: 'Gateways' }).waitFor();
    expect(await page.getByRole('link', { name: 'Refused' }).getAttribute('href')).toContain(
      subject.gateways['Refused'],
    );
    await show(page, '/?q=one.test');
    for (const kind of ['Domains', 'DIDs', 'Numbers']) await page.getByRole('heading', { name: kind }).waitFor();
    await page.keyboard.press('/');
    await search('nobody has this name');
    await page.getByText('Nothing has this name.').waitFor();
  });

  test.each([
    ['1.test@@', 'is not an address of record'],
    ['sip:', 'is not an address of record'],
  ])('explains what is wrong with %j', async (asked, words) => {
    await open(`?q=${encodeURIComponent(asked)}`);
    await subject.opened.page.getByRole('alert').getByText(words).waitFor();
  });

  test('does not offer a viewer what a viewer may not do', async () => {
    await open('?q=1007', VIEWER);
    const { page } = subject.opened;
    await page.getByText('This number does not ring').waitFor();
    await page.getByText('Broken here').waitFor();
    expect(await page.getByRole('button', { name: /Route calls|Save/ }).count()).toBe(0);
    await page.keyboard.press('Control+k');
    await search('99999');
    await page.getByText('no DID or Number 99999').first().waitFor();
    expect(await page.getByText('Create a DID').count()).toBe(0);
  });

  test('leads from a number that does not exist to a form with this number', async () => {
    await open(`?q=${encodeURIComponent('+999 (99) 1')}`);
    await subject.opened.page.getByRole('link', { name: 'Create a DID' }).click();
    const number = subject.opened.page.getByRole('textbox', { name: 'Number', exact: true });
    await eventually(5, async () => expect(await number.inputValue()).toBe('tel:+999991'));
  });

  test('is accessible and fits', async () => {
    await open('', { viewport: PHONE });
    const { page } = subject.opened;
    for (const [asked, shown, from = ''] of [
      ['', 'Needs attention'],
      ['1001', 'This call rings', 'ben@one.test'],
      ['1001', 'This call is refused', '+33123'],
      ['1001', 'This number rings'],
      ['1007', 'Route calls to sip:anna@one.test'],
      ['1012', 'The provider refuses these credentials'],
      ['anna@one.test', 'This address rings'],
      ['Refused', 'Gateways'],
    ] as const) {
      await show(page, `/?${new URLSearchParams({ q: asked, from }).toString()}`);
      await page.getByRole('main').getByText(shown).first().waitFor();
      await eventually(5, async () => expect(await page.getByRole('progressbar').count()).toBe(0));
      expect(await faults(page)).toEqual([]);
    }
  });
});
