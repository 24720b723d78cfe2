// @ts-check
'use strict';
/**
 * better-sqlite3 in the version for this Node. Version 12 ends the process on Node 24.19 and later. Version 13 ends it on
 * Node 20, which has no Node-API 10. This file is plain JavaScript so that `sqlite-child.js` can load it.
 */
const { LRUCache } = require('lru-cache');

const NAME = Number(process.versions['napi']) < 10 ? 'better-sqlite3-12' : 'better-sqlite3-13';

/** @returns {typeof import('better-sqlite3')} */
function betterSqlite3() {
  try {
    return require(NAME);
  } catch (error) {
    // `npm ci` leaves out what it could not install, because each Node needs only one of the versions.
    throw new Error(
      `SQLite needs ${NAME}, which is not installed for Node ${process.versions.node}: run \`npm ci\` with this Node (docs/operating/deploying.md, "Node")`,
      { cause: error },
    );
  }
}

/** @type {LRUCache<string, RegExp>} */
const patterns = new LRUCache({ max: 200 });

/**
 * Opens a SQLite database: a file, or one in memory that begins as a copy of a serialized one.
 *
 * @param {string | Buffer} file
 * @param {import('better-sqlite3').Options} [options]
 * @returns {import('better-sqlite3').Database}
 */
function openSqlite(file, options) {
  const connection = new (betterSqlite3())(file, options);
  implementRegexp(connection);
  return connection;
}

/**
 * Implements the operator REGEXP, which SQLite has, but leaves to the program.
 *
 * @param {import('better-sqlite3').Database} connection
 */
function implementRegexp(connection) {
  connection.function('regexp', { deterministic: true }, (source, text) => {
    if (typeof source !== 'string' || typeof text !== 'string') return null;
    const pattern = patterns.get(source) ?? patternOf(source);
    patterns.set(source, pattern);
    return pattern.test(text) ? 1 : 0;
  });
}

/**
 * The rule of an egress policy may escape characters that need no escape, which is an error with the flag `u`.
 *
 * @param {string} source
 */
function patternOf(source) {
  try {
    return new RegExp(source, 'u');
  } catch {
    return new RegExp(source);
  }
}

module.exports = { betterSqlite3, implementRegexp, openSqlite };
