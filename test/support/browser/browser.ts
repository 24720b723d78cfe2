import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';

import { programPath } from '../runner/programs';

/** The host of an insecure context: unlike 127.0.0.1, browsers treat it as any host that they reach over plain HTTP. */
export const INSECURE_HOST = 'sipgraph.test';

const FLAGS = [
  `--host-resolver-rules=MAP ${INSECURE_HOST} 127.0.0.1`,
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync', '--in-process-gpu'],
];
// Pages under test live too briefly to gain from optimized code: a page of the console loads with a sixth less CPU time without.
const WITHOUT_OPTIMIZED_CODE = '--js-flags=--no-opt --no-maglev';

export const PHONE = { width: 390, height: 844 };
export const DESKTOP = { width: 1400, height: 900 };

/** Starts Chromium for tests, or `asUsersHaveIt` for a measurement. */
export function launchBrowser({ asUsersHaveIt = false } = {}): Promise<Browser> {
  const args = asUsersHaveIt ? FLAGS : [...FLAGS, WITHOUT_OPTIMIZED_CODE];
  return chromium.launch({ executablePath: programPath('chromium') ?? '', args, timeout: 100_000 });
}

/** A page, and what happened in it. */
export interface WatchedPage {
  readonly page: Page;
  /** Errors in the page's console. */
  readonly complaints: string[];
  /** URLs of requests to other servers. */
  readonly elsewhere: string[];
}

/** Opens a URL in a new tab. */
export async function openPage(context: BrowserContext, url: string): Promise<WatchedPage> {
  const complaints: string[] = [];
  const elsewhere: string[] = [];
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol !== 'data:' && protocol !== 'blob:' && origin !== new URL(url).origin) elsewhere.push(request.url());
  });
  await page.goto(url);
  return { page, complaints, elsewhere };
}

/** Fills in the sign-in form of the page, and sends it. */
export async function fillSignIn(page: Page, secret: string, username = 'admin'): Promise<void> {
  await page.getByLabel('Name').fill(username);
  await page.getByLabel('Secret').fill(secret);
  await page.getByRole('button', { name: 'Sign in' }).click();
}
