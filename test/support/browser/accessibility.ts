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

/** The most presses of Tab on a page. */
const MOST_PRESSES = 250;

/**
 * What the keyboard alone does not reach on the page, or reaches without anybody seeing it. Presses Tab from the beginning of
 * the page until it ends.
 */
export async function keyboardFaults(page: Page): Promise<readonly string[]> {
  await page.evaluate(KEYBOARD);
  const all: string[] = [];
  for (let press = 0; press < MOST_PRESSES; press++) {
    await page.keyboard.press('Tab');
    const fault = await page.evaluate<string | null>('keyboard.arrived()');
    if (fault === null) return [...all, ...(await page.evaluate<readonly string[]>('keyboard.missed()'))];
    if (fault !== '') all.push(fault);
  }
  return [...all, `${String(MOST_PRESSES)} presses of Tab do not reach the end of the page`];
}

/** `keyboard` in the page: `arrived` is null at the end of the page, else what is wrong with the focus, if anything. */
const KEYBOARD = `globalThis.keyboard = (() => {
  const seen = new Set();
  let last;
  // A field that the page has given the focus to is not the beginning of the page.
  const beginning = document.createElement('a');
  beginning.href = '#';
  document.body.prepend(beginning);
  beginning.focus();
  beginning.remove();
  const name = (element) => element.outerHTML.slice(0, 160);
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    && element.getClientRects().length > 0;
  // An input is drawn by what it is in, such as the box of a checkbox.
  const around = (element) => [element, element.parentElement, element.parentElement?.parentElement].filter(Boolean);
  const isMarked = (each) => each.matches('.Mui-focused') ||
    (getComputedStyle(each).outlineStyle !== 'none' && parseFloat(getComputedStyle(each).outlineWidth) > 0);
  const isInWindow = (element) => {
    const { top, bottom, left, right } = element.getBoundingClientRect();
    return bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
  };
  const isCovered = (element) => {
    const { top, bottom, left, right } = element.getBoundingClientRect();
    const points = [0.1, 0.5, 0.9].map((part) =>
      document.elementFromPoint(left + part * (right - left), top + 0.5 * (bottom - top)));
    return points.every((over) => over && !around(element).some((each) => each.contains(over)) && !over.contains(element));
  };
  const faultOf = (element) => {
    if (!isInWindow(element)) return 'outside of the window: ' + name(element);
    if (!around(element).some(isMarked)) return 'the focus is not seen: ' + name(element);
    return isCovered(element) ? 'covered: ' + name(element) : '';
  };
  return {
    arrived: async () => {
      const element = document.activeElement;
      // An input of a time has several fields.
      if (element === last) return '';
      if (element === document.body || element === document.documentElement || seen.has(element)) return null;
      last = element;
      seen.add(element);
      if (faultOf(element) === '') return '';
      // It may be on its way.
      await ${NEXT_FRAME};
      await ${AT_REST};
      return faultOf(element);
    },
    missed: () => [...document.querySelectorAll('a[href], button, input, select, textarea, [tabindex="0"]')]
      .filter((element) => element.tabIndex >= 0 && !element.disabled && isShown(element) && !element.closest('[inert], [aria-hidden="true"]'))
      .filter((element) => !seen.has(element))
      .map((element) => 'Tab does not reach: ' + name(element)),
  };
})()`;
