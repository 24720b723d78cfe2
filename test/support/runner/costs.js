// COSTS=FILE npx jest -i [TEST]... appends a line for each test file to FILE: its name, and the seconds of wall time, of CPU time
// of Jest's process, of the processes that it starts, and of the database servers of the run. The processes are looked at
// while they run, because nobody waits for most of Chromium's, and the kernel adds the time of such to no other process.
const { appendFileSync, readFileSync, readdirSync } = require('node:fs');
const { join, relative } = require('node:path');

const TICKS = 100; // per second, on Linux
const SERVERS = /mariadbd|mysqld/;
const LOOKS = 200; // in milliseconds

/** The CPU time of each process that this one has started, when it was last seen. */
const started = new Map();

/** What /proc tells about a process; undefined if it has ended. */
function readProcess(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [, parent, ...fields] = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [own, ofSystem] = fields.slice(9, 11).map((ticks) => Number(ticks) / TICKS);
    return { parent: Number(parent), own: own + ofSystem, id: `${pid} ${fields[17]}` };
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

/** All processes, of which those that this one has started are noted. */
function look() {
  const all = new Map();
  for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    const found = readProcess(name);
    if (found) all.set(Number(name), found);
  }
  const isWithin = (pid) => {
    for (let at = pid; at > 1; at = all.get(at)?.parent ?? 0) if (at === process.pid) return true;
    return false;
  };
  for (const [pid, { id, own }] of all) if (pid !== process.pid && isWithin(pid)) started.set(id, own);
  return all;
}

/** The seconds so far. */
exports.read = () => {
  exports.looking ??= setInterval(look, LOOKS).unref();
  const all = look();
  const ports = JSON.parse(process.env.SIPGRAPH_TEST_SERVERS ?? '[]').map(({ url }) => new URL(url).port);
  const servers = new Set();
  for (const [pid, { id }] of all) {
    const command = commandOf(pid);
    if (SERVERS.test(command) && ports.some((port) => command.includes(port))) servers.add(id);
  }
  const sum = (entries) => entries.reduce((total, [, own]) => total + own, 0);
  return {
    wall: performance.now() / 1000,
    own: all.get(process.pid).own,
    // Jest's process is the one that has started the servers of the run, if there is but one.
    others: sum([...started].filter(([id]) => !servers.has(id))),
    servers: sum([...all.values()].filter(({ id }) => servers.has(id)).map(({ id, own }) => [id, own])),
  };
};

/** Writes what a test file has cost since `before`. */
exports.write = (testPath, before) => {
  const after = exports.read();
  const seconds = Object.keys(before).map((name) => (after[name] - before[name]).toFixed(2));
  appendFileSync(process.env.COSTS, `${[relative(join(__dirname, '../..'), testPath), ...seconds].join('\t')}\n`);
};
