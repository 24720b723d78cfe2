const { basename } = require('node:path');

// Jest depends on it.
const { default: Sequencer } = require(
  require.resolve('@jest/test-sequencer', { paths: [require.resolve('jest-cli')] }),
);

// Files that test other programs take long only if they may start them.
const STARTS_PROGRAMS = process.env.PROGRAMS !== 'none';

/** The files that wait most of the time, and the seconds that those take that take long. */
const WAITING = {
  'health.sip': 310,
  'call-records.sip': 220,
  'credentials.sip': 145,
  'gateways.sip': 120,
  ...inSeconds(90, ['past-registrations.sip', 'installing.sip', 'tls.sip', 'webhooks.test', 'subscriptions.test']),
  ...inSeconds(75, ['routes.sip', 'simulate-proof.sip', 'webhooks-continued.test']),
  ...inSeconds(55, ['emergency.sip', 'registering.sip', 'addresses.sip', 'call-records-kill.sip', 'gateway-tests.sip']),
  ...inSeconds(45, ['calls.sip', 'strangers.sip', 'outages.sip', 'budgets.test', 'gateway-events.test']),
  ...inSeconds(35, ['getting-started.sip', 'compose.sip', 'request-costs.test', 'process.test']),
  ...inSeconds(30, ['live-subscriptions.test', 'sqlite-locks.test', 'slow-subscribers.test', 'client.test']),
  ...inSeconds(15, ['confirm.test', 'exports.test', 'call-subscriptions.test', 'admission.test', 'confirm-kill.test']),
  ...inSeconds(10, ['sessions.test', 'connections.test', 'unauthenticated-requests.test', 'readiness.test']),
  ...(STARTS_PROGRAMS && {
    ...inSeconds(200, ['dead-connections.test', 'database.test']),
    ...inSeconds(70, ['database-replicas.test', 'database-hosts.test', 'paused-replicas.test']),
  }),
};
/** Those of the others that take long. */
const WORKING = {
  ...inSeconds(30, ['heavy-reads.test', 'client-package.test', 'viewer-members.test']),
  ...(STARTS_PROGRAMS && {
    ...inSeconds(80, ['console-kinds.test', 'console-looks.test', 'console-session.test']),
    ...inSeconds(40, ['console-chain.test', 'playground.test', 'calls.test', 'commands.test', 'console-map.test']),
  }),
};
/** The seconds that each of the rest takes at most. */
const REST = 8;

const nameOf = (path) => basename(path, '.ts');

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
    this.workers = options.globalConfig.maxWorkers;
  }

  /** One part of the tests (`--shard=2/5`). Those that take long are spread over all parts. */
  shard(tests, { shardIndex, shardCount }) {
    const seconds = (path) => WAITING[nameOf(path)] ?? WORKING[nameOf(path)] ?? REST;
    return tests
      .toSorted((a, b) => seconds(b.path) - seconds(a.path) || nameOf(a.path).localeCompare(nameOf(b.path), 'en'))
      .filter((_, index) => index % shardCount === shardIndex - 1);
  }

  sort(tests) {
    const waits = ({ path }) => nameOf(path) in WAITING || nameOf(path).endsWith('.sip');
    const sorted = [...super.sort(tests)];
    const [waiting, working] = [sorted.filter(waits), sorted.filter((test) => !waits(test))];
    const lanes = working.length === 0 ? this.workers : this.workers / 2;
    return [
      ...begins(waiting, Math.ceil(lanes), ({ path }) => WAITING[nameOf(path)] ?? REST),
      ...begins(working, Math.floor(lanes), ({ path }) => WORKING[nameOf(path)] ?? REST),
    ]
      .sort((a, b) => a.at - b.at)
      .map(({ test }) => test);
  }
};
