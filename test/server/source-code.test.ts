import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import { preProcessFile } from 'typescript';

const ROOT = resolve(__dirname, '../..');
const SOURCES = join(ROOT, 'src');
/** Folders that are not in the repository. */
const GENERATED = /(^|[/])(node_modules|dist)([/]|$)/;

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !GENERATED.test(entry.parentPath.slice(ROOT.length)))
    .map(({ parentPath, name }) => join(parentPath, name));
}

/** The files that a file imports, types included. */
function importsOf(file: string): readonly string[] {
  return preProcessFile(readFileSync(file, 'utf8'))
    .importedFiles.map(({ fileName }) => fileName)
    .filter((name) => name.startsWith('.'))
    .flatMap((name) => ['.ts', '.js', ''].map((end) => join(dirname(file), name + end)).find(existsSync) ?? []);
}

test('no file of src imports itself through others', () => {
  const imports = new Map(
    filesBelow(SOURCES)
      .filter((file) => /\.[jt]s$/.test(file))
      .map((file) => [file, importsOf(file)]),
  );
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, path: readonly string[]): void => {
    const at = path.indexOf(file);
    if (at >= 0) circles.push([...path.slice(at), file].map((each) => each.slice(SOURCES.length + 1)).join(' > '));
    if (at >= 0 || done.has(file)) return;
    for (const imported of imports.get(file) ?? []) visit(imported, [...path, file]);
    done.add(file);
  };
  for (const file of imports.keys()) visit(file, []);
  expect([...imports.values()].flat().length).toBeGreaterThan(imports.size);
  expect(circles).toEqual([]);
});

test.each(['src', 'web', 'clients', 'test', 'bench', 'tools'])('no folder of %s has more than 20 files', (name) => {
  const counts = new Map<string, number>();
  for (const file of filesBelow(join(ROOT, name))) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  expect(counts.size).toBeGreaterThan(0);
  expect([...counts].filter(([, count]) => count > 20)).toEqual([]);
});
