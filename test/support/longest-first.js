const { basename } = require('node:path');

// Jest depends on it.
const { default: Sequencer } = require(
  require.resolve('@jest/test-sequencer', { paths: [require.resolve('jest-cli')] }),
);

/** The files that wait most of the time, and take long, in seconds. A file that starts late makes the run longer. */
const WAITING = {
  'health.sip': 310,
  'dead-connections.test': 250,
  'call-records.sip': 220,
  'database.test': 200,
  'credentials.sip': 145,
  'gateways.sip': 120,
  ...inSeconds(90, ['past-registrations.sip', 'installing.sip', 'tls.sip', 'webhooks.test', 'subscriptions.test']),
  ...inSeconds(75, ['routes.sip', 'simulate-proof.sip', 'database-replicas.test', 'database-hosts.test']),
  ...inSeconds(55, ['emergency.sip', 'registering.sip', 'addresses.sip', 'call-records-kill.sip', 'gateway-tests.sip']),
  ...inSeconds(45, ['calls.sip', 'strangers.sip', 'outages.sip', 'budgets.test', 'gateway-events.test']),
  ...inSeconds(35, [
    'getting-started.sip',
    'compose.sip',
    'request-costs.test',
    'process.test',
    'paused-replicas.test',
  ]),
  ...inSeconds(30, ['live-subscriptions.test', 'sqlite-locks.test', 'slow-subscribers.test', 'client.test']),
  ...inSeconds(15, ['confirm.test', 'exports.test', 'call-subscriptions.test', 'admission.test', 'confirm-kill.test']),
  ...inSeconds(10, ['sessions.test', 'connections.test', 'unauthenticated-requests.test', 'readiness.test']),
};
/** Those of the others that take long, and the seconds that each of the rest takes at most. */
const WORKING = {
  ...inSeconds(80, ['console-kinds.test', 'console-looks.test', 'console-session.test']),
  ...inSeconds(40, ['console-chain.test', 'playground.test', 'calls.test', 'commands.test', 'console-map.test']),
  ...inSeconds(30, ['heavy-reads.test', 'client-package.test', 'viewer-members.test', 'console-pages.test']),
};
const OTHERS = 8;

function inSeconds(seconds, files) {
  return Object.fromEntries(files.map((file) => [file, seconds]));
}

/** When each file begins, if `lanes` files of the list run at the same time, those that take longest first. */
function begins(tests, lanes, secondsOf) {
  const free = Array.from({ length: Math.max(lanes, 1) }, () => 0);
  return tests
    .toSorted((a, b) => secondsOf(b) - secondsOf(a))
    .map((test) => {
      const at = Math.min(...free);
      free[free.indexOf(at)] += secondsOf(test);
      return { test, at };
    });
}

/**
 * Lets half of the workers run files that wait, while the others keep the cores busy, also where Jest does not know how long
 * files take: in a new clone.
 */
module.exports = class LongestFirst extends Sequencer {
  constructor(options) {
    super(options);
    this.lanes = options.globalConfig.maxWorkers / 2;
  }

  sort(tests) {
    const nameOf = ({ path }) => basename(path, '.ts');
    const sorted = [...super.sort(tests)];
    const waiting = sorted.filter((test) => nameOf(test) in WAITING);
    const working = sorted.filter((test) => !(nameOf(test) in WAITING));
    return [
      ...begins(waiting, Math.ceil(this.lanes), (test) => WAITING[nameOf(test)]),
      ...begins(working, Math.floor(this.lanes), (test) => WORKING[nameOf(test)] ?? OTHERS),
    ]
      .sort((a, b) => a.at - b.at)
      .map(({ test }) => test);
  }
};
