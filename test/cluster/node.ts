import { execFileSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { eventually } from '../support/eventually';
import { query } from '../support/databases/servers';
import { createMachine, PORT, type Machine } from './network';

/** A database server of a cluster. */
export interface Node {
  /** The URL of the server, to which the name of a database can be appended. */
  readonly url: string;
  /** Starts the server, and waits until it is a working member of the cluster. */
  readonly start: () => Promise<void>;
  /** Kills the server with SIGKILL. */
  readonly kill: () => Promise<void>;
  /** Stops the process of the server, but closes no connection. */
  readonly freeze: () => void;
  readonly thaw: () => Promise<void>;
  /** Cuts the connections to the other nodes, but not those of clients. */
  readonly cut: () => void;
  readonly mend: () => Promise<void>;
}

/** A cluster of three nodes that accepts writes on each of them. */
export interface Cluster {
  readonly nodes: readonly [Node, Node, Node];
  readonly stop: () => Promise<void>;
}

/** How to run the servers of a product. */
export interface Product {
  readonly program: string;
  /** Creates the data of a server that has no data yet. */
  readonly install: (data: string) => void;
  /** The arguments of a start. `isFirst` is true for the first start of the first server only. */
  readonly args: (n: number, machine: Machine, data: string, isFirst: boolean) => readonly string[];
  /** Called when the server accepts connections, to make it a member of the cluster. */
  readonly join: (url: string, isFirst: boolean) => Promise<void>;
  /** Fails unless the server is one of so many working members, and has everything that the others have. */
  readonly assertMember: (url: string, members: number) => Promise<void>;
}

// The folder for the data of all clusters, which `test/cluster/run` removes.
const HOME = process.env['CLUSTER_HOME'] ?? '';
// A busy machine may need minutes for a start and for what the node has missed.
const SECONDS = 240;

let machines = 0;

/** Starts three nodes. `productOf` receives their addresses. */
export async function startCluster(productOf: (addresses: readonly string[]) => Product): Promise<Cluster> {
  const three = await Promise.all([
    createMachine(machines + 1),
    createMachine(machines + 2),
    createMachine(machines + 3),
  ]);
  machines += 3;
  const product = productOf(three.map(({ address }) => address));
  const base = join(HOME, `base-${String(machines)}`);
  product.install(base);
  const members = new Set<Machine>();
  const nodeOf = (machine: Machine, n: number): Node => createNode(product, n, machine, base, members);
  const nodes = [nodeOf(three[0], 1), nodeOf(three[1], 2), nodeOf(three[2], 3)] as const;
  // One after the other: only a complete member can bring another one up to date.
  for (const node of nodes) await node.start();
  return {
    nodes,
    stop: async () => {
      for (const node of nodes) await node.kill();
    },
  };
}

/**
 * A node with a copy of the data in `base`. Nothing runs yet. `members`: those that should be members at the moment.
 */
function createNode(product: Product, n: number, machine: Machine, base: string, members: Set<Machine>): Node {
  const home = join(HOME, machine.address);
  const data = join(home, 'data');
  mkdirSync(home);
  execFileSync('cp', ['-a', base, data]);
  const log = join(home, 'log');
  const output = openSync(log, 'a');
  const url = urlOf(machine);
  let child: ChildProcess | undefined;
  let isFirst = n === 1;
  const isMember = (): Promise<void> => {
    members.add(machine);
    return eventually(SECONDS, async () => {
      // This node first: another one does not see it before it has joined.
      for (const each of new Set([machine, ...members])) await product.assertMember(urlOf(each), members.size);
    });
  };
  return {
    url,
    start: async () => {
      child = machine.spawn(product.program, product.args(n, machine, data, isFirst), output);
      await eventually(SECONDS, () => answers(url)).catch((error: unknown) => {
        throw new Error(`The server does not start:\n${readFileSync(log, 'utf8').slice(-3000)}`, { cause: error });
      });
      await product.join(url, isFirst);
      isFirst = false;
      await isMember();
    },
    kill: async () => {
      members.delete(machine);
      const ended = child && once(child, 'exit');
      child?.kill('SIGKILL');
      await ended;
    },
    freeze: () => {
      members.delete(machine);
      child?.kill('SIGSTOP');
    },
    thaw: () => {
      child?.kill('SIGCONT');
      return isMember();
    },
    cut: () => {
      members.delete(machine);
      machine.cut();
    },
    mend: () => {
      machine.mend();
      return isMember();
    },
  };
}

function urlOf({ address }: Machine): string {
  return `mysql://root@${address}:${String(PORT)}/`;
}

async function answers(url: string): Promise<void> {
  await query(url, 'SELECT 1');
}
