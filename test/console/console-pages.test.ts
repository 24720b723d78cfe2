import { faults } from '../support/browser/accessibility';
import { DESKTOP, PHONE } from '../support/browser/browser';
import { VIEWER, withConsole } from '../support/browser/console';
import { eventually } from '../support/eventually';
import { createGateway } from '../support/factories';
import { describeWith } from '../support/runner/programs';

const TABS = ['Overview', 'Numbers', 'History', 'Raw'];

describeWith(['chromium'], 'The page of a resource in the console', () => {
  const subject = withConsole();
  const { open } = subject;
  const pathOf = (name: string): string => `/gateways/${subject.gateways[name] ?? ''}/show`;
  const tab = (name: string) => subject.opened.page.getByRole('tab', { name, exact: true });

  test('has its state, cause and actions above tabs, which the keyboard reaches and the address has', async () => {
    await open(pathOf('Refused'));
    const { page } = subject.opened;
    await page.getByText('Refused: 403 Forbidden').first().waitFor();
    expect(await page.getByRole('tab').allInnerTexts()).toEqual(TABS);
    await tab('Overview').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\?tab=numbers$/);
    const numbers = page.getByRole('table', { name: 'All numbers' });
    await numbers.getByText('403 Forbidden').waitFor();
    // What does not fit into a line is shown under the pointer.
    await numbers.getByTitle('Refused', { exact: true }).waitFor();
    await page.reload();
    await page.getByRole('table', { name: 'All numbers' }).waitFor();
    await page.getByRole('link', { name: 'Edit' }).waitFor();
    await tab('Overview').click();
    await page.waitForURL(/\/show$/);
    await page.getByText('refused.test').first().waitFor();
    await page.getByText('0 calls in progress').waitFor();
    expect(subject.opened.complaints).toEqual([]);
  });

  test('tells its history in sentences, and undoes a request with three clicks', async () => {
    const ref = await createGateway(subject.app, { name: 'Before' });
    await subject.app.graphql(
      'mutation($ref: String!) { updateGateway(ref: $ref, input: { name: "After" }) { ref } }',
      {
        ref,
      },
    );
    await open(`/gateways/${ref}/show`);
    const { page } = subject.opened;
    await tab('History').click();
    const lines = page.getByRole('list', { name: 'Today' }).getByRole('listitem');
    await eventually(20, async () =>
      expect((await lines.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '))).toEqual([
        expect.stringMatching(/^admin changed the name of the gateway After from Before to After/),
        expect.stringMatching(/^admin created the gateway After/),
      ]),
    );
    await page.getByRole('button', { name: /^Undo admin changed the name/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Undo', exact: true }).click();
    await page.getByRole('heading', { name: 'Gateway Before' }).waitFor();
    await eventually(20, async () => expect(await lines.count()).toBe(3));
  });

  test('shows the document that reads it and the result, without its secret', async () => {
    await open(`${pathOf('Refused')}?tab=raw`, VIEWER);
    const { page } = subject.opened;
    const part = (name: string) => page.getByRole('region', { name, exact: true }).locator('pre').innerText();
    const [document, shown] = [await part('Document'), await part('Result')];
    expect(shown).not.toContain('trunk-secret');
    expect(document).toMatch(/^\{\n {2}gateway\(ref: "[^"]+"\) \{\n {4}ref\n {4}name\n[^]*\n {4}\}\n[^]*\n {2}\}\n\}$/);
    const { data } = await subject.app.graphql(document);
    expect(JSON.parse(shown)).toEqual({ data });
    expect(JSON.stringify(data)).toContain('"secretSet":true');
  });

  test('of a number has no tab of numbers', async () => {
    await open('/dids');
    const { page } = subject.opened;
    await page.getByRole('link', { name: '+1001' }).click();
    await eventually(20, async () =>
      expect(await page.getByRole('tab').allInnerTexts()).toEqual(['Overview', 'History', 'Raw']),
    );
  });

  test.each([
    ['a wide light screen', { viewport: DESKTOP, colorScheme: 'light' }],
    ['a dark phone', { viewport: PHONE, colorScheme: 'dark' }],
    ['a screen at 200 %', { viewport: { width: 640, height: 400 } }],
  ] as const)('is accessible and fits in all tabs on %s', async (_name, options) => {
    await open(pathOf('Open'), options);
    for (const name of TABS) {
      await tab(name).click();
      await subject.opened.page.waitForLoadState('networkidle');
      expect([name, await faults(subject.opened.page)]).toEqual([name, []]);
    }
  });
});
