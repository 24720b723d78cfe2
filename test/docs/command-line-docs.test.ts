import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { startApp, type TestApp } from '../support/app';
import { runCommand } from '../support/command-line';
import { createSqliteDatabase, type TestDatabase } from '../support/databases/databases';

const ROOT = resolve(__dirname, '../..');

describe('docs/command-line.md', () => {
  let app: TestApp;
  let database: TestDatabase;
  let directory: string;
  let page: string;

  beforeAll(async () => {
    database = await createSqliteDatabase();
    app = await startApp({ DATABASE_URL: database.url });
    await app.token(); // which creates the first signing key
    directory = await mkdtemp(join(tmpdir(), 'sipgraph-command-line-'));
    page = await readFile(join(ROOT, 'docs/command-line.md'), 'utf8');
    const files = [...page.matchAll(/^`(\w+\.csv)` is:\n\n```csv\n([^`]*)```/gm)];
    expect(files.length).toBe(2);
    for (const [, name = '', content = ''] of files) await writeFile(join(directory, name), content);
  });

  afterAll(async () => {
    await app.close();
    await database.drop();
    await rm(directory, { recursive: true });
  });

  test('has examples that print what it shows, one after the other', async () => {
    const examples = [...page.matchAll(/^```sh\nnpx sipgraph (.*)\n```\n(?:\n```text\n([^`]*)```)?/gm)];
    expect(examples.length).toBe(30);
    // What the commands print is the argument of later ones.
    const printed = new Map<string, string>();
    const note = (name: string, text: string, pattern: RegExp): void => {
      const [, value] = pattern.exec(text) ?? [];
      if (value !== undefined) printed.set(name, value);
    };
    const own = (text: string): string =>
      text
        // `REF` is also a heading, beside others.
        .replace(/\b(REF|ENTRY)\b(?! +[A-Z])/g, (name) => printed.get(name) ?? name)
        .replace(/(?<![\w/])(numbers\.csv|agents\.csv|backup\/|backup\.db)/g, (name) => join(directory, name))
        .replace('docs/kamailio', join(ROOT, 'docs/kamailio'));
    for (const [, command = '', output = ''] of examples) {
      const args = [...own(command).matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word);
      const { code, out, err } = await runCommand({ DATABASE_URL: database.url }, ...args);
      expect({ command, code, err }).toMatchObject({ command, code: 0 });
      note('REF', out, /^(\S+) +viewer +admin:/);
      note('ENTRY', out, /^(\d+) .* CREATED DID/);
      if (output !== '') expect(out).toMatch(patternOf(own(output)));
    }
  });
});

/** Matches text whose `…` stands for anything, and in which columns are aligned. */
function patternOf(text: string): RegExp {
  const parts = text.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/ +/g, ' +'));
  return new RegExp(`^${parts.join('.*')}$`);
}
