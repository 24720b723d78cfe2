import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const RULES = join(__dirname, '../../../docs/kamailio/limits.nft');

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
