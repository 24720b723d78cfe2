import { readdir, readFile } from 'node:fs/promises';

/** A process that a measured server started, directly or not. */
export interface Descendant {
  readonly pid: number;
  /** The name of its program. */
  readonly name: string;
  /** CPU time in microseconds, in steps of 10 ms. */
  readonly cpu: number;
  /** Resident memory (RSS), in bytes. */
  readonly resident: number;
}

interface Process extends Descendant {
  readonly parent: number;
}

// Linux: the units of /proc/<pid>/stat, 100 ticks a second and pages of 4 KiB.
const TICK = 10_000;
const PAGE = 4096;

/** The running processes that this one started, directly or not. Empty where there is no /proc. */
export async function descendants(root: number | undefined): Promise<readonly Descendant[]> {
  const names = await readdir('/proc').catch(() => []);
  const processes = (await Promise.all(names.filter((name) => /^\d+$/.test(name)).map(read))).flat();
  const below = (pid: number): readonly Process[] =>
    processes.filter(({ parent }) => parent === pid).flatMap((found) => [found, ...below(found.pid)]);
  return root === undefined ? [] : below(root);
}

/** The CPU time of running processes with one thread each, in microseconds, more precisely than `cpu`. */
export async function cpuOf(processes: readonly Descendant[]): Promise<number> {
  const read = ({ pid }: Descendant): Promise<string> =>
    readFile(`/proc/${String(pid)}/schedstat`, 'latin1').catch(() => '0');
  // The first field is in nanoseconds.
  return (await Promise.all(processes.map(read))).reduce((sum, text) => sum + Number(text.split(' ', 1)[0]) / 1000, 0);
}

/** Reads a process (proc_pid_stat(5)); empty if it has ended. */
async function read(pid: string): Promise<readonly Process[]> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  // The second field, the name of the program, may contain spaces and parentheses.
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [, parent, , , , , , , , , , user, system] = fields;
  const pages = fields[21];
  if (parent === undefined || user === undefined || system === undefined || pages === undefined) return [];
  const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
  return [{ pid: Number(pid), parent, name, cpu: (user + system) * TICK, resident: pages * PAGE }];
}
