import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const DOCS = join(__dirname, '../../../docs/kamailio');
const RULES = join(DOCS, 'limits.nft');

/** Opens 250 connections from one address, to SIP and SIP over TLS in turns, and one from another; prints how many of each are accepted. */
const CONNECT = `
  const net = require('node:net');
  const connects = (address, n) => new Promise((resolve) => {
    const host = address.includes(':') ? '::1' : '127.0.0.1';
    const socket = net.connect({ host, port: 5060 + (n % 2), localAddress: address });
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
  });
  const count = async (address, times) =>
    (await Promise.all(Array.from({ length: times }, (_, n) => connects(address, n)))).filter(Boolean).length;
  const listens = (port) => new Promise((resolve) => net.createServer().listen(port, '::', 512, resolve));
  Promise.all([5060, 5061].map(listens)).then(async () => {
    console.log(JSON.stringify([await count('127.0.0.2', 250), await count('127.0.0.3', 1), await count('::1', 250)]));
    process.exit();
  });`;

// In a separate network namespace, if nftables is installed and the kernel allows it. Otherwise, the rules are only
// parsed.
const hasNetwork = spawnSync('unshare', ['-rn', 'sh', '-c', 'nft list ruleset && ip link set lo up']).status === 0;

test('docs/kamailio/limits.nft lets one address have 200 connections, to SIP and to SIP over TLS together', () => {
  if (!hasNetwork) {
    expect(
      readFileSync(RULES, 'utf8').match(/tcp dport \{ 5060, 5061 \} ct state new add @\w+ \{.* ct count over 200 \}/g),
    ).toHaveLength(2);
    return;
  }
  const script = 'ip link set lo up && nft -f "$0" && nft -f "$0" && exec "$1" -e "$2"';
  const out = execFileSync('unshare', ['-rn', 'sh', '-c', script, RULES, process.execPath, CONNECT], {
    encoding: 'utf8',
    timeout: 30_000,
  });
  expect(JSON.parse(out)).toEqual([200, 1, 200]);
});

/** Runs fail2ban until it has banned the address that the log names again and again, for at most 15 s, and prints the rules. */
const BAN = `
  ip link set lo up && cd "$0"
  fail2ban-server -c "$0" -s "$0/socket" -p "$0/pid" -x -f --logtarget "$0/fail2ban.log" & server=$!
  for time in $(seq 75); do
    echo "$(date +'%b %d %H:%M:%S') host kamailio[12]: NOTICE: {1 2 REGISTER a} <script>: authentication failed: method=REGISTER user=anna realm=one.test address=127.0.2.5" >> kamailio.log
    nft list ruleset 2> errors | grep -q 127.0.2.5 && break
    sleep 0.2
  done
  nft list ruleset
  kill $server; wait $server; true`;

test('docs/kamailio/fail2ban-jail.conf bans an address at the ports of SIP', () => {
  const jail = readFileSync(join(DOCS, 'fail2ban-jail.conf'), 'utf8');
  if (!hasNetwork) {
    expect(jail).toContain('\nbanaction = nftables-multiport\n');
    return;
  }
  const directory = mkdtempSync(join(tmpdir(), 'sipgraph-fail2ban-'));
  for (const name of ['jail.conf', 'paths-common.conf', 'paths-debian.conf', 'action.d'])
    symlinkSync(join('/etc/fail2ban', name), join(directory, name));
  writeFileSync(join(directory, 'fail2ban.conf'), '[Definition]\ndbfile = None\nallowipv6 = auto\n');
  for (const folder of ['filter.d', 'jail.d']) mkdirSync(join(directory, folder));
  symlinkSync(join(DOCS, 'fail2ban-filter.conf'), join(directory, 'filter.d/sipgraph-kamailio.conf'));
  // There is no journal here.
  const read = jail.replace(
    /^backend = systemd\njournalmatch = .*$/m,
    `backend = polling\nlogpath = ${directory}/kamailio.log`,
  );
  writeFileSync(join(directory, 'jail.d/sipgraph-kamailio.conf'), read.replace(/^maxretry = .*$/m, 'maxretry = 3'));
  writeFileSync(join(directory, 'kamailio.log'), '');
  const rules = execFileSync('unshare', ['-rn', 'bash', '-c', BAN, directory], { encoding: 'utf8', timeout: 30_000 });
  expect(rules).toContain('elements = { 127.0.2.5 }');
  for (const transport of ['udp', 'tcp'])
    expect(rules).toMatch(new RegExp(`${transport} dport \\{ 5060, 5061 \\} ip saddr @\\S+ reject`));
}, 40_000);
