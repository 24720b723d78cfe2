import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** A network namespace with one address, which stands for a machine. */
export interface Machine {
  readonly address: string;
  /** Starts a program on the machine. Its output goes to a file. */
  readonly spawn: (program: string, args: readonly string[], log: number) => ChildProcess;
  /** Drops all packets, except those of database clients: as if the machine had lost the others of its cluster. */
  readonly cut: () => void;
  readonly mend: () => void;
}

// The port of database clients.
export const PORT = 3306;

const RULES = `table inet cut {
  chain in { type filter hook input priority 0; policy drop; iif lo accept; tcp dport ${String(PORT)} accept; }
  chain out { type filter hook output priority 0; policy drop; oif lo accept; tcp sport ${String(PORT)} accept; }
}
`;

/** Connects a new machine to the bridge `cluster`, which `test/cluster/run` has created. `n` is 1 to 253. */
export async function createMachine(n: number): Promise<Machine> {
  const address = `10.77.0.${String(n)}`;
  const link = `node${String(n)}`;
  const holder = spawn('unshare', ['-n', 'sh', '-c', 'echo ready; exec sleep infinity'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(holder.stdout, 'data');
  // It ends with the run, which does not wait for it.
  holder.stdout.destroy();
  holder.unref();
  const inside = ['-t', String(holder.pid), '-n'];
  const ip = (args: string): void => void execFileSync('ip', args.split(' '));
  ip(`link add ${link} type veth peer name eth0 netns ${String(holder.pid)}`);
  ip(`link set ${link} master cluster up`);
  const setup = `ip link set lo up; ip addr add ${address}/24 dev eth0; ip link set eth0 up`;
  execFileSync('nsenter', [...inside, 'sh', '-ec', setup]);
  return {
    address,
    spawn: (program, args, log) => spawn('nsenter', [...inside, program, ...args], { stdio: ['ignore', log, log] }),
    cut: () => void execFileSync('nsenter', [...inside, 'nft', '-f', '-'], { input: RULES }),
    mend: () => void execFileSync('nsenter', [...inside, 'nft', 'delete', 'table', 'inet', 'cut']),
  };
}
