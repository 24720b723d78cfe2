import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

import { query } from '../support/databases/servers';
import { startCluster, type Cluster } from './node';

// Nodes notice within seconds that another one is gone, and a killed node can catch up from the memory of the others.
const PROVIDER = 'gcache.size=64M;evs.suspect_timeout=PT2S;evs.inactive_timeout=PT4S;evs.keepalive_period=PT0.5S';

const WSREP = [
  '--innodb-autoinc-lock-mode=2',
  '--binlog-format=ROW',
  '--wsrep-on=ON',
  '--wsrep-provider=/usr/lib/galera/libgalera_smm.so',
  '--wsrep-cluster-name=sipgraph',
];

// A server that hangs fails the test.
const LIMITED = { stdio: 'pipe', timeout: 100_000, killSignal: 'SIGKILL' } as const;

// For a cluster of one node.
const ALONE = [
  '--skip-networking',
  '--wsrep-cluster-address=gcomm://',
  '--wsrep-provider-options=gmcast.listen_addr=tcp://127.0.0.1:4567',
];

/** Starts three nodes of MariaDB Galera. */
export function startGalera(): Promise<Cluster> {
  return startCluster((addresses) => ({
    program: 'mariadbd',
    install,
    args: (n, { address }, data, isFirst) => [
      '--no-defaults',
      '--user=root',
      `--datadir=${data}`,
      `--socket=${data}.socket`,
      `--pid-file=${data}.pid`,
      `--bind-address=${address}`,
      // Its users may connect from the same machine only.
      '--skip-grant-tables',
      '--max-connections=500',
      // A killed server loses nothing, because the operating system has received what it committed.
      '--innodb-flush-log-at-trx-commit=2',
      '--innodb-flush-method=nosync',
      '--innodb-doublewrite=0',
      '--innodb-buffer-pool-size=64M',
      '--innodb-log-file-size=48M',
      ...WSREP,
      `--wsrep-cluster-address=gcomm://${addresses.join(',')}`,
      `--wsrep-node-address=${address}`,
      `--wsrep-node-name=node${String(n)}`,
      `--wsrep-provider-options=${PROVIDER}`,
      '--wsrep-sst-method=history',
      ...(isFirst ? ['--wsrep-new-cluster'] : []),
      ...startPosition(data),
    ],
    join: () => Promise.resolve(),
    assertMember: async (url, members) => {
      const state = await query(
        url,
        `SELECT GROUP_CONCAT(variable_value ORDER BY variable_name) FROM information_schema.global_status
         WHERE variable_name IN ('wsrep_cluster_size', 'wsrep_cluster_status', 'wsrep_local_state_comment')`,
      );
      if (state !== `${String(members)},Primary,Synced`) throw new Error(`The node at ${url} is ${String(state)}`);
      await query(url, 'SET STATEMENT wsrep_sync_wait = 1 FOR SELECT COUNT(*) FROM mysql.user');
    },
  }));
}

/**
 * Creates the data of a node: a cluster of one node begins its history and ends. All nodes start with a copy, so later
 * they only need what they have missed.
 */
function install(data: string): void {
  const common = ['--no-defaults', '--user=root', `--datadir=${data}`];
  const options = ['--auth-root-authentication-method=normal', '--skip-test-db', '--innodb-log-file-size=48M'];
  execFileSync('mariadb-install-db', [...common, ...options], LIMITED);
  const end = `${data}.sql`;
  writeFileSync(end, 'SHUTDOWN;\n');
  const places = [`--socket=${data}.socket`, `--pid-file=${data}.pid`, `--init-file=${end}`];
  execFileSync('mariadbd', [...common, ...places, ...WSREP, ...ALONE], LIMITED);
}

/** The position of a killed server in the history of the cluster, which `galera_recovery` finds in the same way. */
function startPosition(data: string): readonly string[] {
  const options = ['--no-defaults', '--user=root', `--datadir=${data}`, `--socket=${data}.socket`, ...WSREP];
  const { stderr } = spawnSync('mariadbd', [...options, ...ALONE, '--wsrep-recover'], {
    ...LIMITED,
    encoding: 'utf8',
  });
  const position = /Recovered position: (\S+)/.exec(stderr)?.[1];
  if (position === undefined) throw new Error(`The server does not recover:\n${stderr}`);
  return [`--wsrep-start-position=${position}`];
}
