import { readFileSync } from 'node:fs';

/** Files reserved for the database, the log and reader processes. */
const RESERVE = 200;
/** Files per connection: its socket, and the file that it downloads, if any. */
const PER_CONNECTION = 2;

/** How many connections the process's limit of open files allows; Infinity if the system does not report the limit. */
export function affordableConnections(): number {
  const limit = openFileLimit();
  return limit === undefined ? Infinity : Math.max(1, Math.floor((limit - RESERVE) / PER_CONNECTION));
}

/** Reads the soft limit from /proc/self/limits (proc_pid_limits(5)). Returns undefined if the limit cannot be read. */
function openFileLimit(): number | undefined {
  try {
    const soft = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}
