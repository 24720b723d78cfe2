import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Whether tests may start programs other than Node. `npm test` sets PROGRAMS=none. */
export const mayStartPrograms = process.env['PROGRAMS'] !== 'none';

/** Programs that are preferred to others. Debian's headless shell has Chromium's engine, and needs a third less CPU time. */
const PREFERRED: Readonly<Record<string, string>> = { chromium: 'chromium-headless-shell' };

// Debian keeps the programs of each version of PostgreSQL in a directory here.
const POSTGRESQL = '/usr/lib/postgresql';

/** The path of a program on the PATH, or of PostgreSQL; undefined if there is none, or tests may not start programs. */
export function programPath(name: string): string | undefined {
  if (!mayStartPrograms) return undefined;
  const names = [PREFERRED[name], name].filter((candidate) => candidate !== undefined);
  const versions = existsSync(POSTGRESQL) ? readdirSync(POSTGRESQL) : [];
  const directories = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...versions.map((version) => join(POSTGRESQL, version, 'bin')),
  ];
  const candidates = names.flatMap((candidate) => directories.map((directory) => join(directory, candidate)));
  return candidates.find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/**
 * Like Jest's `describe`, for tests that require other programs. If a program is not on the PATH, the tests are skipped
 * with a message. In CI, they are not skipped, so they fail. `npm test` skips them all.
 */
export function describeWith(programs: readonly string[], name: string, tests: () => void): void {
  const missing = programs.filter((program) => programPath(program) === undefined);
  if (missing.length === 0 || (mayStartPrograms && process.env['CI'] !== undefined)) {
    describe(name, tests);
    return;
  }
  const reason = mayStartPrograms ? 'not on the PATH' : '`npm test` does not start';
  process.stderr.write(`Not tested: ${name}: ${reason}: ${missing.join(', ')}\n`);
  // eslint-disable-next-line no-restricted-properties -- the lines above say why
  describe.skip(name, tests);
}
