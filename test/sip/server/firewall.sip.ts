import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const RULES = join(__dirname, '../../../docs/kamailio/limits.nft');

/** Opens 250 connections from one address and one from another; prints how many of each are accepted. */
const CONNECT = `
  const net = require('node:net');
  const connects = (address) => new Promise((resolve) => {
    const [to, port] = address.includes(':') ? ['::1', 5060] : ['127.0.0.1', 5060];
    const socket = net.connect({ host: to, port, localAddress: address });
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
  });
  const count = async (address, times) =>
    (await Promise.all(Array.from({ length: times }, () => connects(address)))).filter(Boolean).length;
  net.createServer().listen(5060, '::', 512, async () => {
    console.log(JSON.stringify([await count('127.0.0.2', 250), await count('127.0.0.3', 1), await count('::1', 250)]));
    process.exit();
  });`;

// In a separate network namespace, if nftables is installed and the kernel allows it. Otherwise, the rules are only
// parsed.
const hasNetwork = spawnSync('unshare', ['-rn', 'sh', '-c', 'nft list ruleset && ip link set lo up']).status === 0;

test('docs/kamailio/limits.nft lets one address have 200 connections', () => {
  if (!hasNetwork) {
    expect(
      readFileSync(RULES, 'utf8').match(/tcp dport 5060 ct state new add @\w+ \{.* ct count over 200 \}/g),
    ).toHaveLength(2);
    return;
  }
  const script = 'ip link set lo up && nft -f "$0" && exec "$1" -e "$2"';
  const out = execFileSync('unshare', ['-rn', 'sh', '-c', script, RULES, process.execPath, CONNECT], {
    encoding: 'utf8',
    timeout: 30_000,
  });
  expect(JSON.parse(out)).toEqual([200, 1, 200]);
});
