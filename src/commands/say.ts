import type { Config } from '../config';
import type { Database } from '../database/database';

/** Does something on the database of the configuration. */
export type WithDatabase = <T>(work: (database: Database, config: Config) => Promise<T>) => Promise<T>;

/** Tells the operator. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Tells the operator what went wrong. */
export function complain(line: string): void {
  process.stderr.write(`${line}\n`);
}
