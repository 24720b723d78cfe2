// @ts-check
'use strict';
/**
 * The child process of `sqlite-readers.ts`: runs heavy reads of a SQLite file, and copies it. It is plain JavaScript so that Node can
 * run it from both src and dist.
 */
const { setPriority } = require('node:os');

const { LRUCache } = require('lru-cache');

const { openSqlite } = require('./better-sqlite3');
const { copySqlite } = require('./sqlite-copy');

const file = String(process.argv[2]);
const connection = openSqlite(file, { readonly: true });
/** @type {LRUCache<string, import('better-sqlite3').Statement>} */
const statements = new LRUCache({ max: 100 });
let hasRead = false;

// The service decides when this process ends, but a terminal sends its signals to both.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);

/** @typedef {{ text: string, values: readonly unknown[] } | { copyTo: string }} Order */

process.on('message', (/** @type {Order} */ order) => {
  process.send?.(run(order));
});

/** @param {Order} order */
function run(order) {
  try {
    if ('copyTo' in order) {
      copySqlite(file, order.copyTo);
      return { rows: [] };
    }
    // The service has priority, but not while it waits for a copy, which another process makes.
    if (!hasRead) setPriority(10);
    hasRead = true;
    const { text, values } = order;
    const statement = statements.get(text) ?? connection.prepare(text).raw();
    statements.set(text, statement);
    return { rows: statement.all(...values) };
  } catch (error) {
    const { code, message } = /** @type {{ code?: string, message: string }} */ (error);
    return { code, message };
  }
}
