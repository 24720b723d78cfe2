const { existsSync, readFileSync, readdirSync } = require('node:fs');
const { dirname, join, resolve } = require('node:path');

const TESTS = join(__dirname, '../..');
/** Only through these do tests reach database servers and other programs. */
const BEYOND_SQLITE = ['databases/databases.ts', 'runner/programs.ts'].map((name) => join(TESTS, 'support', name));

/** The test files that use SQLite at most: they import, directly or not, neither the databases nor other programs. */
exports.filesOnSqlite = () =>
  readdirSync(TESTS, { recursive: true })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join(TESTS, name))
    .filter((file) => !BEYOND_SQLITE.some((needed) => importsOf(file).has(needed)));

/** The files below test/ that a file imports, directly or not. */
function importsOf(file, found = new Set()) {
  for (const [, name] of readFileSync(file, 'utf8').matchAll(/(?:from|import) '(\.[^']+)'/g)) {
    const imported = `${resolve(dirname(file), name)}.ts`;
    if (!imported.startsWith(TESTS) || found.has(imported) || !existsSync(imported)) continue;
    found.add(imported);
    importsOf(imported, found);
  }
  return found;
}
