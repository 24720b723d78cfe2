import type { Page } from 'playwright-core';

import { startApp, type TestApp } from '../../support/app';
import { openConsole, show } from '../../support/browser/console';
import { launchBrowser } from '../../support/browser/browser';
import { eventually } from '../../support/eventually';
import { createAgent, createDid, createDomain, createGateway, createRoute } from '../../support/factories';
import { describeWith } from '../../support/runner/programs';

/** All that a page tells: its texts, its title, and what screen readers read. Documents and messages of programs have references. */
const TOLD = `[document.title, document.body.innerText, ...[...document.querySelectorAll('[aria-label], [title], input')].flatMap(
  (each) => [each.getAttribute('aria-label'), each.getAttribute('title'), each.type === 'hidden' || each.ariaHidden === 'true' ? '' : each.value])].join('\\n')`;
/** How much of the page is being read: names that are dots, progress and skeletons. */
const BUSY = `document.querySelectorAll('[role=progressbar], .MuiSkeleton-root').length +
  [...document.querySelectorAll('main *')].filter((each) => each.childElementCount === 0 && each.textContent === '…').length`;

describeWith(['chromium'], 'The console', () => {
  let app: TestApp;
  let page: Page;
  let close: () => Promise<void>;
  /** All references, with what they belong to. */
  const refs = new Map<string, string>();

  async function run(document: string, variables = {}): Promise<Readonly<Record<string, unknown>>> {
    const { data, errors } = await app.graphql<Readonly<Record<string, unknown>>>(document, variables);
    expect(errors).toBeUndefined();
    return data;
  }

  beforeAll(async () => {
    app = await startApp({ SAMPLE_DATA: 'true' });
    const domain = await createDomain(app, { name: 'Forwarding', domainUri: 'forward.test' });
    const [gone, kept] = [await createGateway(app, { name: 'Once' }), await createGateway(app, { name: 'Now' })];
    await createAgent(app, { name: 'Grace', username: 'grace', domains: ['forward.test'] });
    const did = await createDid(app, { gatewayRef: gone, telUrl: 'tel:+4930555', aorLink: 'sip:grace@forward.test' });
    await createRoute(app, { domainRef: domain, name: 'Out' });
    // A change of something that is deleted later, and a link to it.
    await run('mutation ($ref: String!, $to: String!) { updateDID(ref: $ref, input: { gatewayRef: $to }) { ref } }', {
      ref: did,
      to: kept,
    });
    await run('mutation ($ref: String!) { updateGateway(ref: $ref, input: { port: 5071 }) { ref } }', { ref: gone });
    await run('mutation ($ref: String!) { deleteGateway(ref: $ref) }', { ref: gone });
    await run('mutation { createUser(input: { username: "vera", secret: "vera may look", role: VIEWER }) { ref } }');
    await run(
      `mutation ($refs: [String!]) {
        createWebhook(
          url: "https://93.184.216.34/hook", events: [NUMBER_STOPPED, CALL_FAILED], refs: $refs,
          failedCalls: { gatewayRef: "gweef506" }
        ) { secret }
      }`,
      { refs: [did, kept, 'sip:grace@forward.test'] },
    );
    const made = await run('mutation { createApiToken(name: "script", role: VIEWER) { apiToken { ref } } }');
    const { ref: token } = (made['createApiToken'] as { apiToken: { ref: string } }).apiToken;
    await run('mutation ($ref: String!) { deleteApiToken(ref: $ref) }', { ref: token });

    const kinds = ['gateways', 'agents', 'peers', 'domains', 'dids', 'numbers', 'routes', 'users'];
    const all = await run(
      `{ ${kinds.map((kind) => `${kind}(first: 100) { nodes { ref } }`).join(' ')} webhooks { ref } }`,
    );
    for (const kind of kinds)
      for (const { ref } of (all[kind] as { nodes: { ref: string }[] }).nodes) refs.set(ref, kind);
    for (const { ref } of all['webhooks'] as { ref: string }[]) refs.set(ref, 'webhooks');
    for (const [what, ref] of Object.entries({ gone, token })) refs.set(ref, what);

    const browser = await launchBrowser();
    ({ page } = await openConsole(browser, app));
    close = () => browser.close();
  });

  afterAll(async () => {
    await close();
    await app.close();
  });

  /** The references that the page tells, once it has read all. */
  async function told(): Promise<readonly string[]> {
    let before = '';
    let found: readonly string[] = [];
    await eventually(20, async () => {
      const text = await page.evaluate<string>(TOLD);
      const isRead = (await page.evaluate<number>(BUSY)) === 0 && text === before;
      before = text;
      found = [...refs].filter(([ref]) => text.includes(ref)).map(([ref, what]) => `${ref} (${what})`);
      expect(isRead).toBe(true);
    });
    return found;
  }

  /** The references that pages tell, by the pages. */
  async function toldBy(paths: readonly string[]): Promise<readonly string[]> {
    const found: string[] = [];
    for (const path of paths) {
      await show(page, path);
      await page.locator('#react-admin-title:not(:empty)').waitFor();
      found.push(...(await told()).map((ref) => `${path}: ${ref}`));
    }
    return found;
  }

  test.each([
    '/',
    '/map?gateway=gweef506',
    '/health?gateway=gweef506&state=NOT_REGISTERED',
    '/calls?gateway=gw7c10f2&agent=ag3f77f6',
    '/live',
    '/webhooks',
    '/account',
    '/users',
    '/pending',
    '/new-phone-user',
    '/replace-trunk/gweef506',
    '/?q=%2B493012345678',
    '/?q=1001%40sip.local',
    '/?at=2026-01-01T00:00:00.000Z&gateway=gweef506',
    '/dids?filter={"gateway":{"ref":{"in":["gweef506","gw7c10f2"]}}}',
    '/dids?filter={"gatewayRef":{"eq":"gweef506"}}',
  ])('tells names and numbers instead of references at %s', async (path) => {
    expect(await toldBy([path])).toEqual([]);
  });

  test.each(['gateways', 'agents', 'peers', 'domains', 'dids', 'numbers', 'routes'])(
    'tells names and numbers instead of references in the list, the page, its tabs and the form of %s',
    async (kind) => {
      const [ref = ''] = [...refs].find(([, what]) => what === kind) ?? [];
      const shown = `/${kind}/${ref}/show`;
      expect(
        await toldBy([`/${kind}`, shown, `${shown}?tab=numbers`, `${shown}?tab=history`, `/${kind}/${ref}`]),
      ).toEqual([]);
    },
  );

  test.each(['/history', '/history?show=security'])(
    'tells names instead of references at %s, in the details, too, also of what was deleted',
    async (path) => {
      const found = [...(await toldBy([path]))];
      for (const line of await page.getByRole('button', { name: /^Details/ }).all()) await line.click();
      expect([...found, ...(await told())]).toEqual([]);
      if (path === '/history') await page.getByText('admin changed the port of the gateway Once to 5071').waitFor();
      else await page.getByText('admin deleted the API token script').waitFor();
    },
  );

  test('chooses what a webhook is told about by names and numbers', async () => {
    await show(page, '/webhooks');
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: /4930555/ }).waitFor();
    await dialog.getByRole('button', { name: 'Now' }).waitFor();
    expect(await told()).toEqual([]);
    const field = dialog.getByRole('combobox', { name: 'Only events of these' });
    await field.fill('SP 00');
    await page.getByRole('option', { name: 'Gateway SP 002' }).click();
    await dialog.getByRole('combobox', { name: 'Agent' }).fill('Gra');
    await page.getByRole('option', { name: 'Grace' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const { webhooks } = await run('{ webhooks { refs failedCalls { gatewayRef agentRef } } }');
    const [agent] = [...refs]
      .filter(([, what]) => what === 'agents')
      .map(([ref]) => ref)
      .slice(-1);
    expect(webhooks).toMatchObject([{ failedCalls: { gatewayRef: 'gweef506', agentRef: agent } }]);
    expect((webhooks as { refs: string[] }[])[0]?.refs).toContain('gw7c10f2');
  });

  test('an error names what the browser has not shown', async () => {
    const gateway = await createGateway(app, { name: 'Never shown' });
    await createDid(app, { gatewayRef: gateway, telUrl: 'tel:+4930777', aorLink: 'sip:grace@forward.test' });
    await page.reload();
    await show(page, '/gateways');
    await page.getByRole('link', { name: 'SP 001' }).waitFor();
    // Another tab has it.
    await page.route(/graphql/, async (route) => {
      const body = route.request().postData() ?? '';
      const isDeletion = body.includes('mutation Delete');
      await route.continue(isDeletion ? { postData: body.replace('"gw0b93de"', JSON.stringify(gateway)) } : {});
    });
    await show(page, '/gateways/gw0b93de/show');
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    const message = page.getByText(/is in use by/);
    await message.waitFor();
    expect(await message.textContent()).toBe('Gateway Never shown is in use by DID +4930777');
    await page.unrouteAll();
  });

  test('an error that mentions one resource very often names the others, too', async () => {
    const gateway = await createGateway(app, { name: 'Mentioned last' });
    await page.route(/graphql/, (route) => {
      const message = [...Array.from({ length: 100 }, () => 'Agent nobody'), `Gateway ${gateway}`].join(', ');
      const isDeletion = route.request().postData()?.includes('mutation Delete') === true;
      return isDeletion ? route.fulfill({ json: { errors: [{ message: `${message} say no` }] } }) : route.continue();
    });
    await show(page, '/gateways/gw0b93de/show');
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    const shown = page.getByText(/say no/);
    await shown.waitFor();
    expect(await shown.textContent()).toMatch(/Agent nobody, Gateway Mentioned last say no$/);
    await page.unrouteAll();
  });
});
