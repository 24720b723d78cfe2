import { fetchToken, startApp, type TestApp } from '../support/app';
import { fillSignIn, launchBrowser } from '../support/browser/browser';
import { createGateway } from '../support/factories';
import { startPrefixProxy, type PrefixProxy } from '../support/browser/prefix-proxy';
import { describeWith } from '../support/runner/programs';
import { transports } from '../support/subscriptions';

const HTML = { accept: 'text/html' };

describe('Behind a proxy that serves it under /sip', () => {
  let app: TestApp;
  let proxy: PrefixProxy;

  beforeAll(async () => {
    app = await startApp({ SAMPLE_DATA: 'true', TRUST_PROXY: '1' });
    proxy = await startPrefixProxy(app.url, '/sip');
  });

  afterEach(() => expect(proxy.strays).toEqual([]));

  afterAll(async () => {
    await proxy.close();
    await app.close();
  });

  test.each(['playground', 'graphql', 'docs', 'console', 'console/', 'console/gateways/gweef506/show'])(
    'the page /sip/%s loads its assets from /sip',
    async (page) => {
      const answer = await fetch(`${proxy.url}/${page}`, { headers: HTML });
      expect(answer.status).toBe(200);
      const assets = [...(await answer.text()).matchAll(/(?:src|href)="([^"]*\.(?:js|css))"/g)];
      expect(assets.length).toBeGreaterThanOrEqual(2);
      for (const [, asset = ''] of assets) {
        expect((await fetch(new URL(asset, answer.url))).status).toBe(200);
      }
    },
  );

  test('/sip/ redirects a browser to /sip/console', async () => {
    const answer = await fetch(`${proxy.url}/`, { headers: HTML });
    expect([answer.status, answer.url]).toEqual([200, `${proxy.url}/console`]);
  });

  test('the OpenAPI document has the REST path under /sip, which works', async () => {
    const answer = await fetch(`${proxy.url}/openapi.json`);
    const { servers } = (await answer.json()) as { servers: readonly { url: string }[] };
    const rest = new URL(servers[0]?.url ?? '', answer.url).href;
    expect(rest).toBe(`${proxy.url}/api/v1beta1`);
    const token = await fetchToken(proxy.url, 'admin', app.adminSecret);
    expect((await fetch(`${rest}/gateways?token=${token}`)).status).toBe(200);
  });

  test.each(transports)('a subscription over $name delivers changes', async ({ subscribe }) => {
    const changes = await subscribe(proxy.url, await app.token(), 'subscription { resourceChanged { ref } }');
    const ref = await createGateway(app);
    expect(await changes.next()).toEqual({ data: { resourceChanged: { ref } } });
    await changes.close();
  });

  describeWith(['chromium'], 'The pages under /sip', () => {
    test('share the sign-in with each other, but not with a server under another path', async () => {
      const other = await startApp();
      const both = await startPrefixProxy(app.url, '/sip', { '/other': other.url });
      const browser = await launchBrowser();
      try {
        const page = await browser.newPage();
        await page.goto(`${both.url}/console`);
        await fillSignIn(page, app.adminSecret);
        await page.getByRole('menuitem', { name: 'Gateways' }).waitFor();
        await page.goto(`${both.url}/playground`);
        await page.getByText('Signed in as').waitFor();
        for (const path of ['playground', 'console']) {
          await page.goto(new URL(`/other/${path}`, both.url).href);
          await page.getByRole('button', { name: 'Sign in' }).waitFor();
        }
        await fillSignIn(page, other.adminSecret);
        await page.getByRole('menuitem', { name: 'Gateways' }).waitFor();
        await page.goto(`${both.url}/console`);
        await page.getByRole('menuitem', { name: 'Gateways' }).waitFor();
      } finally {
        await browser.close();
        await both.close();
        await other.close();
      }
    });

    test('sign in, run an operation and list the REST operations, with requests only under /sip', async () => {
      const browser = await launchBrowser();
      try {
        const page = await browser.newPage();
        page.setDefaultTimeout(60_000);
        const failed: string[] = [];
        page.on('response', (response) => {
          if (response.status() >= 400) failed.push(`${String(response.status())} ${response.url()}`);
        });
        await page.goto(`${proxy.url}/playground`);
        await page.getByLabel('Name').fill('admin');
        await page.getByLabel('Secret').fill(app.adminSecret);
        await page.getByRole('button', { name: 'Sign in' }).click();
        await page.getByText('Signed in as').waitFor();
        await page.getByRole('button', { name: /Execute query/ }).click();
        await page.locator('.graphiql-response').getByText('SP 001').first().waitFor();
        await page.goto(`${proxy.url}/docs`);
        await page.getByText('/gateways', { exact: true }).first().waitFor();
        expect(failed).toEqual([]);
      } finally {
        await browser.close();
      }
    });
  });
});
