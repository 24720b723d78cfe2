import { randomBytes } from 'node:crypto';

import type { Browser, Page } from 'playwright-core';

import { DESKTOP, fillSignIn, launchBrowser } from '../../test/support/browser/browser';
import { programPath } from '../../test/support/runner/programs';
import { fillAgents, fillDids } from '../data';
import { createMariadb, createSqlite, mariadbMissing, type BenchDatabase } from '../databases';
import { GATEWAYS } from './scale-cases';
import { startSipgraph } from '../servers';

const AGENTS = 100_000;
const LISTS = ['gateways', 'agents', 'peers', 'domains', 'dids', 'numbers'] as const;
/** The number of times that each list is opened. The table has the slowest. */
const TIMES = 5;
/** The pages of a long list that are opened one after the other. */
const PAGES = 50;
/** 10 Mbit/s, in bytes per second, and a latency in milliseconds. */
const NETWORK = { downloadThroughput: 1_250_000, uploadThroughput: 1_250_000, latency: 20, offline: false };

/** Measures in Chromium how soon the console's lists open with 100,000 agents and this many DIDs, and its memory. */
export async function benchmarkConsole(databases: readonly string[], dids: number): Promise<void> {
  if (programPath('chromium') === undefined) throw new Error('chromium is not on the PATH');
  for (const name of databases) {
    const missing = name === 'mariadb' ? mariadbMissing() : undefined;
    if (missing) console.log(`\nMariaDB is skipped: ${missing}`);
    else await measureOn(await (name === 'mariadb' ? createMariadb : createSqlite)(), dids);
  }
}

async function measureOn(database: BenchDatabase, dids: number): Promise<void> {
  const secret = randomBytes(16).toString('hex');
  const server = await startSipgraph({ DATABASE_URL: database.url, ADMIN_SECRET: secret });
  const browser = await launchBrowser({ asUsersHaveIt: true });
  try {
    process.stderr.write(`${database.name}: filling ${String(AGENTS)} agents and ${String(dids)} DIDs\n`);
    await fillAgents(database, AGENTS);
    await fillDids(database, dids, GATEWAYS);
    await database.analyse(['gateways', 'numbers', 'agents']);
    console.log(
      `\n${database.name}: the console with ${AGENTS.toLocaleString('en')} agents and ${dids.toLocaleString('en')} DIDs`,
    );
    console.table(await timesOf(browser, `${server.url}/console`, secret));
  } finally {
    await browser.close();
    await server.stop();
    await database.drop();
  }
}

async function timesOf(browser: Browser, url: string, secret: string): Promise<readonly object[]> {
  const context = await browser.newContext({ viewport: DESKTOP });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', NETWORK);
  const rows: object[] = [];
  const start = await taken(async () => {
    await page.goto(url);
    await page.getByLabel('Name').waitFor();
  });
  rows.push({ what: 'the sign-in form, at 10 Mbit/s, nothing cached', ms: start });
  await fillSignIn(page, secret);
  await page.getByRole('menuitem', { name: 'Gateways' }).waitFor();
  const again = await slowest(() =>
    loaded(page, async () => {
      await page.getByRole('button', { name: 'Search' }).click();
      await page.getByRole('combobox').fill('1');
    }),
  );
  rows.push({
    what: 'the first page of a user who is signed in, until its search can be filled in, nothing cached',
    ms: again,
  });
  for (const [what, isCached] of [
    ['a list of a user who is signed in, until its rows are shown, nothing cached', false],
    ['the same, with the scripts in the cache', true],
  ] as const) {
    await page.goto(`${url}/agents`);
    rows.push({
      what,
      ms: await slowest(() => loaded(page, () => page.getByText('Agent 25', { exact: true }).waitFor(), isCached)),
    });
  }
  await page.goto(url);
  for (const list of LISTS) rows.push({ what: `the list of ${list}`, ms: await slowest(() => opened(page, list)) });
  const search = async (text: string): Promise<number> => {
    await page.getByLabel('Search').fill(text);
    return taken(() => page.getByText('1–1 of 1').waitFor());
  };
  await open(page, 'agents');
  rows.push({ what: 'a search for one of the agents, with 500 ms until it is sent', ms: await search('user99998') });
  await open(page, 'dids');
  const heap = async (): Promise<number> => {
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    return Math.round(usedSize / 1e6);
  };
  await nextPages(page, 5);
  const before = await heap();
  await nextPages(page, PAGES);
  rows.push({ what: 'used heap of the page, in MB', before, [`after ${String(PAGES)} pages`]: await heap() });
  await context.close();
  return rows;
}

/** Milliseconds from the click on a list's menu item until its rows are shown, or that there are none. */
async function opened(page: Page, list: string): Promise<number> {
  await page.locator('[role=menuitem][href$="/import"]').click();
  await page.waitForURL(/import$/);
  return taken(() => open(page, list));
}

/** Milliseconds from a reload until the page is ready, with an empty cache unless `isCached`. */
async function loaded(page: Page, ready: () => Promise<void>, isCached = false): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.setCacheDisabled', { cacheDisabled: !isCached });
  const time = await taken(async () => {
    await page.reload({ waitUntil: 'commit' });
    await ready();
  });
  await session.detach();
  return time;
}

async function open(page: Page, list: string): Promise<void> {
  await page.locator(`[role=menuitem][href$="/${list}"]`).click();
  await page.getByRole('status').or(page.getByText('There is nothing here yet')).first().waitFor();
}

async function nextPages(page: Page, count: number): Promise<void> {
  for (let done = 0; done < count; done++) {
    const before = await page.getByRole('status').first().innerText();
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByRole('status').filter({ hasNotText: before }).first().waitFor();
  }
}

async function slowest(measure: () => Promise<number>): Promise<number> {
  let longest = 0;
  for (let time = 0; time < TIMES; time++) longest = Math.max(longest, await measure());
  return longest;
}

async function taken(work: () => Promise<void>): Promise<number> {
  const begun = performance.now();
  await work();
  return Math.round(performance.now() - begun);
}
