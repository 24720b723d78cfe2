const { filesOnSqlite } = require('./test/support/runner/needs');

// More workers than cores, because half of them run files that wait (test/support/runner/longest-first.js).
const SPARE = process.env.PROGRAMS === 'none' ? 4 : 1;
const CORES = require('node:os').availableParallelism();
const WORKERS = CORES + SPARE;

/** The test suites. The variable SUITE names the one to run. */
const suites = {
  /** All tests but those below. SKIP_DATABASE=SQLite leaves out the files that test nothing but SQLite. */
  main: {
    testMatch: ['<rootDir>/test/**/*.test.ts'],
    testPathIgnorePatterns: process.env.SKIP_DATABASE === 'SQLite' ? filesOnSqlite() : [],
    globalSetup: '<rootDir>/test/support/runner/global-setup.ts',
    globalTeardown: '<rootDir>/test/support/runner/global-teardown.ts',
    maxWorkers: WORKERS,
  },
  /** Tests with real SIP. They require Debian's kamailio, kamailio-mysql-modules, kamailio-tls-modules and sip-tester. */
  sip: {
    testMatch: ['<rootDir>/test/sip/**/*.sip.ts'],
    globalSetup: '<rootDir>/test/support/runner/global-setup-sip.ts',
    globalTeardown: '<rootDir>/test/support/runner/global-teardown.ts',
    // They wait most of the time, for timers of SIP. A minute takes them 5 s of CPU time.
    maxWorkers: 2 * CORES,
  },
  /**
   * Tests with clusters and replicas of databases, in the namespaces of test/cluster/run. Clusters require galera-4 and
   * nftables.
   */
  cluster: {
    testMatch: ['<rootDir>/test/cluster/**/*.cluster.ts'],
    maxWorkers: 1,
    // Of the start of a cluster on a busy machine.
    testTimeout: 400_000,
  },
};
const suite = suites[process.env.SUITE ?? 'main'];
if (suite === undefined)
  throw new Error(`SUITE is ${process.env.SUITE}, not one of: ${Object.keys(suites).join(', ')}`);

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: 'node',
  runtime: '<rootDir>/test/support/runner/shared-runtime.js',
  setupFilesAfterEnv: ['<rootDir>/test/support/runner/close-leftovers.ts'],
  reporters: ['default', '<rootDir>/test/support/runner/slowest-reporter.js'],
  testSequencer: '<rootDir>/test/support/runner/longest-first.js',
  transform: {
    '\\.[cm]?[jt]s$': [
      '@swc/jest',
      {
        swcrc: false,
        sourceMaps: 'inline',
        jsc: {
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
          target: 'es2023',
          keepClassNames: true,
        },
        module: { type: 'commonjs' },
      },
    ],
  },
  // ES modules in TypeScript import the names of compiled files (.js).
  moduleNameMapper: { '^(\\.{1,2}/.+)\\.js$': '$1' },
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/clients/.*/dist/'],
  // Generous, because tests take longer on a busy machine. An app starts in 0.2 s, and most tests take less.
  // Files that run in full (test/support/runner/full.ts) have several times as many cases.
  testTimeout: process.env.FULL ? 400_000 : 120_000,
  workerIdleMemoryLimit: '1GB',
  ...suite,
};
