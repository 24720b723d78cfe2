import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Bundles the pages for browsers, unless they are up to date. */
export function buildPages(): void {
  execFileSync(process.execPath, [join(__dirname, '../../../tools/build-pages.mjs')], { stdio: 'inherit' });
}
