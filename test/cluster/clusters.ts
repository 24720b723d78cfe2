import { startGalera } from './galera';
import { startGroupReplication } from './group-replication';
import type { Cluster } from './node';

const mysql = process.env['CLUSTER_MYSQL'];

/**
 * The kinds of clusters that this machine can run, for `describe.each(clusters)('... on $name', ({ start }) => ...)`.
 */
export const clusters: readonly { readonly name: string; readonly start: () => Promise<Cluster> }[] = [
  { name: 'Galera', start: startGalera },
  ...(mysql === undefined ? [] : [{ name: 'group replication', start: () => startGroupReplication(mysql) }]),
];
