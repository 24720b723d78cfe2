import type { Page } from 'playwright-core';

import { faults } from '../../support/browser/accessibility';
import { PHONE } from '../../support/browser/browser';
import { show, VIEWER, withConsole } from '../../support/browser/console';
import { eventually } from '../../support/eventually';
import { createAgent, createDid, createGateway } from '../../support/factories';
import { fill } from '../../support/many';
import { describeWith } from '../../support/runner/programs';
import { registerContact, runSql } from '../../support/databases/sql';

/** The request of a list of numbers. */
interface ListRequest {
  readonly query: string;
  readonly variables: { readonly states?: readonly string[]; readonly after?: string };
}

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

  /** Answers the lists of numbers instead of the server: `part` counts the pages of a search from 1. */
  const answerLists = (
    page: Page,
    answer: (state: string, part: number) => { readonly telUrl?: string; readonly hasNext: boolean },
  ): Promise<unknown> =>
    page.route('**/graphql', (route) => {
      const { query, variables } = route.request().postDataJSON() as ListRequest; // what the console sends
      if (!query.startsWith('query ListNumbers')) return route.continue();
      const part = Number(variables.after?.split('-')[1] ?? 0) + 1;
      const { telUrl, hasNext } = answer(variables.states?.[0] ?? '', part);
      const node = { kind: 'DID', ref: telUrl, telUrl, aorLink: 'sip:ben@one.test', summary: '', gateway: null };
      const pageInfo = { hasNextPage: hasNext, endCursor: `part-${String(part)}` };
      return route.fulfill({
        json: { data: { numberHealth: { nodes: telUrl === undefined ? [] : [node], pageInfo } } },
      });
    });

  test.each([
    [
      'gateway',
      () => Promise.resolve(`/gateways/${subject.gateways['Refused'] ?? ''}/show?tab=numbers`),
      'belong to the gateway: 1 number',
      { Rings: 0, 'The provider refuses the gateway': 1 },
    ],
    [
      'agent',
      async () => `/agents/${await refOf("SELECT ref FROM agents WHERE username = 'ben'")}/show?tab=numbers`,
      'lead to the agent: 1 number',
      { Rings: 0, 'No device is registered': 1 },
    ],
    [
      'peer',
      async () => `/peers/${await refOf("SELECT ref FROM peers WHERE username = 'pbx'")}/show?tab=numbers`,
      'lead to the peer: 1 number',
      { Rings: 1 },
    ],
    [
      'domain',
      async () => `/domains/${await refOf("SELECT ref FROM domains WHERE domain_uri = 'one.test'")}/show?tab=numbers`,
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
    await open(`/gateways/${subject.gateways['Open'] ?? ''}/show?tab=numbers`);
    const { page } = subject.opened;
    const rows = (name: string): Promise<readonly string[]> =>
      page.getByRole('table', { name }).locator('tbody td:first-child').allInnerTexts();
    await eventually(20, async () => expect(await rows('All numbers')).toHaveLength(11));
    await page.getByRole('link', { name: 'The domain does not exist' }).click();
    const broken = async (): Promise<void> =>
      expect(await rows('Numbers: The domain does not exist')).toEqual(['+1005', '+1006']);
    await eventually(5, broken);
    await page.reload();
    await eventually(20, broken);
    await page.getByRole('link', { name: 'Numbers in any state' }).click();
    await eventually(5, async () => expect(await rows('All numbers')).toHaveLength(11));
  });

  test('shows the numbers of a gateway, and leads to all numbers', async () => {
    await open(`/health?gatewayRef=${subject.gateways['Open'] ?? ''}`);
    const { page } = subject.opened;
    await page.getByRole('heading', { name: '11 numbers' }).waitFor();
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
    await open(`/agents/${ref}/show?tab=numbers`);
    await eventually(5, async () => expect(await bars()).toEqual({ Rings: 0, 'No device is registered': 1 }));
    await registerContact(subject.url, { username: 'emma', domain: 'two.test', contact: 'sip:emma@10.0.0.20' });
    await eventually(15, async () => expect(await bars()).toEqual({ Rings: 1 }));
  });

  test('is not stale on the page of a gateway after a number was added, moved or deleted', async () => {
    const gatewayRef = await createGateway(subject.app);
    const moved = await createDid(subject.app, { gatewayRef });
    await open(`/gateways/${gatewayRef}/show?tab=numbers`);
    const { page } = subject.opened;
    const counted = (count: string): Promise<void> =>
      page.getByText(`Numbers that belong to the gateway: ${count}`, { exact: true }).waitFor();
    await counted('1 number');
    const deleted = await createDid(subject.app, { gatewayRef });
    await counted('2 numbers');
    const { errors } = await subject.app.graphql(
      'mutation ($ref: String!, $to: String!) { updateDID(ref: $ref, input: { gatewayRef: $to }) { ref } }',
      { ref: moved, to: subject.gateways['Open'] },
    );
    expect(errors).toBeUndefined();
    await counted('1 number');
    await show(page, '/gateways');
    await page.getByRole('heading', { name: 'Gateways' }).waitFor();
    await subject.app.graphql('mutation ($ref: String!) { deleteDID(ref: $ref) }', { ref: deleted });
    await show(page, `/gateways/${gatewayRef}/show?tab=numbers`);
    await counted('0 numbers');
  });

  test('says that nothing leads to an agent', async () => {
    await open(`/agents/${await createAgent(subject.app, { domains: ['one.test'] })}/show?tab=numbers`);
    await subject.opened.page.getByText('lead to the agent: 0 numbers').waitFor();
    expect(await bars()).toEqual({});
  });

  test('searches for a rare state without changing the address for each part', async () => {
    await open('/health');
    const { page } = subject.opened;
    // Two hundred parts without a number, as among 400,000 numbers.
    await answerLists(page, (_state, part) => ({ hasNext: part < 200 }));
    await page.evaluate(`window.replaced = 0; const { replaceState } = history;
      history.replaceState = function (...state) { window.replaced++; return replaceState.apply(this, state); };`);
    await page.getByRole('link', { name: 'The provider refuses the gateway' }).click();
    await page.waitForURL(/after=part-199/);
    // Safari allows 100 in 30 s.
    expect(Number(await page.evaluate('window.replaced'))).toBeLessThan(10);
    await page.getByText('No number is in this state.').waitFor();
  });

  test('begins another search, and the first page of this one, at its beginning', async () => {
    await open('/health');
    const { page } = subject.opened;
    let isOnFirstPage = false;
    await answerLists(page, (state, part) => {
      if (state === 'NOT_REGISTERED') return { telUrl: `tel:+2${String(part)}`, hasNext: true };
      return part === 3 || isOnFirstPage ? { telUrl: `tel:+1${String(part)}`, hasNext: true } : { hasNext: true };
    });
    const at = async (telUrl: string, after: string | null): Promise<void> => {
      await page
        .getByRole('table')
        .getByRole('link', { name: telUrl.replace('tel:', '') })
        .waitFor();
      await eventually(5, () => expect(new URL(page.url()).searchParams.get('after')).toBe(after));
    };
    await page.getByRole('link', { name: 'The provider refuses the gateway' }).click();
    await at('tel:+13', 'part-2');
    await page.getByRole('link', { name: 'No device is registered' }).click();
    await at('tel:+21', null);
    await page.getByRole('button', { name: 'Next' }).click();
    await at('tel:+22', 'part-1');
    await page.getByRole('button', { name: 'First page' }).click();
    await at('tel:+21', null);
    await page.getByRole('link', { name: 'The provider refuses the gateway' }).click();
    await at('tel:+13', 'part-2');
    isOnFirstPage = true;
    await page.getByRole('button', { name: 'First page' }).click();
    await at('tel:+11', null);
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
      await open(`/gateways/${subject.gateways['Registered'] ?? ''}/show?tab=numbers`);
      const { page } = subject.opened;
      await page.getByText('the first 20,000 numbers of more, counted at').waitFor();
      await page.getByRole('button', { name: 'Count again' }).waitFor();
      await page.getByRole('link', { name: 'Count all' }).click();
      await page.getByRole('heading', { name: '20,003 numbers' }).waitFor();
    });

    test.each(['/gateways/{}/show?tab=numbers', '/health?gatewayRef={}&state=NOT_REGISTERED'])(
      'is accessible and fits: %s',
      async (path) => {
        await open(path.replace('{}', subject.gateways['Registered'] ?? ''), { viewport: PHONE });
        await subject.opened.page.getByRole('list', { name: 'Numbers by state' }).waitFor();
        expect(await faults(subject.opened.page)).toEqual([]);
      },
    );
  });
});
