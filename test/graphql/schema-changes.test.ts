import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { buildSchema } from 'graphql';

import { schemaChanges, undatedDeprecations, updateChangelog } from '../../tools/schema-changes';

const RELEASED = `
  type Query { old: String @deprecated(reason: "Since 2026-01-10: use fresh.") fresh(a: Int = 2): String! other: Kind sized(n: Int! = 5): Int }
  enum Kind { ONE TWO }
  input In { a: Int }
  input Order { by: Kind! = ONE }
`;
const TODAY = '2026-04-30';

const changes = (current: string, announcements: readonly string[] = [], today = TODAY) =>
  schemaChanges(buildSchema(RELEASED), buildSchema(current), announcements, today);

test.each<[string, string, string | undefined]>([
  ['a removed field', RELEASED.replace('other: Kind', ''), 'Query.other was removed.'],
  [
    'a result that may be null',
    RELEASED.replace('String!', 'String'),
    'Query.fresh changed type from String! to String.',
  ],
  ['a removed value', RELEASED.replace('ONE TWO', 'ONE'), 'TWO was removed from enum type Kind.'],
  ['a removed argument', RELEASED.replace('(a: Int = 2)', ''), 'Query.fresh arg a was removed.'],
  [
    'a required argument',
    RELEASED.replace('(a: Int = 2)', '(a: Int = 2, b: Int!)'),
    'A required arg b on Query.fresh was added.',
  ],
  [
    'a required input',
    RELEASED.replace('{ a: Int }', '{ a: Int b: Int! }'),
    'A required field b on input type In was added.',
  ],
  [
    'an argument without its default',
    RELEASED.replace('Int! = 5', 'Int!'),
    'Query.sized(n:) lost its default and became required.',
  ],
  [
    'an input without its default',
    RELEASED.replace('Kind! = ONE', 'Kind!'),
    'Order.by lost its default and became required.',
  ],
])('%s is refused unless it is announced', (_what, current, description = '') => {
  expect(changes(current)).toMatchObject({ unannounced: [description], breaking: [] });
  const line = `${description} It was of no use.`;
  expect(changes(current, [line])).toMatchObject({ unannounced: [], breaking: [line] });
  expect(changes(current, [description])).toMatchObject({ unannounced: [description] });
});

test('what was deprecated in the last release for three months may be removed, and no earlier', () => {
  const without = RELEASED.replace(/old: .*?\) /, '');
  const description = 'Query.old was removed.';
  expect(changes(without)).toMatchObject({ unannounced: [], breaking: [`${description} It was deprecated.`] });
  expect(changes(without, [], '2026-04-11')).toMatchObject({ unannounced: [description], breaking: [] });
});

test('additions, deprecations and other changes are listed, and break nothing', () => {
  const current = RELEASED.replace('other: Kind', 'other: Kind @deprecated(reason: "Since 2026-04-01: use x.") x: New')
    .replace('ONE TWO', 'ONE TWO THREE')
    .replace('(a: Int = 2)', '(a: Int = 1, b: Int)');
  expect(changes(`${current} type New { a: Int }`)).toEqual({
    breaking: [],
    unannounced: [],
    deprecated: ['`Query.other`: Since 2026-04-01: use x.'],
    changed: ['Query.fresh arg a has changed defaultValue from 2 to 1.'],
    added: ['Types: `New`', '`Kind`: `THREE`', '`Query`: `fresh(b:)`, `x`'],
  });
});

test('a deprecation must begin with its day', () => {
  const schema = buildSchema('type Query { a: Int @deprecated(reason: "use b") b: Int @deprecated c(d: Int): Int }');
  expect(undatedDeprecations(schema)).toEqual(['Query.a', 'Query.b']);
  expect(undatedDeprecations(buildSchema(RELEASED))).toEqual([]);
});

test('a breaking change fails until it is announced, and a release becomes what the next one is compared with', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sipgraph-schema-'));
  const write = (path: string, text: string): void => writeFileSync(join(folder, path), text);
  const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
  const announce = (line: string): void =>
    write('docs/versioning.md', `x\n<!-- announced -->\n\n${line}\n\n<!-- /announced -->\n`);
  for (const name of ['schema', 'docs']) mkdirSync(join(folder, name));
  write('package.json', '{ "version": "1.0.0" }');
  write('CHANGELOG.md', '## Unreleased\n');
  write('schema/CHANGELOG.md', '');
  write('schema/released.graphql', `# 1.0.0\n\n${RELEASED}`);
  write('schema/schema.graphql', RELEASED.replace('other: Kind', '"""What is new."""\nmore: Kind'));
  announce('');
  expect(updateChangelog(folder, TODAY)).toEqual(['Query.other was removed. Announce it in docs/versioning.md']);
  expect(read('schema/CHANGELOG.md')).toBe('');
  announce('- Query.other was removed. It is called more.');
  expect(updateChangelog(folder, TODAY)).toEqual([]);
  expect(read('schema/CHANGELOG.md')).toContain(
    '## Unreleased, since 1.0.0\n\n### Breaking\n\n- Query.other was removed. It is called more.\n\n### Added\n\n- `Query`: `more`\n',
  );
  write('package.json', '{ "version": "1.1.0" }');
  expect(updateChangelog(folder, TODAY)).toEqual([expect.stringContaining('no heading "## 1.1.0 - YYYY-MM-DD"')]);
  write('CHANGELOG.md', '## Unreleased\n\n## 1.1.0 - 2026-04-30\n');
  expect(updateChangelog(folder, TODAY)).toEqual([]);
  expect(read('schema/released.graphql')).toMatch(/^# 1\.1\.0\n[^]*more: Kind/);
  expect(read('schema/released.graphql')).not.toContain('What is new');
  expect(updateChangelog(folder, TODAY)).toEqual([]);
  expect(read('schema/CHANGELOG.md')).toMatch(
    /## Unreleased, since 1\.1\.0\n\nNothing has changed\.\n\n## 1\.1\.0 - 2026-04-30\n\n### Breaking\n\n- Query\.other/,
  );
});
