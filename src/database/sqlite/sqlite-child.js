// @ts-check
'use strict';
/**
 * The child process of `sqlite-readers.ts`: runs heavy reads of a SQLite file. It is plain JavaScript so that Node can run it
 * from both src and dist.
 */
const { setPriority } = require('node:os');

const { LRUCache } = require('lru-cache');

const { openSqlite } = require('./better-sqlite3');

const connection = openSqlite(String(process.argv[2]), { readonly: true });
/** @type {LRUCache<string, import('better-sqlite3').Statement>} */
const statements = new LRUCache({ max: 100 });

// The service has priority. It also decides when this process ends, but a terminal sends its signals to both.
setPriority(10);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);

process.on('message', (/** @type {{ text: string, values: readonly unknown[] }} */ { text, values }) => {
  process.send?.(run(text, values));
});

/**
 * @param {string} text
 * @param {readonly unknown[]} values
 */
function run(text, values) {
  try {
    const statement = statements.get(text) ?? connection.prepare(text).raw();
    statements.set(text, statement);
    return { rows: statement.all(...values) };
  } catch (error) {
    const { code, message } = /** @type {{ code?: string, message: string }} */ (error);
    return { code, message };
  }
}
