import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The path of a program on the PATH; undefined if there is none. */
export function programPath(name: string): string | undefined {
  const candidates = (process.env['PATH'] ?? '').split(delimiter).map((directory) => join(directory, name));
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
 * with a message. In CI, they are not skipped, so they fail.
 */
export function describeWith(programs: readonly string[], name: string, tests: () => void): void {
  const missing = programs.filter((program) => programPath(program) === undefined);
  if (missing.length === 0 || process.env['CI'] !== undefined) {
    describe(name, tests);
    return;
  }
  process.stderr.write(`Not tested: ${name}: not on the PATH: ${missing.join(', ')}\n`);
  // eslint-disable-next-line no-restricted-properties -- the line above says why
  describe.skip(name, tests);
}
