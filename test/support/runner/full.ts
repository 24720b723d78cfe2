import { basename } from 'node:path';
import { crc32 } from 'node:zlib';

/**
 * Whether this test file runs in full: with all random cases, and on MySQL also what works as on MariaDB.
 * FULL=1 means each file. FULL=3/7 means the files of the third of seven parts; CI runs one part each day of the week.
 */
export const isFull = isInPart(process.env['FULL']);

function isInPart(full: string | undefined): boolean {
  if (full === undefined || full === '') return false;
  const [part = NaN, parts = 1] = full.split('/').map(Number);
  if (!(part >= 1 && part <= parts)) throw new Error(`FULL is ${full}, not 1 or a part like 3/7`);
  const path = expect.getState().testPath;
  if (path === undefined) throw new Error('test/support/runner/full.ts is for test files');
  return (crc32(basename(path)) % parts) + 1 === part;
}
