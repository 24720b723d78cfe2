const { basename } = require('node:path');

// Jest depends on it.
const { default: Sequencer } = require(
  require.resolve('@jest/test-sequencer', { paths: [require.resolve('jest-cli')] }),
);

/** The files that wait most of the time, and the seconds that they take, because some of them take minutes. */
const WAITING = new Map([
  ...Object.entries({ health: 310, 'call-records': 220, credentials: 145, gateways: 120, 'past-registrations': 90 }),
  ...Object.entries({ installing: 90, tls: 85, routes: 75, 'simulate-proof': 75, emergency: 60, registering: 55 }),
  ...Object.entries({ addresses: 50, 'call-records-kill': 50, 'gateway-tests': 50, calls: 45, strangers: 40 }),
  ...Object.entries({ outages: 40, 'getting-started': 35, compose: 30 }),
  ...Object.entries({ 'dead-connections': 250, database: 200, 'database-replicas': 90, 'database-hosts': 75 }),
  ...Object.entries({ webhooks: 90, subscriptions: 90, budgets: 45, 'gateway-events': 45, 'paused-replicas': 40 }),
  ...Object.entries({ process: 35, 'request-costs': 35, 'client-package': 30, 'live-subscriptions': 30 }),
  ...Object.entries({ 'heavy-reads': 30, 'sqlite-locks': 30, 'webhooks-kill': 20, client: 20, exports: 15 }),
  ...Object.entries({ admission: 15, confirm: 15, traces: 15, 'slow-subscribers': 15, 'confirm-kill': 12 }),
  ...Object.entries({ connections: 12, 'call-subscriptions': 10, sessions: 10, readiness: 8, replicas: 8 }),
]);
/** The seconds that the others take, most of them less. */
const OTHERS = 8;

/** When each file begins, if `lanes` files of the list run at the same time, in the order of the list. */
function begins(tests, lanes, secondsOf) {
  const free = Array.from({ length: Math.max(lanes, 1) }, () => 0);
  return tests.map((test) => {
    const at = Math.min(...free);
    free[free.indexOf(at)] += secondsOf(test);
    return { test, at };
  });
}

/**
 * Starts the files first that take longest, also where Jest does not know that yet: in a new clone. Half of the workers
 * run files that wait, while the others keep the cores busy.
 */
module.exports = class LongestFirst extends Sequencer {
  constructor(options) {
    super(options);
    this.lanes = options.globalConfig.maxWorkers / 2;
  }

  sort(tests) {
    const waits = ({ path }) => WAITING.get(basename(path).split('.')[0]);
    const sorted = [...super.sort(tests)];
    const waiting = sorted.filter(waits).sort((a, b) => waits(b) - waits(a));
    const others = sorted.filter((test) => !waits(test));
    return [...begins(waiting, Math.ceil(this.lanes), waits), ...begins(others, Math.floor(this.lanes), () => OTHERS)]
      .sort((a, b) => a.at - b.at)
      .map(({ test }) => test);
  }
};
