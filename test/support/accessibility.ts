import { readFileSync } from 'node:fs';

import type { Page } from 'playwright-core';

import { DESKTOP, PHONE } from './browser';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** How a page is looked at; the last is how tests see it. */
const VIEWS = [
  { name: 'light on a phone', colorScheme: 'light', viewport: PHONE },
  { name: 'dark', colorScheme: 'dark', viewport: DESKTOP },
  { name: 'light', colorScheme: 'light', viewport: DESKTOP },
] as const;

/**
 * The serious and critical findings of axe-core on the page in each view, and whether it is wider than the window. The
 * page was loaded on a phone, where the menu does not cover it.
 */
export async function faults(page: Page): Promise<readonly string[]> {
  const all: string[] = [];
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(AXE);
  for (const { name, colorScheme, viewport } of VIEWS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    // While a dialog fades in, its colours are pale.
    await page.evaluate('Promise.allSettled(document.getAnimations().map(({ finished }) => finished))');
    const found = await page.evaluate(
      `axe.run().then(({ violations }) => violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' | '))
        .concat(document.documentElement.scrollWidth > innerWidth ? ['wider than the window'] : []))`,
    );
    // As the expression above returns.
    all.push(...(found as readonly string[]).map((fault) => `${name}: ${fault}`));
  }
  return all;
}
