import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Bundles the pages for browsers, unless they are up to date. */
export function buildPages(): void {
  for (const name of ['console', 'playground'])
    execFileSync(process.execPath, [join(__dirname, `../../tools/build-${name}.mjs`)], { stdio: 'inherit' });
}
