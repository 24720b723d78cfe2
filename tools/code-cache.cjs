// Runs a bundle of the build with V8's code cache, so that V8 need not compile it again at each start. The build copies
// this file into dist/.
'use strict';
const { existsSync, readFileSync } = require('node:fs');
const { constants, Script } = require('node:vm');

const BEFORE = '(function (exports, require, module, __filename, __dirname) { ';

/** The bundles that run, by path. */
const scripts = new Map();

/** The code cache of a bundle. V8 rejects one of another version, so other versions do not even read it. */
const cacheOf = (path) => `${path}.${process.version}-${process.arch}.cache`;

/** Runs a bundle as the code of a CommonJS module. V8 compiles it if it rejects the cache, as with other flags. */
function run(path, module, require, filename, directory) {
  const cache = cacheOf(path);
  // Bundles are plain ASCII, and V8 keeps a source from Latin-1 with one byte for each character.
  const script = new Script(`${BEFORE}${readFileSync(path, 'latin1')}\n})`, {
    filename: path,
    columnOffset: -BEFORE.length,
    cachedData: existsSync(cache) ? readFileSync(cache) : undefined,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  scripts.set(path, script);
  script.runInThisContext().call(module.exports, module.exports, require, module, filename, directory);
}

module.exports = { cacheOf, run, scripts };
