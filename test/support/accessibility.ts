import { readFileSync } from 'node:fs';

import type { Page } from 'playwright-core';

import { DESKTOP, PHONE } from './browser';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** What is left of a screen of 1400 pixels at 200 % and 400 % zoom (WCAG 1.4.10). */
const ZOOMED = [
  { width: 700, height: 450 },
  { width: 350, height: 450 },
] as const;

const NEXT_FRAME = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';
/** Waits until nothing moves that ends by itself. The promise `finished` of a transition that is replaced may never settle. */
const AT_REST = `(async () => {
  const moves = ({ playState, effect }) => playState === 'running' && effect.getComputedTiming().endTime !== Infinity;
  while (document.getAnimations().some(moves)) await new Promise(requestAnimationFrame);
})()`;
const IS_TOO_WIDE = 'document.documentElement.scrollWidth > innerWidth';

/** The options of axe-core. Without the first, it also describes every element that passes. */
const ALL = { resultTypes: ['violations'] };
/** The rules whose findings depend on colors. */
const COLORS = { ...ALL, runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } };

/** How a page is looked at, and what axe-core looks for; the last is how tests see it. Dark pages differ in colors alone. */
const VIEWS = [
  { name: 'light on a phone', colorScheme: 'light', viewport: PHONE, options: ALL },
  { name: 'dark', colorScheme: 'dark', viewport: DESKTOP, options: COLORS },
  { name: 'light', colorScheme: 'light', viewport: DESKTOP, options: ALL },
] as const;

/**
 * The serious and critical findings of axe-core on the page in each view, and whether it is wider than the window, also
 * when it is zoomed. The page was loaded on a phone, where the menu does not cover it.
 */
export async function faults(page: Page): Promise<readonly string[]> {
  const all: string[] = [];
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(AXE);
  for (const viewport of ZOOMED) {
    await page.setViewportSize(viewport);
    await page.evaluate(NEXT_FRAME);
    if (await page.evaluate(IS_TOO_WIDE)) all.push(`${String(viewport.width)} pixels: wider than the window`);
  }
  for (const { name, colorScheme, viewport, options } of VIEWS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    await page.evaluate(NEXT_FRAME);
    // While a dialog fades in, its colours are pale.
    await page.evaluate(AT_REST);
    const found = await page.evaluate(
      `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' | '))
        .concat(${IS_TOO_WIDE} ? ['wider than the window'] : []))`,
    );
    // As the expression above returns.
    all.push(...(found as readonly string[]).map((fault) => `${name}: ${fault}`));
  }
  return all;
}

/** The findings of axe-core's rules of best practice on the page, such as those about landmarks and the order of headings. */
export async function bestPractice(page: Page): Promise<readonly string[]> {
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(AXE);
  // As the expression returns.
  return page.evaluate<readonly string[]>(
    `axe.run({ runOnly: ['best-practice'] }).then(({ violations }) => violations
      .map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 200)).join(' | ')))`,
  );
}
