/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: 'node',
  runtime: '<rootDir>/test/support/shared-runtime.js',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  setupFilesAfterEnv: ['<rootDir>/test/support/close-leftovers.ts'],
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
  testTimeout: 120_000,
  workerIdleMemoryLimit: '1GB',
};
