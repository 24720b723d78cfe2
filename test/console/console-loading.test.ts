import type { Browser, Page, Request, WebSocket } from 'playwright-core';

import { startApp, type TestApp } from '../support/app';
import { launchBrowser } from '../support/browser/browser';
import { openConsole } from '../support/browser/console';
import { eventually } from '../support/eventually';
import { createAgent } from '../support/factories';
import { describeWith } from '../support/runner/programs';

describeWith(['chromium'], 'The console loads', () => {
  let app: TestApp;
  let browser: Browser;
  let page: Page;
  let scripts: string[] = [];

  beforeAll(async () => {
    app = await startApp({ SAMPLE_DATA: 'true' });
    browser = await launchBrowser();
    ({ page } = await openConsole(browser, app));
    page.on('request', (request) => {
      if (request.url().endsWith('.js')) scripts.push(new URL(request.url()).pathname);
    });
  });

  beforeEach(async () => {
    // The page of the test before may still load scripts.
    await page.goto('about:blank');
    scripts = [];
  });

  afterAll(async () => {
    await browser.close();
    await app.close();
  });

  /** Waits until this many scripts with this name were requested. */
  const requested = (name: string, count: number): Promise<void> =>
    eventually(5, () => expect(scripts.filter((path) => path.includes(`/${name}-`))).toHaveLength(count));

  test.each([
    ['pointed at', (entry: string) => page.getByRole('menuitem', { name: entry }).hover()],
    ['reached with the keyboard', (entry: string) => page.getByRole('menuitem', { name: entry }).focus()],
  ])('the code of a page when its menu entry is %s, and not before', async (_how, intend) => {
    await page.goto(`${app.url}/console`);
    await page.getByRole('list', { name: 'Overview' }).waitFor();
    await page.waitForLoadState('networkidle');
    await requested('kind-list', 0);
    await intend('Gateways');
    await requested('kind-list', 1);
    await requested('wall-page', 0);
    await intend('Registrations');
    await requested('wall-page', 1);
    await page.mouse.move(700, 700);
  });

  test.each(['console', 'kind-list'])('at the address of a list, %s with all that it imports at once', async (name) => {
    const html = await (await fetch(`${app.url}/console/dids`, { headers: { accept: 'text/html' } })).text();
    const [, links = ''] = new RegExp(`<template id="load-${name}">(.*?)</template>`, 's').exec(html) ?? [];
    const expected = [...links.matchAll(/href="[^"]*(\/assets\/[^"]*)"/g)].map(([, path]) => `/console${path ?? ''}`);
    expect(expected.length).toBeGreaterThan(2);
    let arrive: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (arrive = resolve));
    // What it imports is requested although it has not arrived.
    await page.route(`**/assets/${name}-*.js`, async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`${app.url}/console/dids`, { waitUntil: 'commit' });
    await eventually(5, () => expect(scripts).toEqual(expect.arrayContaining(expected)));
    arrive();
    await page.getByText('0000000000').first().waitFor();
    expect(new Set(scripts).size).toBe(scripts.length);
    await page.unrouteAll();
  });

  test('a list with the parts of its toolbar at once when its menu entry is pointed at', async () => {
    const html = await (await fetch(`${app.url}/console`, { headers: { accept: 'text/html' } })).text();
    const [, links = ''] = /<template id="load-kind-list">(.*?)<\/template>/s.exec(html) ?? [];
    const expected = [...links.matchAll(/href="[^"]*(\/assets\/[^"]*)"/g)].map(([, path]) => `/console${path ?? ''}`);
    expect(expected.filter((path) => path.includes('/save-view-'))).toHaveLength(1);
    // Below the first page, the addresses of the links are others.
    await page.goto(`${app.url}/console/gateways/gweef506/show`);
    await page.waitForLoadState('networkidle');
    await page.route('**/assets/kind-list-*.js', (route) => route.abort());
    await page.getByRole('menuitem', { name: 'Agents' }).hover();
    await eventually(5, () => expect(scripts).toEqual(expect.arrayContaining(expected)));
    await page.unrouteAll();
    await page.mouse.move(700, 700);
  });

  test('the page of a list once if nothing changes, and no domain, cursor or subscription before its rows', async () => {
    const subscribed: string[] = [];
    const onSocket = (socket: WebSocket): void => {
      socket.on('framesent', ({ payload }) => subscribed.push(String(payload)));
    };
    page.on('websocket', onSocket);
    await page.goto(`${app.url}/console/live`);
    await page.waitForLoadState('networkidle');
    const sent: string[] = [];
    const onRequest = (request: Request): void => {
      if (request.url().endsWith('/graphql')) sent.push(request.postData() ?? '');
    };
    page.on('request', onRequest);
    await page.getByRole('menuitem', { name: 'DIDs' }).click();
    await page.getByText('0000000000').first().waitFor();
    await eventually(5, () => expect(subscribed).toContainEqual(expect.stringContaining('"DID"')));
    // What would have been read again by itself was read before this.
    const ref = await createAgent(app);
    const change = 'mutation ($ref: String!) { updateAgent(ref: $ref, input: { name: "Vera" }) { ref } }';
    expect((await app.graphql(change, { ref })).errors).toBeUndefined();
    const order = (): readonly string[] => sent.flatMap((query) => /Page|Hosts|changeCursor/.exec(query)?.[0] ?? []);
    await eventually(5, () => expect(order().filter((name) => name === 'Page')).toHaveLength(2));
    page.off('request', onRequest);
    page.off('websocket', onSocket);
    expect(order().slice(0, 2)).toEqual(['Page', expect.stringMatching(/Hosts|changeCursor/)]);
  });

  test.each(['/live', '/gateways/gweef506/show'])('no list at %s', async (path) => {
    await page.goto(`${app.url}/console${path}`);
    await page.getByRole('main').waitFor();
    await page.waitForLoadState('networkidle');
    await requested('kind-list', 0);
  });
});
