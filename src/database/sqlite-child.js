// @ts-check
'use strict';
/**
 * The process of one heavy reader of SQLite; `sqlite-readers.ts` starts it. Plain JavaScript, so that Node runs it alike
 * from src and from dist.
 */
const { setPriority } = require('node:os');

const BetterSqlite3 = require('better-sqlite3');
const { LRUCache } = require('lru-cache');

const connection = new BetterSqlite3(process.argv[2], { readonly: true });
/** @type {LRUCache<string, BetterSqlite3.Statement>} */
const statements = new LRUCache({ max: 100 });
/** @type {LRUCache<string, RegExp>} */
const patterns = new LRUCache({ max: 200 });

// SQLite has the operator REGEXP, but no function for it.
connection.function('regexp', { deterministic: true }, (source, text) => {
  if (typeof source !== 'string' || typeof text !== 'string') return null;
  const pattern = patterns.get(source) ?? new RegExp(source, 'u');
  patterns.set(source, pattern);
  return pattern.test(text) ? 1 : 0;
});

// The service itself comes first. It also decides when this ends: a terminal sends its signals to both.
setPriority(10);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);

process.on('message', (/** @type {{ text: string, values: readonly unknown[] }} */ { text, values }) => {
  process.send?.(answer(text, values));
});

/**
 * @param {string} text
 * @param {readonly unknown[]} values
 */
function answer(text, values) {
  try {
    const statement = statements.get(text) ?? connection.prepare(text).raw();
    statements.set(text, statement);
    return { rows: statement.all(...values) };
  } catch (error) {
    const { code, message } = /** @type {{ code?: string, message: string }} */ (error);
    return { code, message };
  }
}
