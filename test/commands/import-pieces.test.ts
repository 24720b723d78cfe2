import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { runCommand } from '../support/command-line';
import { databases } from '../support/databases/databases';

/** Between two items of the list, so that it is read in several pieces. */
const PADDING = `# ${'x'.repeat(98)}\n`.repeat(12_000);
const gateway = (n: number, host = `g${String(n)}.test`): string =>
  `- kind: Gateway\n  metadata: {ref: g${String(n)}, name: G${String(n)}}\n  spec: {host: ${host}, transport: udp}\n`;

describe.each(databases)('A list that is imported in pieces, on $name', ({ createDatabase }) => {
  test.each([
    ['an entry of each item, with its line', 'g3.test', 0, ['create    Gateway g3 (long.yml:24007)', '3 to create']],
    ['the line of a wrong item', "'not a host'", 1, ['long.yml:24007: spec.host: "not a host"', '1 error; nothing']],
    [
      'an entry of each item, of which one repeats a value of an earlier one',
      'g3.test, expires: *e',
      0,
      ['3 to create'],
    ],
    ['the line of what is not YAML', '[', 1, ['long.yml:24009: ', 'nothing was imported']],
  ])('gives %s', async (_what, host, code, shown) => {
    const { url, drop } = await createDatabase();
    const file = join(await mkdtemp(join(tmpdir(), 'sipgraph-long-')), 'long.yml');
    try {
      await runCommand({ DATABASE_URL: url }, 'migrate');
      await writeFile(file, [gateway(1, 'g1.test, expires: &e 600'), gateway(2), gateway(3, host)].join(PADDING));
      const ran = await runCommand({ DATABASE_URL: url, SAMPLE_DATA: 'false' }, 'import', '--dry-run', file);
      expect([ran.code, (await readFile(file)).length > 2_000_000]).toEqual([code, true]);
      for (const text of shown) expect(ran.out + ran.err).toContain(text);
    } finally {
      await drop();
    }
  });
});
