const { AsyncLocalStorage } = require('node:async_hooks');
const Module = require('node:module');
const { join, sep } = require('node:path');

const { jestExpect } = require('@jest/expect');
const { default: Runtime } = require('jest-runtime');

const { read: readCosts, write: writeCosts } = require('./costs');

const TESTS = join(__dirname, '../..') + sep;
// A process serves one set of kinds, so the tests of another set load the program again.
const OWN_PROGRAM = /another-kind\.test\.ts$/;

/** The paths of the source maps of the files that Node compiled. */
const maps = new Map();

/**
 * Loads the program and its packages once per worker, with the modules of Node itself. Jest's own runtime loads them
 * again for each test file, which takes longer than most test files. Test files, and what they import from test/, are
 * loaded for each test file.
 */
module.exports = class SharedRuntime extends Runtime {
  constructor(config, environment, resolver, transformer, cacheFS, coverage, testPath, globalConfig) {
    super(config, environment, resolver, transformer, cacheFS, coverage, testPath, globalConfig);
    this.isShared = !OWN_PROGRAM.test(testPath);
    if (process.env.COSTS !== undefined) this.costs = { testPath, before: readCosts() };
    if (!this.isShared) return;
    compileWith(transformer);
    this.loadedBefore = new Set(Object.keys(require.cache));
    this.environmentBefore = { ...process.env };
  }

  /** Loads the test file, and the files of `setupFilesAfterEnv`. */
  requireModule(from, moduleName, ...rest) {
    const isTestFile = moduleName === undefined && from.startsWith(TESTS);
    if (!this.isShared || !isTestFile) return super.requireModule(from, moduleName, ...rest);
    Object.assign(globalThis, this.requireModuleOrMock(from, '@jest/globals'), { expect: jestExpect });
    jestExpect.setState({ testPath: from });
    return require(from);
  }

  getSourceMaps() {
    return this.isShared ? maps : super.getSourceMaps();
  }

  teardown() {
    super.teardown();
    for (const storage of storages) storage.disable();
    storages.clear();
    if (this.costs) writeCosts(this.costs.testPath, this.costs.before);
    if (!this.isShared) return;
    for (const path of Object.keys(require.cache))
      if (path.startsWith(TESTS) && !this.loadedBefore.has(path)) delete require.cache[path];
    module.children.length = 0;
    for (const name of Object.keys(process.env)) if (!(name in this.environmentBefore)) delete process.env[name];
    Object.assign(process.env, this.environmentBefore);
  }
};

// Jest creates an AsyncLocalStorage for each test file, and never disables it. On Node 20 and 22, each new promise gets the
// stores of all that are enabled, which would be a fifth of the CPU time of a worker after 36 files.
const storages = new Set();
const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function (...values) {
  storages.add(this);
  return run.apply(this, values);
};

/** Lets Node compile TypeScript as Jest does. */
function compileWith(transformer) {
  Module._extensions['.ts'] = (module, filename) => {
    const { code, sourceMapPath } = transformer.transform(filename, {});
    if (sourceMapPath !== null) maps.set(filename, sourceMapPath);
    module._compile(code, filename);
  };
}

// A hash of a secret takes 30 ms of CPU time with the parameters of the program, which is 0.1 s for each application that a
// test starts. Hashes contain their parameters, so those with other parameters are verified, too. Tests of this cost call
// useRealPasswords.
const argon2 = require('@node-rs/argon2');
const { hash } = argon2;
argon2.hash = (password, options) =>
  hash(password, globalThis.hasRealPasswords ? options : { ...options, memoryCost: 8, timeCost: 1 });

// ES modules in TypeScript import the names of compiled files (.js).
const resolveFilename = Module._resolveFilename;
Module._resolveFilename = (request, parent, ...rest) => {
  try {
    return resolveFilename(request, parent, ...rest);
  } catch (error) {
    if (!/^\.{1,2}\/.+\.js$/.test(request) || !parent?.filename?.endsWith('.ts')) throw error;
    return resolveFilename(request.slice(0, -'.js'.length), parent, ...rest);
  }
};
