// Browsers name others, so the first one that matches counts.
const BROWSERS: readonly (readonly [string, RegExp])[] = [
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\b(OPR|Opera)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Headless)?(Chrome|Chromium|CriOS)\//],
  ['Safari', /\bSafari\//],
];
const SYSTEMS: readonly (readonly [string, RegExp])[] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac(intosh| OS X)\b/],
  ['Linux', /\b(Linux|X11)\b/],
];

/**
 * Names the browser and the device of a user agent, such as `Firefox on Windows`, or the program, such as `curl`; null if
 * neither is known. Programs may send anything, so this is a hint for people, and no proof.
 */
export function deviceOf(agent: string): string | null {
  const [browser, system] = [BROWSERS, SYSTEMS].map((names) => names.find(([, pattern]) => pattern.test(agent))?.[0]);
  if (browser !== undefined && system !== undefined) return `${browser} on ${system}`;
  if (browser !== undefined || system !== undefined) return browser ?? system ?? null;
  const [, program] = /^([A-Za-z][\w.-]{0,39})(\/|\s|$)/.exec(agent) ?? [];
  return program === undefined || program === 'Mozilla' ? null : program;
}
