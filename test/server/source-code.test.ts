import { readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../..');
/** Folders that are not in the repository. */
const GENERATED = /(^|[/])(node_modules|dist)([/]|$)/;

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !GENERATED.test(entry.parentPath.slice(ROOT.length)))
    .map(({ parentPath, name }) => join(parentPath, name));
}

test.each(['src', 'web', 'clients', 'test', 'bench', 'tools'])('no folder of %s has more than 20 files', (name) => {
  const counts = new Map<string, number>();
  for (const file of filesBelow(join(ROOT, name))) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  expect(counts.size).toBeGreaterThan(0);
  expect([...counts].filter(([, count]) => count > 20)).toEqual([]);
});
