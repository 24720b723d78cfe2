const common = require('./jest.config');

/** Tests with real SIP. They require Debian's kamailio, kamailio-mysql-modules and sip-tester. */
/** @type {import('jest').Config} */
module.exports = {
  ...common,
  testMatch: ['<rootDir>/test/sip/**/*.sip.ts'],
  globalSetup: '<rootDir>/test/support/global-setup-sip.ts',
};
