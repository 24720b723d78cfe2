import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import ts from 'typescript';

const read = new Map();

/** The files that a file imports, types included. They are read once for a run of ESLint. */
function importsOf(file) {
  const known = read.get(file);
  if (known) return known;
  const imports = ts
    .preProcessFile(readFileSync(file, 'utf8'))
    .importedFiles.map(({ fileName }) => fileName)
    .filter((name) => name.startsWith('.'))
    .flatMap((name) => ['.ts', '.js', ''].map((end) => join(dirname(file), name + end)).find(existsSync) ?? []);
  read.set(file, imports);
  return imports;
}

/** The shortest way from a file through its imports back to it. Undefined if there is none. */
function circleOf(start) {
  const paths = [[start]];
  const seen = new Set();
  for (const path of paths) {
    for (const file of importsOf(path.at(-1))) {
      if (file === start) return [...path, start];
      if (seen.has(file)) continue;
      seen.add(file);
      paths.push([...path, file]);
    }
  }
  return undefined;
}

/** An ESLint rule: no file imports itself through others. */
export const importCircles = {
  meta: { type: 'problem', schema: [] },
  create: ({ cwd, filename, report }) => ({
    Program(node) {
      const names = circleOf(filename)?.map((file) => relative(cwd, file));
      if (names) report({ node, message: `This file imports itself: ${names.join(' > ')}` });
    },
  }),
};
