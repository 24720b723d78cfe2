import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { query } from '../support/databases/servers';
import { startCluster, type Cluster } from './node';

const GROUP = '6b6b6b6b-0000-11f0-8000-000000000002';

/** Starts three nodes of MySQL in group replication. `root`: the folder in which `../shared/mysql` unpacked MySQL. */
export function startGroupReplication(root: string): Promise<Cluster> {
  const libraries = join(root, 'usr/lib/x86_64-linux-gnu');
  const program = join(libraries, 'ld-linux-x86-64.so.2');
  const common = (data: string): readonly string[] => [
    '--library-path',
    libraries,
    join(root, 'usr/sbin/mysqld'),
    '--no-defaults',
    `--basedir=${join(root, 'usr')}`,
    `--lc-messages-dir=${join(root, 'usr/share/mysql')}`,
    `--character-sets-dir=${join(root, 'usr/share/mysql/charsets')}`,
    `--plugin-dir=${join(root, 'usr/lib/mysql/plugin')}`,
    '--secure-file-priv=',
    '--user=root',
    `--datadir=${data}`,
    '--innodb-redo-log-capacity=64M',
  ];
  return startCluster((addresses) => ({
    program,
    install: (data) => {
      const users = `${data}.sql`;
      writeFileSync(users, "CREATE USER root@'%';\nGRANT ALL ON *.* TO root@'%' WITH GRANT OPTION;\n");
      const options = ['--initialize-insecure', '--skip-log-bin', `--init-file=${users}`];
      execFileSync(program, [...common(data), ...options], { stdio: 'pipe' });
      // Each server has an id of its own.
      rmSync(join(data, 'auto.cnf'));
    },
    args: (n, { address }, data) => [
      ...common(data),
      `--socket=${data}.socket`,
      `--pid-file=${data}.pid`,
      `--bind-address=${address}`,
      '--mysqlx=OFF',
      '--skip-name-resolve',
      '--max-connections=500',
      '--innodb-buffer-pool-size=64M',
      // A killed server loses nothing, because the operating system has received what it committed.
      '--innodb-flush-log-at-trx-commit=2',
      '--sync-binlog=0',
      `--server-id=${String(n)}`,
      '--gtid-mode=ON',
      '--enforce-gtid-consistency=ON',
      '--log-bin=binlog',
      `--report-host=${address}`,
      // Until the group accepts it.
      '--super-read-only=ON',
      '--plugin-load-add=group_replication.so',
      `--loose-group-replication-group-name=${GROUP}`,
      `--loose-group-replication-local-address=${address}:33061`,
      `--loose-group-replication-group-seeds=${addresses.map((each) => `${each}:33061`).join(',')}`,
      '--loose-group-replication-single-primary-mode=OFF',
      '--loose-group-replication-start-on-boot=OFF',
      // Members notice within seconds that another one is gone.
      '--loose-group-replication-member-expel-timeout=0',
      '--loose-group-replication-unreachable-majority-timeout=3',
      // `assertMember` lets a member join again. An attempt of the member itself would block that for a minute.
      '--loose-group-replication-autorejoin-tries=0',
      '--loose-group-replication-exit-state-action=READ_ONLY',
    ],
    join: async (url, isFirst) => {
      await query(url, "CHANGE REPLICATION SOURCE TO SOURCE_USER = 'root' FOR CHANNEL 'group_replication_recovery'");
      await query(url, `SET GLOBAL group_replication_bootstrap_group = ${isFirst ? 'ON' : 'OFF'}`);
      // A member that was killed can join once the others have expelled it, which `assertMember` waits for.
      await query(url, 'START GROUP_REPLICATION').catch(() => undefined);
      await query(url, 'SET GLOBAL group_replication_bootstrap_group = OFF');
    },
    assertMember: async (url, members) => {
      const from = 'FROM performance_schema.replication_group_members WHERE member_state';
      const state = await query(url, `SELECT member_state ${from} <> '' AND member_id = @@server_uuid`);
      // A member that was expelled or has left.
      if (state === 'ERROR') await query(url, 'STOP GROUP_REPLICATION');
      if (state === 'ERROR' || state === 'OFFLINE' || state === undefined) await query(url, 'START GROUP_REPLICATION');
      const online = await query(url, `SELECT COUNT(*) ${from} = 'ONLINE'`);
      if (state !== 'ONLINE' || Number(online) !== members)
        throw new Error(`The node at ${url} is ${String(state)}, one of ${String(online)}`);
      await query(url, "SET SESSION group_replication_consistency = 'BEFORE'");
    },
  }));
}
