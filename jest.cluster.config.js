const common = require('./jest.config');

/** Tests with clusters and replicas of databases, in the namespaces of test/cluster/run. Clusters require galera-4 and nftables. */
/** @type {import('jest').Config} */
module.exports = {
  ...common,
  testMatch: ['<rootDir>/test/cluster/**/*.cluster.ts'],
  globalSetup: undefined,
  globalTeardown: undefined,
  // Of the start of a cluster on a busy machine.
  testTimeout: 400_000,
};
