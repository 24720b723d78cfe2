import { faults } from '../../support/browser/accessibility';
import { DESKTOP, PHONE } from '../../support/browser/browser';
import { withConsole } from '../../support/browser/console';
import { eventually } from '../../support/eventually';
import { createDid } from '../../support/factories';
import { fill } from '../../support/many';
import { describeWith } from '../../support/runner/programs';
import { registerContact, runSql } from '../../support/databases/sql';

describeWith(['chromium'], 'The map of the console', () => {
  const subject = withConsole();
  const { open } = subject;

  /** The nodes of a column, without line breaks. */
  const nodes = async (name: string): Promise<readonly string[]> => {
    const items = subject.opened.page.getByRole('list', { name, exact: true }).getByRole('listitem');
    return (await items.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim());
  };
  const parameters = (): Record<string, string> => Object.fromEntries(new URL(subject.opened.page.url()).searchParams);
  const refOf = async (text: string): Promise<string> => String((await runSql(subject.url, text))[0]?.[0]);

  const anna = (): Promise<string> => refOf("SELECT name FROM agents WHERE username = 'anna'");

  test('draws gateways, agents and peers, and devices, with what does not ring', async () => {
    await open('/map');
    await eventually(20, async () => expect(await nodes('Gateways')).toHaveLength(6));
    expect(await nodes('Gateways')).toEqual([
      'Open 11 numbers · 8 do not ring',
      'Registered 1 number',
      ...['Unasked', 'Dead', 'Lapsed', 'Refused'].map((name) => `${name} 1 number · none rings`),
    ]);
    expect((await nodes('Agents and peers'))[0]).toBe(`${await anna()} 9 numbers · 6 do not ring`);
    expect(await nodes('Devices')).toEqual(
      expect.arrayContaining(['Rings 4 numbers', 'The provider refuses the gateway 1 number · none rings']),
    );
    expect(subject.opened.complaints).toEqual([]);
  });

  test('narrows with a click to a gateway, with another to an agent, and leads to their numbers and pages', async () => {
    await open('/map');
    const { page } = subject.opened;
    await page.getByRole('link', { name: 'Open', exact: true }).click();
    await eventually(20, async () => expect(await nodes('Gateways')).toEqual(['Open 11 numbers · 8 do not ring']));
    await page.getByRole('link', { name: await anna(), exact: true }).click();
    await eventually(20, async () => expect(await nodes('Gateways')).toEqual(['Open 4 numbers · 2 do not ring']));
    const agentRef = await refOf("SELECT ref FROM agents WHERE username = 'anna'");
    expect(parameters()).toEqual({ gatewayRef: subject.gateways['Open'], agentRef });
    // The narrowed numbers, in a list and by state.
    const narrowed = page.url();
    await page.getByRole('link', { name: 'List of DIDs' }).click();
    await eventually(20, async () => expect(await page.locator('tbody tr').count()).toBe(3));
    await page.goto(narrowed);
    await page.getByRole('link', { name: 'Several numbers have the same digits' }).click();
    await page
      .getByText(`Numbers that belong to the gateway Open and that lead to the agent ${await anna()}`)
      .waitFor();
    await eventually(20, async () => expect(await page.locator('tbody tr').count()).toBe(2));
    await page.goto(narrowed);
    await page.getByRole('link', { name: await anna(), exact: true }).click();
    await page.waitForURL(new RegExp(`/agents/${agentRef}/show`));
    await page.goto(narrowed);
    await page.getByTitle('Not only this agent').click();
    await page.getByTitle('Not only this gateway').click();
    await eventually(20, async () => expect(await nodes('Gateways')).toHaveLength(6));
    expect(parameters()).toEqual({});
  });

  test('shows only numbers that do not ring, also with the keyboard, and the same figures in a table', async () => {
    await open('/map');
    const { page } = subject.opened;
    const only = page.getByRole('switch', { name: 'Only numbers that do not ring' });
    await only.focus();
    await page.keyboard.press('Space');
    await eventually(20, async () => expect((await nodes('Gateways'))[0]).toBe('Open 8 numbers · none rings'));
    expect((await nodes('Devices')).join()).not.toContain('Rings');
    await page.getByText('The map as a table').focus();
    await page.keyboard.press('Enter');
    const table = page.getByRole('table', { name: 'The map as a table' });
    const counts = await table.locator('tbody td:last-child').allInnerTexts();
    expect(counts.reduce((sum, count) => sum + Number(count), 0)).toBe(12);
    await table.getByRole('link', { name: 'Refused' }).focus();
    await page.keyboard.press('Enter');
    await eventually(20, async () => expect(await nodes('Gateways')).toEqual(['Refused 1 number · none rings']));
    expect(parameters()).toEqual({ lost: '1', gatewayRef: subject.gateways['Refused'] });
  });

  test('follows numbers and devices', async () => {
    await open('/map');
    const [gatewayRef, aorLink] = [subject.gateways['Registered'], 'sip:ben@one.test'];
    await eventually(20, async () => expect(await nodes('Gateways')).toContain('Registered 1 number'));
    await createDid(subject.app, { telUrl: 'tel:+5001', gatewayRef, aorLink });
    await eventually(20, async () =>
      expect(await nodes('Gateways')).toContain('Registered 2 numbers · 1 does not ring'),
    );
    await registerContact(subject.url, { username: 'ben', domain: 'one.test', contact: 'sip:ben@10.0.0.7' });
    await eventually(20, async () => expect(await nodes('Gateways')).toContain('Registered 2 numbers'));
  });

  test('on the page of a gateway draws its numbers', async () => {
    await open(`/gateways/${subject.gateways['Refused'] ?? ''}/show`);
    await eventually(20, async () => expect(await nodes('Gateways')).toEqual(['Refused 1 none rings']));
    await subject.opened.page.getByRole('link', { name: 'Open the map' }).click();
    await subject.opened.page.waitForURL(/\/map\?/);
    expect(parameters()).toEqual({ gatewayRef: subject.gateways['Refused'] });
  });

  test('ends the lines of addresses after their parts', async () => {
    const gatewayRef = subject.gateways['Refused'];
    await createDid(subject.app, { telUrl: 'tel:+6001', aorLink: 'sip:nobody@branch.office.company.test', gatewayRef });
    await open(`/gateways/${gatewayRef ?? ''}/show`);
    const { page } = subject.opened;
    const link = page.getByRole('list', { name: 'Agents and peers' }).getByRole('link', { name: /^nobody@/ });
    await link.waitFor();
    const lines = await page.evaluate<readonly string[]>(`(() => {
      const lines = new Map();
      for (const node of document.querySelector('a[title^="nobody@"]').childNodes)
        for (let at = 0; at < (node.data?.length ?? 0); at++) {
          const range = document.createRange();
          range.setStart(node, at);
          range.setEnd(node, at + 1);
          const { top } = range.getBoundingClientRect();
          lines.set(top, (lines.get(top) ?? '') + node.data[at]);
        }
      return [...lines.values()];
    })()`);
    expect(lines.join('')).toBe('nobody@branch.office.company.test');
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines.slice(0, -1)) expect(line).toMatch(/[.@]$/);
  });

  describe('with 300 gateways, 20,000 numbers and 5,000 addresses of record', () => {
    beforeAll(async () => {
      const gateway = 'ref, created_on, modified_on, name, host, transport, identity';
      await fill(subject.url, 'gateways', gateway, 300, (n) => [
        ...[
          `g${String(n)}`,
          0,
          0,
          `Gateway ${String(n)} with a name that is much longer than there is room for it in a column`,
        ],
        ...[`g${String(n)}.test`, 'udp', `g${String(n)}`],
      ]);
      const first = Number(await refOf("SELECT MIN(id) FROM gateways WHERE ref = 'g0'"));
      const columns =
        'ref, created_on, modified_on, kind, gateway_id, tel_url, aor_link, tel_digits, aor_user, aor_host';
      await fill(subject.url, 'numbers', columns, 20_000, (n) => {
        const digits = `7${String(n).padStart(6, '0')}`;
        const [user, host] = [`user${String(n % 5000)}`, `${['one', 'two'][n % 2] ?? ''}.test`];
        return [
          ...[`n${String(n)}`, 0, 0, 'DID', first + (n % 300), `tel:+${digits}`, `sip:${user}@${host}`],
          ...[digits, user, host],
        ];
      });
    });

    test('groups by domain, sums up the smallest, and reads them with one request', async () => {
      await open('/history');
      const { page } = subject.opened;
      const sent: string[] = [];
      page.on('request', (request) => {
        const document = request.postData() ?? '';
        if (document.includes('query Map')) sent.push(document);
      });
      await page.getByRole('menuitem', { name: 'Map' }).click();
      await page.getByText('The first 20,000 numbers').waitFor();
      expect((await nodes('Gateways')).at(-1)).toMatch(/^\d{3} other gateways 1\d,\d{3} numbers · /);
      expect((await nodes('Domains')).slice(0, 2).join()).toMatch(/one\.test 1?\d,\d{3} numbers.*two\.test/);
      await page.getByRole('link', { name: 'two.test', exact: true }).click();
      await eventually(20, async () =>
        expect((await nodes('Agents and peers')).at(-1)).toMatch(/^2,49\d other addresses/),
      );
      expect(sent).toHaveLength(2);
      await page.goBack();
      await page.getByRole('link', { name: 'Next numbers' }).click();
      await page.getByText(/^The next 1\d numbers$/).waitFor();
    });

    test.each([
      ['a wide screen', { viewport: DESKTOP }],
      ['a dark phone', { viewport: PHONE, colorScheme: 'dark' }],
      ['a screen at 200 %', { viewport: { width: 640, height: 400 } }],
    ] as const)('is accessible and fits on %s', async (_name, options) => {
      await open('/map', options);
      await subject.opened.page.getByText('The map as a table').click();
      expect(await faults(subject.opened.page)).toEqual([]);
    });
  });
});
