const { basename } = require('node:path');

// Jest depends on it.
const { default: Sequencer } = require(
  require.resolve('@jest/test-sequencer', { paths: [require.resolve('jest-cli')] }),
);

/** The files that take longest, because they wait, the longest first. A file that starts late makes the run longer. */
const LONGEST = [
  ...['health', 'credentials', 'call-records', 'tls', 'gateways', 'registering', 'routes', 'addresses', 'installing'],
  ...['call-records-kill', 'past-registrations', 'compose', 'getting-started', 'outages'],
  ...['console-session', 'console-kinds', 'console-looks', 'calls', 'database', 'dead-connections', 'gateway-events'],
  ...['webhooks', 'live-subscriptions', 'subscriptions', 'heavy-reads', 'database-replicas', 'database-hosts'],
  ...['console-chain', 'playground', 'paused-replicas', 'console-map', 'request-costs', 'webhooks-kill'],
  ...['sqlite-locks', 'process', 'client-package', 'budgets', 'filter-properties', 'console-pages'],
  'graphql-statements',
];
const rank = ({ path }) => {
  const at = LONGEST.indexOf(basename(path).split('.')[0]);
  return at < 0 ? LONGEST.length : at;
};

/** Starts the files first that take longest, also where Jest does not know that yet: in a new clone. */
module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    return [...super.sort(tests)].sort((a, b) => rank(a) - rank(b));
  }
};
