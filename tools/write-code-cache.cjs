// Preloaded into a server that the build starts: writes the code caches of the bundles when the server ends. They contain
// the functions that were called, too.
'use strict';
const { writeFileSync } = require('node:fs');
const v8 = require('node:v8');

const { cacheOf, scripts } = require('../dist/code-cache.cjs');

// The server changes V8's flags after it has loaded the bundles, and a cache is valid only with the flags it was written with.
v8.setFlagsFromString = () => undefined;

process.on('exit', () => {
  for (const [path, script] of scripts) writeFileSync(cacheOf(path), script.createCachedData());
});
