// COSTS=FILE npx jest -i [TEST]... appends a line for each test file to FILE: its name, and the seconds of wall time, of CPU time
// of Jest's process, of the processes that it starts, and of the database servers of the run.
const { appendFileSync, readFileSync, readdirSync } = require('node:fs');
const { join, relative } = require('node:path');

const TICKS = 100; // per second, on Linux
const SERVERS = /mariadbd|mysqld/;

/** What /proc tells about a process; undefined if it has ended. */
function readProcess(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [, parent, ...fields] = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [own, ofSystem, ofEnded, systemOfEnded] = fields.slice(9, 13).map((ticks) => Number(ticks) / TICKS);
    return { parent: Number(parent), own: own + ofSystem, ended: ofEnded + systemOfEnded };
  } catch {
    return undefined;
  }
}

const commandOf = (pid) => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
};

/** The seconds so far. */
exports.read = () => {
  const all = new Map();
  for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    const found = readProcess(name);
    if (found) all.set(Number(name), found);
  }
  const isWithin = (pid) => {
    for (let at = pid; at > 1; at = all.get(at)?.parent ?? 0) if (at === process.pid) return true;
    return false;
  };
  const ports = JSON.parse(process.env.SIPGRAPH_TEST_SERVERS ?? '[]').map(({ url }) => new URL(url).port);
  const me = all.get(process.pid);
  const costs = { wall: performance.now() / 1000, own: me.own, others: me.ended, servers: 0 };
  for (const [pid, { own, ended }] of all) {
    if (pid === process.pid) continue;
    const command = commandOf(pid);
    if (SERVERS.test(command) && ports.some((port) => command.includes(port))) costs.servers += own;
    else if (isWithin(pid)) costs.others += own + ended;
  }
  return costs;
};

/** Writes what a test file has cost since `before`. */
exports.write = (testPath, before) => {
  const after = exports.read();
  const seconds = Object.keys(before).map((name) => (after[name] - before[name]).toFixed(2));
  appendFileSync(process.env.COSTS, `${[relative(join(__dirname, '..'), testPath), ...seconds].join('\t')}\n`);
};
