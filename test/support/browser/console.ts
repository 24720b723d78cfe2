import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

import { startApp, type TestApp } from '../app';
import { DESKTOP, fillSignIn, launchBrowser, openPage, type WatchedPage } from './browser';
import { eventually } from '../eventually';
import { createChains } from '../numbers';
import { createSqliteDatabase } from '../databases/sqlite-database';

/** How the browser shows the console by default. Frames of animations are a sixth of its CPU time where a form is filled in. */
const SEEN = { viewport: DESKTOP, reducedMotion: 'reduce' } as const;

/** A user of startConsole who may only look. */
export const VIEWER = { username: 'vera', secret: 'vera-may-only-look' };

/** The user of a page, by default the admin, and how the browser shows it. */
export type ConsoleOptions = BrowserContextOptions & { readonly username?: string; readonly secret?: string };

/** The console of an application with the numbers of createChains; its members are set while tests run. */
export interface ConsoleSubject {
  app: TestApp;
  /** The URL of the database. */
  url: string;
  gateways: Readonly<Record<string, string>>;
  /** The page that was opened last. */
  opened: WatchedPage;
  /** Opens a page of the console as consoleTabs does, by default of `app`. */
  readonly open: (path?: string, options?: ConsoleOptions, app?: Pick<TestApp, 'url' | 'adminSecret'>) => Promise<void>;
}

/** Starts an application with the numbers of createChains and a viewer, and a browser, for the tests of a block. */
export function withConsole(
  start = (url: string): Promise<TestApp> => startApp({ DATABASE_URL: url }),
): ConsoleSubject {
  let browser: Browser;
  let drop: () => Promise<void>;
  const tab = consoleTabs(() => browser);
  const open: ConsoleSubject['open'] = async (path, options, app = subject.app) => {
    subject.opened = await tab(app, path, options);
  };
  const subject = { open } as ConsoleSubject; // the others are set below

  beforeAll(async () => {
    browser = await launchBrowser();
    const database = await createSqliteDatabase();
    drop = database.drop;
    subject.url = database.url;
    subject.app = await start(database.url);
    subject.gateways = await createChains(subject.app, database.url);
    const { errors } = await subject.app.graphql(
      'mutation ($input: CreateUserInput!) { createUser(input: $input) { username } }',
      { input: { ...VIEWER, role: 'VIEWER' } },
    );
    expect(errors).toBeUndefined();
  });

  afterAll(async () => {
    await browser.close();
    await subject.app.close();
    await drop();
  });

  return subject;
}

/** Returns a function that opens pages of the console, in one tab for each set of options, which signs in once. */
export function consoleTabs(browser: () => Browser) {
  const tabs = new Map<string, WatchedPage>();
  return async (app: Pick<TestApp, 'url' | 'adminSecret'>, path = '', options: ConsoleOptions = {}) => {
    const key = JSON.stringify([app.url, options]);
    const known = tabs.get(key);
    if (known && !known.page.isClosed()) {
      await reopen(known, path);
      return known;
    }
    const opened = await openConsole(browser(), app, path, options);
    tabs.set(key, opened);
    return opened;
  };
}

/** Opens a page of the console in a browser of its own, and signs in. */
export async function openConsole(
  browser: Browser,
  { url, adminSecret }: Pick<TestApp, 'url' | 'adminSecret'>,
  path = '',
  options: ConsoleOptions = {},
): Promise<WatchedPage> {
  const { username, secret = adminSecret, ...context } = options;
  const opened = await openPage(await browser.newContext({ ...SEEN, ...context }), `${url}/console${path}`);
  await fillSignIn(opened.page, secret, username);
  await opened.page
    .getByRole('menuitem', { name: 'Gateways' })
    .or(opened.page.getByLabel('Open menu'))
    .first()
    .waitFor();
  return opened;
}

/** Makes the console forget what the user has chosen, but not the session. */
export async function forgetChoices(page: Page): Promise<void> {
  await page.evaluate(
    'for (const key of Object.keys(localStorage)) if (!key.startsWith("sipgraph-session")) localStorage.removeItem(key)',
  );
}

/** Opens another page of the console in the same tab, where the user is signed in. */
export async function reopen({ page, complaints }: WatchedPage, path: string): Promise<void> {
  await page.unrouteAll();
  await forgetChoices(page);
  complaints.length = 0;
  await page.goto(`${new URL(page.url()).origin}/console${path}`);
}

/** Shows another page of the console without loading the console again. */
export async function show(page: Page, path: string): Promise<void> {
  const url = JSON.stringify(`/console${path}`);
  await page.evaluate(`history.pushState(null, '', ${url}); dispatchEvent(new PopStateEvent('popstate'))`);
}

/** Opens the search with the keyboard, when the page listens to it. */
export async function openSearch(page: Page): Promise<void> {
  await eventually(10, async () => {
    const field = page.getByRole('combobox', { name: 'Number, address of record, name or page' });
    if ((await field.count()) === 0) await page.keyboard.press('Control+k');
    expect(await field.count()).toBe(1);
  });
}

/** Fills in the field of a form with this label; chooses the first option that contains the text if it has options. */
export async function fillField(page: Page, label: string, value: string): Promise<void> {
  const field = page
    .getByLabel(label, { exact: true })
    .or(page.getByLabel(`${label} *`, { exact: true }))
    .first();
  const role = await field.getAttribute('role');
  const folded = page.locator('details:not([open])', { has: field }).locator('summary');
  if ((await folded.count()) > 0) await folded.first().click();
  if (role !== 'combobox') {
    await field.fill(value);
    return;
  }
  // Where calls go can be chosen, or any address.
  if (label === 'Address of record') {
    await field.fill(value);
    await field.press('Tab');
    return;
  }
  await field.click();
  await page.getByRole('option', { name: value }).first().click();
}
