import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';

import type { QueryRunner } from 'typeorm';

import { driverError } from './errors';

type Query = (text: string, parameters?: unknown[]) => Promise<unknown>;

const DDL = /^\s*(ALTER|CREATE|DROP|RENAME)\b/i;
// ER_LOCK_DEADLOCK and ER_LOCK_WAIT_TIMEOUT. Nothing is lost: a DDL statement commits what was before it.
const LOCKED = [1213, 1205];
// Seconds that a DDL statement waits for locks. It waits longer each time, because it may have copied a large table in vain.
const MOST = 10;
const PAUSE = 1000;
/** Milliseconds after which a migration fails. The next start continues it. */
const PATIENCE = 600_000;

/**
 * Executes the statements of migrations while other processes write. All who want to use a table wait behind a DDL statement that
 * waits for it, also those for which it waits: MariaDB does not notice if one of them has locked a row through a foreign key. So a
 * DDL statement waits for locks for a short time only, and is repeated.
 */
export function besideWrites(runner: QueryRunner): Query {
  let waits: number | 'DEFAULT' | undefined;
  const waitForLocks = async (seconds: number | 'DEFAULT'): Promise<void> => {
    if (seconds === waits) return;
    waits = seconds;
    await runner.query(
      `SET SESSION lock_wait_timeout = ${String(seconds)}, innodb_lock_wait_timeout = ${String(seconds)}`,
    );
  };
  return async (given, parameters): Promise<unknown> => {
    const text = withAlterTable(given);
    if (!DDL.test(text)) {
      await waitForLocks('DEFAULT');
      return runner.query(text, parameters);
    }
    const end = performance.now() + PATIENCE;
    for (let seconds = 1; ; seconds = Math.min(seconds + 1, MOST)) {
      await waitForLocks(seconds);
      try {
        return await runner.query(text, parameters);
      } catch (error) {
        if (!LOCKED.includes(driverError(error).errno) || performance.now() > end) throw error;
      }
      await setTimeout(PAUSE);
    }
  };
}

/**
 * Writes CREATE INDEX and DROP INDEX as ALTER TABLE, which does the same. Galera applies the former without waiting for writes to
 * the tables that a foreign key refers to, so a node can stop for ever.
 */
function withAlterTable(text: string): string {
  return text
    .replace(/^\s*CREATE\s+(UNIQUE )?INDEX (\w+) ON (\w+)/, 'ALTER TABLE $3 ADD $1INDEX $2')
    .replace(/^\s*DROP INDEX (\w+) ON (\w+)/, 'ALTER TABLE $2 DROP INDEX $1');
}
