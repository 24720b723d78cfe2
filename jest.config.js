// Modules in node_modules that ship as ESM alone; Jest on Node 20 needs them compiled.
const esmOnly = [];

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: 'node',
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
  transformIgnorePatterns: [`/node_modules/(?!(${['-', ...esmOnly].join('|')})/)`],
  // ES modules in TypeScript name what they import as it is called once compiled.
  moduleNameMapper: { '^(\\.{1,2}/.+)\\.js$': '$1' },
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/clients/.*/dist/'],
  // An app starts in 0.2 s and most tests take less; a loaded machine gets time, a hanging test an end.
  testTimeout: 120_000,
  // Each test file loads the program anew and Node.js keeps what it compiled, so workers are replaced when they have grown.
  workerIdleMemoryLimit: '700MB',
};
