const common = require('./jest.config');

/** Tests with real SIP: Debian's kamailio, kamailio-mysql-modules and sip-tester have to be installed. */
/** @type {import('jest').Config} */
module.exports = {
  ...common,
  testMatch: ['<rootDir>/test/sip/**/*.sip.ts'],
  globalSetup: '<rootDir>/test/support/global-setup-sip.ts',
};
