// @ts-check
'use strict';
/**
 * better-sqlite3 in the version for this Node. Version 12 ends the process on Node 24.19 and later. Version 13 ends it on
 * Node 20, which has no Node-API 10. This file is plain JavaScript so that `sqlite-child.js` can load it.
 */
const NAME = Number(process.versions['napi']) < 10 ? 'better-sqlite3-12' : 'better-sqlite3-13';

/** @returns {typeof import('better-sqlite3')} */
function betterSqlite3() {
  try {
    return require(NAME);
  } catch (error) {
    // `npm ci` leaves out what it could not install, because each Node needs only one of the versions.
    throw new Error(
      `SQLite needs ${NAME}, which is not installed for Node ${process.versions.node}: run \`npm ci\` with this Node (docs/deploying.md, "Node")`,
      { cause: error },
    );
  }
}

/**
 * Opens a SQLite database: a file, or one in memory that begins as a copy of a serialized one.
 *
 * @param {string | Buffer} file
 * @param {import('better-sqlite3').Options} [options]
 * @returns {import('better-sqlite3').Database}
 */
function openSqlite(file, options) {
  return new (betterSqlite3())(file, options);
}

module.exports = { betterSqlite3, openSqlite };
