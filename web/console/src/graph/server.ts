/**
 * The root of the server, which may be below a path of a proxy. Every bundled module is in console/assets/ below it.
 */
export const ROOT = new URL('../../', import.meta.url);

/** The path below which the console's pages are. */
export const CONSOLE_PATH = new URL('console', ROOT).pathname;

/** Returns the URL of another page of the server, such as `playground`. */
export function serverUrl(path: string): string {
  return new URL(path, ROOT).href;
}
