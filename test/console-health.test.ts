import { faults } from './support/accessibility';
import { PHONE } from './support/browser';
import { VIEWER, withConsole } from './support/console';
import { eventually } from './support/eventually';
import { createAgent, createDid } from './support/factories';
import { fill } from './support/many';
import { describeWith } from './support/programs';
import { registerContact, runSql } from './support/sql';

describeWith(['chromium'], 'The health of numbers in the console', () => {
  const subject = withConsole();
  const { open } = subject;

  const refOf = async (text: string): Promise<string> => String((await runSql(subject.url, text))[0]?.[0]);

  /** The states of the numbers of the resource that the page shows, with the number in each. */
  const bars = async (): Promise<Readonly<Record<string, number>>> => {
    const items = subject.opened.page.getByRole('list', { name: 'Numbers by state' }).getByRole('listitem');
    const pairs = (await items.allInnerTexts()).map((text) => {
      const [state = '', count] = text.split(/\s*\n\s*/);
      return [state, Number(count)] as const;
    });
    return Object.fromEntries(pairs);
  };

  test.each([
    [
      'gateway',
      () => Promise.resolve(`/gateways/${subject.gateways['Refused'] ?? ''}/show`),
      'belong to the gateway: 1 number',
      { Rings: 0, 'The provider refuses the gateway': 1 },
    ],
    [
      'agent',
      async () => `/agents/${await refOf("SELECT ref FROM agents WHERE username = 'ben'")}/show`,
      'lead to the agent: 1 number',
      { Rings: 0, 'No device is registered': 1 },
    ],
    [
      'peer',
      async () => `/peers/${await refOf("SELECT ref FROM peers WHERE username = 'pbx'")}/show`,
      'lead to the peer: 1 number',
      { Rings: 1 },
    ],
    [
      'domain',
      async () => `/domains/${await refOf("SELECT ref FROM domains WHERE domain_uri = 'one.test'")}/show`,
      'in the domain: 13 numbers',
      {
        Rings: 3,
        'Several numbers have the same digits': 2,
        'The gateway is not registered': 2,
        'The registration of the gateway has expired': 1,
        'The provider refuses the gateway': 1,
        'The agent belongs to another domain': 1,
        'The agent or peer does not exist': 1,
        'No device is registered': 1,
        'The registrations of the devices have expired': 1,
      },
    ],
  ] as [string, () => Promise<string>, string, Record<string, number>][])(
    'is on the page of a %s, for viewers, too',
    async (_kind, path, words, expected) => {
      await open(await path(), VIEWER);
      await subject.opened.page.getByText(words).waitFor();
      expect(await bars()).toEqual(expected);
      expect([subject.opened.complaints, subject.opened.elsewhere]).toEqual([[], []]);
    },
  );

  test('leads from the page of a gateway to its numbers in a state, in an address that can be shared', async () => {
    await open(`/gateways/${subject.gateways['Open'] ?? ''}/show`);
    const { page } = subject.opened;
    await page.getByRole('link', { name: 'The domain does not exist' }).click();
    await page.getByRole('heading', { name: '11 numbers' }).waitFor();
    const table = page.getByRole('table', { name: 'Numbers: The domain does not exist' });
    const shown = (): Promise<readonly string[]> => table.locator('tbody td:first-child').allInnerTexts();
    await eventually(5, async () => expect(await shown()).toEqual(['tel:+1005', 'tel:+1006']));
    await page.reload();
    await eventually(5, async () => expect(await shown()).toEqual(['tel:+1005', 'tel:+1006']));
    await page.getByText('Numbers that belong to the gateway').getByRole('link', { name: 'Open' }).waitFor();
    await page.getByRole('link', { name: 'Show all numbers' }).click();
    await page.getByRole('heading', { name: '16 numbers' }).waitFor();
  });

  test('follows changes on the page of an agent', async () => {
    const ref = await createAgent(subject.app, { username: 'emma', domains: ['one.test', 'two.test'] });
    await createDid(subject.app, {
      telUrl: 'tel:+3001',
      gatewayRef: subject.gateways['Open'],
      aorLink: 'sip:emma@two.test',
    });
    await open(`/agents/${ref}/show`);
    await eventually(5, async () => expect(await bars()).toEqual({ Rings: 0, 'No device is registered': 1 }));
    await registerContact(subject.url, { username: 'emma', domain: 'two.test', contact: 'sip:emma@10.0.0.20' });
    await eventually(15, async () => expect(await bars()).toEqual({ Rings: 1 }));
  });

  test('says that nothing leads to an agent', async () => {
    await open(`/agents/${await createAgent(subject.app, { domains: ['one.test'] })}/show`);
    await subject.opened.page.getByText('lead to the agent: 0 numbers').waitFor();
    expect(await bars()).toEqual({});
  });

  test('searches for a rare state without changing the address for each part', async () => {
    await open('/health');
    const { page } = subject.opened;
    let asked = 0;
    // Two hundred parts without a number, as among 400,000 numbers.
    await page.route('**/graphql', (route) => {
      if (route.request().postData()?.includes('query ListNumbers') !== true) return route.continue();
      const pageInfo = { hasNextPage: ++asked < 200, endCursor: `part-${String(asked)}` };
      return route.fulfill({ json: { data: { numberHealth: { nodes: [], pageInfo } } } });
    });
    await page.evaluate(`window.replaced = 0; const { replaceState } = history;
      history.replaceState = function (...state) { window.replaced++; return replaceState.apply(this, state); };`);
    await page.getByRole('link', { name: 'The provider refuses the gateway' }).click();
    await page.waitForURL(/after=part-199/);
    // Safari allows 100 in 30 s.
    expect(Number(await page.evaluate('window.replaced'))).toBeLessThan(10);
    await page.getByText('No number is in this state.').waitFor();
  });

  describe('of a gateway with 20,003 numbers', () => {
    beforeAll(async () => {
      const [gateway] = await runSql(subject.url, 'SELECT id FROM gateways WHERE ref = ?', [
        subject.gateways['Registered'] ?? '',
      ]);
      const columns =
        'ref, created_on, modified_on, kind, gateway_id, tel_url, aor_link, tel_digits, aor_user, aor_host';
      await fill(subject.url, 'numbers', columns, 20_002, (n) => {
        const digits = `5${String(n).padStart(6, '0')}`;
        const named = [`m${String(n)}`, 0, 0, 'DID', Number(gateway?.[0]), `tel:+${digits}`];
        return [...named, 'sip:ben@one.test', digits, 'ben', 'one.test'];
      });
    });

    test('counts the first 20,000 on its page, and all when asked to', async () => {
      await open(`/gateways/${subject.gateways['Registered'] ?? ''}/show`);
      const { page } = subject.opened;
      await page.getByText('the first 20,000 numbers of more, counted at').waitFor();
      await page.getByRole('button', { name: 'Count again' }).waitFor();
      await page.getByRole('link', { name: 'Count all' }).click();
      await page.getByRole('heading', { name: '20,003 numbers' }).waitFor();
    });

    test.each(['/gateways/{}/show', '/health?gatewayRef={}&state=NOT_REGISTERED'])(
      'is accessible and fits: %s',
      async (path) => {
        await open(path.replace('{}', subject.gateways['Registered'] ?? ''), { viewport: PHONE });
        await subject.opened.page.getByRole('list', { name: 'Numbers by state' }).waitFor();
        expect(await faults(subject.opened.page)).toEqual([]);
      },
    );
  });
});
