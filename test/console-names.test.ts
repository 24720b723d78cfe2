import type { Page } from 'playwright-core';

import { startApp, type TestApp } from './support/app';
import { openConsole, show } from './support/console';
import { launchBrowser } from './support/browser';
import { eventually } from './support/eventually';
import { createAgent, createDid, createDomain, createGateway, createRoute } from './support/factories';
import { describeWith } from './support/programs';

/** Addresses of pages with these parts in common are alike: a few of them are looked at. */
const ALIKE = 3;
/** All that a page tells: its texts, its title, and what screen readers read. Documents and messages of programs have references. */
const TOLD = `[document.title, document.body.innerText, ...[...document.querySelectorAll('[aria-label], [title], input')].flatMap(
  (each) => [each.getAttribute('aria-label'), each.getAttribute('title'), each.type === 'hidden' ? '' : each.value])].join('\\n')`;
const LINKS = `[...document.querySelectorAll('a[href]')].map(({ pathname, search }) => pathname + search)`;

describeWith(['chromium'], 'The console', () => {
  let app: TestApp;
  let page: Page;
  let close: () => Promise<void>;
  /** All references, with what they belong to. */
  const refs = new Map<string, string>();

  async function run(document: string, variables = {}): Promise<Readonly<Record<string, never>>> {
    const { data, errors } = await app.graphql<Readonly<Record<string, never>>>(document, variables);
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

  /** What addresses of pages that are alike have in common: the page, the names of its parameters, and the tab. */
  function shapeOf(path: string): string {
    const { pathname, searchParams } = new URL(path, 'http://console');
    const page = [...refs.keys()].reduce((text, ref) => text.replace(ref, '*'), pathname);
    return [page.replace(/\d+/, '*'), ...searchParams.keys(), searchParams.get('tab')].join(' ');
  }

  /** The references that the page tells, once it has read all. */
  async function told(): Promise<readonly string[]> {
    await page.waitForLoadState('networkidle');
    let found: readonly string[] = [];
    // Names that are being read are dots.
    await eventually(10, async () => {
      const text = await page.evaluate<string>(TOLD);
      found = [...refs].filter(([ref]) => text.includes(ref)).map(([ref, what]) => `${ref} (${what})`);
      expect(text).not.toContain('…\n');
    }).catch(() => undefined);
    return found;
  }

  test('tells names and numbers instead of references, on every page and tab that links lead to', async () => {
    const waiting = ['/', '/webhooks', '/history?show=security', '/account', '/calls?gateway=gw7c10f2&agent=ag3f77f6'];
    waiting.push(
      '/dids?filter={"gateway":{"ref":{"in":["gweef506","gw7c10f2"]}}}',
      '/dids?filter={"gatewayRef":{"eq":"gweef506"}}',
    );
    const seen = new Map<string, number>();
    const found: string[] = [];
    for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
      const shape = shapeOf(path);
      const count = seen.get(shape) ?? 0;
      if (seen.has(path) || count >= ALIKE) continue;
      seen.set(shape, count + 1);
      seen.set(path, 1);
      await show(page, path);
      await page.getByRole('main').waitFor();
      const refsHere = await told();
      if (refsHere.length > 0) found.push(`${path}: ${refsHere.join(', ')}`);
      for (const link of await page.evaluate<readonly string[]>(LINKS))
        if (link.startsWith('/console')) waiting.push(link.slice('/console'.length));
      if (path.endsWith('/show')) waiting.push(`${path}?tab=numbers`, `${path}?tab=history`);
      if (path.endsWith('/show')) waiting.push(path.slice(0, -'/show'.length));
      // Lines of the history unfold.
      if (path.includes('history')) {
        for (const line of (await page.getByRole('button', { name: /^Details/ }).all()).slice(0, 40))
          await line.click();
        const unfolded = await told();
        if (unfolded.length > 0) found.push(`${path}, unfolded: ${unfolded.join(', ')}`);
      }
    }
    process.stderr.write(`${String(seen.size)} pages\n`);
    expect(found).toEqual([]);
  });
});
